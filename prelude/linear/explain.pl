% Explanations of goals with linear assumptions: why they fail, what they leave unused, and what a solution
% uses.
%
% While one of these predicates runs a goal, and only then, a recorder in the machine notes what the goal
% assumes and uses. Long because the predicates share the code that reads these notes.

:- module(explain, [
    why/0, why/1, affine/2, leftover/2, trace_context/0, notrace_context/0, show_context/0,
    exactly/1, causal_graph/2, causal_json/2, causal_dot/2, '$explain_last'/0
]).

:- use_module(library(assoc), [empty_assoc/1, get_assoc/3, put_assoc/4]).

:- meta_predicate(why(0)).
:- meta_predicate('$why'(?, 0)).
:- meta_predicate(affine(0, -)).
:- meta_predicate(leftover(0, -)).
:- meta_predicate(exactly(0)).
:- meta_predicate(causal_graph(0, -)).
:- meta_predicate(causal_json(0, +)).
:- meta_predicate(causal_dot(0, +)).

% ---- why ----------------------------------------------------------------------------------------

%%  why
%   Explains why the last query has no solution: calls why/1 with its goal.
why :-
    current_output(Out),
    (   '$last_failed'(Goal)
    ->  explain_given_up(Out, Goal),
        '$why'(Out, Goal)
    ;   '$last_succeeded'
    ->  format(Out, 'The last query had a solution.~n', [])
    ;   format(Out, 'No query has run yet.~n', [])
    ).

explain_given_up(Out, Goal) :-
    (   Goal = lolli_session:stopped_by_limit(Message, _, _)
    ->  format(Out, 'The query ended before it had a result: ~w.~n', [Message])
    ;   true
    ).

% For the host: explains a failed goal on the standard error output.
'$explain_last' :-
    (   '$last_failed'(Goal) -> '$why'(user_error, Goal) ; true ).

%%  why(:Goal)
%   Runs Goal again and explains why it fails. Reports linear assumptions left at the end of their scope, and
%   goals that nothing proved, with the alternatives. Also reports constants of quantifiers that would have left
%   their scope. The run has at most 200,000 calls and no side effects. It ends at a goal that would write,
%   read, or change clauses, flags, global variables or files. Reports at most three failures; branches that
%   used up most come first. The variables of Goal stay unbound. why/1 succeeds in any case.
why(Goal) :-
    current_output(Out),
    '$why'(Out, Goal).

'$why'(Out, Goal) :-
    explain_outcome(Goal, Outcome),
    explain_possible(Outcome),
    explain_failures(Outcome, End, Failures),
    explain_report(Out, Outcome, End, Failures).

% Only one recorder exists.
explain_possible(Outcome) :-
    (   Outcome = exception(error(permission_error(modify, recording, Goal), _))
    ->  throw(error(permission_error(modify, recording, Goal),
                    context(_, 'no explanation is possible while a goal is recorded')))
    ;   true
    ).

% Recording may have failed to start for lack of memory.
explain_failures(Outcome, End, Failures) :-
    catch('$recorded_failures'(End, Failures), Error, true),
    (   var(Error) -> true
    ;   Outcome = exception(Ball) -> throw(Ball)
    ;   throw(Error)
    ).

explain_calls(200000).

explain_outcome(Goal, Outcome) :-
    explain_calls(Calls),
    (   catch(explain_alone(Goal, Calls, Ball), Ball, true)
    ->  (   var(Ball) -> Outcome = true ; Outcome = exception(Ball) )
    ;   Outcome = false
    ).

% Reports goals that leave a prompt of Lolli, and nothing else.
explain_alone(Goal, Calls, Ball) :-
    catch(explain_once(Goal, Calls), '$lolli'(Way), Ball = '$lolli'(Way)).

% Uses double negation: binds no variable, however the goal ends.
explain_once(Goal, Calls) :-
    \+ \+ ( '$record_begin'(Calls), call(Goal), '$record_begin'(-2) ).

explain_report(Out, Outcome, End, Failures) :-
    explain_verdict(Outcome, End, Verdict, Arguments),
    format(Out, Verdict, Arguments),
    nl(Out),
    (   Outcome == true
    ->  true
    ;   explain_texts(Failures, [], Texts),
        explain_none(Texts, Outcome, End, Out),
        explain_show(Texts, 1, Out)
    ).

explain_verdict(_, calls, 'Stopped after ~D calls; the explanation covers only the branches searched so far.', [Calls]) :-
    !,
    explain_calls(Calls).
explain_verdict(_, effect(Indicator),
        'Stopped before ~q, whose effect cannot be undone; the explanation covers only the branches searched so far.',
        [Indicator]) :- !.
explain_verdict(true, _, 'The goal has a solution.', []).
explain_verdict(false, _, 'The goal has no solution.', []).
explain_verdict(exception(Ball), _, 'The goal raises an error: ~w.', [Text]) :-
    Ball = error(_, _),
    catch(lolli_session:message(Ball, Text), _, fail), !.
explain_verdict(exception(Ball), _, 'The goal raises ~p.', [Ball]).

explain_none([], false, end, Out) :- !,
    format(Out, 'No assumption was left over, and no goal that assumptions could prove failed.~n', []).
explain_none(_, _, _, _).

explain_most(3).

% Collects the texts of the failures, each once.
explain_texts([], _, []).
explain_texts([Rank-Failure|Failures], Seen, Texts) :-
    explain_most(Most),
    length(Seen, Number),
    (   Number >= Most
    ->  Texts = []
    ;   with_output_to(atom(Text), explain_failure(Failure, Rank)),
        (   memberchk(Text, Seen)
        ->  Texts = Rest, Next = Seen
        ;   Texts = [Text|Rest], Next = [Text|Seen]
        ),
        explain_texts(Failures, Next, Rest)
    ).

explain_show([], _, _).
explain_show([Text|Texts], Number, Out) :-
    format(Out, '~d. ~w', [Number, Text]),
    Next is Number+1,
    explain_show(Texts, Next, Out).

explain_failure(Failure, Rank) :-
    \+ \+ (
        explain_language(Failure, Language),
        explain_name_variables(Language, Failure),
        explain_failure_text(Failure, Rank)
    ).

explain_language(missed(lolli:_, _, _, _, _), lolli) :- !.
explain_language(left(_, [Resource-_|_], _), lolli) :-
    arg(1, Resource, lolli:_), !.
explain_language(escaped('$eigen'(Name, _), _, _, _, _), lolli) :-
    % Quantifiers of Prolog bind variables, whose names are not kept.
    Name \== forall, !.
explain_language(_, prolog).

% Names variables: as numbervars writes them, or for Lolli, as names that a quantifier binds.
explain_name_variables(Language, Term) :-
    term_variables(Term, Variables),
    explain_name_variables(Variables, 0, Language).

explain_name_variables([], _, _).
explain_name_variables([Variable|Variables], N, Language) :-
    explain_name(Language, N, Variable),
    Next is N+1,
    explain_name_variables(Variables, Next, Language).

explain_name(prolog, N, '$VAR'(N)).
explain_name(lolli, N, '$bound'(Name)) :- format(atom(Name), '~p', ['$VAR'(N)]).

explain_failure_text(missed(Goal, Place, Used, Hidden, Others), Rank) :-
    explain_after(Rank, 'Nothing', 'nothing'),
    write(' proves '), explain_goal(Goal),
    explain_place(', called', Place),
    write('.\n'),
    explain_used(Used),
    explain_list('   Hidden by {} or by the other half of &: ', Hidden),
    explain_list('   These exist but do not prove it: ', Others).
explain_failure_text(left(Where, Resources, Number), Rank) :-
    explain_after(Rank, 'Left over', 'left over'),
    explain_where(Where, Text),
    format(' ~w:~n', [Text]),
    explain_left(Resources),
    length(Resources, Told),
    (   Number > Told -> More is Number-Told, format('   and ~D more.~n', [More]) ; true ).

explain_failure_text(escaped(Constant, Value, Kind, Made, Bound), Rank) :-
    explain_language(escaped(Constant, Value, Kind, Made, Bound), Language),
    explain_after(Rank, 'An older variable', 'an older variable'),
    write(' may not become '), explain_in(Language, Value),
    explain_place(', bound', Bound),
    write('.\n'),
    explain_constant(Kind, Text),
    format('   ~w ', [Text]), explain_in(Language, Constant),
    explain_place(', made', Made),
    write(', would escape its scope.\n').

explain_constant(local, 'The local name').
explain_constant(forall, 'The constant').

explain_in(lolli, Term) :- !, explain_goal(lolli:Term).
explain_in(prolog, Term) :- explain_term(Term).

explain_after(0, Text, _) :- !, write(Text).
explain_after(1, _, Text) :- !, format('After one use of a linear assumption ~w', [Text]).
explain_after(N, _, Text) :- format('After ~d uses of linear assumptions ~w', [N, Text]).

explain_where('$scope', 'at the end of its scope').
explain_where(&, 'by the second half of &, and used by the first').
explain_where(all, 'at the end of the goal').

explain_left([]).
explain_left([Resource|Resources]) :-
    write('   '),
    explain_resource(Resource),
    write('.\n'),
    explain_left(Resources).

explain_used(unknown) :- !,
    write('   No clause, assumption or Prolog predicate has this name and number of arguments.\n').
explain_used([]).
explain_used([used(Resource, Goal, Place)|Used]) :-
    write('   '),
    explain_resource(Resource),
    (   Goal == [] -> write(' is consumed') ; write(' is consumed by '), explain_goal(Goal) ),
    explain_place(', called', Place),
    write('.\n'),
    explain_used(Used).

explain_list(_, []) :- !.
explain_list(Heading, Resources) :-
    write(Heading),
    explain_resources(Resources),
    write('.\n').

explain_resources([Resource]) :- !,
    explain_resource(Resource).
explain_resources([Resource|Resources]) :-
    explain_resource(Resource),
    write('; '),
    explain_resources(Resources).

explain_resource(Resource-Place) :-
    arg(1, Resource, Formula),
    explain_formula(Formula),
    explain_assumed(Place).

explain_assumed(File:Line) :- !,
    file_base_name(File, Base),
    format(', declared at ~w:~d', [Base, Line]).
explain_assumed(-1) :- !,
    write(', assumed before').
explain_assumed(Place) :-
    explain_place(', assumed', Place).

% Writes a formula or goal with its module, in the language of the module.
explain_formula(lolli:'$clauses'(Number, Head)) :- !,
    explain_goal(lolli:Head),
    format(' (~d clauses)', [Number]).
explain_formula(lolli:Formula) :- !,
    '$lolli_clause_shown'(Formula, Text),
    write(Text).
explain_formula(Formula) :-
    explain_plain(Formula, Plain),
    explain_term(Plain).

explain_goal(lolli:Goal) :- !,
    '$lolli_shown'(Goal, Text),
    write(Text).
explain_goal(Goal) :-
    explain_plain(Goal, Plain),
    explain_term(Plain).

explain_term(Term) :-
    write_term(Term, [quoted(true), numbervars(true), max_depth(12), spacing(next_argument)]).

explain_place(Verb, Place) :-
    (   '$recorded_place'(Place, File, Line, _)
    ->  file_base_name(File, Base),
        format('~w at ~w:~d', [Verb, Base, Line])
    ;   Place =:= 0
    ->  format('~w by the query', [Verb])
    ;   true
    ).

% Removes the modules that need not be shown.
explain_plain(Term, Term) :- var(Term), !.
explain_plain(user:Term, Plain) :- !, explain_plain(Term, Plain).
explain_plain(lolli:Term, Plain) :- !, explain_plain(Term, Plain).
explain_plain('$clauses'(_, Head), Head) :- !.
explain_plain(Term, Term).

% Removes them too, but keeps the module lolli if it is the module of the term.
explain_in_language(Term, Term) :- var(Term), !.
explain_in_language(user:Term, Told) :- !, explain_in_language(Term, Told).
explain_in_language(lolli:Term, lolli:Plain) :- !, explain_plain(Term, Plain).
explain_in_language(Term, Term).

% ---- leftover assumptions -----------------------------------------------------------------------

%%  affine(:Goal, -Leftover)
%   True if Goal is true where a scope in Goal (-<>, and both halves of &) may leave linear assumptions unused.
%   Leftover is the list of the linear assumptions left at the ends of their scopes, each as linear(Formula),
%   the newest first. Assumptions released by erase/0 are not in the list. Assumptions around the call are
%   treated as usual: see leftover/2 for them.
affine(Goal, Leftover) :-
    '$begin_affine',
    call(Goal),
    '$end_affine'(Formulas),
    explain_linear(Formulas, Leftover).

%%  leftover(:Goal, -Formulas)
%   True if Goal is true. Unifies Formulas with the list of the linear assumptions around the call that Goal
%   could have used and did not. Each is linear(Formula), the newest first. These assumptions remain available:
%   their scopes still see whether they are used.
leftover(Goal, Formulas) :-
    '$newest_assumption'(Newest),
    call(Goal),
    '$unused'(Newest, Unused),
    explain_linear(Unused, Formulas).

%%  exactly(:Goal)
%   True if Goal is true and leaves no linear assumption unused. The same predicate as exactly/1 of
%   library(linear), for programs that do not import it, such as Lolli.
exactly(Goal) :- linear:exactly(Goal).

explain_linear([], []).
explain_linear([Formula|Formulas], [linear(Plain)|Plains]) :-
    explain_plain(Formula, Plain),
    explain_linear(Formulas, Plains).

% ---- the context --------------------------------------------------------------------------------

%%  show_context
%   Writes the unused assumptions with their kinds, the oldest first. If there are more than 50, writes the
%   newest 50. Marks hidden assumptions, when the goal is under {} or in the second half of &. Adds file and
%   line for clauses and declared facts.
show_context :-
    explain_shown(Most),
    '$live_context'(Most, Items, All),
    (   All > Most
    ->  Older is All-Most,
        format('% ~D older assumptions are not shown~n', [Older])
    ;   true
    ),
    explain_context(Items).

explain_shown(50).

explain_context([]).
explain_context([Resource-Sight-Place|Items]) :-
    \+ \+ (
        Resource =.. [Kind, Formula],
        copy_term_nat(Formula, Own),
        ( Own = lolli:_ -> Language = lolli ; Language = prolog ),
        explain_name_variables(Language, Own),
        format('~w ', [Kind]),
        explain_formula(Own),
        explain_remark(Sight, Place),
        nl
    ),
    explain_context(Items).

explain_remark(seen, none) :- !.
explain_remark(seen, File:Line) :- !,
    file_base_name(File, Base),
    format('  % ~w:~d', [Base, Line]).
explain_remark(hidden, none) :- !,
    write('  % hidden').
explain_remark(hidden, File:Line) :-
    file_base_name(File, Base),
    format('  % hidden, ~w:~d', [Base, Line]).

%%  trace_context
%   Shows each use of an assumption on the standard error output, from the next instruction on until
%   notrace_context/0. Assume is a new assumption. Use is an assumption and the goal that uses it. Left is an
%   assumption that must not be left. Miss is a goal that nothing proves.
trace_context :- '$record_begin'(-1).

%%  notrace_context
%   Ends trace_context/0.
notrace_context :- '$record_begin'(-2).

% ---- causal graphs ------------------------------------------------------------------------------

%%  causal_graph(:Goal, -Graph)
%   True if Goal is true; takes its first solution. Unifies Graph with graph(Nodes, Edges), which shows what
%   the solution used. Nodes:
%     step(Id, Goal, Place)                a goal that an assumption or a clause proved; step 0 is the query.
%     resource(Id, Kind, Formula, Place)   an assumption; Kind is linear or intuitionistic.
%   A place is File:Line of the clause that called or assumed. It is query for the query, or none if the
%   assumption existed before. Edges:
%     calls(Step, Step)       the second is a goal of the clause that proved the first.
%     uses(Step, Resource)    the step used the resource.
%     makes(Step, Resource)   the clause that proved the step assumed the resource.
%     leads(Step, Resource)   the use of a clause called the step and later assumed the resource.
causal_graph(Goal, graph(Nodes, Edges)) :-
    causal_graph_with_modules(Goal, graph(Told, Edges)),
    causal_plain(Told, Nodes).

causal_plain([], []).
causal_plain([step(Id, Goal, Place)|Told], [step(Id, Plain, Place)|Nodes]) :-
    explain_plain(Goal, Plain),
    causal_plain(Told, Nodes).
causal_plain([resource(Id, Kind, Formula, Place)|Told], [resource(Id, Kind, Plain, Place)|Nodes]) :-
    explain_plain(Formula, Plain),
    causal_plain(Told, Nodes).

% Makes the graph, with the module lolli on terms of Lolli.
causal_graph_with_modules(Goal, graph(Nodes, Edges)) :-
    causal_events(Goal, Events),
    causal_nodes(Events, Used, Nodes0),
    causal_known(Events, Known),
    causal_before(Used, Known, Before),
    causal_append(Before, Nodes0, Nodes1),
    explain_in_language(Goal, Told),
    Nodes = [step(0, Told, query)|Nodes1],
    empty_assoc(Steps),
    causal_edges(Events, Steps, Edges).

causal_events(Goal, Events) :-
    '$record_begin'(0),
    call(Goal),
    '$recorded_events'(Events),
    '$record_begin'(-2),
    !.

causal_nodes([], [], []).
causal_nodes([Event|Events], Used, Nodes) :-
    (   causal_node(Event, Node)
    ->  Nodes = [Node|Nodes1], Used1 = Used
    ;   Event = used(Number, _, Resource, _)
    ->  Nodes = Nodes1, Used = [Number-Resource|Used1]
    ;   Nodes = Nodes1, Used1 = Used
    ),
    causal_nodes(Events, Used1, Nodes1).

causal_node(called(Step, Goal, _, Place-_), step(Id, Told, At)) :-
    Id is Step+1,
    explain_in_language(Goal, Told),
    causal_place(Place, At).
causal_node(assumed(Number, Resource, _, Place-_), resource(Number, Kind, Told, At)) :-
    Resource =.. [Kind, Formula],
    explain_in_language(Formula, Told),
    causal_place(Place, At).

causal_place(Place, File:Line) :-
    '$recorded_place'(Place, File, Line, _), !.
causal_place(_, query).

causal_known([], []).
causal_known([Event|Events], Known) :-
    (   Event = assumed(Number, _, _, _) -> Known = [Number-known|Known1] ; Known = Known1 ),
    causal_known(Events, Known1).

% Collects the resources that were used and are older than the goal, each once.
causal_before(Used, Known, Before) :-
    sort(1, @<, Used, Once),
    sort(1, @<, Known, Own),
    causal_older(Once, Own, Before).

causal_older([], _, []).
causal_older([Number-Resource|Used], Own, Before) :-
    causal_skip(Own, Number, Rest),
    (   Rest = [Number-_|_]
    ->  Before = Before1
    ;   Resource =.. [Kind, Formula],
        explain_in_language(Formula, Told),
        Before = [resource(Number, Kind, Told, none)|Before1]
    ),
    causal_older(Used, Rest, Before1).

causal_skip([Own-_|Rest], Number, Found) :- Own < Number, !, causal_skip(Rest, Number, Found).
causal_skip(Found, _, Found).

causal_append([], List, List).
causal_append([Item|Items], List, [Item|Rest]) :- causal_append(Items, List, Rest).

% Stores steps by the use of the clause that called them, the newest first.
causal_edges([], _, []).
causal_edges([Event|Events], Steps, Edges) :-
    causal_edge(Event, Steps, Steps1, Edges, Edges1),
    causal_edges(Events, Steps1, Edges1).

causal_edge(called(Step, _, In, Site), Steps0, Steps, [calls(Outer, Id)|Edges], Edges) :- !,
    Id is Step+1,
    Outer is In+1,
    (   get_assoc(Site, Steps0, Before) -> true ; Before = [] ),
    put_assoc(Site, Steps0, [Id|Before], Steps).
causal_edge(used(Number, Step, _, _), Steps, Steps, [uses(Id, Number)|Edges], Edges) :- !,
    Id is Step+1.
causal_edge(assumed(Number, _, Step, Site), Steps, Steps, [makes(Id, Number)|Edges0], Edges) :- !,
    Id is Step+1,
    (   Site \= 0-_, get_assoc(Site, Steps, Before)
    ->  causal_leads(Before, Number, Edges, Edges0)
    ;   Edges0 = Edges
    ).
causal_edge(_, Steps, Steps, Edges, Edges).

causal_leads([], _, Edges, Edges).
causal_leads([Step|Steps], Number, Edges0, Edges) :-
    causal_leads(Steps, Number, [leads(Step, Number)|Edges0], Edges).

%%  causal_json(:Goal, +File)
%   True if Goal is true; takes its first solution. Writes the graph of causal_graph/2 to File as JSON: an
%   object of the lists steps, resources, calls, uses, makes and leads. Steps have the names s0, s1 and so on,
%   resources r2, r3 and so on, as in causal_dot/2. Goals and formulas of Lolli are written in its syntax.
causal_json(Goal, File) :-
    causal_graph_with_modules(Goal, Graph),
    causal_write(File, json, Graph).

%%  causal_dot(:Goal, +File)
%   True if Goal is true; takes its first solution. Writes the graph of causal_graph/2 to File in the language
%   of Graphviz: steps as boxes, resources as ellipses.
causal_dot(Goal, File) :-
    causal_graph_with_modules(Goal, Graph),
    causal_write(File, dot, Graph).

causal_write(File, Form, Graph) :-
    setup_call_cleanup(
        open(File, write, Out, [encoding(utf8)]),
        causal_written(Form, Graph, Out),
        close(Out)).

% Writes the graph without binding its variables or waking suspended goals.
causal_written(Form, Graph, Out) :-
    \+ \+ (
        copy_term_nat(Graph, Copy),
        term_variables(Copy, Variables),
        causal_number(Variables, 0),
        causal_text(Form, Out, Copy)
    ).

% Gives each variable one name in the whole graph. The language of a term determines how it is written.
causal_number([], _).
causal_number([Variable|Variables], N) :-
    put_attr(Variable, '$causal', N),
    Next is N+1,
    causal_number(Variables, Next).

causal_named([], _).
causal_named([Variable|Variables], Language) :-
    get_attr(Variable, '$causal', N),
    del_attr(Variable, '$causal'),
    explain_name(Language, N, Variable),
    causal_named(Variables, Language).

causal_text(json, Out, Graph) :- causal_json_text(Out, Graph).
causal_text(dot, Out, Graph) :- causal_dot_text(Out, Graph).

causal_json_text(Out, graph(Nodes, Edges)) :-
    causal_split(Nodes, Steps, Resources),
    format(Out, '{~n  "steps": [', []),
    causal_items(Steps, Out),
    format(Out, '],~n  "resources": [', []),
    causal_items(Resources, Out),
    write(Out, ']'),
    causal_pairs(calls, s, Edges, Out),
    causal_pairs(uses, r, Edges, Out),
    causal_pairs(makes, r, Edges, Out),
    causal_pairs(leads, r, Edges, Out),
    format(Out, '~n}~n', []).

causal_split([], [], []).
causal_split([Node|Nodes], Steps, Resources) :-
    (   Node = step(_, _, _)
    ->  Steps = [Node|Steps1], Resources = Resources1
    ;   Steps = Steps1, Resources = [Node|Resources1]
    ),
    causal_split(Nodes, Steps1, Resources1).

causal_items([], _).
causal_items([Item|Items], Out) :-
    format(Out, '~n    ', []),
    causal_item(Item, Out),
    (   Items == [] -> format(Out, '~n  ', []) ; write(Out, ',') ),
    causal_items(Items, Out).

causal_item(step(Id, Goal, Place), Out) :-
    format(Out, '{"id": "s~d", "goal": ', [Id]),
    causal_string(goal, Goal, Out),
    causal_json_place(Place, Out),
    write(Out, '}').
causal_item(resource(Id, Kind, Formula, Place), Out) :-
    format(Out, '{"id": "r~d", "kind": "~w", "formula": ', [Id, Kind]),
    causal_string(formula, Formula, Out),
    causal_json_place(Place, Out),
    write(Out, '}').

causal_json_place(File:Line, Out) :- !,
    write(Out, ', "file": '),
    causal_quoted(File, Out),
    format(Out, ', "line": ~d', [Line]).
causal_json_place(_, _).

% Writes the pairs of edges. Kind is the first letter of the names that the edges lead to.
causal_pairs(Name, Kind, Edges, Out) :-
    format(Out, ',~n  "~w": [', [Name]),
    causal_pairs(Edges, Name, Kind, first, Out),
    write(Out, ']').

causal_pairs([], _, _, _, _).
causal_pairs([Edge|Edges], Name, Kind, State, Out) :-
    (   Edge =.. [Name, From, To]
    ->  (   State == first -> true ; write(Out, ', ') ),
        format(Out, '["s~d", "~w~d"]', [From, Kind, To]),
        Next = more
    ;   Next = State
    ),
    causal_pairs(Edges, Name, Kind, Next, Out).

% Writes a term in its language as a string of JSON, which Graphviz reads too.
causal_string(What, Term, Out) :-
    \+ \+ (
        ( nonvar(Term), Term = lolli:_ -> Language = lolli ; Language = prolog ),
        term_variables(Term, Variables),
        causal_named(Variables, Language),
        with_output_to(atom(Text), causal_term(What, Term)),
        causal_quoted(Text, Out)
    ).

causal_term(goal, Goal) :- explain_goal(Goal).
causal_term(formula, Formula) :- explain_formula(Formula).

causal_quoted(Text, Out) :-
    atom_codes(Text, Codes),
    write(Out, '"'),
    causal_codes(Codes, Out),
    write(Out, '"').

causal_codes([], _).
causal_codes([Code|Codes], Out) :-
    (   causal_escape(Code, Escape)
    ->  write(Out, Escape)
    ;   Code < 32
    ->  format(Out, '\\u~|~`0t~16r~4+', [Code])
    ;   put_code(Out, Code)
    ),
    causal_codes(Codes, Out).

causal_escape(0'", '\\"').
causal_escape(0'\\, '\\\\').
causal_escape(0'\n, '\\n').
causal_escape(0'\t, '\\t').
causal_escape(0'\r, '\\r').

causal_dot_text(Out, graph(Nodes, Edges)) :-
    format(Out, 'digraph solution {~n  rankdir=LR;~n', []),
    causal_dot_nodes(Nodes, Out),
    causal_dot_edges(Edges, Out),
    format(Out, '}~n', []).

causal_dot_nodes([], _).
causal_dot_nodes([Node|Nodes], Out) :-
    causal_dot_node(Node, Out),
    causal_dot_nodes(Nodes, Out).

causal_dot_node(step(Id, Goal, _), Out) :-
    format(Out, '  s~d [shape=box, label=', [Id]),
    causal_string(goal, Goal, Out),
    format(Out, '];~n', []).
causal_dot_node(resource(Id, Kind, Formula, _), Out) :-
    (   Kind == linear -> Style = solid ; Style = dashed ),
    format(Out, '  r~d [shape=ellipse, style=~w, label=', [Id, Style]),
    causal_string(formula, Formula, Out),
    format(Out, '];~n', []).

causal_dot_edges([], _).
causal_dot_edges([Edge|Edges], Out) :-
    causal_dot_edge(Edge, Out),
    causal_dot_edges(Edges, Out).

causal_dot_edge(calls(A, B), Out) :- format(Out, '  s~d -> s~d [style=dotted];~n', [A, B]).
causal_dot_edge(uses(Step, Resource), Out) :- format(Out, '  r~d -> s~d;~n', [Resource, Step]).
causal_dot_edge(makes(Step, Resource), Out) :-
    format(Out, '  s~d -> r~d [style=dashed];~n', [Step, Resource]).
causal_dot_edge(leads(Step, Resource), Out) :- format(Out, '  s~d -> r~d;~n', [Step, Resource]).

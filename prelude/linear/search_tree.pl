% The search tree of a small query: goals, clauses, bindings. Long because one file builds one form of tree,
% lays it out and draws it.

:- module(search_tree, [
    search_tree/4
]).

% The command calls these.
:- public((tree_of_prolog/5, tree_of_lolli/6)).

:- meta_predicate(tree_drawn(0, ?, ?, ?, ?)).
:- meta_predicate(tree_own(0, -)).

% tree_own(:Goal, -Goal): accepts a goal of this module.

tree_own(Goal, Goal).

:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/3, member/2, nth0/3]).

:- dynamic(tree_node/6).
:- dynamic(tree_event/8).
:- dynamic(tree_from/2).

%% search_tree(+Text, +Form, +Limit, -Tree)
%
%  Unifies Tree with the search tree of the query Text. Form is text, svg or html. Each node is a goal together
%  with the goals that follow it. Above the node are the file and line of the clause that led to it, and the
%  bindings of that step. The tree follows control constructs and the predicates of the program. It calls
%  builtins and predicates of libraries, with a branch for each solution. The tree ends at Limit nodes, and at
%  an exception. If the program imports library(linear), goals also show the linear assumptions that they may
%  use, and steps show what they use and assume.

search_tree(Text, Form, Limit, Tree) :-
    tree_of_prolog(Text, Form, Limit, Tree, _).

% If the program uses library(linear), the tree shows resources. Whole is false if the tree ends at Limit, and
% raised(Text, Ball, Place) if it ends with an exception.

tree_of_prolog(Text, Form, Limit, Tree, Whole) :-
    tree_check(Form, Limit),
    term_string(Goal, Text, [variable_names(Names)]),
    (   predicate_property(user:'-<>'(_, _), imported_from(linear))
    ->  tree_own(tree_recorded(user:Goal, Names, prolog, Text, Limit), Search)
    ;   tree_own(tree_search(Goal, Names, Limit), Search)
    ),
    tree_drawn(Search, Form, Text, Tree, Whole).

% Makes the tree of a query of Lolli, in the context of modules.

tree_of_lolli(Modules, Text, Form, Limit, Tree, Whole) :-
    tree_check(Form, Limit),
    '$lolli_text'(Text, Goal, Names),
    tree_drawn(tree_recorded(lolli_session:query_in(Modules, Goal), Names, lolli, Text, Limit),
               Form, Text, Tree, Whole).

tree_check(Form, Limit) :-
    must_be(integer, Limit),
    must_be(oneof([text, svg, html]), Form).

tree_drawn(Search, Form, Text, Tree, Whole) :-
    setup_call_cleanup(
        tree_forget,
        tree_draw(Search, Form, Text, Tree, Whole),
        tree_forget).

tree_draw(Search, Form, Text, Tree, Whole) :-
    nb_setval('$tree_nodes', 0),
    nb_setval('$tree_place', []),
    catch(call(Search), Ball, tree_ended(Ball)),
    (   tree_node(_, _, _, _, exception, Raises)
    ->  string_concat('raises ', Raised, Raises),
        nb_getval('$tree_raised', Raising),
        nb_getval('$tree_place', Place),
        Whole = raised(Raised, Raising, Place)
    ;   tree_node(_, _, _, _, limit, _)
    ->  Whole = false
    ;   Whole = true
    ),
    with_output_to(string(Tree), search_tree:tree_write(Form, Text)).

tree_forget :-
    '$retractall'(tree_node(_, _, _, _, _, _)),
    '$retractall'(tree_event(_, _, _, _, _, _, _, _)),
    '$retractall'(tree_from(_, _)).

% tree_node(Number, Parent, Depth, Edge, Kind, Text): Edge describes the step from the parent to the node. Kind
% is goal, solution, found, failure, exception, cut or limit.

tree_search(Goal, Names, Limit) :-
    nb_setval('$tree_cut', none),
    nb_setval('$tree_soft', []),
    State = state(Names, Limit),
    term_variables(Goal, Variables),
    tree_named(Variables, Names, Names1),
    tree_visit([goal(Goal, user, 0)], Names1, State, 0-0, '').

tree_ended(Ball) :-
    (   Ball == '$tree_end'
    ->  true
    ;   throw(Ball)
    ).

tree_add(Parent-Depth, Edge, Kind, Text, State, Number) :-
    State = state(_, Limit),
    nb_getval('$tree_nodes', Number0),
    Number is Number0 + 1,
    nb_setval('$tree_nodes', Number),
    (   Number > Limit
    ->  format(string(Told), 'the tree stops here because it has more than ~d nodes', [Limit]),
        '$assertz'(tree_node(Number, Parent, Depth, Edge, limit, Told)),
        print_message(warning, format('the search continues, but the tree shows only ~d nodes', [Limit])),
        throw('$tree_end')
    ;   '$assertz'(tree_node(Number, Parent, Depth, Edge, Kind, Text))
    ).

% tree_visit(+Goals, +Names, +State, +Parent, +Edge): searches for all solutions of Goals. Each is
% goal(Goal, Module, Cut) or cut(Number). A cut to the node Number stores that number in '$tree_cut': the nodes
% from Number on try no other branches.

tree_visit([], Names, State, Place, Edge) :-
    !,
    nb_setval('$tree_cut', none),
    State = state(Query, _),
    tree_answer(Query, Names, Answer),
    tree_add(Place, Edge, solution, Answer, State, _).
tree_visit([cut(Number)|Goals], Names, State, Place, Edge) :-
    !,
    tree_visit(Goals, Names, State, Place, Edge),
    tree_cut(Number).
tree_visit([soft(Number)|Goals], Names, State, Place, Edge) :-
    !,
    nb_getval('$tree_soft', Soft),
    nb_setval('$tree_soft', [Number|Soft]),
    tree_visit(Goals, Names, State, Place, Edge).
tree_visit([goal(Goal, Module, Cut)|Goals], Names, State, Place, Edge) :-
    var(Goal),
    !,
    tree_visit([goal(call(Goal), Module, Cut)|Goals], Names, State, Place, Edge).
tree_visit([goal(true, _, _)|Goals], Names, State, Place, Edge) :-
    !,
    tree_visit(Goals, Names, State, Place, Edge).
tree_visit([goal((A, B), Module, Cut)|Goals], Names, State, Place, Edge) :-
    !,
    tree_visit([goal(A, Module, Cut),goal(B, Module, Cut)|Goals], Names, State, Place, Edge).
tree_visit([goal(Module:Goal, _, Cut)|Goals], Names, State, Place, Edge) :-
    atom(Module),
    !,
    tree_visit([goal(Goal, Module, Cut)|Goals], Names, State, Place, Edge).
tree_visit(Goals, Names, State, Parent-Depth, Edge) :-
    Goals = [goal(Goal, Module, Cut)|Rest],
    tree_goals_text(Goals, Names, Text),
    tree_add(Parent-Depth, Edge, goal, Text, State, Number),
    Depth1 is Depth + 1,
    Here = Number-Depth1,
    (   Goal == (!)
    ->  tree_visit(Rest, Names, State, Here, cut),
        tree_cut(Cut)
    ;   tree_control(Goal, Module, Cut, Number, Branches)
    ->  ( tree_from(Cut, Reference) -> tree_comes_from(Number, Reference) ; true ),
        tree_branches(Branches, Number, Rest, Names, State, Here)
    ;   tree_is_followed(Module, Goal)
    ->  tree_home(Goal, Module, Goal1, Home),
        findall(Reference, clause(Home:Goal1, _, Reference), References),
        (   References == []
        ->  tree_fails(State, Here)
        ;   tree_clauses(References, Goal1, Home, Number, Rest, Names, State, Here)
        )
    ;   tree_labels(Goal, Module, Labeling)
    ->  tree_labeling(Labeling, Rest, Names, State, Here)
    ;   tree_call(Goal, Module, Cut, Number, Rest, Names, State, Here)
    ).

% tree_from(Number, Reference): goals whose cuts go to the node Number belong to the clause Reference.

tree_comes_from(Number, Reference) :-
    '$retractall'(tree_from(Number, _)),
    '$assertz'(tree_from(Number, Reference)).

tree_fails(State, Here) :-
    nb_setval('$tree_cut', none),
    tree_add(Here, '', failure, fails, State, _).

% Stores the outermost cut: outer nodes have lower numbers.

tree_cut(Number) :-
    nb_getval('$tree_cut', Cut0),
    (   Cut0 == none
    ->  Cut = Number
    ;   Cut is min(Cut0, Number)
    ),
    nb_setval('$tree_cut', Cut).

% True if the node is cut, so that no other branch is tried. At the node to which the cut belongs, resets the
% cut.

tree_is_cut(Number) :-
    nb_getval('$tree_cut', Cut),
    integer(Cut),
    Cut =< Number,
    ( Cut =:= Number -> nb_setval('$tree_cut', none) ; true ).

% tree_control(+Goal, +Module, +Cut, +Number, -Branches): Branches are the branches of a control construct, each
% Edge-Goals.

tree_control((C->T;E), M, Cut, N, [then-[goal(C,M,N),cut(N),goal(T,M,Cut)],else-[goal(E,M,Cut)]]) :- !.
tree_control((C*->T;E), M, Cut, N, [then-[goal(C,M,N),soft(N),goal(T,M,Cut)],else-[goal(E,M,Cut)]]) :- !.
tree_control((A;B), M, Cut, _, [either-[goal(A,M,Cut)],or-[goal(B,M,Cut)]]) :- !.
tree_control((C->T), M, Cut, N, [then-[goal(C,M,N),cut(N),goal(T,M,Cut)]]) :- !.
tree_control((C*->T), M, Cut, N, [then-[goal(C,M,N),goal(T,M,Cut)]]) :- !.
tree_control(\+ G, M, _, N, ['not'-[goal(G,M,N),cut(N),goal(fail,M,N)],''-[]]) :- !.
tree_control(call(G), M, _, N, [''-[goal(G,M,N)]]) :- nonvar(G), !.
tree_control(once(G), M, _, N, [once-[goal(G,M,N),cut(N)]]) :- !.
tree_control(ignore(G), M, _, N, [''-[goal(G,M,N),cut(N)],''-[]]) :- !.

tree_branches([], _, _, _, _, _).
tree_branches([Edge-Goals0|Branches], Number, Rest, Names, State, Here) :-
    append(Goals0, Rest, Goals),
    nb_getval('$tree_soft', Soft),
    nb_setval('$tree_cut', none),
    \+ \+ tree_visit(Goals, Names, State, Here, Edge),
    (   tree_is_cut(Number)
    ->  tree_left(Branches, Edge, State, Here)
    ;   tree_is_soft(Number, Soft)
    ->  tree_left(Branches, Edge, State, Here)
    ;   tree_branches(Branches, Number, Rest, Names, State, Here)
    ).

tree_is_soft(Number, Before) :-
    nb_getval('$tree_soft', Soft),
    nb_setval('$tree_soft', Before),
    member(Number, Soft),
    !.

% Reports branches that are cut off, except those of a negation.

tree_left([], _, _, _).
tree_left([_|_], Edge, State, Here) :-
    (   Edge == 'not'
    ->  true
    ;   nb_getval('$tree_cut', Cut),
        tree_add(Here, '', cut, 'cut off: the other branches are not tried', State, _),
        nb_setval('$tree_cut', Cut)
    ).

% True for predicates of the program: the tree follows them into their clauses.

tree_is_followed(Module, Goal) :-
    callable(Goal),
    \+ predicate_property(Module:Goal, built_in),
    predicate_property(Module:Goal, number_of_clauses(_)),
    (   predicate_property(Module:Goal, dynamic)
    ->  true
    ;   predicate_property(Module:Goal, file(_))
    ).

% tree_home(+Goal0, +Module0, -Goal, -Module): Goal is Goal0 as a goal of Module, the module of its clauses,
% where their bodies run. Arguments that are called, and goals with a module, keep their own module.

tree_home(Goal0, Module0, Goal, Module) :-
    (   predicate_property(Module0:Goal0, imported_from(Home))
    ->  Module = Home
    ;   Module = Module0
    ),
    (   predicate_property(Module:Goal0, meta_predicate(Specs))
    ->  Goal0 =.. [Name|Args0],
        Specs =.. [_|Kinds],
        tree_qualified(Kinds, Args0, Module0, Module, Args),
        Goal =.. [Name|Args]
    ;   Goal = Goal0
    ).

tree_qualified([], [], _, _, []).
tree_qualified([Kind|Kinds], [Arg0|Args0], Module0, Module, [Arg|Args]) :-
    (   tree_is_qualified(Kind, Arg0, Module0, Module)
    ->  Arg = Module0:Arg0
    ;   Arg = Arg0
    ),
    tree_qualified(Kinds, Args0, Module0, Module, Args).

tree_is_qualified(Kind, Arg, Module0, Module) :-
    \+ ( nonvar(Arg), Arg = _:_ ),
    (   Kind == (:)
    ->  true
    ;   Module0 \== Module,
        ( integer(Kind) -> true ; Kind == (^) -> true ; Kind == (//) )
    ).

tree_clauses([], _, _, _, _, _, _, _).
tree_clauses([Reference|References], Goal, Module, Number, Rest, Names, State, Here) :-
    nb_setval('$tree_cut', none),
    \+ \+ tree_clause(Reference, Goal, Module, Number, Rest, Names, State, Here),
    (   tree_is_cut(Number)
    ->  tree_left(References, clause, State, Here)
    ;   tree_clauses(References, Goal, Module, Number, Rest, Names, State, Here)
    ).

tree_clause(Reference, Goal, Module, Number, Rest, Names, State, Here) :-
    tree_unbound(Names, Unbound),
    tree_place(Reference, Place),
    (   clause(Module:Goal, Body, Reference)
    ->  term_variables(Goal-Body, Variables),
        tree_named(Variables, Names, Names1),
        tree_bindings(Unbound, Names1, Bindings),
        atomic_list_concat([Place|Bindings], ', ', Edge),
        tree_comes_from(Number, Reference),
        tree_visit([goal(Body, Module, Number)|Rest], Names1, State, Here, Edge)
    ;   true
    ).

tree_place(Reference, Place) :-
    (   clause_property(Reference, file(File)),
        clause_property(Reference, line_count(Line))
    ->  file_base_name(File, Name),
        format(atom(Place), '~w:~d', [Name,Line])
    ;   Place = asserted
    ).

% Calls every other goal; each solution is a branch.

tree_call(Goal, Module, Cut, Number, Rest, Names, State, Here) :-
    tree_unbound(Names, Unbound),
    nb_setval('$tree_cut', none),
    nb_getval('$tree_nodes', Before),
    (   catch(Module:Goal, Ball, true),
        (   nonvar(Ball)
        ->  nb_setval('$tree_raised', Ball),
            (   tree_from(Cut, Reference), tree_goal_place(Reference, Goal, Place)
            ->  nb_setval('$tree_place', Place)
            ;   true
            ),
            tree_raised(Ball, Text),
            tree_add(Here, '', exception, Text, State, _),
            throw('$tree_end')
        ;   term_variables(Goal, Variables),
            tree_named(Variables, Names, Names1),
            tree_edge(Unbound, Names1, Edge),
            tree_visit(Rest, Names1, State, Here, Edge),
            tree_is_cut(Number)
        )
    ->  true
    ;   nb_getval('$tree_nodes', Before)
    ->  tree_fails(State, Here)
    ;   true
    ).

% Follows labeling into its decisions. A node is a decision: a variable with its domain, and the value or
% interval that is tried. If the options are invalid, labeling is called like any other goal and raises its
% error.

tree_labels(Goal, Module, labeling(Vector, How, Optima, Limit, Xs)) :-
    tree_labeled(Goal, Options, Xs),
    predicate_property(Module:Goal, imported_from(Library)),
    ( Library == clpfd -> true ; Library == clpz ),
    catch(clpfd:fd_labeling(Options, Xs, Vector, How, Optima, Limit), _, fail).

tree_labeled(label(Xs), [], Xs).
tree_labeled(labeling(Options, Xs), Options, Xs).
tree_labeled(indomain(X), [], [X]).

% tree_labeling(+Labeling, +Goals, +Names, +State, +Here): works like labeling/2 of library(clpfd), with the
% steps of '$fd_search', one at a time. Goals run after every solution.

tree_labeling(labeling(Vector, How, Optima, Limit, Xs), Rest, Names, State, Here) :-
    (   var(Limit)
    ->  Within = none
    ;   clpfd:fd_limit(Limit, Failures, Outcome),
        Within = within(left(Failures), kept(none), Xs)
    ),
    Context = labels(search(Vector, How, Within, Xs), Outcome, Rest, Names, State),
    tree_unbound(Names, Unbound),
    \+ \+ tree_label(Optima, Context, Unbound, Here),
    tree_end_of_labeling(Within, Limit, Context, Here).

tree_end_of_labeling(none, _, _, _).
tree_end_of_labeling(within(Left, kept(Values), Xs), Limit, labels(_, Outcome, Rest, Names, State), Here) :-
    (   clpfd:fd_within(Left)
    ->  true
    ;   Values \== none
    ->  Xs = Values,
        Outcome = best_so_far,
        tree_visit(Rest, Names, State, Here, 'best so far')
    ;   Limit = failures(_, _)
    ->  Outcome = limit,
        tree_visit(Rest, Names, State, Here, limit)
    ;   true
    ).

tree_label([], Context, Unbound, Here) :-
    tree_decisions(none, solution, Context, Unbound, Here).
tree_label([Optimum|Optima], Context, _, Here) :-
    Context = labels(_, _, _, Names, _),
    clpfd:fd_goal(Optimum, Value, Sign),
    tree_text(Optimum, Names, 699, Text),
    tree_best(goal(Value, Sign, Text), Optima, Context, Here).

tree_best(Goal, Optima, Context, Number-Depth) :-
    Goal = goal(Value, Sign, Text),
    Context = labels(search(_, _, Within, _), _, _, Names, State),
    format(string(Search), 'search for ~w', [Text]),
    tree_add(Number-Depth, '', goal, Search, State, Node),
    Depth1 is Depth + 1,
    clpfd:fd_end(Within, Left),
    Found = found(none),
    tree_unbound(Names, Unbound),
    \+ \+ tree_decisions(none, better(Value, Sign, Found, Left), Context, Unbound, Node-Depth1),
    arg(1, Found, Best),
    (   integer(Best),
        \+ tree_is_exhausted(Within)
    ->  format(string(Solutions), '~w = ~d', [Text,Best]),
        tree_add(Number-Depth, '', goal, Solutions, State, Node2),
        nb_setval('$tree_cut', none),
        \+ \+ ( Value = Best, tree_label(Optima, Context, Unbound, Node2-Depth1) ),
        (   tree_is_cut(Node2)
        ->  tree_left([Goal], '', State, Number-Depth)
        ;   '$fd_relation'('#\\=', Value, Best)
        ->  tree_best(Goal, Optima, Context, Number-Depth)
        ;   true
        )
    ;   true
    ).

tree_is_exhausted(within(Left, _, _)) :- \+ clpfd:fd_within(Left).

% tree_decisions(+Before, +End, +Context, +Unbound, +Here): shows the decisions after Before, a decision
% tried(Index, Value, Name, Domain) that was undone, or none. When all variables are decided, End is a solution,
% or better(Value, Sign, Found, Left): a solution better than those before. Unbound are the variables before the
% step that led here.

tree_decisions(Before, End, Context, Unbound, Here) :-
    Context = labels(search(Vector, How, Within, _), _, _, _, State),
    ( Before = tried(Index0, Value0, _, _) -> true ; Index0 = -1, Value0 = 0 ),
    ( End == solution -> clpfd:fd_end(Within, Bound) ; Bound = End ),
    (   '$fd_select'(Vector, How, Bound, Index0, Value0, Index, Value, Open)
    ->  (   tree_goes_on(Before, Index, How)
        ->  tree_selected(Index, Value, Open, Before, End, Context, Unbound, Here)
        ;   tree_refuted(Before, Context, Unbound, Unbound1, Here, Here1),
            tree_selected(Index, Value, Open, none, End, Context, Unbound1, Here1)
        )
    ;   tree_is_exhausted(Within)
    ->  tree_exhausted(Within, State, Here)
    ;   tree_refuted(Before, Context, Unbound, _, Here, Here1),
        tree_fails(State, Here1)
    ).

% The next decision is a sibling of the previous one if it is another value of the same variable.

tree_goes_on(none, _, _).
tree_goes_on(tried(Index, _, _, _), Index, How) :- \+ tree_bisects(How, _).

tree_bisects(How, Order) :-
    How >> 5 /\ 3 =:= 2,
    Order is How >> 3 /\ 3.

% A refuted decision is a node of its own if it has more consequences than the next value.

tree_refuted(none, _, Unbound, Unbound, Here, Here).
tree_refuted(tried(Index, Value, Name, Domain), Context, Unbound0, Unbound, Here-Depth, Node-Depth1) :-
    Context = labels(search(_, How, _, Xs), _, _, _, State),
    nth0(Index, Xs, X),
    (   integer(X)
    ->  Relation = (=),
        Other = X
    ;   tree_refutation(How, Relation),
        Other = Value
    ),
    tree_decision(Name, Domain, Relation, Other, Text),
    tree_add(Here-Depth, '', goal, Text, State, Node),
    tree_without(Name, Unbound0, Unbound),
    Depth1 is Depth + 1.

tree_decision(Name, Domain, Relation, Value, Text) :-
    format(string(Text), '~w in ~w: ~w ~w ~d', [Name,Domain,Name,Relation,Value]).

tree_without(_, [], []).
tree_without(Name, [One|Unbound0], Unbound) :-
    (   One = unbound(Name, _, _)
    ->  Unbound = Unbound0
    ;   Unbound = [One|Unbound1],
        tree_without(Name, Unbound0, Unbound1)
    ).

tree_relation(How, Relation) :-
    (   tree_bisects(How, Order)
    ->  ( Order =:= 1 -> Relation = (#>) ; Relation = (#=<) )
    ;   Relation = (=)
    ).

tree_refutation(How, Relation) :-
    (   tree_bisects(How, Order)
    ->  ( Order =:= 1 -> Relation = (#=<) ; Relation = (#>) )
    ;   Relation = (#\=)
    ).

tree_selected(-1, _, _, _, End, Context, Unbound, Here) :-
    !,
    tree_decided(End, Context, Unbound, Here).
tree_selected(Index, Value, Open, Before, End, Context, Unbound, Number-Depth) :-
    Context = labels(search(Vector, How, _, Xs), _, _, Names, State),
    nth0(Index, Xs, X),
    (   integer(X)
    ->  Before = tried(_, _, Name, Domain)
    ;   member(Name=Known, Names),
        Known == X
    ->  tree_domain(X, Domain)
    ),
    tree_relation(How, Relation),
    tree_decision(Name, Domain, Relation, Value, Text),
    tree_without(Name, Unbound, Others),
    tree_edge(Others, Names, Edge),
    tree_add(Number-Depth, Edge, goal, Text, State, Node),
    Depth1 is Depth + 1,
    tree_unbound(Names, Unbound1),
    ( Relation == (=) -> tree_without(Name, Unbound1, Unbound2) ; Unbound2 = Unbound1 ),
    nb_setval('$tree_cut', none),
    \+ \+ (   '$fd_decide'(Vector, How, Index, Value)
          ->  tree_decisions(none, End, Context, Unbound2, Node-Depth1)
          ;   tree_fails(State, Node-Depth1)
          ),
    (   Open =:= 0
    ->  true
    ;   tree_is_cut(Number)
    ->  tree_left([Index], '', State, Number-Depth)
    ;   tree_decisions(tried(Index, Value, Name, Domain), End, Context, Unbound, Number-Depth)
    ).

tree_decided(solution, labels(search(_, _, Within, _), Outcome, Rest, Names, State), Unbound, Here) :-
    ( Within = within(_, Kept, _) -> nb_setarg(1, Kept, none) ; true ),
    (   Outcome = solution
    ->  tree_edge(Unbound, Names, Edge),
        tree_visit(Rest, Names, State, Here, Edge)
    ;   tree_fails(State, Here)
    ).
tree_decided(better(Value, _, Found, _), labels(search(_, _, Within, _), _, _, Names, State), Unbound, Here) :-
    clpfd:fd_best_value(Value),
    nb_setarg(1, Found, Value),
    clpfd:fd_keep(Within),
    tree_edge(Unbound, Names, Edge),
    number_string(Value, Text),
    tree_add(Here, Edge, found, Text, State, _).

% Shows in a node where the limit was reached.

tree_exhausted(within(Left, _, _), State, Here) :-
    (   Left = left(-1)
    ->  nb_setarg(1, Left, -2),
        tree_add(Here, '', cut, 'the limit of failures ends the labeling', State, _)
    ;   true
    ).

% Finds the place of Goal in a clause, or the place of the clause if several of its goals match.

tree_goal_place(Reference, Goal, Place) :-
    clause(_, Body, Reference),
    '$goal_numbers'(Body, Goals),
    findall(Number, ( member(Number-Part, Goals), subsumes_term(Part, Goal) ), Fitting),
    ( Fitting = [Number] -> true ; Number = 0 ),
    '$goal_in_clause'(Reference, Number, Place).

tree_raised(Ball, Text) :-
    (   nonvar(Ball), Ball = error(_, _), catch(message_text(Ball, Told), _, fail)
    ->  format(string(Text), 'raises ~w', [Told])
    ;   format(string(Text), 'raises ~q', [Ball])
    ).

% Runs goals with assumptions and records the events: each event after the one before it on its branch. Goals
% and ends of branches become nodes. The other events are written on the edges that lead to these nodes.

tree_recorded(Goal, Names, Language, Text, Limit) :-
    catch(tree_run(Goal, Names, Language, Limit), Ball, true),
    '$tree_raised'(Raised),
    '$tree_events'(Events),
    forall(( member(Event, Events), Event =.. [_|Parts], Fact =.. [tree_event|Parts] ),
           '$assertz'(search_tree:Fact)),
    tree_stopped(Ball, Language, Raised, Events),
    State = state(Names, Limit),
    (   findall(Number, tree_event(Number, 0, _, _, _, _, _, _), [First]),
        tree_event(First, _, goal, Said, _, [], _, _),
        tree_is_query(Language, Goal, Text, Said)
    ->  tree_after(0, 0-0, [], State)
    ;   tree_add(0-0, '', goal, Text, State, Root),
        tree_after(0, Root-1, [], State)
    ),
    ( Ball == '$recording_stopped' -> nb_setval('$tree_nodes', Limit), tree_fails(State, 1-1) ; true ).

% True if the first goal is the query itself.

tree_is_query(_, _, Text, Said) :- atom_string(Text, Said), !.
tree_is_query(prolog, _:Goal, _, Said) :-
    catch(term_string(Told, Said), _, fail),
    Told =@= Goal.

tree_run(Goal, Names, Language, Limit) :-
    (   '$record_begin'(-3),
        '$tree_begin'(Names, Limit, Language),
        call(Goal),
        '$tree_solution'(Names),
        fail
    ;   true
    ).

% The recorder stops goals at the limit.

tree_stopped(Ball, _, _, _) :- ( var(Ball) ; Ball == '$recording_stopped' ), !.
tree_stopped(Ball, Language, Raised, Events) :-
    nb_setval('$tree_raised', Ball),
    (   Language == lolli,
        catch(lolli_session:message(Ball, Told), _, fail)
    ->  format(string(Text), 'raises ~w', [Told])
    ;   tree_raised(Ball, Text)
    ),
    length(Events, Number),
    '$assertz'(tree_event(Number, Raised, exception, Text, '', [], [], 0)).

tree_after(Number, Here, Labels, State) :-
    forall(tree_event(Next, Number, _, _, _, _, _, _), tree_happened(Next, Here, Labels, State)).

tree_happened(Number, Here, Labels, State) :-
    tree_event(Number, _, Name, Text, Place, Bindings, Resources, More),
    !,
    append(Labels, Bindings, Labels1),
    (   tree_shown(Name, Text, Resources, More, Kind, Shown)
    ->  atomic_list_concat(Labels1, ', ', Edge),
        tree_add(Here, Edge, Kind, Shown, State, Node),
        tree_below(Kind, Number, Node, Here, State)
    ;   tree_label(Name, Text, Place, Label),
        append(Labels1, Label, Labels2),
        nb_getval('$tree_nodes', Before),
        tree_after(Number, Here, Labels2, State),
        tree_without_further_event(Name, Before, Here, Labels2, State)
    ).

% Handles a goal that succeeded without any further event.

tree_without_further_event(Name, Before, Here, Labels, State) :-
    (   Name == exited,
        nb_getval('$tree_nodes', Before)
    ->  atomic_list_concat(Labels, ', ', Edge),
        tree_add(Here, Edge, failure, fails, State, _)
    ;   true
    ).

tree_below(Kind, Number, Node, _-Depth0, State) :-
    Depth is Depth0 + 1,
    (   Kind == goal
    ->  tree_after(Number, Node-Depth, [], State),
        (   tree_node(_, Node, _, _, _, _)
        ->  true
        ;   tree_add(Node-Depth, '', failure, fails, State, _)
        )
    ;   true
    ).

tree_shown(goal, Text, Resources, More, goal, Shown) :-
    (   Resources == []
    ->  Shown = Text
    ;   ( More > 0 -> format(atom(First), '~d more', [More]), All = [First|Resources] ; All = Resources ),
        atomic_list_concat(All, ', ', With),
        format(string(Shown), '~w  with ~w', [Text,With])
    ).
tree_shown(left, Text, _, _, failure, Shown) :-
    string_concat('left over: ', Text, Shown).
tree_shown(missed, _, _, _, failure, 'nothing proves it').
tree_shown(collected, _, _, _, cut, collected).
tree_shown(holds, _, _, _, cut, holds).
tree_shown(cut_off, _, _, _, cut, 'cut off: the other branches are not tried').
tree_shown(solution, Text, _, _, solution, Text).
tree_shown(exception, Text, _, _, exception, Text).

tree_label(exited, _, _, []) :- !.
tree_label(clause, _, Place, Label) :- !,
    ( Place == '' -> Label = [] ; Label = [Place] ).
tree_label(used, Text, Place, [Label]) :- Place \== '', !,
    format(string(Label), '~w (~w)', [Text,Place]).
tree_label(Name, Text, _, [Label]) :-
    (   tree_construct(Name, Label)
    ->  true
    ;   Label = Text
    ).

tree_construct(banged, '{').
tree_construct(unbanged, '}').
tree_construct(with_begun, 'first of &').
tree_construct(with_halved, 'second of &').
tree_construct(with_ended, 'end of &').
tree_construct(erased, erase).

% Names of variables: those of the query, and _1, _2 and so on for variables of clauses.

tree_unbound([], []).
tree_unbound([Name=Value|Names], Unbound) :-
    (   var(Value)
    ->  Unbound = [unbound(Name, Value, Domain)|Unbound1],
        tree_domain(Value, Domain)
    ;   Unbound = Unbound1
    ),
    tree_unbound(Names, Unbound1).

% Unifies Domain with the domain of a variable as text, or with none.

tree_domain(X, Domain) :-
    (   '$fd_var'(X)
    ->  '$fd_dom'(X, Term),
        tree_intervals(Term, [], Intervals),
        (   append(First, [_,_|_], Intervals),
            length(First, 8)
        ->  append(First, ['…'], Shown)
        ;   Shown = Intervals
        ),
        atomic_list_concat(Shown, '\\/', Domain)
    ;   Domain = none
    ).

tree_intervals(Term, Texts0, Texts) :-
    (   Term = Left \/ Right
    ->  tree_intervals(Left, [Text|Texts0], Texts),
        tree_interval(Right, Text)
    ;   tree_interval(Term, Text),
        Texts = [Text|Texts0]
    ).

tree_interval(Term, Text) :-
    (   Term = '..'(Low, High)
    ->  ( integer(High), High < 0 -> Dots = '.. ' ; Dots = '..' ),
        atomic_list_concat([Low,Dots,High], Text)
    ;   Text = Term
    ).

tree_named([], Names, Names).
tree_named([Variable|Variables], Names0, Names) :-
    (   member(_=Known, Names0),
        Known == Variable
    ->  Names1 = Names0
    ;   tree_next_name(Names0, Name),
        append(Names0, [Name=Variable], Names1)
    ),
    tree_named(Variables, Names1, Names).

tree_next_name(Names, Name) :-
    findall(x, ( member(Known=_, Names), sub_atom(Known, 0, 1, _, '_') ), Own),
    length(Own, Length),
    Number is Length + 1,
    atom_concat('_', Number, Name).

% Describes the changes of variables: values and new domains, each with the first name of the variable.

tree_bindings(Unbound, Names, Bindings) :- tree_bindings(Unbound, Names, [], Bindings).

tree_bindings([], _, _, []).
tree_bindings([unbound(Name, Value, Domain0)|Unbound], Names, Known, Bindings) :-
    (   nonvar(Value)
    ->  tree_text(Value, Names, 699, Text),
        format(atom(Binding), '~w = ~w', [Name,Text]),
        Bindings = [Binding|Bindings1]
    ;   tree_domain(Value, Domain),
        Domain \== Domain0,
        \+ ( member(Other, Known), Other == Value )
    ->  format(atom(Binding), '~w in ~w', [Name,Domain]),
        Bindings = [Binding|Bindings1]
    ;   Bindings = Bindings1
    ),
    tree_bindings(Unbound, Names, [Value|Known], Bindings1).

tree_edge(Unbound, Names, Edge) :-
    tree_bindings(Unbound, Names, Bindings),
    atomic_list_concat(Bindings, ', ', Edge).

tree_answer(Query, Names, Answer) :-
    findall(Text, tree_value(Query, Names, Text), Texts),
    (   Texts == []
    ->  Answer = true
    ;   atomic_list_concat(Texts, ', ', Joined),
        atom_string(Joined, Answer)
    ).

tree_value(Query, Names, Text) :-
    member(Name=Value, Query),
    \+ ( var(Value), member(First=Same, Names), Same == Value, !, First == Name ),
    tree_text(Value, Names, 699, Shown),
    format(atom(Text), '~w = ~w', [Name,Shown]).
tree_value(Query, Names, Text) :-
    member(Name=Value, Query),
    var(Value),
    \+ ( member(First=Same, Names), Same == Value, !, First \== Name ),
    tree_domain(Value, Domain),
    Domain \== none,
    format(atom(Text), '~w in ~w', [Name,Domain]).

tree_text(Term, Names, Priority, Text) :-
    with_output_to(string(Text),
        write_term(Term, [quoted(true),numbervars(true),spacing(next_argument),
                          priority(Priority),max_depth(12),variable_names(Names)])).

% Shows at most four of the goals that are still to be proved.

tree_goals_text(Goals, Names, Text) :-
    findall(Shown, tree_goal_text(Goals, Names, Shown), Texts),
    (   append(First, [_|_], Texts),
        length(First, 4)
    ->  append(First, ['…'], Shown)
    ;   Shown = Texts
    ),
    atomic_list_concat(Shown, ', ', Joined),
    atom_string(Joined, Text).

tree_goal_text(Goals, Names, Text) :-
    member(goal(Goal, _, _), Goals),
    Goal \== true,
    tree_text(Goal, Names, 1000, Text).

% Writes the tree as text, as nested lists of HTML, and as lines of SVG.

tree_write(text, _) :-
    forall(tree_node(Number, _, Depth, Edge, Kind, Text),
           ( tree_lines(Number, Depth), tree_line(Kind, Edge, Text, Line), write(Line), nl )).
tree_write(html, Goal) :-
    tree_escaped(Goal, Title),
    write('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>'),
    write(Title),
    write('</title>\n<style>\nbody { font-family: monospace; }\nul { list-style: none; border-left: 1px solid #bbb; margin: 0; padding-left: 1.5em; }\n'),
    forall(tree_colour(Kind, Colour), format('.~w { color: ~w; }~n', [Kind,Colour])),
    write('.edge { color: #777; }\n</style>\n</head>\n<body>\n'),
    tree_list(0),
    write('</body>\n</html>\n').
tree_write(svg, _) :-
    findall(Number, tree_node(Number, _, _, _, _, _), Numbers),
    length(Numbers, Rows),
    findall(Width, ( tree_node(_, _, Depth, Edge, Kind, Text), tree_line(Kind, Edge, Text, Line),
                     atom_length(Line, Length), Width is 40 + 24*Depth + 8*Length ), Widths),
    tree_widest(Widths, 100, Width),
    Height is 24*Rows + 16,
    format('<svg xmlns="http://www.w3.org/2000/svg" width="~d" height="~d" font-family="monospace" font-size="13">~n', [Width,Height]),
    write('<rect width="100%" height="100%" fill="white"/>\n'),
    forall(tree_node(Number, Parent, Depth, Edge, Kind, Text),
           tree_row(Number, Parent, Depth, Edge, Kind, Text)),
    write('</svg>\n').

tree_widest([], Max, Max).
tree_widest([X|Xs], Max0, Max) :-
    Max1 is max(X, Max0),
    tree_widest(Xs, Max1, Max).

tree_colour(goal, '#000000').
tree_colour(solution, '#007a1f').
tree_colour(found, '#1f4fa0').
tree_colour(failure, '#b00020').
tree_colour(exception, '#b00020').
tree_colour(cut, '#8a5a00').
tree_colour(limit, '#8a5a00').

tree_mark(goal, '').
tree_mark(solution, 'solution: ').
tree_mark(found, 'found: ').
tree_mark(failure, '').
tree_mark(exception, '').
tree_mark(cut, '').
tree_mark(limit, '').

tree_line(Kind, Edge, Text, Line) :-
    tree_mark(Kind, Mark),
    (   Edge == ''
    ->  atomic_list_concat([Mark,Text], Line)
    ;   atomic_list_concat(['[',Edge,'] ',Mark,Text], Line)
    ).

% Writes the vertical lines of the outer nodes, on the left of a node.

tree_lines(_, 0) :- !.
tree_lines(Number, Depth) :-
    Depth1 is Depth - 1,
    tree_node(Number, Parent, _, _, _, _),
    !,
    tree_bars(Parent, Depth1),
    (   tree_has_later(Parent, Number)
    ->  write('├─ ')
    ;   write('└─ ')
    ).

tree_bars(_, 0) :- !.
tree_bars(Number, Depth) :-
    Depth1 is Depth - 1,
    tree_node(Number, Parent, _, _, _, _),
    !,
    tree_bars(Parent, Depth1),
    (   tree_has_later(Parent, Number)
    ->  write('│  ')
    ;   write('   ')
    ).

tree_has_later(Parent, Number) :-
    tree_node(Other, Parent, _, _, _, _),
    Other > Number,
    !.

tree_list(Parent) :-
    write('<ul>\n'),
    forall(tree_node(Number, Parent, _, Edge, Kind, Text), tree_item(Number, Edge, Kind, Text)),
    write('</ul>\n').

tree_item(Number, Edge, Kind, Text) :-
    tree_mark(Kind, Mark),
    tree_escaped(Text, Escaped),
    write('<li>'),
    (   Edge == ''
    ->  true
    ;   tree_escaped(Edge, EscapedEdge),
        format('<span class="edge">~w</span> ', [EscapedEdge])
    ),
    format('<span class="~w">~w~w</span>~n', [Kind,Mark,Escaped]),
    (   tree_node(_, Number, _, _, _, _)
    ->  tree_list(Number)
    ;   true
    ),
    write('</li>\n').

tree_row(Number, Parent, Depth, Edge, Kind, Text) :-
    X is 16 + 24*Depth,
    Y is 24*Number,
    (   Parent > 0
    ->  X0 is X - 18,
        X1 is X - 4,
        Y0 is 24*Parent + 6,
        Y1 is Y - 4,
        format('<path d="M~d ~d V~d H~d" fill="none" stroke="#bbb"/>~n', [X0,Y0,Y1,X1])
    ;   true
    ),
    tree_mark(Kind, Mark),
    tree_colour(Kind, Colour),
    tree_escaped(Text, Escaped),
    (   Edge == ''
    ->  Led = ''
    ;   tree_escaped(Edge, EscapedEdge),
        format(atom(Led), '<tspan fill="#777">~w</tspan> ', [EscapedEdge])
    ),
    format('<text x="~d" y="~d" xml:space="preserve">~w<tspan fill="~w">~w~w</tspan></text>~n', [X,Y,Led,Colour,Mark,Escaped]).

tree_escaped(Text0, Text) :-
    text_to_string(Text0, String),
    string_chars(String, Chars),
    findall(Part, ( member(Char, Chars), tree_safe(Char, Part) ), Parts),
    atomic_list_concat(Parts, Text).

tree_safe('&', '&amp;') :- !.
tree_safe('<', '&lt;') :- !.
tree_safe('>', '&gt;') :- !.
tree_safe('"', '&quot;') :- !.
tree_safe(Char, Char).

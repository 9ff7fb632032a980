% Queries of Lolli, from Prolog and in sessions. The host has the prompts: a query waits for a nested prompt.
%
% A query leaves its prompt by an exception '$lolli'(Way). Only a catch that names this term catches it.

:- module(lolli_session, []).

% Hosts call these, also as goals of Lolli.
:- public((asked/1, start/1, enter/2, wait/0, query_in/2, query/3, attempt/2, stopped_by_limit/3, renewed/0,
    count_in/4)).

lolli(Text) :-
    lolli_query(Text, _).

lolli_query(Text, Bindings) :-
    '$lolli_text'(Text, Goal, Bindings),
    asked(Goal),
    '$put_together'(Bindings).

% Runs a goal that does not come from a prompt.
asked(Goal) :- depth(_), !, call(lolli:lolli:Goal).
asked(Goal) :- b_setval('$lolli_goal', Goal), call(lolli:lolli:Goal).

% Unifies Count with the number of solutions of a Lolli goal in the context of modules. Threads threads search.
% Each solution uses up the assumptions of the modules.
count_in(Modules, Text, Threads, Count) :-
    '$lolli_text'(Text, Goal, _),
    all_enterable(Modules),
    count_solutions(lolli_session:query_in(Modules, Goal), Count, [threads(Threads)]).

% Runs goals of Lolli in the syntax of Prolog.

in_module(Module, _) :- var(Module), !, throw_no_module(Module, 'a variable').
in_module(_:Module, Goal) :- !, in_module(Module, Goal).
in_module(Module, Goal) :-
    check_module(Module, ''),
    from_prolog('--o'(Module, Goal)).

from_prolog(Goal) :-
    has_end(Goal),
    formula(Goal, Formula),
    '$lolli_check_query'(Formula),
    asked(Formula),
    '$put_together'(Goal).

% A goal with connectives must be finite; other goals may contain cyclic terms.
has_end(Goal) :-
    (   connected(Goal), \+ acyclic_term(Goal)
    ->  throw(error(type_error(acyclic_term, Goal), _))
    ;   true
    ).

connected(Goal) :-
    compound(Goal),
    functor(Goal, Name, _),
    memberchk(Name, [(','), ;, ->, &, {}, (-<>), '⊸', '-o', =>, :-, <=, '--o', forall, exists, guard, \+, :,
                     call]).

% Converts constructs that Lolli writes differently.
formula(X, X) :- var(X), !.
formula(lolli:A, B) :- !, formula(A, B).
formula(call(A), B) :- !, formula(A, B).
formula((A , B), (C , D)) :- !, formula(A, C), formula(B, D).
formula((A ; B), Formula) :- !, choice(A, B, Formula).
formula((A -> B), guard(C, D, fail)) :- !, formula(A, C), formula(B, D).
formula('&'(A, B), '&'(C, D)) :- !, formula(A, C), formula(B, D).
formula({A}, {B}) :- !, formula(A, B).
formula('-<>'(A, B), '-o'(C, D)) :- !, formula(A, C), formula(B, D).
formula('⊸'(A, B), '-o'(C, D)) :- !, formula(A, C), formula(B, D).
formula('-o'(A, B), '-o'(C, D)) :- !, formula(A, C), formula(B, D).
formula('=>'(A, B), '=>'(C, D)) :- !, formula(A, C), formula(B, D).
formula((A :- B), '-o'(C, D)) :- !, formula(A, D), formula(B, C).
formula('<='(A, B), '=>'(C, D)) :- !, formula(A, D), formula(B, C).
formula('--o'(Module, A), '--o'(Module, B)) :- !, formula(A, B).
formula(forall(Binder), forall(Formula)) :- !, binder(Binder, Formula).
formula(exists(Binder), exists(Formula)) :- !, binder(Binder, Formula).
formula(guard(A, B, C), guard(D, E, F)) :- !, formula(A, D), formula(B, E), formula(C, F).
formula(\+ A, \+ B) :- !, formula(A, B).
formula(false, fail) :- !.
formula(!, _) :- !,
    throw(error(domain_error(lolli_goal, !),
                context(_, 'Lolli has no cut; write ( Test -> Then ; Else ) or once(Goal)'))).
formula(A, A).

choice(Left, C, guard(D, E, F)) :-
    nonvar(Left), Left = (A -> B), !,
    formula(A, D), formula(B, E), formula(C, F).
choice(A, B, (C ; D)) :- formula(A, C), formula(B, D).

binder(Binder, Formula) :-
    (   nonvar(Binder), Binder = '\\'(X, A)
    ->  must_bind(X, A),
        formula(A, B), Formula = '\\'(X, B)
    ;   Formula = Binder
    ).

% Names are bound in the text of Lolli only. Here they are no longer names.
must_bind(Name, Body) :-
    (   atom(Name), acyclic_term(Body),
        occurs:sub_term(Part, Body), Part == Name
    ->  throw(error(type_error(variable, Name),
                    context(_, 'in Prolog syntax a quantifier must bind a variable')))
    ;   true
    ).

lolli_list(LolliList, List) :-
    '$put_together'(lists(LolliList, List)),
    (   nonvar(LolliList)
    ->  must_end(LolliList),
        from_lolli(LolliList, List)
    ;   nonvar(List)
    ->  must_end(List),
        to_lolli(List, LolliList)
    ;   throw(error(instantiation_error, context(lolli_list/2, _)))
    ).

must_end(Term) :-
    (   acyclic_term(Term)
    ->  true
    ;   throw(error(type_error(acyclic_term, Term), context(lolli_list/2, _)))
    ).

from_lolli(nil, []).
from_lolli('::'(X, LolliList), [X|List]) :- from_lolli(LolliList, List).

to_lolli([], nil).
to_lolli([X|List], '::'(X, LolliList)) :- to_lolli(List, LolliList).

% Runs sessions. Modules are texts, or names of files that end in .ll.

start(Modules) :-
    b_setval('$lolli_modules', Modules),
    enter(Modules, lolli_session:wait).

% Waits while the host shows the prompt.
wait :- '$may_prompt', !, '$trace_begin'(4).
wait :-
    throw(error(permission_error(open, session, top),
                context(_, 'a session cannot start inside this system predicate'))).

% Runs a goal in the context of modules.

query_in(Modules, Goal) :-
    b_setval('$lolli_goal', Goal),
    enter(Modules, Goal).

enter([], Goal) :- call(lolli:lolli:Goal).
enter([Text|Texts], Goal) :-
    module_term(Text, Module),
    (   var(Module)
    ->  throw_no_module(Module, Text)
    ;   check_module(Module, '; start it with --lolli \'NAME ARGUMENT ...\'')
    ),
    lolli:'--o'(Module, lolli_session:enter(Texts, Goal)).

module_term(Text, Name) :-
    '$is_given_module'(Text), !,
    Name = Text.
module_term(Text, Name) :-
    sub_atom(Text, _, _, 0, '.ll'), !,
    Name = Text.
module_term(Text, Name) :-
    sub_atom(Text, _, _, _, /),
    \+ sub_atom(Text, _, _, _, ' '), !,
    atom_concat(Text, '.ll', Name).
module_term(Text, Module) :-
    '$lolli_text'(Text, Module, _).

% Checks that the module exists and has as many parameters as arguments are given.
check_module(Module, Hint) :-
    (   callable(Module), functor(Module, Name, Arity), Name \== '$app'
    ->  true
    ;   '$lolli_shown'(Module, Shown),
        throw_no_module(Module, Shown)
    ),
    '$module_parameters'(Name, Count),
    (   Arity =:= Count
    ->  true
    ;   ( Count =:= 1 -> Ending = '' ; Ending = s ),
        format(atom(Message), 'the module ~w has ~d parameter~w, not ~d~w',
               [Name, Count, Ending, Arity, Hint]),
        throw(error(domain_error(module, Module), context(_, Message)))
    ).

throw_no_module(Module, Shown) :-
    format(atom(Message), 'expected the name of a module, found ~w', [Shown]),
    ( var(Module) -> Formal = instantiation_error ; Formal = type_error(module, Module) ),
    throw(error(Formal, context(_, Message))).

% After make/0 has reloaded modules, the outermost prompt enters its own modules again, if it can.
renewed :-
    nb_current('$lolli_renew', true),
    '$global_value'('$lolli_modules', Modules),
    nb_setval('$lolli_renew', false),
    all_enterable(Modules).

all_enterable([]).
all_enterable([Text|Texts]) :-
    module_term(Text, Module),
    check_module(Module, ''),
    all_enterable(Texts).

% Runs a query of a prompt. Depth is the number of prompts around it.
query(Depth, Names, Goal) :-
    b_setval('$lolli_names', Names),
    b_setval('$lolli_depth', Depth),
    (   Goal == why
    ->  why,
        '$lolli_leave'(reported)
    ;   catch(attempt(Names, Goal), '$lolli'(Way), '$lolli_leave'(Way))
    ).

% A query that exceeded a limit, for queries that ask why. Wamlet knows no more about it than about a query
% without solution.
stopped_by_limit(_, Names, Goal) :- attempt(Names, Goal).

% Queries about other queries.
asks(Goal) :- var(Goal), !, fail.
asks(why).
asks(why(_)).
asks(show_context).
asks(trace_context).
asks(notrace_context).

attempt(Names, Goal) :-
    '$lolli_check_query'(Goal),
    keep_out_of_scopes(Names),
    '$forget_erasing',
    call(lolli:lolli:Goal),
    ( asks(Goal) -> true ; '$all_used' ).

% Puts the variables of a query outside all quantifiers, whatever the context.
keep_out_of_scopes([]).
keep_out_of_scopes([_ = Variable|Names]) :-
    put_attr(Variable, '$scope', 0),
    keep_out_of_scopes(Names).

say(Text) :- write(user_output, Text), flush_output(user_output).

message(error(Formal, Context), Text) :-
    nonvar(Context), Context = context(_, Text),
    atom(Text),
    \+ lacks_error_text(Formal), !.
message(error(domain_error(Domain, Term), _), Text) :-
    Domain == first_order_term, !,
    '$lolli_shown'(Term, Shown),
    format(string(Text), 'Unification of Lambda Terms not defined (~w)', [Shown]).
message(Ball, Text) :-
    \+ Ball = error(_, _), !,
    '$lolli_shown'(Ball, Shown),
    format(string(Text), 'uncaught exception ~w', [Shown]).
message(Ball, Text) :-
    catch(message_text(Ball, Text), _, fail), !.
message(Ball, Text) :-
    term_to_atom(Ball, Text).

% The comment of these errors contains only the reason, not the error itself.
lacks_error_text(Formal) :- var(Formal), !.
lacks_error_text(existence_error(Kind, _)) :- host_thing(Kind).
lacks_error_text(permission_error(_, Kind, _)) :- host_thing(Kind).
lacks_error_text(io_error(_, _)).

host_thing(source_sink).
host_thing(file).
host_thing(directory).
host_thing(stream).

% Predicates of Lolli itself.

depth(Depth) :- '$global_value'('$lolli_depth', Depth).

top :- depth(_), !, wait.
top :- wait, '$erase_context'.

pop :- leave(pop).

popall :- leave(popall).

give_up :- leave(abort).

leave(Way) :- depth(_), !, throw('$lolli'(Way)).
leave(Way) :-
    format(atom(Message), '~w leaves a query of a session, but there is no session here', [Way]),
    throw(error(existence_error(session, Way), context(_, Message))).

bye :-
    say('Closing Lolli. \n'),
    ( depth(_) -> leave(bye) ; halt ).

loading(Module) :-
    say('loading '),
    lolli:write(Module),
    say('...\n').

read_term(Term) :-
    '$lolli_read'(Found, New),
    (   New \== [],
        '$global_value'('$lolli_names', Names)
    ->  append(Names, New, All),
        b_setval('$lolli_names', All)
    ;   true
    ),
    Term = Found.

telling(File, Goal) :-
    file_name(File, Name),
    current_output(Old),
    setup_call_cleanup(
        open(Name, write, Stream),
        written(Stream, Old, Goal),
        close_output(Old, Stream)).

written(Stream, Old, Goal) :-
    set_output(Stream),
    call(lolli:lolli:Goal),
    switch_output(Old, Stream).

close_output(Old, Stream) :- set_output(Old), close(Stream).

% The goals that follow get the former output. On backtracking into the goal, it gets its own output again.
switch_output(Old, _) :- set_output(Old).
switch_output(_, Stream) :- set_output(Stream), fail.

seeing(File, Goal) :-
    file_name(File, Name),
    current_input(Old),
    setup_call_cleanup(
        open(Name, read, Stream),
        being_read(Stream, Old, Goal),
        close_input(Old, Stream)).

being_read(Stream, Old, Goal) :-
    set_input(Stream),
    call(lolli:lolli:Goal),
    switch_input(Old, Stream).

close_input(Old, Stream) :- set_input(Old), close(Stream).

switch_input(Old, _) :- set_input(Old).
switch_input(_, Stream) :- set_input(Stream), fail.

file_name(File, Name) :- ( string(File) -> atom_string(Name, File) ; Name = File ).

timing(Goal, Time) :-
    statistics(cputime, Begin),
    call(lolli:lolli:Goal),
    statistics(cputime, End),
    Time is round((End - Begin) * 1000000).

change_folder(Folder) :-
    file_name(Folder, Name),
    chdir(Name).

run_command(Command, Status) :- '$lolli_system'(Command, Status).

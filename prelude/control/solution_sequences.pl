% Goals whose solutions are counted, skipped, sorted or cut off: the predicates that SWI-Prolog's
% library(solution_sequences) documents, and findnsols/4,5.

:- module(solution_sequences, [
    limit/2,
    offset/2,
    call_nth/2,
    order_by/2,
    distinct/1,
    distinct/2,
    reduced/1,
    findnsols/4,
    findnsols/5,
    group_by/4
]).

:- use_module(library(error), [must_be/2, domain_error/2]).
:- use_module(library(lists), [member/2, append/3, reverse/2]).

:- meta_predicate(limit(+, 0)).
:- meta_predicate(offset(+, 0)).
:- meta_predicate(call_nth(0, ?)).
:- meta_predicate(order_by(+, 0)).
:- meta_predicate(distinct(0)).
:- meta_predicate(distinct(?, 0)).
:- meta_predicate(reduced(0)).
:- meta_predicate(findnsols(+, ?, 0, -)).
:- meta_predicate(findnsols(+, ?, 0, -, ?)).
:- meta_predicate(group_by(?, ?, 0, -)).

%% limit(+Count, :Goal)
%
%  Calls Goal and returns at most Count of its solutions. Count may be `infinite`.
%
%  ?- findall(X, limit(2, member(X, [a,b,c])), L).
%  L = [a, b].
%
%  ?- limit(3, repeat), write(x), fail ; nl.
%  xxx
%  true.

limit(Count, Goal) :-
    (   Count == infinite
    ->  call(Goal)
    ;   Count > 0,
        State = count(0),
        call(Goal),
        sequence_next(State, N),
        (   N =:= Count
        ->  !
        ;   true
        )
    ).

%% offset(+Count, :Goal)
%
%  Calls Goal, but skips its first Count solutions.
%
%  ?- findall(X, offset(1, member(X, [a,b,c])), L).
%  L = [b, c].

offset(Count, Goal) :-
    sequence_count(Count),
    State = count(0),
    call(Goal),
    (   arg(1, State, N),
        N >= Count
    ->  true
    ;   sequence_next(State, _),
        fail
    ).

% Checks that Count is a number of solutions.

sequence_count(Count) :-
    (   Count >= 0
    ->  true
    ;   domain_error(not_less_than_zero, Count)
    ).

%% call_nth(:Goal, ?Nth)
%
%  True for solution number Nth of Goal, counted from 1. If Nth is unbound, enumerates all solutions with their
%  numbers on backtracking.
%
%  ?- call_nth(member(X, [a,b,c]), 2).
%  X = b.
%
%  ?- call_nth(member(X, [a,b,c]), Nth).
%  X = a,
%  Nth = 1 ;
%  X = b,
%  Nth = 2 ;
%  X = c,
%  Nth = 3.

call_nth(Goal, Nth) :-
    (   var(Nth)
    ->  State = count(0),
        call(Goal),
        sequence_next(State, Nth)
    ;   must_be(integer, Nth),
        (   Nth > 0
        ->  true
        ;   throw(error(domain_error(not_less_than_one, Nth), _))
        ),
        State = count(0),
        call(Goal),
        sequence_next(State, N),
        N =:= Nth
    ->  true
    ).

% Counts a solution with nb_setarg/3, so that the count survives backtracking into the goal.

sequence_next(State, N) :-
    arg(1, State, N0),
    N is N0 + 1,
    nb_setarg(1, State, N).

%% order_by(+Specs, :Goal)
%
%  Calls Goal and returns its solutions sorted by Specs, a list of asc(Term) and desc(Term). The first element
%  of Specs decides first. Solutions with equal terms keep their order.
%
%  ?- findall(X-Y, order_by([desc(X), asc(Y)], member(X-Y, [1-b,2-c,1-a])), L).
%  L = [2-c, 1-a, 1-b].

order_by(Specs, Goal) :-
    must_be(list, Specs),
    ( Specs == [] -> domain_error(non_empty_list, Specs) ; true ),
    sequence_specs(Specs, Keys, Orders),
    term_variables(Goal, Vars),
    Row =.. [row,Vars|Keys],
    findall(Row, Goal, Rows0),
    length(Orders, Count),
    reverse(Orders, Reversed),
    sequence_sort(Reversed, Count, Rows0, Rows),
    member(Row, Rows).

sequence_specs([], [], []).
sequence_specs([Spec|Specs], [Key|Keys], [Order|Orders]) :-
    sequence_spec(Spec, Key, Order),
    sequence_specs(Specs, Keys, Orders).

sequence_spec(Spec, _, _) :-
    var(Spec),
    !,
    throw(error(instantiation_error, _)).
sequence_spec(asc(Key), Key, @=<) :-
    !.
sequence_spec(desc(Key), Key, @>=) :-
    !.
sequence_spec(Spec, _, _) :-
    throw(error(domain_error(order_specifier, Spec), _)).

% Sorts by the least important key first, because sorts are stable.

sequence_sort([], _, Rows, Rows).
sequence_sort([Order|Orders], N, Rows0, Rows) :-
    Arg is N + 1,
    sort(Arg, Order, Rows0, Rows1),
    N1 is N - 1,
    sequence_sort(Orders, N1, Rows1, Rows).

%% distinct(:Goal)
%
%  Calls Goal, but skips solutions that are variants of earlier ones.
%
%  ?- findall(X, distinct(member(X, [a,b,a])), L).
%  L = [a, b].

distinct(Goal) :-
    distinct(Goal, Goal).

%% distinct(?Witness, :Goal)
%
%  Calls Goal, but skips solutions whose Witness is a variant of the Witness of an earlier solution.
%
%  ?- findall(X-Y, distinct(X, member(X-Y, [a-1,b-2,a-3])), L).
%  L = [a-1, b-2].

distinct(Witness, Goal) :-
    '$collect_solutions'(Key),
    call_cleanup(Goal, Last = true),
    '$new_solution'(Key, Witness),
    ( Last == true -> ! ; true ).

%% reduced(:Goal)
%
%  Calls Goal like distinct/1. The predicate of SWI-Prolog may forget solutions when there are many; this one
%  does not.
%
%  ?- findall(X, reduced(member(X, [a,b,a])), L).
%  L = [a, b].

reduced(Goal) :-
    distinct(Goal, Goal).

%% findnsols(+N, ?Template, :Goal, -List)
%
%  Collects solutions like findall/3, but List holds at most N solutions. On backtracking, List holds the next
%  ones.
%
%  ?- findnsols(2, X, member(X, [a,b,c]), L).
%  L = [a, b] ;
%  L = [c].

findnsols(N, Template, Goal, List) :-
    findnsols(N, Template, Goal, List, []).

%% findnsols(+N, ?Template, :Goal, -List, ?Tail)
%
%  Collects solutions like findnsols/4, with Tail after them in List.

findnsols(N, Template, Goal, List, Tail) :-
    must_be(integer, N),
    sequence_count(N),
    (   N =:= 0
    ->  List = Tail
    ;   sequence_findn(N, Template, Goal, List, Tail)
    ).

sequence_findn(N, Template, Goal, List, Tail) :-
    % Copies the goal: bindings of the last solution of a chunk must not reach the caller.
    copy_term(Template-Goal, Template1-Goal1),
    '$collect_solutions'(Key),
    (   call_cleanup(Goal1, Last = true),
        '$add_solution'(Key, Template1, Count),
        (   Last == true
        ->  '$take_solutions'(Key, Found),
            !
        ;   Count >= N,
            '$take_solutions'(Key, Found)
        )
    ;   '$take_solutions'(Key, Found),
        !
    ),
    append(Found, Tail, List).

%% group_by(?By, ?Template, :Goal, -List)
%
%  Collects instances of Template like bagof/3, in one List for each instance of By. The other variables of Goal
%  do not distinguish solutions.
%
%  ?- group_by(L, W, ( member(W, [a, bc, d]), atom_length(W, L) ), Ws).
%  L = 1,
%  Ws = [a, d] ;
%  L = 2,
%  Ws = [bc].

group_by(By, Template, Goal, List) :-
    term_variables(By-Template, Kept),
    term_variables(Goal, Vars),
    sequence_others(Vars, Kept, Others),
    strip_module(Goal, Module, Plain),
    bagof(Template, Others^(Module:Plain), List).

% sequence_others(+Vars, +Kept, -Others): Others are the variables that are not in Kept.
sequence_others([], _, []).
sequence_others([Var|Vars], Kept, Others) :-
    (   member(Known, Kept), Known == Var
    ->  Others = Rest
    ;   Others = [Var|Rest]
    ),
    sequence_others(Vars, Kept, Rest).

% All solutions, grouped by the free variables: bagof/3 and setof/3 of ISO/IEC
% 13211-1, 8.10.2 and 8.10.3.

:- module(bags, [
    bagof/3,
    setof/3
]).

:- meta_predicate(bagof(?, ^, ?)).
:- meta_predicate(setof(?, ^, ?)).

%% bagof(?Template, :Goal, -Bag)
%
%  Collects the instances of Template for the solutions of Goal in the list Bag. Variables of Goal that are
%  neither in Template nor marked by Variables^Goal are free. Each different binding of the free variables (up
%  to renaming) has its own Bag; backtracking enumerates them. Fails if Goal has no solution.
%
%  ?- bagof(N, L^member(N-L, [2-b,1-a]), Bag).
%  Bag = [2, 1].
%
%  ?- bagof(X, member(X, []), L).
%  false.
%
%  ?- bagof(X, Y^member(X-Y, [1-a,2-b,3-a]), L).
%  L = [1, 2, 3].

bagof(Template, Goal, Bag) :-
    '$check_list_or_partial'(Bag),
    '$bags_goal'(Goal, Template, Goal1, Witness),
    (   Witness == v
    ->  findall(Template, Goal1, Items),
        Items = [_|_],
        Bag = Items
    ;   '$bags_groups'(Witness, Template, Goal1, Groups),
        '$bags_member'(Groups, Witness, Bag)
    ).

%% setof(?Template, :Goal, -Set)
%
%  Collects instances like bagof/3, with each Set in the standard order and without duplicates.
%
%  ?- setof(L-N, member(N-L, [2-b,1-a,2-b]), Set).
%  Set = [a-1, b-2].
%
%  ?- setof(X-N, member(X-N, [b-1,a-2,b-1]), L).
%  L = [a-2, b-1].

setof(Template, Goal, Set) :-
    '$check_list_or_partial'(Set),
    '$bags_goal'(Goal, Template, Goal1, Witness),
    (   Witness == v
    ->  findall(Template, Goal1, Items),
        Items = [_|_],
        sort(Items, Set)
    ;   '$bags_groups'(Witness, Template, Goal1, Groups),
        '$bags_member'(Groups, Witness, Items),
        sort(Items, Set)
    ).

% '$bags_goal'(+Goal, +Template, -Goal1, -Witness): Goal1 is Goal without its marks. Witness is v(V1,V2,...),
% the free variables of Goal.

'$bags_goal'(Goal, Template, Goal1, Witness) :-
    (   cyclic_term(Goal)
    ->  '$bags_check_marks'(Goal, Goal)
    ;   true
    ),
    '$bags_unmarked'(Goal, user, Goal1, Marked),
    term_variables(Template+Marked, Bound),
    term_variables(Bound+Goal1, Variables),
    '$bags_after'(Bound, Variables, Free),
    Witness =.. [v|Free].

% Raises an error if the marks and modules at the beginning of a cyclic goal never end. Two positions advance at
% different speeds; they become equal only in a cycle.

'$bags_check_marks'(Behind, Ahead0) :-
    (   '$bags_inner'(Ahead0, Ahead1),
        '$bags_inner'(Ahead1, Ahead)
    ->  '$bags_inner'(Behind, Behind1),
        (   Behind1 == Ahead
        ->  throw(error(type_error(acyclic_term, Behind), _))
        ;   '$bags_check_marks'(Behind1, Ahead)
        )
    ;   true
    ).

'$bags_inner'(Term, _) :-
    var(Term),
    !,
    fail.
'$bags_inner'(Module:Goal, Inner) :-
    (   nonvar(Module),
        Module = _^Module1
    ->  Inner = Module1:Goal
    ;   Inner = Goal
    ).
'$bags_inner'(_^Goal, Goal).

'$bags_unmarked'(Goal, _, _, _) :-
    var(Goal),
    !,
    throw(error(instantiation_error, _)).
'$bags_unmarked'(Module:Goal, Module0, Goal1, Marked) :-
    !,
    (   atom(Module)
    ->  '$bags_unmarked'(Goal, Module, Goal1, Marked)
    ;   nonvar(Module),
        Module = Variables^Module1          % V^M:G is (V^M):G
    ->  Marked = [Variables|Marked1],
        '$bags_unmarked'(Module1:Goal, Module0, Goal1, Marked1)
    ;   Goal1 = Module0:(Module:Goal),
        Marked = []
    ).
'$bags_unmarked'(Variables^Goal, Module, Goal1, [Variables|Marked]) :-
    !,
    '$bags_unmarked'(Goal, Module, Goal1, Marked).
'$bags_unmarked'(Goal, Module, Module:Goal, []) :-
    (   callable(Goal)
    ->  true
    ;   throw(error(type_error(callable, Goal), _))
    ).

% The variables of Bound are the first ones among all variables.

'$bags_after'([], Free, Free).
'$bags_after'([_|Bound], [_|Variables], Free) :-
    '$bags_after'(Bound, Variables, Free).

% '$bags_groups'(+Witness, +Template, :Goal, -Groups): Groups are Witness-Items in the standard order of the
% witnesses. Items are in the order of the solutions. If no solution binds a free variable, there is one group.
% Sorting brings equal ground witnesses together. Other witnesses are compared with each other, since variants
% may be anywhere.

'$bags_groups'(Witness, Template, Goal, Groups) :-
    findall(Solution, (call(Goal), '$bags_solution'(Witness, Template, Solution)), Found),
    Found = [_|_],
    '$bags_found'(Found, Witness, Kind, Items),
    '$bags_groups_of'(Kind, Items, Witness, Groups).

'$bags_groups_of'(all, Items, Witness, [Witness-Items]).
'$bags_groups_of'(ground, Pairs, _, Groups) :-
    keysort(Pairs, Sorted),
    '$bags_groups'(Sorted, Groups).
'$bags_groups_of'(other, Pairs, _, Groups) :-
    '$bags_variant_groups'(Pairs, Groups0),
    keysort(Groups0, Groups).

'$bags_variant_groups'([], []).
'$bags_variant_groups'([Witness-Item|Pairs], [Witness-[Item|Items]|Groups]) :-
    '$bags_variant'(Pairs, Witness, Items, Rest),
    '$bags_variant_groups'(Rest, Groups).

% Unifies the witnesses only after all of them have been compared.

'$bags_variant'(Pairs, Witness, Items, Rest) :-
    '$bags_variants'(Pairs, Witness, Same, Rest),
    '$bags_unified'(Same, Witness, Items).

'$bags_variants'([], _, [], []).
'$bags_variants'([Pair|Pairs], Witness, Same, Rest) :-
    Pair = Witness1-_,
    (   Witness1 =@= Witness
    ->  Same = [Pair|Same1],
        '$bags_variants'(Pairs, Witness, Same1, Rest)
    ;   Rest = [Pair|Rest1],
        '$bags_variants'(Pairs, Witness, Same, Rest1)
    ).

'$bags_unified'([], _, []).
'$bags_unified'([Witness-Item|Pairs], Witness, [Item|Items]) :-
    '$bags_unified'(Pairs, Witness, Items).

'$bags_member'([Group|Groups], Witness, Bag) :-
    '$bags_member'(Groups, Group, Witness, Bag).

'$bags_member'([], Witness-Bag, Witness, Bag).
'$bags_member'([_|_], Witness-Bag, Witness, Bag).
'$bags_member'([Group|Groups], _, Witness, Bag) :-
    '$bags_member'(Groups, Group, Witness, Bag).

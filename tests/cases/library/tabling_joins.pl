% Predicates for tabling_joins.queries: goals that depend on each other. met/0 counts how many times a body goes
% on after a tabled goal.

met :- flag(met, N, N+1).

% meets(Goal, Answers, Met): Goal has Answers answers, and bodies went on Met times after a tabled goal.
meets(Goal, Answers, Met) :-
    abolish_all_tables,
    flag(met, _, 0),
    findall(x, Goal, L),
    length(L, Answers),
    flag(met, Met, 0).

next(Y, N, X) :- Y < N, X is Y+1.

% Cycles of two, three and ten predicates.

:- table two_a/2, two_b/2.

two_a(_, 0).
two_a(N, X) :- two_b(N, Y), met, next(Y, N, X).
two_b(_, 0).
two_b(N, X) :- two_a(N, Y), met, next(Y, N, X).

:- table three_a/2, three_b/2, three_c/2.

three_a(_, 0).
three_a(N, X) :- three_c(N, Y), met, ( Y < N -> X is Y+1 ; fail ).
three_b(N, X) :- three_a(N, Y), met, \+ Y >= N, X is Y+1.
three_c(N, X) :- three_b(N, Y), met, once(( Y < N, X is Y+1 )).

% A cycle of a hundred predicates: ring0/2 to ring99/2.

ring_clause(I, (:- table(Name/2))) :- atom_concat(ring, I, Name).
ring_clause(0, (ring0(_, 0) :- true)).
ring_clause(I, (Head :- Goal, met, next(Y, N, X))) :-
    J is (I+99) mod 100,
    atom_concat(ring, I, Name),
    atom_concat(ring, J, Before),
    Head =.. [Name, N, X],
    Goal =.. [Before, N, Y].

user:term_expansion(a_ring_of_a_hundred, Clauses) :-
    findall(Clause, (between(0, 99, I), ring_clause(I, Clause)), Clauses).

a_ring_of_a_hundred.

% Left, right and double recursion over a chain and over a cycle.

:- table left/3, right/3, double/3, both/3.

chain(N, X, Y) :- next(X, N, Y).

left(N, X, Y) :- left(N, X, Z), met, chain(N, Z, Y).
left(N, X, Y) :- chain(N, X, Y).

right(N, X, Y) :- chain(N, X, Y).
right(N, X, Y) :- chain(N, X, Z), right(N, Z, Y), met.

double(N, X, Y) :- double(N, X, Z), met, double(N, Z, Y), met.
double(N, X, Y) :- Y is (X+1) mod N.

% Left and right recursion by way of each other.
both(N, X, Y) :- other(N, X, Z), met, chain(N, Z, Y).
both(N, X, Y) :- chain(N, X, Y).

:- table other/3.
other(N, X, Y) :- both(N, X, Z), met, chain(N, Z, Y).
other(N, X, Y) :- chain(N, X, Y).

% A grammar whose nonterminals are left recursive by way of each other.

:- table expr//0, sum//0, product//0, factor//0.

expr --> sum, { met }.
sum --> expr, { met }, "+", product, { met }.
sum --> product, { met }.
product --> product, { met }, "*", factor, { met }.
product --> factor, { met }.
factor --> "1".
factor --> "(", expr, { met }, ")".

ones(1, `1`) :- !.
ones(N, [0'1, 0'+|L]) :- M is N-1, ones(M, L).

% Nodes of a full binary tree that are of the same generation.

:- table same/3.

child(N, X, P) :- X =< N, X > 1, P is X//2.

same(N, X, X) :- X =< N.
same(N, X, Y) :- child(N, X, P), same(N, P, Q), met, ( Y is 2*Q ; Y is 2*Q+1 ), Y =< N.

% Two goals in a body that depend on it, and a disjunction of them.

:- table odds/2, evens/2, ways/2.

odds(N, X) :- evens(N, Y), met, next(Y, N, X).
evens(_, 0).
evens(N, X) :- odds(N, Y), met, next(Y, N, X).

ways(_, 0).
ways(N, X) :- ( odds(N, Y), met ; ways(N, Y), met ; evens(N, Y), met, ways(N, Z), met, Z =:= Y ), next(Y, N, X).

% Modes: the least of two ways.

:- table cost(_, _, min), price(_, _, min).

cost(_, 0, 0).
cost(N, X, C) :- price(N, Y, D), met, next(Y, N, X), C is D+1.
price(N, X, C) :- cost(N, Y, D), met, next(Y, N, X), C is D+2.

% Continuations: through predicates that are not tabled, and that leave choices.

:- table deep/2, choosy/2.

deep(_, 0).
deep(N, X) :- layers(20, N, Y), next(Y, N, X).

layers(0, N, X) :- !, deep(N, X), met.
layers(I, N, X) :- J is I-1, layers(J, N, X), true.

choosy(_, 0).
choosy(N, X) :- member(D, [1, 2]), choosy(N, Y), met, member(E, [0, 1]), Y < N, X is Y+D+E.

% Goals at which no continuation is kept.

:- table collected/2, conditional/2, caught/2, negated/2, called/2, first_of/2, soft/2, cut_after/2.

collected(_, 0).
collected(N, X) :- findall(Y, collected(N, Y), L), member(Y, L), next(Y, N, X).

conditional(_, 0).
conditional(N, X) :- between(0, N, Y), ( conditional(N, Y) -> next(Y, N, X) ; fail ).

caught(_, 0).
caught(N, X) :- catch(caught(N, Y), _, fail), next(Y, N, X).

negated(_, 0).
negated(N, X) :- between(0, N, Y), \+ \+ negated(N, Y), next(Y, N, X).

called(_, 0).
called(N, X) :- G = (called(N, Y), Y >= 0, true), call(G), next(Y, N, X).

first_of(_, 7).
first_of(N, X) :- first_of(N, Y), !, next(Y, N, X).
first_of(_, never).

soft(_, 0).
soft(N, X) :- ( soft(N, Y) *-> next(Y, N, X) ; X = 1000 ).

cut_after(_, 0).
cut_after(N, X) :- cut_after_goal(N, X).
cut_after(_, 3).

cut_after_goal(N, X) :- cut_after(N, Y), Y > 2, !, next(Y, N, X).

% A predicate of a lower stratum within conditions and negations.

:- table lower/1, upper/2.

lower(0).
lower(X) :- lower(Y), next(Y, 50, Z), X is Z+1.

upper(_, 0).
upper(N, X) :- upper(N, Y), met, ( lower(Y) -> X is Y+2 ; \+ lower(Y), X is Y+1 ), X =< N.

% An exception in a continuation is raised where its goal was called.

:- table thrower/1, catcher/1, escaping/1.

thrower(1).
thrower(X) :- catcher(X), X > 3, throw(too_many(X)).
catcher(X) :- catch(thrower(X), too_many(_), fail).
catcher(X) :- catcher(Y), next(Y, 6, X).

escaping(0).
escaping(X) :- escaping(Y), next(Y, 6, X), ( X > 4 -> throw(escaped(X)) ; true ).

% What a continuation keeps: constraints of variables, and many variables.

:- table frozen_until/1, many_variables/1.

frozen_until(0).
frozen_until(X) :- freeze(X, X mod 3 =\= 1), frozen_until(Y), ( X is Y+1 ; X is Y+2 ), X < 12.

many_variables(0).
many_variables(X) :-
    length(L, 3), L = [A1, A2, A3],
    f(B1, B2, B3, B4, B5, B6, B7, B8, B9, B10), f(C1, C2, C3, C4, C5, C6, C7, C8, C9, C10),
    f(D1, D2, D3, D4, D5, D6, D7, D8, D9, D10), f(E1, E2, E3, E4, E5, E6, E7, E8, E9, E10),
    f(F1, F2, F3, F4, F5, F6, F7, F8, F9, F10),
    many_variables(Y),
    next(Y, 9, X),
    f(B1, B2, B3, B4, B5, B6, B7, B8, B9, B10), f(C1, C2, C3, C4, C5, C6, C7, C8, C9, C10),
    f(D1, D2, D3, D4, D5, D6, D7, D8, D9, D10), f(E1, E2, E3, E4, E5, E6, E7, E8, E9, E10),
    f(F1, F2, F3, F4, F5, F6, F7, F8, F9, F10),
    A1 = A2, A2 = A3, L = [X, X, X].

f(1, 2, 3, 4, 5, 6, 7, 8, 9, 10).

% The clause of a continuation may be gone.

:- table hopping/1.
:- dynamic((hop/1, large/1, small/1)).

hopping(0).
hopping(X) :- hop(X).
hopping(X) :- hopping(Y), forget_hop, 0 is Y mod 2, next(Y, 50, X).

make_hop :-
    retractall(hop(_)),
    % So many that erased ones are removed.
    forall(between(1, 200, _), assertz((hop(_) :- fail))),
    assertz((hop(X) :- hopping(Y), 1 is Y mod 2, next(Y, 50, X))).

forget_hop :-
    retractall(hop(_)),
    numlist(1, 300, L),
    forall(between(1, 300, I), assertz((large(I) :- large(L)))),
    retractall(large(_)),
    % What has its memory then.
    forall(between(1, 300, _), assertz((small(X) :- large(Y), 1 is Y mod 2, missing(Y, 50, X)))).

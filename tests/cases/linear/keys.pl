% What is assumed is found by any parts of the goal that are bound: the same answers in the same order as a
% list of assumptions gives that is searched from its newest end.
:- use_module(library(linear)).
:- use_module(library(lists)).
:- use_module(library(solution_sequences)).

:- dynamic(pair/2).
:- dynamic(r/3).

% Random programs: the state of the numbers is a term that is changed in place.
below(State, Bound, Number) :-
    arg(1, State, S0),
    S is (S0 * 1103515245 + 12345) mod 2147483648,
    nb_setarg(1, State, S),
    Number is (S >> 12) mod Bound.

fact(State, r(A, B, s(C, D))) :-
    below(State, 2, A), below(State, 4, B), below(State, 2, C), below(State, 4, D).

% A fact with some unknown parts.
pattern(State, r(A, B, C)) :-
    fact(State, r(A0, B0, s(C0, D0))),
    maybe(State, A0, A), maybe(State, B0, B),
    below(State, 3, Kind),
    third(Kind, C0, D0, C).

third(0, _, _, _).
third(1, C, D, s(C, D)).
third(2, _, D, s(_, D)).

maybe(State, Value, Part) :- below(State, 2, N), ( N =:= 0 -> Part = Value ; true ).

program(_, 0, []) :- !.
program(State, N, [Op|Ops]) :-
    ( N > 7 -> Most = 12 ; Most = 7 ),
    below(State, Most, Kind0),
    ( N > 7, Kind0 < 6 -> Kind = 7 ; Kind = Kind0 ),
    step(Kind, State, Op),
    M is N - 1,
    program(State, M, Ops).

step(0, State, always(F)) :- !, fact(State, F).
step(1, State, take(P)) :- !, pattern(State, P).
step(2, State, both([P, Q])) :- !, pattern(State, P), pattern(State, Q).
step(3, State, within(P)) :- !, pattern(State, P).
step(4, State, open(F)) :- !, pattern(State, F).
step(_, State, assume(F)) :- fact(State, F).

% The program proved.
real([], []) :- erase.
real([assume(F)|Ops], T) :- F -<> real(Ops, T).
real([always(F)|Ops], T) :- F => real(Ops, T).
real([take(P)|Ops], [P|T]) :- P, real(Ops, T).
real([both(Ps)|Ops], [Ps|T]) :- (all(Ps) & all(Ps)), real(Ops, T).
real([within(P)|Ops], T) :- ( {P} -> T = [P|T1] ; T = [no|T1] ), real(Ops, T1).

all([]).
all([P|Ps]) :- P, all(Ps).

% The same by a list.
model([], _, []).
model([assume(F)|Ops], C, T) :- length(Ops, N), model(Ops, [once(N, F)|C], T).
model([always(F)|Ops], C, T) :- model(Ops, [always(F)|C], T).
model([take(P)|Ops], C, [P|T]) :- use(P, C, D), model(Ops, D, T).
model([both(Ps)|Ops], C, [Ps|T]) :- use_all(Ps, C, D), use_all(Ps, C, E), D == E, model(Ops, D, T).
model([within(P)|Ops], C, T) :-
    ( member(always(P), C) -> T = [P|T1] ; T = [no|T1] ),
    model(Ops, C, T1).

use(P, [once(_, P)|C], C).
use(P, [always(P)|C], [always(P)|C]).
use(P, [F|C], [F|D]) :- use(P, C, D).

use_all([], C, C).
use_all([P|Ps], C, E) :- use(P, C, D), use_all(Ps, D, E).

% At most this number of answers.
some(Goal, Template, Answers) :- findall(Template, limit(15, Goal), Answers).

agree(Seed, Count) :-
    State = state(Seed),
    program(State, 30, Ops),
    some(real(Ops, T), T, Real),
    some(model(Ops, [], T), T, Model),
    length(Real, Count),
    ( Real =@= Model -> true ; throw(differ(Seed, Ops, Real, Model)) ).

agree_all(Seed, Last, Sum, Sum) :- Seed > Last, !.
agree_all(Seed, Last, Sum0, Sum) :-
    agree(Seed, Count),
    Sum1 is Sum0 + Count,
    Next is Seed + 1,
    agree_all(Next, Last, Sum1, Sum).

% Many facts, used by their second argument, the one first that was assumed first.
many(0, G) :- !, G.
many(N, G) :- M is N - 1, pair(same, N) -<> many(M, G).

down(0) :- !.
down(N) :- pair(_, N), !, M is N - 1, down(M).

% Looked up and given back by backtracking.
seen(N) :- forall(between(1, N, I), ( pair(A, I), A == same )).

% Used in both halves.
halves(N) :- down(N) & down(N).

% Used within alternatives that fail.
tried(N) :- ( between(1, 5, K), down(N), K >= 3 -> true ).



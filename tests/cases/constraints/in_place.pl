% Constraints in clauses: the compiler makes arithmetic of them where integers are known.

:- use_module(library(clpfd)).

sum(X, Y, Z) :- Z #= X + Y.
next(X, Y) :- Y #= X + 1.
previous(X, Y) :- Y - 1 #= X.
both(X, Y) :- X * 2 #= Y + Y.
same(X, Y) :- X #= Y.
constant(X) :- X #= 5.
turned(X, Y) :- 3 + X #= Y.

function(times, X, Y, Z) :- Z #= X * Y.
function(minus, X, Y, Z) :- Z #= X - Y.
function(quotient, X, Y, Z) :- Z #= X // Y.
function(div, X, Y, Z) :- Z #= X div Y.
function(mod, X, Y, Z) :- Z #= X mod Y.
function(rem, X, Y, Z) :- Z #= X rem Y.
function(min, X, Y, Z) :- Z #= min(X, Y).
function(max, X, Y, Z) :- Z #= max(X, Y).
function(power, X, Y, Z) :- Z #= X ^ Y.
function(nested, X, Y, Z) :- Z #= abs(X - Y) * -(Y) + (X + 1) mod (Y - 3).

order(X, Y, #<) :- X #< Y.
order(X, Y, #=<) :- X #=< Y.
order(X, Y, #>) :- X #> Y.
order(X, Y, #>=) :- X #>= Y.
order(X, Y, #=) :- X #= Y.
order(X, Y, #\=) :- X #\= Y.

sign(X, S) :- X #> 0, S = positive.
sign(X, S) :- X #= 0, S = zero.
sign(X, S) :- X #< 0, S = negative.

% A cut after the constraint.
smaller(X, Y, X) :- X #=< Y, !.
smaller(_, Y, Y).

count(N, S, S) :- N #= 0.
count(N, S0, S) :- N #> 0, S1 #= S0 + N, N1 #= N - 1, count(N1, S1, S).

% The variables of several constraints, kept over calls and given names of their own.
chain(A, G) :-
    B #= A * 3, C #= B - A, call(true), D #= C + B, G #= D * D - C, A #< D,
    E #= 7, E #\= A, F #= E, F #>= 0, call(true), F #= 7.

branches(X, Y) :- ( X = 1, Y #= X + 1 ; X = 2, Y #= X * 10, Y #> 3 ; Y #= 0, X #= Y ).

condition(X, Y) :- ( X #> 3 -> Y #= X - 3 ; Y #= X ).
negated(X) :- \+ X #= 3.

wrong(float, X) :- X #= 1.5 + 2.
wrong(slash, X) :- X #= 6 / 2.
wrong(function, X) :- X #= foo(2).
wrong(atom, X) :- X #= a.
wrong(compare, _) :- 3 #< 2.0.

many(A, B, C, D, E) :-
    A #= ((1 + 2) * (3 + 4) - (5 + 6) * (7 - 8)) + ((1 + 2) * (3 + 4) - (5 + 6) * (7 - 8)),
    B #= A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A + A
         + A + A + A + A + A + A + A + A + A + A + A + A,
    C #= 100000000000000000000 - B,
    D #= C * C,
    E #= min(D, C).

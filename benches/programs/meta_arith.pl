% A meta-interpreter over clause/2 with arithmetic, without cuts: Takeuchi's function and primes.

:- dynamic(tak/4).
:- dynamic(divided/2).
:- dynamic(primes/4).

main :-
    solve(tak(18, 12, 6, A)),
    solve(primes(2, 8000, 0, Sum)),
    Check is A * 1000000 + Sum,
    write(checksum(Check)), nl.

solve(true) :- !.
solve((A, B)) :- !, solve(A), solve(B).
solve((C -> A ; B)) :- !, ( solve(C) -> solve(A) ; solve(B) ).
solve(A) :- builtin(A), !, call(A).
solve(A) :- clause(A, B), solve(B).

builtin(_ is _).
builtin(_ < _).
builtin(_ > _).
builtin(_ >= _).
builtin(_ =:= _).
builtin(_ = _).

tak(X, Y, Z, A) :-
    ( Y >= X -> A = Z
    ; X1 is X - 1, Y1 is Y - 1, Z1 is Z - 1,
      tak(X1, Y, Z, A1), tak(Y1, Z, X, A2), tak(Z1, X, Y, A3),
      tak(A1, A2, A3, A)
    ).

primes(N, High, Sum0, Sum) :-
    ( N > High -> Sum = Sum0
    ; ( divided(N, 2) -> Sum1 = Sum0 ; Sum1 is Sum0 + N ),
      N1 is N + 1,
      primes(N1, High, Sum1, Sum)
    ).

divided(N, D) :-
    N >= D * D,
    ( N mod D =:= 0 -> true ; D1 is D + 1, divided(N, D1) ).

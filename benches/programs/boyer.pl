% Rewriting terms by equations to a normal form and deciding nested ifs: functor/3, arg/3, =.. .

main :-
    rounds(2500, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    ( theorem(T), normal(T, Normal), holds(Normal, [], []) -> Sum1 is Sum0 + 1 ; Sum1 = Sum0 ),
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

theorem(implies(and(implies(f(a), g(b)), and(implies(g(b), h(c)), and(implies(h(c), k(d)),
        implies(k(d), m(plus(a, times(b, c))))))),
        implies(f(a), m(plus(times(c, b), a))))).

normal(T, T) :- var(T), !.
normal(T, N) :-
    functor(T, Name, Arity),
    functor(T1, Name, Arity),
    normal_args(Arity, T, T1),
    ( equation(T1, T2), T2 \== T1 -> normal(T2, N) ; N = T1 ).

normal_args(0, _, _) :- !.
normal_args(I, T, T1) :-
    arg(I, T, A),
    normal(A, N),
    arg(I, T1, N),
    I1 is I - 1,
    normal_args(I1, T, T1).

equation(and(P, Q), if(P, Q, false)).
equation(or(P, Q), if(P, true, Q)).
equation(implies(P, Q), if(P, Q, true)).
equation(not(P), if(P, false, true)).
equation(if(true, A, _), A).
equation(if(false, _, A), A).
equation(if(if(A, B, C), D, E), if(A, if(B, D, E), if(C, D, E))).
equation(plus(A, B), plus(B, A)) :- B @< A.
equation(times(A, B), times(B, A)) :- B @< A.

holds(true, _, _) :- !.
holds(if(A, B, C), True, False) :- !,
    ( known(A, True) -> holds(B, True, False)
    ; known(A, False) -> holds(C, True, False)
    ; holds(B, [A|True], False),
      holds(C, True, [A|False])
    ).
holds(A, True, _) :- known(A, True), !.

known(A, [B|_]) :- A == B, !.
known(A, [_|Bs]) :- known(A, Bs).

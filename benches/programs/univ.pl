% Terms taken apart and put together: =.., functor, arg, copy_term, compare, call/N.
% note: many small builtins, which the machine code of GNU Prolog calls directly

main :-
    rounds(1200000, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    T = f(N, g(_, X, X), [a, b|_]),
    copy_term(T, C),
    C =.. [_|Args],
    D =.. [h|Args],
    functor(D, Name, Arity),
    functor(E, Name, Arity),
    arg(1, D, A1),
    arg(1, E, A1),
    compare(Order, C, D),
    weight(Order, W),
    Add = plus_to(A1),
    call(Add, W, S),
    Sum1 is (Sum0 + S + Arity) mod 1000003,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

plus_to(A, B, C) :- C is A + B.

weight(<, 1).
weight(>, 2).
weight(=, 3).

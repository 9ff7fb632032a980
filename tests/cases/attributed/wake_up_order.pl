% Clauses for the queries beside.

one(1).
two(1).
two(2).
small(X) :- X < 5.
pair(a, b).

head_then_test(1, Y) :- Y == 2.
head_then_test(_, _) :- write(second).

head_then_cut(1) :- !, write(first).
head_then_cut(_) :- write(second).

structure_then_test(f(_), Y) :- nonvar(Y), !, write(known).
structure_then_test(_, Y) :- write(unknown), Y = z.

last_call(X, Y) :- X = 1, small(Y).

% Woken in the middle of a clause with more permanent variables than a mask covers.
many(X, L) :-
    A1 = 1, A2 = 2, A3 = 3, A4 = 4, A5 = 5, A6 = 6, A7 = 7, A8 = 8, A9 = 9, A10 = 10,
    two(B1), two(B2), two(B3), two(B4), two(B5), two(B6), two(B7), two(B8), two(B9), two(B10),
    two(C1), two(C2), two(C3), two(C4), two(C5), two(C6), two(C7), two(C8), two(C9), two(C10),
    two(D1), two(D2), two(D3), two(D4), two(D5), two(D6), two(D7), two(D8), two(D9), two(D10),
    two(E1), two(E2), two(E3), two(E4), two(E5), two(E6), two(E7), two(E8), two(E9), two(E10),
    freeze(X, garbage(X, Y)),
    X = 7,
    Y > 1,
    one(_),
    L = [Y, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10,
        C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, D1, D2, D3, D4, D5, D6, D7, D8, D9, D10,
        E1, E2, E3, E4, E5, E6, E7, E8, E9, E10].

% Woken where more registers are in use than a mask covers.
wide(X, Y, S) :-
    S = f(A1, A2, A3, A4, A5, A6, A7, A8, A9, B1, B2, B3, B4, B5, B6, B7, B8, B9,
        C1, C2, C3, C4, C5, C6, C7, C8, C9, D1, D2, D3, D4, D5, D6, D7, D8, D9,
        E1, E2, E3, E4, E5, E6, E7, E8, E9, F1, F2, F3, F4, F5, F6, F7, F8, F9,
        G1, G2, G3, G4, G5, G6, G7, G8, G9, H1, H2, H3, H4, H5, H6, H7, H8, H9),
    X = 7,
    Y > 1,
    A1 == H9, A2 == H8, A3 == H7, A4 == H6, A5 == H5, A6 == H4, A7 == H3, A8 == H2, A9 == H1,
    B1 == G9, B2 == G8, B3 == G7, B4 == G6, B5 == G5, B6 == G4, B7 == G3, B8 == G2, B9 == G1,
    C1 == F9, C2 == F8, C3 == F7, C4 == F6, C5 == F5, C6 == F4, C7 == F3, C8 == F2, C9 == F1,
    D1 == E9, D2 == E8, D3 == E7, D4 == E6, D5 == E5, D6 == E4, D7 == E3, D8 == E2, D9 == E1.

% A woken goal that needs room on the heap.
garbage(X, Y) :-
    numlist(1, 5000, L),
    sum_list(L, S),
    S > X,
    garbage_collect,
    member(Y, [1, 2]).

% A clause that wakes itself up, within its own condition.
nested(0, _) :- !.
nested(N, L) :-
    N1 is N - 1,
    freeze(X, nested(N1, L)),
    (   X = go, N > 0
    ->  write(N)
    ;   write(no)
    ).

% A long clause with goals to wake all along it.
long(V, L) :-
    V = v(A, B, C, D, E, F, G, H), freeze(A, B = 1), A = 1, B =:= 1, freeze(C, D = 2), C = B,
    ( D =:= 2 -> true ; fail ), freeze(E, F = 3), E = D, \+ F =\= 3, freeze(G, H = 4), G = F,
    findall(H, H > 3, L).

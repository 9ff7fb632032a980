layout(Moves) :-
    solve(s(s(s(s(s(s(s(s(s(z))))))))),
          [sq(s(s(s(s(s(s(s(s(z)))))))),z,z), sq(s(s(s(s(s(s(s(z))))))),s(z),z),
           sq(s(s(s(s(s(s(z)))))),z,s(z)), sq(s(s(s(s(s(z))))),s(s(z)),z),
           sq(s(s(s(s(z)))),s(z),s(z)), sq(s(s(s(z))),z,s(s(z))),
           sq(s(s(z)),s(s(z)),s(z)), sq(s(z),s(z),s(s(z))), sq(z,s(s(z)),s(s(z)))],
          [card(c1,t(r),b(p),b(l),t(w)), card(c2,t(l),b(w),b(r),t(p)), card(c3,t(l),b(w),b(r),t(w)),
           card(c4,t(r),b(w),b(p),t(l)), card(c5,t(l),b(w),b(r),t(p)), card(c6,t(l),b(p),b(w),t(r)),
           card(c7,t(p),b(w),b(l),t(r)), card(c8,t(l),b(p),b(r),t(w)), card(c9,t(r),b(p),b(l),t(p))],
          [], Moves).

solve(z, [], [], _, done).
solve(s(I), Squares, Cards, Placed, next(at(C,O), R)) :-
    take(sq(I,X,Y), Squares, Squares1),
    take(card(C,S0,W0,N0,E0), Cards, Cards1),
    rot(O, S0, W0, N0, E0, S, W, N, E),
    check(X, Y, S, W, Placed),
    solve(I, Squares1, Cards1, [place(X,Y,N,E)|Placed], R).

rot(r0, S, W, N, E, S, W, N, E).
rot(r1, S, W, N, E, W, N, E, S).
rot(r2, S, W, N, E, N, E, S, W).
rot(r3, S, W, N, E, E, S, W, N).

fit(t(X), b(X)).
fit(b(X), t(X)).

check(z, z, _, _, _).
check(z, s(Y), S, _, Placed) :- placed(place(z,Y,N,_), Placed), fit(N, S).
check(s(X), z, _, W, Placed) :- placed(place(X,z,_,E), Placed), fit(E, W).
check(s(X), s(Y), S, W, Placed) :-
    placed(place(X,s(Y),_,E), Placed), fit(E, W), placed(place(s(X),Y,N,_), Placed), fit(N, S).

take(X, [X|Xs], Xs).
take(X, [Y|Ys], [Y|Zs]) :- take(X, Ys, Zs).

placed(X, [X|_]).
placed(X, [_|Xs]) :- placed(X, Xs).

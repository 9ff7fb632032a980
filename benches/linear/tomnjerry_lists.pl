layout(Moves) :-
    solve(s(s(s(s(s(s(s(s(s(z))))))))),
          [sq(s(s(s(s(s(s(s(s(z)))))))),z,z), sq(s(s(s(s(s(s(s(z))))))),s(z),z),
           sq(s(s(s(s(s(s(z)))))),z,s(z)), sq(s(s(s(s(s(z))))),s(s(z)),z),
           sq(s(s(s(s(z)))),s(z),s(z)), sq(s(s(s(z))),z,s(s(z))),
           sq(s(s(z)),s(s(z)),s(z)), sq(s(z),s(z),s(s(z))), sq(z,s(s(z)),s(s(z)))],
          [card(c1,r,p,l,w), card(c2,l,w,r,p), card(c3,l,w,r,w), card(c4,r,w,p,l), card(c5,l,w,r,p),
           card(c6,l,p,w,r), card(c7,p,w,l,r), card(c8,l,p,r,w), card(c9,r,p,l,p)],
          [], Moves).

solve(z, [], [], _, done).
solve(s(I), Squares, Cards, Placed, next(C, R)) :-
    take(sq(I,X,Y), Squares, Squares1),
    take(card(C,S,W,N,E), Cards, Cards1),
    check(X, Y, S, W, Placed),
    solve(I, Squares1, Cards1, [place(X,Y,N,E)|Placed], R).

check(z, z, _, _, _).
check(z, s(Y), S, _, Placed) :- placed(place(z,Y,S,_), Placed).
check(s(X), z, _, W, Placed) :- placed(place(X,z,_,W), Placed).
check(s(X), s(Y), S, W, Placed) :-
    placed(place(X,s(Y),_,W), Placed), placed(place(s(X),Y,S,_), Placed).

take(X, [X|Xs], Xs).
take(X, [Y|Ys], [Y|Zs]) :- take(X, Ys, Zs).

placed(X, [X|_]).
placed(X, [_|Xs]) :- placed(X, Xs).

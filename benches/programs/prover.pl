% Wang's algorithm: sequents of propositional logic broken down to atoms, theorems and others.

main :-
    rounds(7000, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    findall(Name, proved(Name), Names),
    total(Names, Sum0, Sum1),
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

total([], Sum, Sum).
total([X|Xs], Sum0, Sum) :-
    Sum1 is Sum0 + X,
    total(Xs, Sum1, Sum).

proved(Name) :-
    formula(Name, Formula),
    sequent([], [Formula], [], []).

formula(1, or(p, not(p))).
formula(2, imp(imp(imp(p, q), p), p)).
formula(3, imp(and(imp(p, q), imp(q, r)), imp(p, r))).
formula(4, iff(not(and(p, q)), or(not(p), not(q)))).
formula(5, iff(and(p, or(q, r)), or(and(p, q), and(p, r)))).
formula(6, iff(iff(iff(p, q), r), iff(p, iff(q, r)))).
formula(7, imp(and(and(imp(p, r), imp(q, r)), or(p, q)), r)).
formula(8, imp(or(p, q), and(p, q))).
formula(9, imp(and(or(p, q), and(imp(p, s), imp(q, t))), or(s, t))).
formula(10, iff(iff(p, iff(q, iff(r, s))), iff(s, iff(r, iff(q, p))))).
% Three pigeons do not fit into two holes: atoms such as a1 say that pigeon a is in hole 1.
formula(11, not(and(and(and(or(a1, a2), or(b1, b2)), or(c1, c2)),
                    and(and(and(not(and(a1, b1)), not(and(a1, c1))), not(and(b1, c1))),
                        and(and(not(and(a2, b2)), not(and(a2, c2))), not(and(b2, c2))))))).
formula(12, imp(imp(p, q), imp(q, p))).

% sequent(Left, Right, LeftAtoms, RightAtoms): if all formulas on the left hold, one on the right must hold.
sequent([F|Fs], Gs, As, Bs) :- left(F, Fs, Gs, As, Bs).
sequent([], [G|Gs], As, Bs) :- right(G, Gs, As, Bs).

left(not(F), Fs, Gs, As, Bs) :- !, sequent(Fs, [F|Gs], As, Bs).
left(and(F, G), Fs, Gs, As, Bs) :- !, sequent([F, G|Fs], Gs, As, Bs).
left(or(F, G), Fs, Gs, As, Bs) :- !,
    sequent([F|Fs], Gs, As, Bs),
    sequent([G|Fs], Gs, As, Bs).
left(imp(F, G), Fs, Gs, As, Bs) :- !,
    sequent([G|Fs], Gs, As, Bs),
    sequent(Fs, [F|Gs], As, Bs).
left(iff(F, G), Fs, Gs, As, Bs) :- !,
    sequent([F, G|Fs], Gs, As, Bs),
    sequent(Fs, [F, G|Gs], As, Bs).
left(A, _, _, _, Bs) :- among(A, Bs), !.
left(A, Fs, Gs, As, Bs) :- sequent(Fs, Gs, [A|As], Bs).

right(not(F), Gs, As, Bs) :- !, sequent([F], Gs, As, Bs).
right(and(F, G), Gs, As, Bs) :- !,
    sequent([], [F|Gs], As, Bs),
    sequent([], [G|Gs], As, Bs).
right(or(F, G), Gs, As, Bs) :- !, sequent([], [F, G|Gs], As, Bs).
right(imp(F, G), Gs, As, Bs) :- !, sequent([F], [G|Gs], As, Bs).
right(iff(F, G), Gs, As, Bs) :- !,
    sequent([F], [G|Gs], As, Bs),
    sequent([G], [F|Gs], As, Bs).
right(B, _, As, _) :- among(B, As), !.
right(B, Gs, As, Bs) :- sequent([], Gs, As, [B|Bs]).

among(X, [X|_]) :- !.
among(X, [_|Ys]) :- among(X, Ys).

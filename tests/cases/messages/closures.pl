% Goals that are handed on to others, for which nothing is defined, and those for which something is.
:- dynamic(known/2).
:- meta_predicate(each_of(2, ?)).

in_lambda(L) :- maplist([X]>>(nope(X), true), L).
in_maplist(L) :- maplist(prin, L).
in_foldl(L) :- foldl(add(1), L, 0, _).
called(X) :- call(nope, X, 1).
counted(N) :- aggregate_all(count, item(_), N).
grouped(L) :- setof(X, A^B^pair(A, B, X), L).
parsed(L) :- phrase(( digits, "," ), L).
caught :- catch(risky, _, mended).
declared :- each_of(step, 1).
within(L) :- forall(member(X, L), maplist([Y]>>(X > Y ; other(Y)), L)).
shared(L, N) :- maplist({N}/[X]>>above(N, X), L).
grammar --> {maplist(unknown, [])}.

each_of(G, X) :- call(G, X, _).

fine(L, P) :-
    maplist(P, L),
    maplist([X,Y]>>known(X, Y), L, _),
    maplist([X]>>known(X), L, _),
    maplist(known(1), L),
    maplist(user:known(2), L),
    maplist(lists:append([]), L, _),
    maplist(atom_length, L, _),
    maplist(=(_), L),
    foldl([X,A,B]>>(B is A + X), L, 0, _),
    maplist([X]>>assertz(made(X)), L),
    maplist(made, L),
    maplist(call, L),
    maplist(partial, L, _),
    each_of([X|_]>>true, L),
    call(P, 1).

partial(_, _).

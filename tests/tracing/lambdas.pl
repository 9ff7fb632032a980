double(L, M) :- maplist([X,Y]>>(foo(X), Y is X*2), L, M).

foo(_).

scale(F, L, M) :- maplist([X,Y]>>times(F, X, Y), L, M).

times(F, X, Y) :- Y is F*X.

wrong(L) :-
    catch(maplist([X]>>(foo(X), X > a), L), _, fail).

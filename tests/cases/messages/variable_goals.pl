% A goal that is a variable without a value is named.
j(X) :- true, X, true.
k(Y) :- call(Y).
:- initialization(main, main).
main :- catch(j(_), _, true), k(_).

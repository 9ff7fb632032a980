% Deep, long and cyclic terms, for terms.queries.

:- dynamic(kept/1).

deep(0, T, T) :- !.
deep(N, T0, T) :- N1 is N - 1, deep(N1, s(T0), T).

left(0, T, T) :- !.
left(N, T0, T) :- N1 is N - 1, left(N1, [T0|x], T).

loop(0) :- !.
loop(N) :- N1 is N - 1, loop(N1).

round_trip(T, File) :-
    open(File, write, Out), writeq(Out, T), write(Out, ' .\n'), close(Out),
    open(File, read, In), read(In, T1), close(In), T == T1.

same(A, B) :-
    A == B, A = B, compare(=, A, B), \+ A \= B, \+ A @< B, A =@= B, subsumes_term(A, B),
    unify_with_occurs_check(A, B).

% Hofstadter's MU system: derivations of a theorem within a bound, lists rewritten by four rules.

main :-
    findall(1, derivation([m, u, i, i, u], 9), Proofs1),
    findall(1, derivation([m, i, u, i, u], 9), Proofs2),
    count(Proofs1, 0, N1),
    count(Proofs2, N1, N),
    write(checksum(N)), nl.

count([], N, N).
count([_|Xs], N0, N) :-
    N1 is N0 + 1,
    count(Xs, N1, N).

derivation(Theorem, Bound) :-
    derive([m, i], Theorem, Bound).

derive(Theorem, Theorem, _).
derive(String, Theorem, Bound) :-
    Bound > 0,
    Left is Bound - 1,
    rule(String, Next),
    derive(Next, Theorem, Left).

rule(S, R) :- ends_in_i(S, R).
rule([m|S], [m|R]) :- joined(S, S, R).
rule(S, R) :- three_i(S, R).
rule(S, R) :- two_u(S, R).

ends_in_i([i], [i, u]).
ends_in_i([X|S], [X|R]) :- ends_in_i(S, R).

three_i([i, i, i|S], [u|S]).
three_i([X|S], [X|R]) :- three_i(S, R).

two_u([u, u|S], S).
two_u([X|S], [X|R]) :- two_u(S, R).

joined([], Ys, Ys).
joined([X|Xs], Ys, [X|Zs]) :- joined(Xs, Ys, Zs).

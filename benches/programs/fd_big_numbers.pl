% Integers beyond 64 bits: a factorial backwards, a square root, a quotient, a product of two unknowns.
% uses: benches/constraints/rounds.pl
% without: gprolog gplc
% rounds: 30, swipl 5
:- use_module(library(clpfd)).

answer([N, Root, Next, Quotient, Count]) :-
    factorial(N, 15511210043330985984000000), !,
    Root #> 0,
    Root * Root #= 15241578753238836750495351562536198787501905199875019052100,
    Power #= 2^100,
    Next #= Power + 1,
    Small #\= Power,
    Small in 0..1,
    Quotient * 12345678901234567890 #= 12193263113702179522374638011112635269000 * 12345678901234567890,
    Product in 10000000000000000000000..10000000000000000000100,
    Factor in 3..50,
    Product #= Factor * Other,
    Other #> 0,
    findall(Product-Factor, labeling([], [Product, Factor]), Pairs),
    length(Pairs, Count).

factorial(0, 1).
factorial(N, F) :-
    N #> 0,
    N1 #= N - 1,
    F #= N * F1,
    F1 #> 0,
    factorial(N1, F1).

% uses: programs/cubes.pl
% without: gplc
% Stacking four cubes: all answers of simple generate and test, twenty times.

main :-
    bench_rounds(20, 0, Sum),
    write(checksum(Sum)), nl.

bench_rounds(0, Sum, Sum) :- !.
bench_rounds(N, Sum0, Sum) :-
    findall(S, generate_and_test([cube(t,s,t,r,t,c), cube(t,r,c,s,r,s), cube(s,c,s,r,c,t),
                                  cube(r,s,t,r,c,c)], S), All),
    length(All, Count),
    Sum1 is Sum0 + Count,
    N1 is N - 1,
    bench_rounds(N1, Sum1, Sum).

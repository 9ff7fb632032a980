% uses: benches/library/transpose.pl programs/fillin.pl programs/fillin_make.pl
% without: gplc
% Ten fill-in puzzles of 32 by 20 squares that need search, made from seeds and solved.

main :-
    bench_rounds(10, 0, Sum),
    write(checksum(Sum)), nl.

bench_rounds(0, Sum, Sum) :- !.
bench_rounds(Seed, Sum0, Sum) :-
    fillin_make(32, 20, 5, 25, Seed, Puzzle, Words, _),
    puzzle_solution(Puzzle, Words),
    fillin_valid(Puzzle, Words),
    length(Words, Count),
    Sum1 is Sum0 + Count,
    Seed1 is Seed - 1,
    !,
    bench_rounds(Seed1, Sum1, Sum).

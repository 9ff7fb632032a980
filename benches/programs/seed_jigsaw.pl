% uses: programs/sudoku_jigsaw.pl
% without: gplc
% slow
% The irregular sudoku, a long search.

main :-
    given2(Given),
    solve(Given, [First|_]),
    write(checksum(First)), nl.

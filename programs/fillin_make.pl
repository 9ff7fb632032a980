% Fill-in puzzles to try fillin.pl on.
%
% Shows: a puzzle of any size made from a number (the seed), always the same
% one, and a check of an answer. Solid squares and letters are drawn at random;
% the fewer letters there are, the more words fit a slot and the more search a
% puzzle needs. The words are listed in random order.
%
%     ?- fillin_example(Name, Puzzle, Words), puzzle_solution(Puzzle, Words),
%        fillin_valid(Puzzle, Words).

:- ensure_loaded(fillin).

%% fillin_example(?Name, -Puzzle, -Words)
%
%  Puzzle with Words is the example Name. The sizes are those that the
%  assignment names; the 15x15 is solved without search, the 10x10 and the 32x20
%  need search.

fillin_example(Name, Puzzle, Words) :-
    fillin_size(Name, Size),
    call(Size, Puzzle, Words, _).

fillin_size('3x3', fillin_make(3, 3, 10, 25, 1)).
fillin_size('7x7', fillin_make(7, 7, 20, 25, 1)).
fillin_size('15x15', fillin_make(15, 15, 26, 20, 1)).
fillin_size('10x10', fillin_make(10, 10, 4, 25, 1)).
fillin_size('32x20', fillin_make(32, 20, 4, 25, 1)).

%% fillin_make(+Columns, +Rows, +Letters, +Solid, +Seed, -Puzzle, -Words, -Solution)
%
%  Puzzle has Rows rows and Columns columns, about Solid per cent of the squares
%  solid. Solution is the puzzle filled with the first Letters letters of the
%  alphabet; Words are its words. Seed is an integer.

fillin_make(Columns, Rows, Letters, Solid, Seed, Puzzle, Words, Solution) :-
    random_start(Seed, R0),
    length(Grid, Rows),
    random_rows(Grid, Columns, Solid, R0, R1),
    solid_when_single(Grid),
    term_variables(Grid, Squares),
    copy_term(Grid-Squares, Puzzle-_),
    random_letters(Squares, Letters, R1, R2),
    Solution = Grid,
    puzzle_slots(Solution, Slots),
    random_keys(Slots, Keyed, R2, _),
    keysort(Keyed, Shuffled),
    second_of_pairs(Shuffled, Words).

%% fillin_valid(+Filled, +Words)
%
%  True when the slots of Filled hold exactly the words of Words and no square
%  is left open.

fillin_valid(Filled, Words) :-
    ground(Filled),
    puzzle_slots(Filled, Slots),
    msort(Slots, Sorted),
    msort(Words, Sorted).

% Solid squares

random_rows([], _, _, R, R).
random_rows([Row|Rows], Columns, Solid, R0, R) :-
    length(Row, Columns),
    random_row(Row, Solid, R0, R1),
    random_rows(Rows, Columns, Solid, R1, R).

random_row([], _, R, R).
random_row([Square|Row], Solid, R0, R) :-
    random_below(100, N, R0, R1),
    (   N < Solid
    ->  Square = '#'
    ;   true
    ),
    random_row(Row, Solid, R1, R).

% An open square that is in no slot becomes solid.

solid_when_single(Grid) :-
    puzzle_slots(Grid, Slots),
    term_variables(Slots, InSlots),
    term_variables(Grid, Squares),
    single_squares(Squares, InSlots).

single_squares([], _).
single_squares([Square|Squares], InSlots) :-
    (   same_variable(InSlots, Square)
    ->  true
    ;   Square = '#'
    ),
    single_squares(Squares, InSlots).

same_variable([Var1|Vars], Var) :-
    (   Var1 == Var
    ->  true
    ;   same_variable(Vars, Var)
    ).

% Letters

random_letters([], _, R, R).
random_letters([Square|Squares], Letters, R0, R) :-
    random_below(Letters, N, R0, R1),
    Code is 0'a + N,
    char_code(Square, Code),
    random_letters(Squares, Letters, R1, R).

% Order

random_keys([], [], R, R).
random_keys([Item|Items], [Key-Item|Keyed], R0, R) :-
    random_below(1000000, Key, R0, R1),
    random_keys(Items, Keyed, R1, R).

second_of_pairs([], []).
second_of_pairs([_-Item|Pairs], [Item|Items]) :-
    second_of_pairs(Pairs, Items).

% Random numbers: a linear congruential generator. The low bits of its state
% are poor, so the high ones are used.

random_start(Seed, R) :-
    R0 is (Seed + 7919) mod 2147483648,
    random_below(2, _, R0, R1),
    random_below(2, _, R1, R).

random_below(Bound, N, R0, R) :-
    R is (R0 * 1103515245 + 12345) mod 2147483648,
    N is (R // 65536) mod Bound.

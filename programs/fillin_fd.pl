% Fill-in puzzles as a constraint model.
%
% The puzzles are those of fillin.pl. That program keeps lists of words in its
% search. The model is our own.
%
% Shows: tuples_in/2: the letters of a slot and the number of its word are a row
% of a table. Shows global_cardinality/2: a word occurs as often as the list has
% it. Codes replace the letters, because constraints are over integers.

:- use_module(library(clpfd)).
:- ensure_loaded(fillin).           % for puzzle_slots/2

%% fill_in(?Puzzle, +WordList)
%
%  Puzzle is a solved fill-in puzzle for WordList, as in puzzle_solution/2.

fill_in(Puzzle, WordList) :-
    maplist(maplist(square_code), Puzzle, Codes),
    puzzle_slots(Codes, Slots),
    maplist(maplist(char_code), WordList, Words),
    msort(Words, Sorted),
    counted(Sorted, 1, Rows, Counts),
    maplist(slot_word(Rows), Slots, Numbers),
    global_cardinality(Numbers, Counts),
    labeling([ff], Numbers),
    maplist(maplist(write_code), Codes, Puzzle).

%% square_code(?Square, -Code)
%
%  Code is '#' for a solid square, the code of a letter, or a variable.

square_code(Square, Code) :-
    (   var(Square)
    ->  Code in 0..0x10ffff
    ;   Square == '#'
    ->  Code = '#'
    ;   char_code(Square, Code)
    ).

write_code(Code, Square) :-
    (   integer(Code)
    ->  char_code(Square, Code)
    ;   Square = Code
    ).

%% counted(+Sorted, +Number, -Rows, -Counts)
%
%  Rows are the words of Sorted, each once, with numbers from Number in front.
%  Counts are pairs: the number of a word, and how often Sorted has the word.

counted([], _, [], []).
counted([Word|Words0], Number, [[Number|Word]|Rows], [Number-Count|Counts]) :-
    equal_to(Word, Words0, 1, Count, Words),
    Next is Number + 1,
    counted(Words, Next, Rows, Counts).

equal_to(Word, [Word|Words0], Count0, Count, Words) :-
    !,
    Count1 is Count0 + 1,
    equal_to(Word, Words0, Count1, Count, Words).
equal_to(_, Words, Count, Count, Words).

%% slot_word(+Rows, +Slot, -Number)
%
%  Number is the number of the word in Slot.

slot_word(Rows, Slot, Number) :-
    include(same_length([Number|Slot]), Rows, Fitting),
    tuples_in([[Number|Slot]], Fitting).

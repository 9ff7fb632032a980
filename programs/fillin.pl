% Fill-in puzzles: place every word of a list in a grid, across or down.
%
% From "Fill-in puzzles", an assignment of a course in declarative programming
% (the file that it asks for is proj1.pl); the solution is ours.
%
% Shows: logical variables shared between the horizontal and the vertical slot
% of a square, and a search that always fills the slot with the fewest words
% left.
%
% A puzzle is a list of rows of equal length. A square is '#' (solid), a
% variable (to be filled) or a letter (filled already). A slot is a maximal
% sequence of squares that are not solid, in a row or a column, and longer than
% one square. It is represented by the list of its squares. As a square in both
% a row and a column is the same variable in both slots, a letter written in one
% appears in the other, and unification refuses a word that disagrees with it.
%
% The search keeps, for each slot that is still to be filled, the words that
% fit it. Filling a slot takes the word away from the slots of that length and
% the words that no longer fit from the slots that it crosses; as soon as some
% slot has no word left, the search goes back. Most puzzles are then solved with
% hardly a wrong choice.

:- ensure_loaded(library(clpfd)).   % for transpose/2: columns are rows

%% puzzle_solution(?Puzzle, +WordList)
%
%  True when Puzzle is a solved fill-in puzzle for WordList: every word stands
%  in exactly one slot, and every slot holds a word. Puzzle is a proper list of
%  proper lists and WordList is ground. On backtracking, other solutions.

puzzle_solution(Puzzle, WordList) :-
    puzzle_slots(Puzzle, Squares),
    same_length(Squares, WordList),
    maplist(open_slot(WordList), Squares, Slots),
    fill_slots(Slots).

%% puzzle_slots(+Puzzle, -Slots)
%
%  Slots are the slots of Puzzle, those of the rows first.

puzzle_slots(Puzzle, Slots) :-
    transpose(Puzzle, Columns),
    append(Puzzle, Columns, Lines),
    maplist(line_slots, Lines, Slotss),
    append(Slotss, Slots).

%% line_slots(+Line, -Slots)
%
%  Slots are the slots of the row or column Line, in order.

line_slots(Line, Slots) :-
    line_sequences(Line, Sequences),
    include(long_enough, Sequences, Slots).

%% line_sequences(+Line, -Sequences)
%
%  Sequences are the parts of Line between solid squares, empty ones included.

line_sequences([], [[]]).
line_sequences([Square|Line], Sequences) :-
    line_sequences(Line, Sequences0),
    (   Square == '#'
    ->  Sequences = [[]|Sequences0]
    ;   Sequences0 = [Sequence|Sequences1],
        Sequences = [[Square|Sequence]|Sequences1]
    ).

%% long_enough(+Sequence)
%
%  Sequence has the length of a word, which is at least two squares.

long_enough([_,_|_]).

% A slot in the search is slot(Count, Unknown, Squares, Words): Words are the
% words left that fit its Squares, Count is their number, and Unknown is the
% list of the variables among Squares.

%% open_slot(+WordList, +Squares, -Slot)
%
%  Slot is the slot of Squares with those words of WordList that fit it.

open_slot(WordList, Squares, slot(Count, Unknown, Squares, Words)) :-
    term_variables(Squares, Unknown),
    include(fits(Squares), WordList, Words),
    length(Words, Count).

%% fits(+Squares, +Word)
%
%  Word can be written in Squares.

fits(Squares, Word) :-
    \+ Squares \= Word.

%% fill_slots(+Slots)
%
%  Each slot of Slots is filled with one of its words, the same word in two
%  slots only if it is twice among their words.

fill_slots([]).
fill_slots([Slot|Slots]) :-
    fewest_words(Slots, Slot, slot(_, _, Squares, Words), Others),
    distinct_words(Words, Candidates),
    member(Squares, Candidates),
    update_slots(Others, Squares, Left),
    fill_slots(Left).

%% fewest_words(+Slots, +Slot0, -Slot, -Others)
%
%  Slot is the one to be filled first of Slot0 and Slots, and Others are all but
%  it.

fewest_words([], Slot, Slot, []).
fewest_words([Slot1|Slots], Slot0, Slot, [Other|Others]) :-
    (   fill_before(Slot1, Slot0)
    ->  Other = Slot0,
        fewest_words(Slots, Slot1, Slot, Others)
    ;   Other = Slot1,
        fewest_words(Slots, Slot0, Slot, Others)
    ).

%% fill_before(+Slot1, +Slot2)
%
%  Slot1 has fewer words than Slot2 or, with as many words, more open squares,
%  whose letters tell more about the slots that cross it.

fill_before(slot(Count1, Unknown1, _, _), slot(Count2, Unknown2, _, _)) :-
    (   Count1 < Count2
    ->  true
    ;   Count1 =:= Count2,
        length(Unknown1, Open1),
        length(Unknown2, Open2),
        Open1 > Open2
    ).

%% distinct_words(+Words, -Distinct)
%
%  Distinct are the words of Words without repetition, so that no choice is
%  tried twice.

distinct_words([Word], Distinct) :-
    !,
    Distinct = [Word].
distinct_words(Words, Distinct) :-
    sort(Words, Distinct).

%% update_slots(+Slots0, +Word, -Slots)
%
%  Slots are Slots0 after Word was written in another slot. Fails when one of
%  them has no word left.

update_slots([], _, []).
update_slots([Slot0|Slots0], Word, [Slot|Slots]) :-
    update_slot(Slot0, Word, Slot),
    update_slots(Slots0, Word, Slots).

update_slot(slot(Count0, Unknown0, Squares, Words0), Word, Slot) :-
    Slot = slot(Count, Unknown, Squares, Words),
    (   selectchk(Word, Words0, Words1)
    ->  Count1 is Count0 - 1
    ;   Words1 = Words0,
        Count1 = Count0
    ),
    term_variables(Squares, Unknown),
    (   Unknown == Unknown0             % Word does not cross this slot
    ->  Words = Words1,
        Count = Count1
    ;   include(fits(Squares), Words1, Words),
        length(Words, Count)
    ),
    Count > 0.

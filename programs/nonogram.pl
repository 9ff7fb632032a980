% Nonograms: pictures painted by numbers.
%
% The program and the pictures are our own work.
%
% Shows: automaton/3. The numbers of a line are a regular expression: 3 1 is
% white* black{3} white+ black white*. A line fits its numbers if the automaton
% of this expression accepts the line. Propagation paints each square that has
% the same colour in all lines that the automaton still accepts.
%
% A picture is a list of rows; a square is 1 if it is black and 0 if it is white.

:- use_module(library(clpfd)).

%% nonogram(+RowClues, +ColumnClues, -Rows)
%
%  The lines of Rows fit RowClues and ColumnClues, lists of lists of numbers.

nonogram(RowClues, ColumnClues, Rows) :-
    picture(RowClues, ColumnClues, Rows),
    append(Rows, Squares),
    label(Squares).

%% picture(+RowClues, +ColumnClues, -Rows)
%
%  Like nonogram/3, with the squares that propagation leaves open as variables.

picture(RowClues, ColumnClues, Rows) :-
    maplist(row(ColumnClues), RowClues, Rows),
    transpose(Rows, Columns),
    maplist(line, RowClues, Rows),
    maplist(line, ColumnClues, Columns).

row(ColumnClues, _, Row) :-
    same_length(ColumnClues, Row).

%% line(+Clue, ?Line)
%
%  The runs of black squares in Line have the lengths of Clue.

line(Clue, Line) :-
    clue_arcs(Clue, 0, Last, Arcs),
    automaton(Line, [source(0), sink(Last)], Arcs).

% The states are numbered. A state before a run has an arc to itself for white
% squares; the state after a run has a white arc to the next run.
clue_arcs([], State, State, [arc(State, 0, State)]).
clue_arcs([Length|Lengths], State, Last, [arc(State, 0, State)|Arcs]) :-
    black_arcs(Length, State, Next, Arcs, Arcs1),
    gap_arcs(Lengths, Next, Last, Arcs1).

gap_arcs([], State, State, [arc(State, 0, State)]).
gap_arcs([Length|Lengths], State, Last, [arc(State, 0, Next)|Arcs]) :-
    Next is State + 1,
    clue_arcs([Length|Lengths], Next, Last, Arcs).

black_arcs(Length, State, Last, Arcs, Arcs1) :-
    (   Length =:= 0
    ->  Last = State,
        Arcs = Arcs1
    ;   Next is State + 1,
        Shorter is Length - 1,
        Arcs = [arc(State, 1, Next)|Arcs2],
        black_arcs(Shorter, Next, Last, Arcs2, Arcs1)
    ).

%% draw(+Rows)
%
%  Writes the picture; a square that is still open is a question mark.

draw(Rows) :-
    forall(member(Row, Rows), draw_row(Row)).

draw_row(Row) :-
    forall(member(Square, Row), draw_square(Square)),
    nl.

draw_square(Square) :-
    (   var(Square)
    ->  write('?')
    ;   Square =:= 1
    ->  write('#')
    ;   write('.')
    ).

%% clues(?Name, -RowClues, -ColumnClues)
%
%  The numbers of the picture Name.

clues(teapot,
      [[2], [4], [10], [12], [14], [11,1], [9,1], [12], [9], [7], [5], [9]],
      [[1], [3], [7,1], [8,1], [10], [11], [12], [12], [11], [8,1], [7,1], [4,1], [2,1], [4]]).
clues(swallow,
      [[1,2], [2,2], [2,2], [2,2], [3,2], [7], [8], [9], [6], [2,2], [2,2], [2,2]],
      [[2], [2,1], [2,2], [2,2], [3,2], [5], [4], [4], [6], [8], [2,3,2], [2,2,1], [2,1], [1,1]]).

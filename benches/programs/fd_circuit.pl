% Hamiltonian circuits of grids: all 12 of 4 by 4 cells ten times, the first of 6 by 6 cells once.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 150, swipl 5, gplc 15, gprolog 15
:- use_module(library(clpfd)).

answer(Counts-Length) :-
    findall(Count, ( between(1, 10, _), circuits(Count) ), Counts),
    grid(6, Successors),
    circuit(Successors),
    labeling([ff], Successors), !,
    Circuit =.. [circuit|Successors],
    walk(1, Circuit, 0, Length).

circuits(Count) :-
    findall(x, ( grid(4, Successors), circuit(Successors), labeling([], Successors) ), Found),
    length(Found, Count).

grid(N, Successors) :-
    Cells is N * N,
    length(Successors, Cells),
    Successors ins 1..Cells,
    neighbours(Successors, 1, N).

neighbours([], _, _).
neighbours([Successor|Successors], Cell, N) :-
    findall(Neighbour, neighbour(Cell, N, Neighbour), [First|Others]),
    union(Others, First, Domain),
    Successor in Domain,
    Cell1 is Cell + 1,
    neighbours(Successors, Cell1, N).

union([], Domain, Domain).
union([Cell|Cells], Domain0, Domain) :- union(Cells, Domain0 \/ Cell, Domain).

neighbour(Cell, N, Neighbour) :-
    Row is (Cell - 1) // N,
    Column is (Cell - 1) mod N,
    ( Row1 is Row - 1, Column1 = Column
    ; Row1 is Row + 1, Column1 = Column
    ; Row1 = Row, Column1 is Column - 1
    ; Row1 = Row, Column1 is Column + 1
    ),
    Row1 >= 0, Row1 < N, Column1 >= 0, Column1 < N,
    Neighbour is Row1 * N + Column1 + 1.

walk(Cell, Circuit, Length0, Length) :-
    arg(Cell, Circuit, Next),
    Length1 is Length0 + 1,
    ( Next =:= 1 -> Length = Length1 ; walk(Next, Circuit, Length1, Length) ).

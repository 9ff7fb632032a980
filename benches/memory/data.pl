% Bytes of data of several kinds: clauses, records, terms, choice points, solutions. Measure each kind in a separate
% process, and compare with SWI-Prolog:
%
%     wamlet -g "bytes(rule_asserted),halt" benches/memory/data.pl
%     swipl -q -O --stack-limit=8g -g "bytes(rule_asserted),halt" benches/memory/data.pl
%
% The figure is the growth of the peak memory of the process. It includes unused space of tables that grow, and memory
% of the work itself.

:- include(figures).

:- dynamic(asserted/3).

bytes(Kind) :-
    kind(Kind, Count, Prepare, Goal),
    call(Prepare), !,
    peak(Before),
    call(Goal), !,
    peak(After),
    Each is (After - Before) * 1024 / Count,
    format("~w ~1f~n", [Kind, Each]),
    % Goal keeps the data alive up to this point.
    Goal \== Kind.

% kind(Name, Count, Prepare, Goal): Prepare runs before the measurement, and Goal makes Count data.
kind(fact_asserted, 200000, true, asserts(fact, 200000)).
kind(rule_asserted, 200000, true, asserts(rule, 200000)).
kind(condition_asserted, 200000, true, asserts(condition, 200000)).
kind(fact_loaded, 200000, text(fact, 200000, File), load(File)).
kind(rule_loaded, 100000, text(rule, 100000, File), load(File)).
kind(condition_loaded, 100000, text(condition, 100000, File), load(File)).
kind(record, 500000, true, records(500000)).
kind(list_cell, 4000000, true, numlist(1, 4000000, [_|_])).
kind(float_in_list, 2000000, true, floats(2000000, [_|_])).
kind(choice_point, 1000000, true, choices(1000000)).
kind(solution, 2000000, true, findall(X, between(1, 2000000, X), [_|_])).
kind(frozen, 200000, true, frozen(200000)).
kind(atom, 500000, true, atoms(500000, [_|_])).
kind(global_key, 200000, true, globals(200000)).

clause_of(fact, I, asserted(I, A, J)) :- name_of(I, A), J is I * 7.
clause_of(rule, I, (asserted(I, X, Y) :- q(X, Z, A), r(Z, Y), X > I, \+ s(X, Z))) :- name_of(I, A).
clause_of(condition, I, (asserted(I, X, Y) :- ( X > I -> Y = [A|X] ; X =:= 3 -> q(f(X, Y), Z, A), r(Z, X) ; Y is X * 2 + 1 ))) :-
    name_of(I, A).

name_of(I, A) :- J is I mod 1000, atom_concat(name, J, A).

asserts(Kind, Count) :-
    between(1, Count, I),
    clause_of(Kind, I, Clause),
    assertz(Clause),
    fail.
asserts(_, _).

text(Kind, Count, File) :-
    tmp_file(clauses, Base),
    atom_concat(Base, '.pl', File),
    open(File, write, Stream),
    format(Stream, ":- module(clauses, []).~n", []),
    (   between(1, Count, I),
        clause_of(Kind, I, Clause),
        format(Stream, "~q.~n", [Clause]),
        fail
    ;   close(Stream)
    ).

load(File) :-
    set_prolog_flag(unknown, fail),
    load_files(File, [silent(true)]),
    delete_file(File).

records(Count) :- between(1, Count, I), recordz(key, record(I, value)), fail.
records(_).

floats(0, []) :- !.
floats(N, [F|Fs]) :- F is N * 0.5, M is N - 1, floats(M, Fs).

choices(0).
choices(N) :- N > 0, M is N - 1, choices(M).
choices(_) :- fail.

frozen(Count) :- links(Count, First, Last), Last = First, First = go.

links(0, X, X) :- !.
links(N, X, Last) :- freeze(X, Y = X), M is N - 1, links(M, Y, Last).

atoms(0, []) :- !.
atoms(N, [A|As]) :- atom_concat(an_atom_of_some_length_, N, A), M is N - 1, atoms(M, As).

globals(Count) :- between(1, Count, I), atom_concat(global_, I, Key), nb_setval(Key, I), fail.
globals(_).

% Programs that make more names than there is room for, and forget them, for passing_names.queries.

% Makes a name and forgets it, N times.
passing(N, Make) :- between(1, N, I), call(Make, I), fail.
passing(_, _).

% The same in a loop that is deterministic.
counted(N, N) :- !.
counted(I, N) :- atom_number(A, I), atom_length(A, _), I1 is I + 1, counted(I1, N).

by_number(I) :- atom_number(A, I), atom(A).
by_concat(I) :- atom_concat(passing_, I, A), atom(A).
by_codes(I) :- number_codes(I, Cs), atom_codes(A, [0'x|Cs]), atom(A).
by_sub_atom(I) :- atom_concat(passing_, I, A), sub_atom(A, 3, _, 0, B), atom(B).
by_reading(I) :- atomic_list_concat([f, I, '(a', I, ', X, \'B ', I, '\')'], A), term_to_atom(T, A), compound(T).
by_functor(I) :- atom_concat(passing_, I, A), functor(T, A, 3), T =.. [A|L], length(L, 3).
by_format(I) :- format(atom(A), "~w and ~a", [I, b]), atom(A).
by_split(I) :- atomic_list_concat([a, I, b], '-', A), atomic_list_concat(L, '-', A), length(L, 3).
by_findall(I) :-
    findall(A, ( between(1, 9, J), atomic_list_concat([k, I, '_', J], A) ), L),
    msort(L, M), length(M, 9).
by_throwing(I) :- atom_concat(passing_, I, A), catch(throw(A), B, true), A == B.
by_global(I) :- atom_concat(passing_, I, A), nb_setval(place, v(A)), nb_getval(place, v(B)), A == B.
by_long_text(I) :-
    length(L, 1000), maplist(=(0'x), L),
    number_codes(I, Cs), append(Cs, L, Codes), atom_codes(A, Codes), atom(A).

:- dynamic(fact/2).
by_fact(I) :- atom_concat(passing_, I, A), assertz(fact(A, I)), retract(fact(A, J)), I == J.
by_rule(I) :-
    atom_concat(passing_, I, A), assertz((fact(A, X) :- X = f(A))),
    fact(A, f(B)), A == B, retract((fact(A, _) :- _)).

% Terms that hold names while many others come and go.
:- dynamic(held/1).
hold :-
    forall(between(1, 100, I),
           ( atom_concat(held_, I, A), assertz(held(A)), assertz((held(B) :- B == A, fail)) )),
    findall(A, ( between(1, 100, I), atom_concat(global_, I, A) ), L), nb_setval(held, L),
    atom_concat(held_, operator, Op), op(700, xfx, Op),
    atom_concat(held_, flag, Flag), create_prolog_flag(Flag, Flag, []).
still_held :-
    findall(A, held(A), L), length(L, 100),
    forall(nth1(I, L, A), ( atom_concat(held_, I, B), A == B )),
    nb_getval(held, M), forall(nth1(I, M, A), ( atom_concat(global_, I, B), A == B )),
    term_to_atom(T, 'a held_operator b'), T =.. [held_operator, a, b],
    current_prolog_flag(held_flag, held_flag).

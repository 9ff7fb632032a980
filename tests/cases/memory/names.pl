% Programs that make more and more names, for names.queries.

long_atoms(A, L) :- atom_concat(A, x, B), long_atoms(B, [B|L]).

doubled_atoms(A) :- atom_concat(A, A, B), doubled_atoms(B).

joined_atoms(A) :- atomic_list_concat([A, A], B), joined_atoms(B).

new_atoms(N, L) :- atom_concat(new_, N, A), N1 is N + 1, new_atoms(N1, [A|L]).

new_functors(N, L) :-
    atom_concat(new_, N, A), functor(T, A, 1), N1 is N + 1,
    new_functors(N1, [T|L]).

values(N, L) :- atom_concat(value_, N, Name), nb_setval(Name, L), N1 is N + 1, values(N1, [N|L]).

% What an engine must still be able to do.
works :-
    length(L, 1000), maplist(=(x), L), msort(L, M), findall(X, member(X, M), N), length(N, 1000),
    atom_codes(A, "still here"), atom_length(A, 10).

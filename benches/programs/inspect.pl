% Terms walked by functor/3 and arg/3: measured, mirrored, variables listed, subterms replaced.

main :-
    term(8, Term),
    rounds(700, Term, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, Term, Sum0, Sum) :-
    measured(Term, 0, Size),
    mirrored(Term, Mirror),
    variables(Term, [], Variables),
    length(Variables, Count),
    replaced(Mirror, leaf(b), N, New),
    ground_size(New, 0, Ground),
    Sum1 is (Sum0 + Size + Count + Ground) mod 1000003,
    N1 is N - 1,
    rounds(N1, Term, Sum1, Sum).

term(0, leaf(b)) :- !.
term(1, one(_, 7)) :- !.
term(N, node(A, N, wrap(B), leaf(b))) :-
    N1 is N - 1,
    term(N1, A),
    term(N1, B).

measured(T, N0, N) :- nonvar(T), functor(T, _, Arity), Arity > 0, !,
    N1 is N0 + 1,
    measured_args(Arity, T, N1, N).
measured(_, N0, N) :- N is N0 + 1.

measured_args(0, _, N, N) :- !.
measured_args(I, T, N0, N) :-
    arg(I, T, A),
    measured(A, N0, N1),
    I1 is I - 1,
    measured_args(I1, T, N1, N).

mirrored(T, T) :- var(T), !.
mirrored(T, M) :-
    functor(T, Name, Arity),
    functor(M, Name, Arity),
    mirrored_args(Arity, 1, T, M).

mirrored_args(0, _, _, _) :- !.
mirrored_args(I, J, T, M) :-
    arg(I, T, A),
    mirrored(A, B),
    arg(J, M, B),
    I1 is I - 1,
    J1 is J + 1,
    mirrored_args(I1, J1, T, M).

variables(T, Vs, [T|Vs]) :- var(T), !.
variables(T, Vs0, Vs) :-
    functor(T, _, Arity),
    variables_of_args(Arity, T, Vs0, Vs).

variables_of_args(0, _, Vs, Vs) :- !.
variables_of_args(I, T, Vs0, Vs) :-
    arg(I, T, A),
    variables(A, Vs0, Vs1),
    I1 is I - 1,
    variables_of_args(I1, T, Vs1, Vs).

replaced(T, Old, New, New) :- T == Old, !.
replaced(T, _, _, T) :- var(T), !.
replaced(T, Old, New, R) :-
    T =.. [Name|As],
    replaced_all(As, Old, New, Bs),
    R =.. [Name|Bs].

replaced_all([], _, _, []).
replaced_all([A|As], Old, New, [B|Bs]) :-
    replaced(A, Old, New, B),
    replaced_all(As, Old, New, Bs).

ground_size(T, N, N) :- var(T), !.
ground_size(T, N0, N) :- atomic(T), !, N is N0 + 1.
ground_size(T, N0, N) :-
    functor(T, _, Arity),
    ground_size_args(Arity, T, N0, N).

ground_size_args(0, _, N, N) :- !.
ground_size_args(I, T, N0, N) :-
    arg(I, T, A),
    ground_size(A, N0, N1),
    I1 is I - 1,
    ground_size_args(I1, T, N1, N).

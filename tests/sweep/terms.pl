% What the arguments of hard.txt are made of. Terms that were made before lie outside of the heap.
:- dynamic kept/2, levels/1.

keep(Levels) :-
    assertz(levels(Levels)),
    forall(made(Name, Levels, Term), assertz(kept(Name, Term))).

made(Name, Levels, Term) :-
    level(Name, In, Innermost, Out),
    nested(Levels, In-Out, Innermost, Term).
made(integers, Levels, List) :-
    numlist(1, Levels, List).
made(codes, Levels, List) :-
    codes(Levels, List).
made(pairs, Levels, List) :-
    findall(I-J, (between(1, Levels, I), J is I mod 7), List).
made(atom, Levels, Atom) :-
    codes(Levels, Codes),
    atom_codes(Atom, Codes).
made(string, Levels, String) :-
    codes(Levels, Codes),
    string_codes(String, Codes).
made(large, Levels, Integer) :-
    Integer is 7 ** (Levels // 4).

codes(Levels, List) :-
    findall(C, (between(1, Levels, I), C is 0'a + I mod 26), List).

nested(0, _, Term, Term) :- !.
nested(N, Level, Term0, Term) :-
    copy_term(Level, Term0-Term1),
    M is N - 1,
    nested(M, Level, Term1, Term).

% level(Name, Inner, Innermost, Term): what makes one more level.
level(compounds, T, z, s(T)).
level(open, T, z, g(T, _)).
level(lists, T, [], [T]).
level(sum_left, T, 1, T + 1).
level(sum_right, T, 1, 1 + T).
level(conjunction, T, true, (true, T)).
level(disjunction, T, fail, (fail ; T)).
level(negation, T, true, \+ T).
level(braces, T, a, {T}).
level(modules, T, true, user:T).
level(partial, T, _, [a|T]).

% A goal of any number of arguments.
good.
good(_).
good(_, _).
good(_, _, _).
good(_, _, _, _).
good(_, _, _, _, _).
good(_, _, _, _, _, _).
good(_, _, _, _, _, _, _).
good(_, _, _, _, _, _, _, _).

:- dynamic fact/1.
fact(1).
fact(2).

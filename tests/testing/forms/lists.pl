% Tests in a program, which are no part of it.
app([], L, L).
?- app(Xs, Ys, [1]).
   Xs = [], Ys = [1] ;
   Xs = [1], Ys = [].
app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).

?- asserta(loaded).
:- dynamic(loaded/0).

% A directive has been run, tests have not.
at_load ?- loaded.
   true.
?- assertz(stray), fail.
   false.
?- catch(stray, error(E, _), true).
   E = existence_error(procedure, stray/0).

% Other forms of answers.
?- app(Xs, _, Zs).
   Xs = [] ;
   Xs = [A], Zs = [A|_]
;  Xs = [_A, _B], Zs = [_A, _B|_] ;  ... .
?- between(1, 3000, X).
   count(3000).
?- member(X, [1, 2]), X > 1 ; fail.
   X = 2 ;
   false.
?- write('say "hi"'), nl, member(X, [a, b]), print(X).
   outputs("say \"hi\"\na"),
   X = a ;
   outputs("b"), X = b.
?- write(x).
   outputs("x").
'a label' ?- X = f(X), Y = [a, X|Y].
   Y = [a, f(X)|Y], X = f(f(X)).
?- dif(X, a), freeze(Y, true).
   dif(X, a), freeze(Y, true).
?- length(L, 2), L = [A|_], A = B.
   L = [A, _], A = B.
?- length(L, 2), L = [A|_], A = B.
   B = A, L = [B, _C].
?- X = `text`, Y = 'an atom', Z = 0'c, W = - 1, V = 1 - 2, U = (a :- b, c ; d).
   X = [0't, 101, 120, 116], Y = 'an atom', Z = 99, W = - 1, V = 1-2, U = (a :- b, c ; d).
?- atom_string(a, S).
   S = "a".
?- numbervars(T-f(X), 0, _).
   T = '$VAR'(0), X = '$VAR'(1).
?- op(700, xfx, ===>), X =.. [===>, a, b].
   X = (a ===> b).
?- T = f(A, B, A), copy_term(T, C).
   T = f(A, B, A), C = f(_X, _Y, _X).

% A quote that is forgotten takes no clause along, although quoted items may go over lines.
:- initialization(forall(member(H, [a(_), b(_), c(_), d(_), e(_), f(_), g(_), h(_)]), told(H))).
first :- write('hello), nl.
a(1) :- write('bye').
second(X) :- format("~w~n, [X]).
a(2) :- format("~w~n", [x]).
third :- atom_length('abc, N),
    write(N), nl.
% It doesn't matter where the next one stands.
b(1).
b(2) :- write('x').
fourth --> 'terminal, "text".
c --> [c].
c(1) :- write(' - '), nl.
fifth :- writeq(['a', 'b, 'c']).
d(1).
sixth :- write('one
two'), write('three), nl.
d(2) :- write('four').
usage :- write('Usage:
add(X) adds X.
remove(X) removes X.
'), nl nl.
e(1).
whole :- atom_length('over
two lines.
', 16).
e(2) :- whole.
seventh :- p('it).
'e'(3).
f(1) :- X = `abc, write(X).
f(2) :- X = `d`, write(X).
g(1) :- write(0'a), write('b).

:- dynamic h/1.
h('1').
h("2").
last :- write('never closed).
h(3).

told(H) :-
    functor(H, Name, _),
    findall(Name, clause(H, _), Clauses),
    length(Clauses, Count),
    print_message(error, format("~w: ~d", [Name, Count])).

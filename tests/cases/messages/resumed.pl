% What is not closed does not take the next clause along.
:- initialization(forall(member(H, [a(_), b(_), c(_), d(_), e(_), f(_), g(_), h(_), i(_)]), told(H))).
bracket :- foo(
a(1).
a(2).
list(X) :- foo([X,
    {
b(X) :- X > 3,
    X < 5.
quote :- write("hello
c(1).
quoted :- write('hello
c('2').
c(3).
d(1)
d(2).
comma(X) :- d(X),
e(X) :- d(X).
argument :- foo(a,
f(1).
closed_later(X) :- ( f(X),
    d(X).
f(2).
f(3) :- [ f(1) ).
f(4).

% A line that goes on.
goes_on(X) :-
f(X),
foo(X,
g(X).
text :- write("one
two
g(2) and
so on"), nl.
g(3).
commented :- ( g(3), /*
h(1).
*/
% h(2).
    h(3).
h(4).
list :- foo([
    i(1)
]).
i(2).

told(H) :-
    functor(H, Name, _),
    findall(Name, clause(H, _), Clauses),
    length(Clauses, Count),
    print_message(error, format("~w: ~d", [Name, Count])).

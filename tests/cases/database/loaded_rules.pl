% Clauses for loaded_rules.queries.

:- dynamic(shape/2).
:- dynamic(open/1).

shape(X, round) :- X = ball.
shape(X, flat) :- X = f(Y), Y = paper.
shape(box, Y) :- Y = square.
shape(X, Y) :- X = [Y|_], true.

fixed(X, round) :- X = ball.
fixed(X, flat) :- X = f(Y), Y = paper.
fixed(box, Y) :- Y = square.

small(1, f(a, [b]), 1.5).
small(2, f(c, [d]), `text`).
small(3, _, f(x)).
small(4, g([a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p]), 123456789012345678901234567890).

open(1).
open(2).

% Takes N elements through a queue while a call of its predicate is open.
queue(N) :- open(_), queue(1, N), !.
queue(I, N) :- I > N, !.
queue(I, N) :- assertz(open(I)), retract(open(_)), !, I1 is I + 1, queue(I1, N).

fill(N) :- retractall(open(_)), forall(between(1, N, I), assertz(open(I))).
drain(N) :- open(_), take(N), !.
take(0) :- !.
take(N) :- retract(open(_)), !, N1 is N - 1, take(N1).

stack(0) :- !.
stack(N) :- asserta(open(N)), asserta(open(N)), retract(open(_)), retract(open(_)), !, N1 is N - 1,
    stack(N1).

% Reading a file anew while what it defines is running.
write_file(Name, Version) :-
    open(Name, write, Stream),
    forall(between(1, 20, N), (writeq(Stream, version(N, Version, [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17])),
        write(Stream, '.'), nl(Stream))),
    writeq(Stream, (running(N, V) :- version(N, _, _), version(N, V, _))), write(Stream, '.'), nl(Stream),
    close(Stream).
reload(Name, Version) :- write_file(Name, Version), consult(Name).
reload_often(_, 0) :- !.
reload_often(Name, N) :- reload(Name, N), N1 is N - 1, reload_often(Name, N1).

% Errors that a program catches and raises again are reported where they were raised first.
p1 :- catch(q, E, ( write(user_error, caught), nl(user_error), throw(E) )).
q :- atom_length(_, _), true.
p2 :- catch(q, error(Formal, Context), throw(error(Formal, Context))).
p3 :- catch(q, E, true), ( nonvar(E) -> throw(E) ; true ).
p4 :- catch(setup_call_cleanup(true, q, true), E, throw(E)).
p5 :- catch(p1, E, throw(E)).
% One that is another is not.
p6 :- catch(q, error(Formal, _), throw(error(Formal, mine))).
p7 :- catch(q, _, true), throw(error(type_error(integer, a), _)).
p8 :- catch(throw(mine), E, throw(E)).
:- p1.
:- p2.
:- p3.
:- p4.
:- p5.
:- p6.
:- p7.
:- p8.
% The callers are those of the first raise, whoever raises it again.
deep(X) :- atom_length(X, N), ok(N).
mid(X) :- deep(X), ok.
p9 :- catch(mid(_), E, later(E)), ok.
later(E) :- true, again(E), ok.
again(E) :- throw(E).
ok.
ok(_).
:- p9.
% If a recursion is too deep to be counted while an error is caught, its calls are not shown.
down(0) :- !, deep(_).
down(N) :- M is N-1, down(M), ok.
p10 :- catch(down(1000), E, throw(E)), ok.
p11 :- catch(down(20), E, throw(E)), ok.
:- p10.
:- p11.

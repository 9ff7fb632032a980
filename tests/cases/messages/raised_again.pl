% Errors that a program catches and raises again are told of where they were raised first.
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

a(1).
b('ÿ').
c(2). % cafÃ©
% café é
d(3).
e(4) :-
    atom('é'), atom('é').
:- if(fail).
f('é').
:- endif.
:- write('é'), nl.
g(é.
h(éè).
:- forall(member(G, [a(_), b(_), c(_), d(_), e(_), f(_), g(_), h(_)]), ( catch(G, _, fail) -> print_message(error, format('~w', [G])) ; true )).
% é

% Conditional compilation that does not fit together.
:- endif.
:- else.
:- elif(( write(user_error, evaluated), nl(user_error) )).
:- if(fail).
p(1).
:- else.
p(2).
:- endif.
:- initialization(( findall(X, p(X), L), print_message(error, format("~w", [L])) )).
:- if(true).

# a comment of another language
told(first).
told(second).

/ made by Sam
told(third) :-
    true.

# made by Sam -----
# and by others: don't read this
:- told(X), write(user_error, X), nl(user_error), fail ; true.

wrong(a) :- b c
told([fourth,
    fifth]).

wrong(b) :- b c,
told(X), write(X).

:- forall(told(X), (write(user_error, X), nl(user_error))).
:- \+ catch(wrong(_), _, fail).

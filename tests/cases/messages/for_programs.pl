% Messages of each kind, as text and as JSON.
:- initialization(outer).
:- fail.
:- print_message(warning, format('two~nlines ~w', [`\t`])).
:- write(user_error, 'no new line').
:- initialization(main, main).

outer :- total([1, x], _), true.

total([], 0).
total([X|Xs], Sum) :-
    total(Xs, Rest),
    Sum is X + Rest.

broken(X) :- X > 3 foo.
once(_).
lonely(Single) :- totla([], 0).
total(a, b).
main :- throw(my_own("Größe")).

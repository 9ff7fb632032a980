% Errors that a program catches and prints are reported with the location of the raise.
half(X, Y) :-
    Y is X / 2.

report(Goal) :-
    catch(Goal, Error, print_message(error, Error)),
    !.
report(_).

quarter(X, Y) :-
    half(X, Z),
    half(Z, Y).

:- report(quarter(a, _)).
:- catch(quarter(b, _), Error, print_message(warning, unhandled_exception(Error))).
% Another error than was caught has no place.
:- print_message(error, error(type_error(integer, c), _)).

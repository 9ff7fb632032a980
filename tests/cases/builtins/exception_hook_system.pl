% user:exception/3 is not asked about what the system or one of its libraries defines, nor twice about one thing.

:- multifile user:exception/3.
:- dynamic user:exception/3, asked/1, made/1.

user:exception(undefined_predicate, Indicator, Action) :-
    assertz(asked(Indicator)),
    once(action(Indicator, Action)).
user:exception(undefined_global_variable, Name, retry) :-
    assertz(asked(Name)),
    nb_getval(Name, _).

action(again/0, error) :- again.
action(here/0, error) :- there.
action(there/0, error) :- here.
action(caught/0, retry) :- catch(caught, _, true), assertz(user:caught).
action(noted/0, error) :- print_message(silent, format("undefined", [])), member(_, [a]).
action(_, error).

asked_by(Goal, Asked) :-
    retractall(asked(_)),
    catch(Goal, error(_, _), true),
    findall(A, asked(A), Asked).

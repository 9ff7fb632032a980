% Hooks that change the loaded terms: in user, in system, with positions, at the beginning and at the end of a file.

:- multifile user:term_expansion/2, user:term_expansion/4, system:term_expansion/2.
:- multifile user:goal_expansion/2, user:goal_expansion/4, system:goal_expansion/2.
:- dynamic user:term_expansion/2, user:term_expansion/4, system:term_expansion/2.
:- dynamic user:goal_expansion/2, user:goal_expansion/4, system:goal_expansion/2.
:- dynamic seen/1.

user:term_expansion(end_of_file, [last(1), (:- assertz(seen(end))), end_of_file, last(2)]).
user:term_expansion(begin_of_file, [begin_of_file, (:- assertz(seen(begin)))]).
user:term_expansion(one, [two, three]).
system:term_expansion(two, [four, five]).
system:term_expansion(of_both, of_system).
user:term_expansion(of_both, Position, of_positions, Position).
user:term_expansion(of_both, of_user).
user:term_expansion(grammar, (sentence --> word)).
user:term_expansion(shown(_), shown(Term, Names)) :-
    prolog_load_context(term, Term),
    prolog_load_context(variable_names, Names).
user:goal_expansion(first, second).
system:goal_expansion(second, third).
user:goal_expansion(third, Position, X = done, Position) :- X = done.
user:goal_expansion(round, about).
user:goal_expansion(about, round).

one.
of_both.
grammar.
shown(_).
word --> "w".
p :- first.
q :- ( first, true -> second ; third ).
r :- round.
round.
:- first.

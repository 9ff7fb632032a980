% A file names its module first.
:- set_prolog_flag(double_quotes, atom).
a.
:- module(late, [b/0]).
b.
:- initialization(( user:b, current_module(late) -> true ; print_message(error, format("~w", [no_module])) )).

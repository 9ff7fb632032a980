% The flags that a text is read with belong to its file. A module does not take them from the file that loads it.

:- set_prolog_flag(double_quotes, codes).
:- set_prolog_flag(back_quotes, string).
:- use_module(flags_of_module).
:- ensure_loaded(flags_of_part).

whole("a", `b`).

:- set_prolog_flag(iso, true).

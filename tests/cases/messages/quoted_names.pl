% Names in double quotes that are lists of codes.
:- set_prolog_flag(double_quotes, codes).
:- open("er.pl", read, _).
:- exists_file("er.pl").
:- atom_length("abc", _).
:- string_concat("a", b, _).
:- atom_concat("it's", b, _).
:- atom_length([1, 2], _).
:- [er.pl].

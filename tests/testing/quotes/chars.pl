% Queries are read with the flag of the program that they stand in; answers have texts either way.
:- set_prolog_flag(double_quotes, chars).

greeting --> "hello", name.
name --> "bob".

?- phrase(greeting, "hellobob").
   true.
?- X = "ab".
   X = [a, b].
?- X = "ab".
   X = "ab".
?- atom_string(ab, X).
   X = "ab".

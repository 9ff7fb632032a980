% A library of the DEC-10 style is loaded, in the last line: texts are lists of codes.

wall(X) :- X is "X".
row("a b").

:- ensure_loaded( misc ).

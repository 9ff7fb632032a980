% A dialect that the last directive of a file declares is that of the whole file.

text("ab").
text(X) :- X = "cd".

:- dynamic seen/2.
:- prolog_load_context(dialect, D), X = "e", assertz(seen(D, X)).

:- expects_dialect(sicstus).

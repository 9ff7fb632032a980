% Loads a file of no dialect, and declares its own.

:- expects_dialect(dec10).
:- consult(loaded_inner).

old("o").

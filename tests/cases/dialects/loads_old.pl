% A dialect belongs to its file: neither to those that load it nor to those that it loads.

:- consult(declared_last).
:- consult(loaded_by_old).

mine("m").

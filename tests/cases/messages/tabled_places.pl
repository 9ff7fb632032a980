% A tabled goal is not blamed for errors that are raised after it.
:- table t/1.
t(1).
:- initialization((t(_), no_such)).
:- initialization((t(_), q)).
q :- t(_), no_such.
:- table missing/1.
:- initialization(r).
r :- missing(_).

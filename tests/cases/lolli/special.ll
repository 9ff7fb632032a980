MODULE special.
write X :- a.

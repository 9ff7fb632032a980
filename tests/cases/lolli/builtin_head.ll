MODULE builtin_head.
write X :- a.

% Goals of libraries that the file does not load, and words without brackets in grammar rules.
small(Xs) :- all_different(Xs), label(Xs).
greeting --> [hello], name.
name --> anna.
name --> surname(_).
names(L) :- maplist(prefix, L, _).
text --> blanks, "end".

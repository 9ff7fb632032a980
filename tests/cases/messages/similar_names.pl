% Names that are like those that are called: another number of arguments and another name are too much.
p :- bar.
q :- call(foo:bar).
s :- atom_lenght(a).
t :- maplits(p, []).

MODULE open_end.
a
b.
c :- .
d.

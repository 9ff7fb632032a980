p("<&>").
p(.
?- p(X).
   X = "<&&>".
'# odd' ?- p(X),
   write("a\tb").
   X = 1.
new ?- true.
m ?- true.
   1 = 2.

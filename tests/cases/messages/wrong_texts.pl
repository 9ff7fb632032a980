% Syntax errors of single clauses.
term(a) :- ).
term(b) :- X is * 2 + , X > 1.
close(a) :- b).
list([a|b c]).
list([a|b, c]).
Head(a).
escape('a\qb').
no_code('\x110000\').
large(1.0e999).
quotes(‘a’).
sign(a § b).
wide(a，b).
dict(_{a: 1}).
dict(X.key).
rational(1r3).
quasi({|html||text|}).
small(.5).
comment(a). /* No end.

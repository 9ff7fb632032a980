% Signs of rules and directives with nothing after them; libraries that are named as files are; refused clauses
% are not told of as apart.
:- .
?- .
p(a).
:- use_module(lists).
:- use_module(assoc, [put_assoc/4]).
:- ensure_loaded(pairs).
:- exists_source(pairs).
p(1), q(2) :- r.
p(2), q(3) :- r.
b.
p(4), q(3) :- r.

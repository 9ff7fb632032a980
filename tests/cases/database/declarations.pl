% Clauses for declarations.queries.

fixed(1).
fixed(2).

:- dynamic((quick/1, slow/2)).
:- discontiguous([apart/1]).
:- multifile(many/1).

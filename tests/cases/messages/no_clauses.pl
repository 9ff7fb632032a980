% Terms that are no clauses.

3 :- true.

a :- 3.

_ :- true.

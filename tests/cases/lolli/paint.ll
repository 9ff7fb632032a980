% Parameters, a local name, linear clauses, clauses that change their order with them.
MODULE paint First Second.
LOCAL stock.

color First.
color Second.
LINEAR color mixed.
color none.

take X :- stock X.
LINEAR (stock one , stock two).

% Clauses for 8_11_streams.queries.

member_of([X|_], X).
member_of([_|Xs], X) :- member_of(Xs, X).

% Clauses for portray.queries.

portray(secret(_)) :- write('<hidden>').
portray(age(N)) :- integer(N), print(years(N)).
portray(broken) :- write(lost), fail.

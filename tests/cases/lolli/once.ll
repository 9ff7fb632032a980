MODULE once.
LINEAR {p X}.
LINEAR q X.
LINEAR (r X :- q X).

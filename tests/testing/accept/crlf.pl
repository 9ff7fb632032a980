p(1).
p(2).
?- p(X).
    X = 3.
new ?- p(X), write(X).
q.

% Code of deep/1, repeated/2, literals/1, pooled/1, build/3, match/2, shuffle/4, wide/1, guard/2.
deep(f(g(X, h(X, [a, Y|Z])), [Y, Z])).

repeated(f(X, X), X).

literals(f(1.5, "text", 123456789012345678901234567890, -7, [])).

pooled(X) :- X = [a, b, f(c)], q(X, [1, 2, 3], f(g(h(i)), j)).

build(X, Y, Z) :- q(f(X, g(Y, W)), [Z|W], k(_, W, _)).

match(X, Y) :- X = f(A, [B|C]), Y = g(C, B, A), q(A, B, C).

shuffle(A, B, C, D) :- r(B, A, f(C), [D, A]).

wide(f(A, _, _, B, _)) :- q(B, A, _).

guard(X, Y) :- atom(X), !, Y = atom.
guard(X, Y) :- integer(X), X > 3, !, Y = large.
guard(_, other).

q(_, _, _).
r(_, _, _, _).

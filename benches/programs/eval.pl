% An evaluator of expressions with variables: choosing among clauses by the functor of an expression.

main :-
    tree(9, 3, Tree),
    rounds(5000, Tree, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, Tree, Sum0, Sum) :-
    Y is N mod 13,
    eval(Tree, env(N, Y, 7), V),
    Sum1 is (Sum0 + V) mod 1000003,
    N1 is N - 1,
    rounds(N1, Tree, Sum1, Sum).

eval(number(N), _, N).
eval(x, env(X, _, _), X).
eval(y, env(_, Y, _), Y).
eval(z, env(_, _, Z), Z).
eval(A + B, Env, V) :- eval(A, Env, VA), eval(B, Env, VB), V is VA + VB.
eval(A - B, Env, V) :- eval(A, Env, VA), eval(B, Env, VB), V is VA - VB.
eval(A * B, Env, V) :- eval(A, Env, VA), eval(B, Env, VB), V is (VA * VB) mod 10007.
eval(max(A, B), Env, V) :- eval(A, Env, VA), eval(B, Env, VB), greater(VA, VB, V).
eval(- A, Env, V) :- eval(A, Env, VA), V is - VA.
eval(if(C, A, B), Env, V) :- eval(C, Env, VC), branch(VC, A, B, Env, V).
eval(less(A, B), Env, V) :- eval(A, Env, VA), eval(B, Env, VB), truth(VA, VB, V).

branch(1, A, _, Env, V) :- eval(A, Env, V).
branch(0, _, B, Env, V) :- eval(B, Env, V).

greater(A, B, A) :- A >= B, !.
greater(_, B, B).

truth(A, B, 1) :- A < B, !.
truth(_, _, 0).

% A tree of the given depth. The kinds of nodes take turns.
tree(0, Seed, Leaf) :- !,
    Kind is Seed mod 4,
    leaf(Kind, Seed, Leaf).
tree(Depth, Seed, Tree) :-
    Kind is (Seed + Depth) mod 7,
    D1 is Depth - 1,
    S1 is (Seed * 5 + 1) mod 997,
    S2 is (Seed * 7 + 3) mod 997,
    node(Kind, D1, S1, S2, Tree).

leaf(0, Seed, number(Seed)).
leaf(1, _, x).
leaf(2, _, y).
leaf(3, _, z).

node(0, D, S1, S2, A + B) :- tree(D, S1, A), tree(D, S2, B).
node(1, D, S1, S2, A - B) :- tree(D, S1, A), tree(D, S2, B).
node(2, D, S1, S2, A * B) :- tree(D, S1, A), tree(D, S2, B).
node(3, D, S1, S2, max(A, B)) :- tree(D, S1, A), tree(D, S2, B).
node(4, D, S1, S2, - A + B) :- tree(D, S1, A), tree(D, S2, B).
node(5, D, S1, S2, if(less(A, number(100)), A, B)) :- tree(D, S1, A), tree(D, S2, B).
node(6, D, S1, S2, A + B * B) :- tree(D, S1, A), tree(D, S2, B).

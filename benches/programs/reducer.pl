% Combinators S, K, I, B, C, Y reduced to a normal form: functions compiled to them from lambda terms.

main :-
    compiled(Term),
    rounds(220, Term, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, Term, Sum0, Sum) :-
    reduced(Term, Value),
    Sum1 is Sum0 + Value,
    N1 is N - 1,
    rounds(N1, Term, Sum1, Sum).

% Fibonacci of 11, with the function as a fixed point.
compiled(Term) :-
    Fib = lambda(f, lambda(n, ap(ap(ap(if, ap(ap(less, n), 2)), n),
              ap(ap(plus, ap(f, ap(ap(minus, n), 1))), ap(f, ap(ap(minus, n), 2)))))),
    compiled(ap(ap(y, Fib), 11), Term).

compiled(lambda(X, B), T) :- !, compiled(B, C), abstracted(C, X, T).
compiled(ap(A, B), ap(C, D)) :- !, compiled(A, C), compiled(B, D).
compiled(A, A).

abstracted(X, X, i) :- !.
abstracted(ap(A, B), X, T) :- !,
    abstracted(A, X, A1),
    abstracted(B, X, B1),
    joined(A1, B1, T).
abstracted(A, _, ap(k, A)).

joined(ap(k, A), ap(k, B), ap(k, ap(A, B))) :- !.
joined(ap(k, A), i, A) :- !.
joined(ap(k, A), B, ap(ap(b, A), B)) :- !.
joined(A, ap(k, B), ap(ap(c, A), B)) :- !.
joined(A, B, ap(ap(s, A), B)).

reduced(T, V) :- unwound(T, [], V).

unwound(ap(A, B), Stack, V) :- !, unwound(A, [B|Stack], V).
unwound(A, Stack, V) :- rule(A, Stack, T, Rest), !, rebuilt(Rest, T, V).
unwound(A, [], A).

rebuilt(Stack, T, V) :- unwound(T, Stack, V).

rule(i, [A|R], A, R).
rule(k, [A, _|R], A, R).
rule(s, [A, B, C|R], ap(ap(A, C), ap(B, C)), R).
rule(b, [A, B, C|R], ap(A, ap(B, C)), R).
rule(c, [A, B, C|R], ap(ap(A, C), B), R).
rule(y, [F|R], ap(F, ap(y, F)), R).
rule(if, [C, A, B|R], T, R) :- reduced(C, Truth), chosen(Truth, A, B, T).
rule(less, [A, B|R], T, R) :- reduced(A, X), reduced(B, Y), ( X < Y -> T = true ; T = false ).
rule(plus, [A, B|R], N, R) :- reduced(A, X), reduced(B, Y), N is X + Y.
rule(minus, [A, B|R], N, R) :- reduced(A, X), reduced(B, Y), N is X - Y.

chosen(true, A, _, A).
chosen(false, _, B, B).

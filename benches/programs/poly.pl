% The 22nd power of 1 + x + y + z, polynomials as nested lists of terms in one variable.
% A polynomial is a number or poly(Variable, [t(Exponent, Coefficient)|_]), exponents ascending.

main :-
    rounds(40, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, Sum, Sum) :- !.
rounds(N, Sum0, Sum) :-
    base(P),
    power(22, P, Q),
    value_at_one(Q, V),
    Sum1 is (Sum0 + V) mod 1000003,
    N1 is N - 1,
    rounds(N1, Sum1, Sum).

base(S) :-
    plus_poly(poly(x, [t(0, 1), t(1, 1)]), poly(y, [t(1, 1)]), S1),
    plus_poly(S1, poly(z, [t(1, 1)]), S).

power(0, _, 1) :- !.
power(N, P, Q) :-
    N1 is N - 1,
    power(N1, P, Q1),
    times_poly(P, Q1, Q).

plus_poly(poly(V, Ts1), poly(V, Ts2), poly(V, Ts)) :- !,
    plus_terms(Ts1, Ts2, Ts).
plus_poly(poly(V1, Ts1), poly(V2, Ts2), poly(V1, Ts)) :-
    V1 @< V2, !,
    plus_constant(Ts1, poly(V2, Ts2), Ts).
plus_poly(poly(V1, Ts1), poly(V2, Ts2), poly(V2, Ts)) :- !,
    plus_constant(Ts2, poly(V1, Ts1), Ts).
plus_poly(poly(V, Ts1), C, poly(V, Ts)) :- !,
    plus_constant(Ts1, C, Ts).
plus_poly(C, poly(V, Ts1), poly(V, Ts)) :- !,
    plus_constant(Ts1, C, Ts).
plus_poly(C1, C2, C) :-
    C is C1 + C2.

plus_terms([], Ts, Ts) :- !.
plus_terms(Ts, [], Ts) :- !.
plus_terms([t(E, C1)|Ts1], [t(E, C2)|Ts2], [t(E, C)|Ts]) :- !,
    plus_poly(C1, C2, C),
    plus_terms(Ts1, Ts2, Ts).
plus_terms([t(E1, C1)|Ts1], [t(E2, C2)|Ts2], [t(E1, C1)|Ts]) :-
    E1 < E2, !,
    plus_terms(Ts1, [t(E2, C2)|Ts2], Ts).
plus_terms(Ts1, [T2|Ts2], [T2|Ts]) :-
    plus_terms(Ts1, Ts2, Ts).

plus_constant([t(0, C1)|Ts], C2, [t(0, C)|Ts]) :- !,
    plus_poly(C1, C2, C).
plus_constant(Ts, C, [t(0, C)|Ts]).

times_poly(poly(V, Ts1), poly(V, Ts2), poly(V, Ts)) :- !,
    times_terms(Ts1, Ts2, Ts).
times_poly(poly(V1, Ts1), poly(V2, Ts2), poly(V1, Ts)) :-
    V1 @< V2, !,
    times_coefficients(Ts1, poly(V2, Ts2), Ts).
times_poly(P, poly(V2, Ts2), poly(V2, Ts)) :- !,
    times_coefficients(Ts2, P, Ts).
times_poly(poly(V, Ts1), C, poly(V, Ts)) :- !,
    times_coefficients(Ts1, C, Ts).
times_poly(C1, C2, C) :-
    C is C1 * C2.

times_coefficients([], _, []).
times_coefficients([t(E, C1)|Ts1], P, [t(E, C)|Ts]) :-
    times_poly(C1, P, C),
    times_coefficients(Ts1, P, Ts).

times_terms([], _, []).
times_terms([T|Ts1], Ts2, Ts) :-
    times_term(Ts2, T, Part),
    times_terms(Ts1, Ts2, Rest),
    plus_terms(Part, Rest, Ts).

times_term([], _, []).
times_term([t(E1, C1)|Ts1], t(E2, C2), [t(E, C)|Ts]) :-
    E is E1 + E2,
    times_poly(C1, C2, C),
    times_term(Ts1, t(E2, C2), Ts).

value_at_one(poly(_, Ts), V) :- !,
    sum_terms(Ts, 0, V).
value_at_one(C, C).

sum_terms([], V, V).
sum_terms([t(_, C)|Ts], V0, V) :-
    value_at_one(C, VC),
    V1 is V0 + VC,
    sum_terms(Ts, V1, V).

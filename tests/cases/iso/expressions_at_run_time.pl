% Values of expressions step by step, each function on its own.

value(E, E) :- number(E), !.
value(E, V) :-
    E =.. [F|As],
    values(As, Vs),
    G =.. [F|Vs],
    V is G.

values([], []).
values([A|As], [V|Vs]) :-
    value(A, V),
    values(As, Vs).

% An expression of this depth, its functions and numbers by turns.
expression(0, Seed, N) :- !,
    I is Seed mod 13,
    nth0(I, [0,1,-1,7,-7,2.5,-0.5,1152921504606846975,-1152921504606846976,9223372036854775807,1.0e150,3,64], N).
expression(Depth, Seed, E) :-
    I is Seed mod 16,
    nth0(I, [+(_,_),-(_,_),*(_,_),/(_,_),//(_,_),mod(_,_),min(_,_),max(_,_),>>(_,_),/\(_,_),-(_),abs(_),sign(_),
             truncate(_),+(_,_),*(_,_)], E),
    D is Depth - 1,
    S1 is (Seed * 31 + 7) mod 10007,
    S2 is (Seed * 17 + 5) mod 10007,
    (   E =.. [_,A]
    ->  expression(D, S1, A)
    ;   E =.. [_,A,B],
        expression(D, S1, A),
        expression(D, S2, B)
    ).

outcome(Goal, V, Outcome) :-
    catch(( Goal, Outcome = V ), error(Outcome, _), true).

left(0, E, E) :- !.
left(N, E0, E) :-
    N1 is N - 1,
    left(N1, E0 + N, E).

right(0, E, E) :- !.
right(N, E0, E) :-
    N1 is N - 1,
    right(N1, N - E0, E).

doubled(0, E, E) :- !.
doubled(N, E0, E) :-
    N1 is N - 1,
    doubled(N1, E0 + E0, E).

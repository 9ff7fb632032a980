% An interpreter of a language of assignments, branches and loops; the store is a list of pairs.

main :-
    program(Program),
    exec(Program, [], Store),
    value(sum, Store, Sum),
    write(checksum(Sum)), nl.

% The lengths of sequences that halve an even number and replace an odd number n by 3n + 1.
program([set(n, number(1)), set(sum, number(0)),
         while(name(n) < number(3500),
               [set(m, name(n)), set(steps, number(0)),
                while(name(m) =\= number(1),
                      [if(name(m) mod number(2) =:= number(0),
                          [set(m, name(m) // number(2))],
                          [set(m, number(3) * name(m) + number(1))]),
                       set(steps, name(steps) + number(1))]),
                set(sum, name(sum) + name(steps)),
                set(n, name(n) + number(1))])]).

exec([], Store, Store).
exec([S|Ss], Store0, Store) :-
    step(S, Store0, Store1),
    exec(Ss, Store1, Store).

step(set(Name, E), Store0, Store) :-
    eval(E, Store0, V),
    put(Store0, Name, V, Store).
step(if(C, Yes, No), Store0, Store) :-
    ( holds(C, Store0) -> exec(Yes, Store0, Store) ; exec(No, Store0, Store) ).
step(while(C, Body), Store0, Store) :-
    ( holds(C, Store0) ->
        exec(Body, Store0, Store1),
        step(while(C, Body), Store1, Store)
    ; Store = Store0
    ).

holds(A < B, Store) :- eval(A, Store, X), eval(B, Store, Y), X < Y.
holds(A =:= B, Store) :- eval(A, Store, X), eval(B, Store, Y), X =:= Y.
holds(A =\= B, Store) :- eval(A, Store, X), eval(B, Store, Y), X =\= Y.

eval(number(N), _, N).
eval(name(X), Store, V) :- value(X, Store, V).
eval(A + B, Store, V) :- eval(A, Store, X), eval(B, Store, Y), V is X + Y.
eval(A - B, Store, V) :- eval(A, Store, X), eval(B, Store, Y), V is X - Y.
eval(A * B, Store, V) :- eval(A, Store, X), eval(B, Store, Y), V is X * Y.
eval(A // B, Store, V) :- eval(A, Store, X), eval(B, Store, Y), V is X // Y.
eval(A mod B, Store, V) :- eval(A, Store, X), eval(B, Store, Y), V is X mod Y.

value(X, [X = V|_], V) :- !.
value(X, [_|Store], V) :- value(X, Store, V).

put([], X, V, [X = V]).
put([X = _|Store], X, V, [X = V|Store]) :- !.
put([B|Store], X, V, [B|Store1]) :- put(Store, X, V, Store1).

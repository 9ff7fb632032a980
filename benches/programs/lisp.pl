% An interpreter of a language like Lisp: expressions as lists, environments as lists of pairs.

main :-
    program(Program),
    run(Program, Value),
    write(checksum(Value)), nl.

% Ackermann's function, Fibonacci's function, and a list mapped and folded by functions as values.
program([define(ack, [m, n],
            [if, [=, m, 0], [+, n, 1],
                [if, [=, n, 0], [ack, [-, m, 1], 1],
                    [ack, [-, m, 1], [ack, m, [-, n, 1]]]]]),
         define(fib, [n], [if, [<, n, 2], n, [+, [fib, [-, n, 1]], [fib, [-, n, 2]]]]),
         define(range, [a, b], [if, [=, a, b], [quote, []], [cons, a, [range, [+, a, 1], b]]]),
         define(map, [f, l], [if, [null, l], [quote, []], [cons, [f, [car, l]], [map, f, [cdr, l]]]]),
         define(fold, [f, s, l], [if, [null, l], s, [fold, f, [f, s, [car, l]], [cdr, l]]]),
         value([let, k, 3,
                 [+, [+, [ack, 2, 120], [fib, 22]],
                     [fold, [lambda, [a, b], [+, a, b]], 0,
                         [map, [lambda, [x], [*, x, k]], [range, 0, 20000]]]]])]).

run(Program, Value) :- run(Program, [], Value).

run([define(Name, Names, Body)|Rest], Functions, Value) :-
    run(Rest, [function(Name, Names, Body)|Functions], Value).
run([value(Expression)], Functions, Value) :-
    eval(Expression, [], Functions, Value).

eval(N, _, _, N) :- integer(N), !.
eval(Name, Env, _, Value) :- atom(Name), Name \== [], !, bound(Env, Name, Value).
eval([Operator|Operands], Env, Functions, Value) :-
    form(Operator, Operands, Env, Functions, Value), !.
eval([Operator|Operands], Env, Functions, Value) :-
    eval_all(Operands, Env, Functions, Values),
    apply(Operator, Values, Env, Functions, Value).

form(quote, [Datum], _, _, Datum).
form(if, [C, A, B], Env, Functions, Value) :-
    eval(C, Env, Functions, Truth),
    ( Truth == true -> eval(A, Env, Functions, Value) ; eval(B, Env, Functions, Value) ).
form(let, [Name, E, Body], Env, Functions, Value) :-
    eval(E, Env, Functions, V),
    eval(Body, [bind(Name, V)|Env], Functions, Value).
form(lambda, [Names, Body], Env, _, closure(Names, Body, Env)).

eval_all([], _, _, []).
eval_all([E|Es], Env, Functions, [V|Vs]) :-
    eval(E, Env, Functions, V),
    eval_all(Es, Env, Functions, Vs).

apply(Operator, Values, _, _, Value) :-
    primitive(Operator, Values, Result), !,
    Value = Result.
apply(Operator, Values, _, Functions, Value) :-
    defined(Functions, Operator, Names, Body), !,
    bind_all(Names, Values, [], Env),
    eval(Body, Env, Functions, Value).
apply(Operator, Values, Env, Functions, Value) :-
    bound(Env, Operator, closure(Names, Body, Env1)),
    bind_all(Names, Values, Env1, Env2),
    eval(Body, Env2, Functions, Value).

primitive(+, [A, B], C) :- C is A + B.
primitive(-, [A, B], C) :- C is A - B.
primitive(*, [A, B], C) :- C is A * B.
primitive(=, [A, B], T) :- ( A =:= B -> T = true ; T = false ).
primitive(<, [A, B], T) :- ( A < B -> T = true ; T = false ).
primitive(null, [L], T) :- ( L == [] -> T = true ; T = false ).
primitive(car, [[A|_]], A).
primitive(cdr, [[_|B]], B).
primitive(cons, [A, B], [A|B]).

defined([function(Name, Names, Body)|_], Name, Names, Body) :- !.
defined([_|Functions], Name, Names, Body) :- defined(Functions, Name, Names, Body).

bound([bind(Name, Value)|_], Name, Value) :- !.
bound([_|Env], Name, Value) :- bound(Env, Name, Value).

bind_all([], [], Env, Env).
bind_all([Name|Names], [Value|Values], Env0, [bind(Name, Value)|Env]) :-
    bind_all(Names, Values, Env0, Env).

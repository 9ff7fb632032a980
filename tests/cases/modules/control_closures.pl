:- module(control_closures, []).

either(X) :- call(;, ( true -> X = a ), X = b).
either_of_closure(X) :- call(;(( true -> X = a )), X = b).
either_of_variable(X) :- Or = (;), call(Or, ( fail -> X = a ), X = b).
either_softly(X) :- call(;, ( number_of(X) *-> true ), X = b).
either_of_all(X) :- call(;, ( number_of(X) *-> true ; X = a ), X = b).
either_qualified(X) :- call(control_closures:(;), ( true -> X = a ), X = b).
either_of_two(X, Y) :- maplist(;, [( true -> X = a ), ( fail -> Y = z )], [X = b, Y = c]).
either_each(X) :- maplist(;(( true -> X = a )), [X = b]).
either_called(X) :- call(call, ;, ( true -> X = a ), X = b).
either_collected(L) :- findall(X, call(;, ( true -> X = a ), X = b), L).
either_of_goals(X) :- call(;, X = a, X = b).
both(X) :- call(',', number_of(X), !).
if_then(X) :- call(->, number_of(X), true).

number_of(1).
number_of(2).

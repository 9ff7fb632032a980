:- module(old_names, [one/1, some/1, all/1, steps/1, added/1, safe/1, letters//0, seen/1]).

:- use_module(library(apply)).

goal_expansion(old(X), new(X)).
goal_expansion(first, second).
goal_expansion(second, third).
goal_expansion(ping, pong).
goal_expansion(pong, ping).
goal_expansion(log(X), ( assertz(logged(X)), log(X) )).
goal_expansion(add(X, Y), plus_one(X, Y)).
goal_expansion(broken, _) :- atom_length(_, _).
user:goal_expansion(twice(Goal), ( Goal, Goal )).
system:goal_expansion(old_everywhere(X), new_everywhere(X)).

:- dynamic seen/1, logged/1.

ping.
pong.
third.
log(_).
broken.
new(1).
new(2).
plus_one(X, Y) :- Y is X + 1.
user:new_everywhere(yes).

one(X) :- old(X).
some(X) :- ( old(X), X > 1 -> true ; \+ old(3), fail ).
all([A,B,C]) :- findall(X, old(X), A), setof(X, Y^( old(X), Y = X ), B), C = closure, maplist(call, [old(1)]) ; all0([A,B,C]).
all0([A,B,C]) :- findall(X, old(X), A), setof(X, Y^( old(X), Y = X ), B), C = none.
steps(X) :- first, ping, twice(assertz(seen(here))), log(1), old_everywhere(X).
added(L) :- maplist(add, [1,2], L).
safe(X) :- catch(old_names:old(X), _, old(_)), once(old(X)).
letters --> { old(_), ! }, "ab".

:- old(X), assertz(seen(X)).
:- initialization(( old(X), X > 1, assertz(seen(after(X))) )).
:- if(old(1)).
seen(conditional).
:- endif.

user:goal_expansion(onetime(Goal), ( Goal -> true )).
user:goal_expansion(softly(Goal), ( Goal *-> true )).
user:goal_expansion(cutting(Goal), ( Goal -> ! )).
user:goal_expansion(( unwrapped -> Goal ), Goal).
user:goal_expansion(( unwrapped *-> Goal ), Goal).

either(X) :- ( onetime(new(X)) ; X = 2 ).
either_of_three(X) :- ( X = 0 ; onetime(new(X)) ; X = 3 ).
either_softly(X) :- ( softly(new(X)) ; X = 3 ).
either_within(L) :- findall(X, ( onetime(new(X)) ; X = 2 ), L).
conditional(X) :- ( ( unwrapped -> new(X) ) ; X = 3 ).
soft_conditional(X) :- ( ( unwrapped *-> new(X) ) ; X = 3 ).
with_cut(X) :- ( cutting(new(X)) ; X = 2 ).
with_cut(3).

go([A,B]) :- distinct(old(1), A), convlist(old, [2], B).

distinct(Goal, distinct(Goal)).
convlist(Closure, List, convlist(Closure, List)).

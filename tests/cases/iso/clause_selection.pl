% Programs whose clauses differ in more than their first argument.

det(Goal) :-
    call_cleanup(Goal, Det = true),
    Det == true.

% By the inside of an argument, after a cut that depends on its functor.
solve(true) :- !.
solve((A, B)) :- !, solve(A), solve(B).
solve(Goal) :- rule(Goal, Body), solve(Body).

rule(reversed([], []), true).
rule(reversed([X|Xs], Ys), (reversed(Xs, Zs), joined(Zs, [X], Ys))).
rule(joined([], Ys, Ys), true).
rule(joined([X|Xs], Ys, [X|Zs]), joined(Xs, Ys, Zs)).

% By comparisons before a cut.
larger(X, Y, X) :- X >= Y, !.
larger(_, Y, Y).

parted([], _, [], []).
parted([X|Xs], Y, [X|As], Bs) :- X =< Y, !, parted(Xs, Y, As, Bs).
parted([X|Xs], Y, As, [X|Bs]) :- parted(Xs, Y, As, Bs).

% By comparisons that exclude each other.
sign(X, positive) :- X > 0.
sign(X, zero) :- X =:= 0.
sign(X, negative) :- X < 0.

% By type tests.
kind(X, variable) :- var(X), !.
kind(X, number) :- number(X), !.
kind(X, atom) :- atom(X), !.
kind(_, compound).

% By an argument that occurs twice.
at(X, [X|_]).
at(X, [_|Xs]) :- at(X, Xs).

known(X, [Y|_]) :- X == Y, !.
known(X, [_|Ys]) :- known(X, Ys).

count(0, N, N) :- !.
count(I, N0, N) :- I1 is I - 1, N1 is N0 + 1, count(I1, N1, N).

% Tests see what the head has bound.
bound(X, a) :- atom(X), !.
bound(_, b).

two(a, b) :- !.
two(_, _).

bits(X, [1]) :- X == 1, !.
bits(_, [_]).

first(foo) :- !.
first(_).

big(123456789012345678901234567890) :- !.
big(1.5) :- !.
big("text") :- !.
big(_).

deep(f(g(h(1))), one).
deep(f(g(h(2))), two).
deep(f(g(i)), three).
deep(f(X), other) :- var(X).

% One clause asks for a value of each kind, the other for none: as an argument, and inside of one.
lone(atom, V, W) :- lone_atom(V, W).
lone(small, V, W) :- lone_small(V, W).
lone(large, V, W) :- lone_large(V, W).
lone(border, V, W) :- lone_border(V, W).
lone(float, V, W) :- lone_float(V, W).
lone(string, V, W) :- lone_string(V, W).
lone(nil, V, W) :- lone_nil(V, W).
lone(list, V, W) :- lone_list(V, W).
lone(structure, V, W) :- lone_structure(V, W).
lone(curly, V, W) :- lone_curly(V, W).
lone_atom(k, W) :- same(one, W).
lone_atom(_, W) :- same(other, W).
lone_small(7, W) :- same(one, W).
lone_small(_, W) :- same(other, W).
lone_large(123456789012345678901234567890, W) :- same(one, W).
lone_large(_, W) :- same(other, W).
lone_border(1152921504606846976, W) :- same(one, W).
lone_border(_, W) :- same(other, W).
lone_float(1.5, W) :- same(one, W).
lone_float(_, W) :- same(other, W).
lone_string("text", W) :- same(one, W).
lone_string(_, W) :- same(other, W).
lone_nil([], W) :- same(one, W).
lone_nil(_, W) :- same(other, W).
lone_list([1|_], W) :- same(one, W).
lone_list(_, W) :- same(other, W).
lone_structure(f(_), W) :- same(one, W).
lone_structure(_, W) :- same(other, W).
lone_curly({x}, W) :- same(one, W).
lone_curly(_, W) :- same(other, W).
inner(atom, V, W) :- inner_atom(h(x, V), W).
inner(small, V, W) :- inner_small(h(x, V), W).
inner(large, V, W) :- inner_large(h(x, V), W).
inner(border, V, W) :- inner_border(h(x, V), W).
inner(float, V, W) :- inner_float(h(x, V), W).
inner(string, V, W) :- inner_string(h(x, V), W).
inner(nil, V, W) :- inner_nil(h(x, V), W).
inner(list, V, W) :- inner_list(h(x, V), W).
inner(structure, V, W) :- inner_structure(h(x, V), W).
inner(curly, V, W) :- inner_curly(h(x, V), W).
inner_atom(h(_, k), W) :- same(one, W).
inner_atom(h(_, _), W) :- same(other, W).
inner_atom(_, W) :- same(third, W).
inner_small(h(_, 7), W) :- same(one, W).
inner_small(h(_, _), W) :- same(other, W).
inner_small(_, W) :- same(third, W).
inner_large(h(_, 123456789012345678901234567890), W) :- same(one, W).
inner_large(h(_, _), W) :- same(other, W).
inner_large(_, W) :- same(third, W).
inner_border(h(_, 1152921504606846976), W) :- same(one, W).
inner_border(h(_, _), W) :- same(other, W).
inner_border(_, W) :- same(third, W).
inner_float(h(_, 1.5), W) :- same(one, W).
inner_float(h(_, _), W) :- same(other, W).
inner_float(_, W) :- same(third, W).
inner_string(h(_, "text"), W) :- same(one, W).
inner_string(h(_, _), W) :- same(other, W).
inner_string(_, W) :- same(third, W).
inner_nil(h(_, []), W) :- same(one, W).
inner_nil(h(_, _), W) :- same(other, W).
inner_nil(_, W) :- same(third, W).
inner_list(h(_, [1|_]), W) :- same(one, W).
inner_list(h(_, _), W) :- same(other, W).
inner_list(_, W) :- same(third, W).
inner_structure(h(_, f(_)), W) :- same(one, W).
inner_structure(h(_, _), W) :- same(other, W).
inner_structure(_, W) :- same(third, W).
inner_curly(h(_, {x}), W) :- same(one, W).
inner_curly(h(_, _), W) :- same(other, W).
inner_curly(_, W) :- same(third, W).
below(atom, V, W) :- below_atom(h(x, V), W).
below(small, V, W) :- below_small(h(x, V), W).
below(large, V, W) :- below_large(h(x, V), W).
below(border, V, W) :- below_border(h(x, V), W).
below(float, V, W) :- below_float(h(x, V), W).
below(string, V, W) :- below_string(h(x, V), W).
below(nil, V, W) :- below_nil(h(x, V), W).
below(list, V, W) :- below_list(h(x, V), W).
below(structure, V, W) :- below_structure(h(x, V), W).
below(curly, V, W) :- below_curly(h(x, V), W).
below_atom(h(_, k), W) :- same(one, W).
below_atom(_, W) :- same(other, W).
below_small(h(_, 7), W) :- same(one, W).
below_small(_, W) :- same(other, W).
below_large(h(_, 123456789012345678901234567890), W) :- same(one, W).
below_large(_, W) :- same(other, W).
below_border(h(_, 1152921504606846976), W) :- same(one, W).
below_border(_, W) :- same(other, W).
below_float(h(_, 1.5), W) :- same(one, W).
below_float(_, W) :- same(other, W).
below_string(h(_, "text"), W) :- same(one, W).
below_string(_, W) :- same(other, W).
below_nil(h(_, []), W) :- same(one, W).
below_nil(_, W) :- same(other, W).
below_list(h(_, [1|_]), W) :- same(one, W).
below_list(_, W) :- same(other, W).
below_structure(h(_, f(_)), W) :- same(one, W).
below_structure(_, W) :- same(other, W).
below_curly(h(_, {x}), W) :- same(one, W).
below_curly(_, W) :- same(other, W).
same(X, X).
value(V) :- member(V, [k, 7, 123456789012345678901234567890, 1152921504606846976, 1.5, "text", [], [1|_], f(_), {x}, g(1), 2.5, other, 8, 999999999999999999999999]).

% The values of that kind, as the clauses find them.
found(Way, Kind, Values) :- findall(V, (value(V), call(Way, Kind, V, one)), Values).
others(Way, Kind, Count) :- aggregate_all(count, (value(V), call(Way, Kind, V, other)), Count).
unbound(Way, Kind, Whats) :- findall(W, call(Way, Kind, _, W), Whats).
kind(K) :- member(K, [atom, small, large, border, float, string, nil, list, structure, curly]).

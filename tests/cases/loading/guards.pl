:- module(guards, [nondet/0, failing/0, determinate/1, branch/0, cut/0, tail/1, negated/0]).

nondet :- true, $, member(_, [1, 2]).
failing :- true, $, fail.
determinate(X) :- member(X, [1, 2]), $, Y is X + 1, Y > 1.
branch :- ( true, $, fail ; true ).
cut :- $, !, fail.
tail(X) :- member(X, [1, 2]), $ .
negated :- \+ ( $, fail ).

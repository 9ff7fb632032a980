% det/1, $/1 and $/0.
:- det(one/1).
one(1).
one(2).
:- det([none/0, chosen/1]), det((twice/2, words//1)).
none :- fail.
chosen(X) :- member(X, [1, 2]).
twice(X, Y) :- Y is 2 * X.
words([X]) --> [X].
:- det(later/1).
after(1).
after(2).
:- det(after/1).
guarded(X) :- some(X), $, true.
some(1).
some(2).
asked(X) :- $some(X).
later(X) :- some(X), !.
:- dynamic kept/1.
kept(1).
kept(2).
:- det(kept/1).

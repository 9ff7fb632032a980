% Declarations of predicates that are misspelt or defined elsewhere.
:- count_memo pth/2.
:- count_memo path/2, user:tiles/1.
:- multifile shared/1.
:- count_memo shared/1.
:- dynamic noted/1.
:- count_memo noted/1.

path(0, 0).
path(X, Y) :- X > 0, X1 is X - 1, path(X1, Y).

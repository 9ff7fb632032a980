% Directives are expanded as clauses are.
term_expansion((:- fact(X)), [fact(X)]).
term_expansion((?- fact(X)), [asked(X)]).
term_expansion((:- nothing), []).
term_expansion((:- twice(X)), [(:- assertz(seen(X))), (:- assertz(seen(X)))]).
term_expansion((:- if(_)), (:- if(true))).
:- dynamic(seen/1).
:- fact(5).
?- fact(6).
:- nothing.
:- twice(7).
:- fact(X), assertz(seen(X)).
:- if(fail).
seen(8).
:- endif.

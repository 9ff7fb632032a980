% Loads the library for the queries beside.

:- use_module(library(clpfd)).

% The residual goals have the same solutions, and as many, as the constraints.

posted_again(Vars, Count) :-
    copy_term(Vars, Copy, Goals),
    maplist(call, Goals),
    findall(Copy, label(Copy), Found),
    findall(Vars, label(Vars), Found),
    length(Found, Count).

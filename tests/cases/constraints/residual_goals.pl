% Loads the library for the queries beside.

:- use_module(library(clpfd)).

% The goals that wait have as many solutions, the same ones, as what is shown by them.

posted_again(Vars, Count) :-
    copy_term(Vars, Copy, Goals),
    maplist(call, Goals),
    findall(Copy, label(Copy), Found),
    findall(Vars, label(Vars), Found),
    length(Found, Count).

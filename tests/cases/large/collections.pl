% When garbage is collected and what stays, for collections.queries.

% The number of collections while a goal runs.
collections(Goal, Number) :-
    statistics(garbage_collection, [N0|_]),
    call(Goal), !,
    statistics(garbage_collection, [N|_]),
    Number is N - N0.

% A loop of N steps that makes only garbage.
garbage(0, _) :- !.
garbage(N, _) :- X = f(N, g(N), [N,a]), N1 is N - 1, garbage(N1, X).

% The loop with much that is alive: terms, frames, choice points, trail.
above_term(N) :- numlist(1, 400000, L), garbage(N, x), L = [_|_].
above_frames(0, N) :- !, garbage(N, x).
above_frames(D, N) :- D1 is D - 1, above_frames(D1, N), atom(x).
above_choices(0, N) :- garbage(N, x).
above_choices(D, N) :- D > 0, D1 is D - 1, above_choices(D1, N).
above_choices(_, _).
above_trail(N) :- length(L, 200000), member(_, [1,2]), maplist(=(a), L), garbage(N, x).

% Bytes of the heap in use where a long list is not needed any more.
dead_variable(Used) :-
    numlist(1, 300000, L), length(L, N), N > 0,
    garbage_collect, statistics(globalused, Used).
dead_after_cut(Used) :-
    ( member(M, [300000,1]), numlist(1, M, L), length(L, N), N > 0 -> true ; fail ),
    garbage_collect, statistics(globalused, Used).
dead_before_catch(Used) :-
    numlist(1, 300000, L), catch(used(L), _, true),
    garbage_collect, statistics(globalused, Used).
used(L) :- length(L, N), N > 0.
still_needed(Used, N) :-
    numlist(1, 300000, L), garbage_collect, statistics(globalused, Used), length(L, N).

% Goals that would take hours in one go.

% The power of 3, of as many bits as it takes.
long(N, X) :- X is 3 ** N.

% A small term that unfolds into 2 ** N nodes.
unfolds(0, x) :- !.
unfolds(N, f(T, T)) :- M is N - 1, unfolds(M, T).

% Two lists that differ at their end only, many times each.
same_for_long(Lists) :-
    numlist(1, 300000, L),
    append(L, [a], A),
    append(L, [b], B),
    in_turn(3000, A, B, Lists).

in_turn(0, _, _, []) :- !.
in_turn(N, A, B, [A|Lists]) :- M is N - 1, in_turn(M, B, A, Lists).

% A sum of 2 ** N ones.
ones(0, 1) :- !.
ones(N, T + T) :- M is N - 1, ones(M, T).

% A body of many branches with a variable each.
branches(0, fail) :- !.
branches(N, (p(N, _) ; B)) :- M is N - 1, branches(M, B).

% The goal runs into the limit, and nothing is lost.
limited(Goal) :- limited(0.1, Goal).

limited(Time, Goal) :-
    nb_setval(kept, f(X, X, "text")),
    catch(call_with_time_limit(Time, Goal), Ball, true),
    Ball == time_limit_exceeded,
    nb_getval(kept, Kept),
    Kept = f(1, One, "text"),
    One == 1,
    garbage_collect.

% After that time the file does not grow any more.
stands(File, Time) :-
    sleep(Time),
    size_file(File, Size),
    Size > 0,
    sleep(0.2),
    size_file(File, Size).

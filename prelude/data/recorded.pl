% Terms kept by key, and flags that count.

:- module(recorded, [
    recorded/2,
    recorded/3,
    current_key/1,
    flag/3
]).

%% recorded(?Key, ?Term)
%% recorded(?Key, ?Term, ?Reference)
%
%  True if Term unifies with a term recorded under Key. Enumerates the records in order on backtracking.
%
%  ?- recordz(queue, a), recorded(queue, X).
%  X = a.

recorded(Key, Term) :-
    (   var(Key)
    ->  '$record_keys'(Keys),
        '$member'(Key, Keys)
    ;   true
    ),
    '$recorded'(Key, Term).

recorded(Key, Term, Reference) :-
    (   var(Key),
        var(Reference)
    ->  '$record_keys'(Keys),
        '$member'(Key, Keys)
    ;   true
    ),
    '$recorded'(Key, Term, Reference).

%% current_key(?Key)
%
%  True if a term is recorded under Key. Enumerates the keys, each once, on backtracking.
%
%  ?- recordz(color, red), current_key(Key).
%  Key = color.

current_key(Key) :-
    '$record_keys'(Keys0),
    sort(Keys0, Keys),
    '$member'(Key, Keys).

%% flag(+Key, -Old, +New)
%
%  Unifies Old with the number stored under Key, at first 0. Then stores the value of the expression New.
%
%  ?- flag(hits, N, N + 1), flag(hits, M, M).
%  N = 0,
%  M = 1.

flag(Key, Old, New) :-
    '$flag'(Key, Old),
    Value is New,
    '$set_flag'(Key, Value).

% Derangements: N guests leave a party, and each takes the hat of another.
%
% The problem is of 1708 (Pierre de Montmort).
%
% Shows: a permutation that is tested while it is made. The count of the search
% is compared with the count by a formula.
%
% For 4, 5 and 8 guests there are 9, 44 and 14,833 ways. For 10 guests there
% are 1,334,961:
%
%     ?- aggregate_all(count, derangement(10, _), Count).
%     Count = 1334961.

% derangement(+N, -Taken)
% Guests and hats are numbered from 1 to N. Taken are the hats that the
% guests take, in the order of the guests.

derangement(N, Taken) :-
    numlist(1, N, Numbers),
    take(Numbers, Numbers, Taken).

% take(+Guests, +Hats, -Taken)
% Guests are the guests without a hat. Hats are the hats that are left.

take([], [], []).
take([Guest|Guests], Hats, [Hat|Taken]) :-
    select(Hat, Hats, Rest),
    Hat =\= Guest,
    take(Guests, Rest, Taken).

% subfactorial(+N, -Count)
% Count is the number of derangements of N, by the recurrence of Euler.

subfactorial(0, 1).
subfactorial(N, Count) :-
    N > 0,
    Before is N - 1,
    subfactorial(Before, CountBefore),
    Count is N * CountBefore + (-1) ** N.

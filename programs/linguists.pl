% Cheating linguists in rooms of several shapes: candidates in some languages
% sit an examination. Candidates in the same language must not sit side by
% side, one behind the other, or across a corner.
%
% The problem is that of nut1.pl, which Daniel Dudley posted to
% comp.lang.prolog. The program is our own.
%
% Shows: counting over a search with a small state. The program fills a room
% row by row and remembers only the row before.
%
% A seating says which seats share a language. It does not say which language
% that is, or who sits there. The room of nut1.pl has 29,870 seatings for five
% languages with four candidates each. A square room of 25 seats has 79,026
% seatings for five languages with five candidates each:
%
%     ?- aggregate_all(count, seating(square, 5, 5), Count).
%     Count = 79026.
%
% A hall of 24 seats has 26,269,068 seatings for six languages with four
% candidates each. That count takes a minute.

% room(?Room, -Drawing)
% Drawing has an x for each seat. The first room is that of nut1.pl.

room(university, [ '.x....',
                   '.xxxxx',
                   '.xxxx.',
                   '.xxxx.',
                   'xxxxx.',
                   '....x.' ]).
room(hall,       [ 'xxxxxx',
                   'xxxxxx',
                   'xxxxxx',
                   'xxxxxx' ]).
room(square,     [ 'xxxxx',
                   'xxxxx',
                   'xxxxx',
                   'xxxxx',
                   'xxxxx' ]).
room(gallery,    [ '.xxxxx.',
                   'xxxxxxx',
                   'xx...xx',
                   'xx...xx',
                   'xxxxxxx',
                   '.xxxxx.' ]).

% seating(+Room, +Languages, +Candidates)
% Languages is the number of languages, Candidates the number of candidates in
% each. They take all seats of Room. True once for each seating.

seating(Room, Languages, Candidates) :-
    room(Room, Drawing),
    maplist(atom_chars, Drawing, Rows),
    Rows = [Row|_],
    maplist(nobody, Row, Nobody),
    numlist(1, Languages, Numbers),
    maplist(group(Candidates), Numbers, Groups),
    rows(Rows, Nobody, [], Groups).

nobody(_, nobody).

group(Candidates, Language, Language-Candidates).

% rows(+Rows, +Before, +Begun, +New)
% Before are the languages in the row before Rows. Begun are the languages in
% which somebody is seated, New are the others. Each has the number of its
% candidates who have no seat yet.

rows([], _, Begun, []) :-
    maplist(seated, Begun).
rows([Row|Rows], Before, Begun0, New0) :-
    append([nobody|Before], [nobody], Window),
    row(Row, nobody, Window, Taken, Begun0, Begun, New0, New),
    rows(Rows, Taken, Begun, New).

seated(_-0).

% row(+Seats, +Left, +Window, -Taken, +Begun0, -Begun, +New0, -New)
% Taken are the languages in the seats of a row. Left is the language on the
% left of the first seat. Window begins with the three languages before it.

row([], _, _, [], Begun, Begun, New, New).
row([Seat|Seats], Left, [A,B,C|Window], [Language|Taken], Begun0, Begun, New0, New) :-
    seat(Seat, [Left,A,B,C], Language, Begun0, Begun1, New0, New1),
    row(Seats, Language, [B,C|Window], Taken, Begun1, Begun, New1, New).

seat('.', _, nobody, Begun, Begun, New, New).
seat(x, Neighbours, Language, Begun0, Begun, New0, New) :-
    candidate(Language, Begun0, Begun, New0, New),
    \+ member(Language, Neighbours).

% candidate(-Language, +Begun0, -Begun, +New0, -New)
% A candidate in Language gets a seat. The languages are alike, so only the
% first language that is not begun may be next.

candidate(Language, Begun0, Begun, New, New) :-
    select(Language-Count, Begun0, Language-Rest, Begun),
    Count > 0,
    Rest is Count - 1.
candidate(Language, Begun0, Begun, [Language-Count|New], New) :-
    Rest is Count - 1,
    append(Begun0, [Language-Rest], Begun).

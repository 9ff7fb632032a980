% Dates as text and as parts: the predicates that SWI-Prolog's library(date) documents.

:- module(date, [
    parse_time/2,
    parse_time/3,
    date_time_value/3,
    day_of_the_week/2,
    day_of_the_year/2
]).

:- use_module(library(lists), [nth1/3]).

%% parse_time(+Text, -Stamp)
%
%  Unifies Stamp with the time in Text, in seconds since 1970. Accepts the formats of parse_time/3.
%
%  ?- parse_time('2024-02-29T12:00:00Z', Stamp).
%  Stamp = 1709208000.0.

parse_time(Text, Stamp) :-
    parse_time(Text, _, Stamp).

%% parse_time(+Text, ?Format, -Stamp)
%
%  Unifies Stamp with the time in Text, in seconds since 1970. Fails if Text has neither of these formats.
%  iso_8601 is a day, then optionally a time after T or a blank, then optionally a zone. A day is 2006-12-08,
%  20061208, 2006-12, 2006-W49-5, 2006W495, 2006-342 or 2006342. A time is 15, 15:29, 1529, 15:29:44, 152944 or
%  15:29:44.5. A zone is Z or the distance from UTC: +02:00, +0200 or +02. rfc_1123 is Fri, 08 Dec 2006 15:29:44
%  GMT, or +0200 instead of GMT. Without a zone the time is UTC.

parse_time(Text, Format, Stamp) :-
    (   var(Text)
    ->  throw(error(instantiation_error, _))
    ;   text_to_string(Text, String),
        string_codes(String, Codes)
    ),
    date_format(Format, Date, Codes, []),
    !,
    date_time_stamp(Date, Stamp).

date_format(iso_8601, date(Year, Month, Day, Hour, Minute, Second, Offset, -, -)) -->
    date_day(Year, Month, Day),
    date_time(Hour, Minute, Second, Offset).
date_format(rfc_1123, date(Year, Month, Day, Hour, Minute, Second, Offset, -, -)) -->
    date_name([mon,tue,wed,thu,fri,sat,sun], _),
    [0',, 0'\s],
    date_number(2, Day),
    [0'\s],
    date_name([jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec], Month),
    [0'\s],
    date_number(4, Year),
    [0'\s],
    date_ranged(0, 23, Hour),
    [0':],
    date_ranged(0, 59, Minute),
    [0':],
    date_ranged(0, 60, Second),
    [0'\s],
    (   [0'G, 0'M, 0'T]
    ->  { Offset = 0 }
    ;   date_distance(Offset)
    ).

date_day(Year, Month, Day) -->
    date_year(Year),
    (   [0'-],
        date_ranged(1, 12, Month),
        [0'-],
        date_ranged(1, 31, Day)
    ;   date_ranged(1, 12, Month),
        date_ranged(1, 31, Day)
    ;   [0'-, 0'W],
        date_ranged(1, 53, Week),
        [0'-],
        date_number(1, WeekDay),
        { date_of_week(Year, Week, WeekDay, Month, Day) }
    ;   [0'W],
        date_ranged(1, 53, Week),
        date_number(1, WeekDay),
        { date_of_week(Year, Week, WeekDay, Month, Day) }
    ;   date_hyphen,
        date_number(3, Day),
        { Day >= 1, Day =< 366, Month = 1 }
    ;   [0'-],
        date_ranged(1, 12, Month),
        { Day = 1 }
    ).

date_year(Year) -->
    [0'-],
    !,
    date_number(4, Year0),
    { Year is -Year0 }.
date_year(Year) -->
    date_number(4, Year).

date_hyphen --> [0'-].
date_hyphen --> [].

% Week 1 of a year contains January 4.
date_of_week(Year, Week, WeekDay, 1, Day) :-
    WeekDay >= 1,
    WeekDay =< 7,
    day_of_the_week(date(Year, 1, 4), Fourth),
    Day is (Week - 1) * 7 + WeekDay - Fourth + 4.

date_time(Hour, Minute, Second, Offset) -->
    ( [0'T] ; [0'\s] ),
    !,
    date_ranged(0, 23, Hour),
    date_minutes(Minute, Second),
    date_zone(Offset).
date_time(0, 0, 0, 0) --> [].

date_minutes(Minute, Second) -->
    [0':],
    !,
    date_ranged(0, 59, Minute),
    (   [0':]
    ->  date_seconds(Second)
    ;   { Second = 0 }
    ).
date_minutes(Minute, Second) -->
    date_ranged(0, 59, Minute),
    !,
    (   date_seconds(Second0)
    ->  { Second = Second0 }
    ;   { Second = 0 }
    ).
date_minutes(0, 0) --> [].

date_seconds(Second) -->
    date_ranged(0, 60, Whole),
    (   ( [0'.] ; [0',] ),
        date_digits(Digits),
        { Digits = [_|_] }
    ->  { number_codes(Fraction, [0'0,0'.|Digits]),
          Second is Whole + Fraction
        }
    ;   { Second = Whole }
    ).

date_zone(0) --> [0'Z], !.
date_zone(Offset) --> date_distance(Offset), !.
date_zone(0) --> [].

% Reads the distance from UTC, in seconds to the west of Greenwich.
date_distance(Offset) -->
    (   [0'+]
    ->  { Sign = -1 }
    ;   [0'-],
        { Sign = 1 }
    ),
    date_ranged(0, 23, Hours),
    (   [0':]
    ->  date_ranged(0, 59, Minutes)
    ;   date_ranged(0, 59, Minutes0)
    ->  { Minutes = Minutes0 }
    ;   { Minutes = 0 }
    ),
    { Offset is Sign * (Hours * 3600 + Minutes * 60) }.

% date_ranged(Low, High, Number): reads two digits.
date_ranged(Low, High, Number) -->
    date_number(2, Number),
    { Number >= Low, Number =< High }.

date_number(Count, Number) -->
    date_number(Count, 0, Number).

date_number(0, Number, Number) --> !, [].
date_number(Count, Number0, Number) -->
    date_digit(Digit),
    { Number1 is Number0 * 10 + Digit - 0'0,
      Count1 is Count - 1
    },
    date_number(Count1, Number1, Number).

date_digits([Digit|Digits]) --> date_digit(Digit), !, date_digits(Digits).
date_digits([]) --> [].

date_digit(Digit) --> [Digit], { Digit >= 0'0, Digit =< 0'9 }.

% Reads a name of three letters and unifies Number with its number.
date_name(Names, Number) -->
    [A, B, C],
    { atom_codes(Name0, [A,B,C]),
      downcase_atom(Name0, Name),
      nth1(Number, Names, Name)
    },
    !.

%% date_time_value(?Part, +Date, ?Value)
%
%  True if Value is the Part of Date, a term of stamp_date_time/3. Part is year, month, day, hour, minute,
%  second, utc_offset, time_zone, daylight_saving, date or time. Enumerates the parts on backtracking. Skips
%  parts that Date leaves open.
%
%  ?- stamp_date_time(0, _Date, 'UTC'), date_time_value(year, _Date, Year).
%  Year = 1970.

date_time_value(Part, Date, Value) :-
    (   var(Part)
    ->  date_part(Part, Date, Value)
    ;   date_part(Part, Date, Value)
    ->  true
    ).

date_part(year, date(Year,_,_,_,_,_,_,_,_), Year).
date_part(month, date(_,Month,_,_,_,_,_,_,_), Month).
date_part(day, date(_,_,Day,_,_,_,_,_,_), Day).
date_part(hour, date(_,_,_,Hour,_,_,_,_,_), Hour).
date_part(minute, date(_,_,_,_,Minute,_,_,_,_), Minute).
date_part(second, date(_,_,_,_,_,Second,_,_,_), Second).
date_part(utc_offset, date(_,_,_,_,_,_,Offset,_,_), Offset).
date_part(time_zone, date(_,_,_,_,_,_,_,Zone,_), Zone) :- Zone \== (-).
date_part(daylight_saving, date(_,_,_,_,_,_,_,_,Saving), Saving) :- Saving \== (-).
date_part(date, date(Year,Month,Day,_,_,_,_,_,_), date(Year,Month,Day)).
date_part(time, date(_,_,_,Hour,Minute,Second,_,_,_), time(Hour,Minute,Second)).

%% day_of_the_week(+Date, -Day)
%
%  Unifies Day with the weekday of date(Year, Month, Day), from 1 for Monday to 7 for Sunday.
%
%  ?- day_of_the_week(date(2024,2,29), Day).
%  Day = 4.

day_of_the_week(date(Year, Month, Day), WeekDay) :-
    date_days(Year, Month, Day, Days),
    WeekDay is (Days + 3) mod 7 + 1.

%% day_of_the_year(+Date, -Day)
%
%  Unifies Day with the number of date(Year, Month, Day) in its year, 1 for January 1.
%
%  ?- day_of_the_year(date(2024,3,1), Day).
%  Day = 61.

day_of_the_year(date(Year, Month, Day), YearDay) :-
    date_days(Year, Month, Day, Days),
    date_days(Year, 1, 1, First),
    YearDay is Days - First + 1.

% Computes the number of days since 1970.
date_days(Year, Month, Day, Days) :-
    date_time_stamp(date(Year, Month, Day, 0, 0, 0, 0, -, -), Stamp),
    Days is floor(Stamp) div 86400.

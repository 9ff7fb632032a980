% A timetable for two classes of a small school.
%
% Own work.
%
% Shows: one integer for a time, from which // and mod compute day and hour; facts
% that become constraints; all_distinct/1 for people and rooms that cannot be
% used twice at a time; rules that break symmetries; labeling/2 with min(Cost) for
% a timetable with few late hours.
%
% There are three days of four hours. Times are numbered 1 to 12: hour 1 to 4 of
% day 1, then those of days 2 and 3.

:- use_module(library(clpfd)).

days([mon, tue, wed]).
hours(4).

% lessons(Class, Subject, Teacher, Room, Number of hours).
lessons(a, maths,   ada,    plain, 3).
lessons(a, physics, emmy,   lab,   3).
lessons(a, english, jane,   plain, 2).
lessons(a, sports,  abebe,  gym,   2).
lessons(b, maths,   emmy,   plain, 3).
lessons(b, physics, ada,    lab,   3).
lessons(b, english, jane,   plain, 2).
lessons(b, sports,  abebe,  gym,   2).

% away(Teacher, Day): the teacher is elsewhere on that day.
away(jane, 2).

% late_only(Teacher, Hour): the teacher never comes before that hour.
late_only(ada, 2).

% The school has one of each of these rooms, and enough plain rooms.
single(lab).
single(gym).

%% timetable(-Lessons, -Times)
%
%  Lessons are terms lesson(Class, Subject, Teacher, Room, Time), Times all times
%  in their order, under the rules of the school.

timetable(Lessons, Times) :-
    findall(lesson(Class, Subject, Teacher, Room, _),
            ( lessons(Class, Subject, Teacher, Room, Number), between(1, Number, _) ),
            Lessons),
    maplist(lesson_time, Lessons, Times),
    days(Days),
    length(Days, NumberOfDays),
    hours(Hours),
    Last is NumberOfDays * Hours,
    Times ins 1..Last,
    maplist(teacher_is_there, Lessons),
    at_most_one_at_a_time(class, Lessons),
    at_most_one_at_a_time(teacher, Lessons),
    at_most_one_at_a_time(room, Lessons),
    on_different_days(Lessons).

lesson_time(lesson(_, _, _, _, Time), Time).

%% time_day(?Time, ?Day)
%% time_hour(?Time, ?Hour)
%
%  Day is 1 for the first day, Hour is 1 for the first hour of the day.

time_day(Time, Day) :-
    hours(Hours),
    Day #= (Time - 1) // Hours + 1.

time_hour(Time, Hour) :-
    hours(Hours),
    Hour #= (Time - 1) mod Hours + 1.

teacher_is_there(lesson(_, _, Teacher, _, Time)) :-
    time_day(Time, Day),
    time_hour(Time, Hour),
    findall(Away, away(Teacher, Away), Days),
    maplist(#\=(Day), Days),
    (   late_only(Teacher, First)
    ->  Hour #>= First
    ;   true
    ).

%% at_most_one_at_a_time(+What, +Lessons)
%
%  Lessons of one class, one teacher or one single room are at different times.

at_most_one_at_a_time(What, Lessons) :-
    findall(Key, ( member(Lesson, Lessons), key(What, Lesson, Key) ), Keys0),
    sort(Keys0, Keys),
    maplist(one_at_a_time(What, Lessons), Keys).

one_at_a_time(What, Lessons, Key) :-
    include(has_key(What, Key), Lessons, Same),
    maplist(lesson_time, Same, Times),
    all_distinct(Times).

has_key(What, Key, Lesson) :-
    key(What, Lesson, Key).

key(class, lesson(Class, _, _, _, _), Class).
key(teacher, lesson(_, _, Teacher, _, _), Teacher).
key(room, lesson(_, _, _, Room, _), Room) :-
    single(Room).

%% on_different_days(+Lessons)
%
%  A class has a subject at most once a day. The lessons of a subject are alike,
%  so their days rise: otherwise the search finds each timetable many times.

on_different_days([Lesson|Lessons]) :-
    foldl(later_day, Lessons, Lesson, _).

later_day(Lesson2, Lesson1, Lesson2) :-
    Lesson1 = lesson(Class1, Subject1, _, _, Time1),
    Lesson2 = lesson(Class2, Subject2, _, _, Time2),
    (   Class1-Subject1 == Class2-Subject2
    ->  time_day(Time1, Day1),
        time_day(Time2, Day2),
        Day1 #< Day2
    ;   true
    ).

%% late_hours(+Times, -Late)
%
%  Late is the number of Times that are the last hour of a day.

late_hours(Times, Late) :-
    hours(Hours),
    maplist(is_hour(Hours), Times, Lates),
    sum(Lates, #=, Late).

is_hour(Hour, Time, Is) :-
    time_hour(Time, TimeHour),
    Is #<==> (TimeHour #= Hour).

%% best_timetable(-Lessons, -Late)
%
%  Lessons have as few last hours as possible. Late is their number.

best_timetable(Lessons, Late) :-
    timetable(Lessons, Times),
    late_hours(Times, Late),
    labeling([ff, min(Late)], Times).

%% write_timetable(+Class, +Lessons)
%
%  Writes the timetable of Class, a line for each hour.

write_timetable(Class, Lessons) :-
    days(Days),
    write_line(' ', Days),
    hours(Hours),
    forall(between(1, Hours, Hour), write_hour(Class, Lessons, Days, Hour)).

write_hour(Class, Lessons, Days, Hour) :-
    hours(Hours),
    findall(Subject,
            ( nth0(Day, Days, _),
              Time is Day * Hours + Hour,
              (   member(lesson(Class, Subject0, _, _, Time), Lessons)
              ->  Subject = Subject0
              ;   Subject = '-'
              ) ),
            Subjects),
    write_line(Hour, Subjects).

write_line(Head, Words) :-
    write(Head),
    maplist(padded, Words, Columns),
    atomic_list_concat(Columns, Line),
    write(Line),
    nl.

padded(Word, Column) :-
    format(atom(Column), "~t~w~9|", [Word]).

% A schedule drawn as a picture: a morning in a bakery.
%
% Own work.
%
% Shows: cumulative/2 for people and machines with a limited number of tasks at
% a time; #=< for the order of tasks; labeling/2 with min(End) for the shortest
% schedule; format/2, which writes the result as SVG, for a browser:
%
%     wamlet -g "best_schedule(T, E), svg(T, E)" programs/schedule.pl > schedule.svg
%
% Times are in units of ten minutes.

:- use_module(library(clpfd)).

% task(Name, Duration, Bakers, Shelves of the oven).
task(dough,          3, 2, 0).
task(rest_of_dough,  4, 0, 0).
task(loaves,         2, 1, 0).
task(bake_loaves,    5, 0, 2).
task(cake_mixture,   3, 1, 0).
task(bake_cake,      4, 0, 1).
task(icing,          2, 1, 0).
task(pastry,         4, 2, 0).
task(bake_pastry,    3, 0, 2).
task(filling,        3, 1, 0).
task(window,         2, 2, 0).

% before(Task, Later): Task ends before Later starts.
before(dough, rest_of_dough).
before(rest_of_dough, loaves).
before(loaves, bake_loaves).
before(cake_mixture, bake_cake).
before(bake_cake, icing).
before(pastry, bake_pastry).
before(filling, bake_pastry).
before(bake_loaves, window).
before(bake_pastry, window).
before(icing, window).

bakers(2).
shelves(3).

%% schedule(-Tasks, -Starts, -End)
%
%  Tasks are terms task(Name, Start, Duration, Bakers, Shelves), Starts are their
%  starts, and End is the end of the last task. No start is chosen yet.

schedule(Tasks, Starts, End) :-
    findall(task(Name, _, Duration, Bakers, Shelves), task(Name, Duration, Bakers, Shelves), Tasks),
    maplist(task_start, Tasks, Starts),
    foldl(add_duration, Tasks, 0, Longest),
    Starts ins 0..Longest,
    End in 0..Longest,
    maplist(ends_by(End), Tasks),
    findall(Task-Later, before(Task, Later), Orders),
    maplist(in_order(Tasks), Orders),
    maplist(baker_task, Tasks, BakerTasks),
    bakers(Bakers),
    cumulative(BakerTasks, [limit(Bakers)]),
    maplist(oven_task, Tasks, OvenTasks),
    shelves(Shelves),
    cumulative(OvenTasks, [limit(Shelves)]).

task_start(task(_, Start, _, _, _), Start).

add_duration(task(_, _, Duration, _, _), Sum0, Sum) :-
    Sum is Sum0 + Duration.

ends_by(End, task(_, Start, Duration, _, _)) :-
    Start + Duration #=< End.

in_order(Tasks, Name-Later) :-
    memberchk(task(Name, Start, Duration, _, _), Tasks),
    memberchk(task(Later, LaterStart, _, _, _), Tasks),
    Start + Duration #=< LaterStart.

baker_task(task(_, Start, Duration, Bakers, _), task(Start, Duration, _, Bakers, _)).

oven_task(task(_, Start, Duration, _, Shelves), task(Start, Duration, _, Shelves, _)).

%% best_schedule(-Tasks, -End)
%
%  Tasks have starts such that End is as early as possible.

best_schedule(Tasks, End) :-
    schedule(Tasks, Starts, End),
    once(labeling([min(End)], [End|Starts])).

%% svg(+Tasks, +End)
%
%  Writes the schedule as SVG: a bar for each task, dark if bakers do it.

svg(Tasks, End) :-
    length(Tasks, Count),
    Width is 130 + End * 24 + 10,
    Height is Count * 22 + 30,
    format("<svg xmlns=\"http://www.w3.org/2000/svg\" ", []),
    format("width=\"~d\" height=\"~d\" ", [Width, Height]),
    format("font-family=\"sans-serif\" font-size=\"12\">~n", []),
    format("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>~n", []),
    forall(( between(0, End, Time), Time mod 3 =:= 0 ), svg_time(Time, Height)),
    forall(nth0(Row, Tasks, Task), svg_task(Row, Task)),
    format("</svg>~n", []).

svg_time(Time, Height) :-
    X is 130 + Time * 24,
    Bottom is Height - 20,
    Minutes is Time * 10,
    format("<line x1=\"~d\" y1=\"0\" x2=\"~d\" y2=\"~d\" stroke=\"#ccc\"/>", [X, X, Bottom]),
    Below is Bottom + 15,
    format("<text x=\"~d\" y=\"~d\" text-anchor=\"middle\">~d</text>~n", [X, Below, Minutes]).

svg_task(Row, task(Name, Start, Duration, Bakers, _)) :-
    X is 130 + Start * 24,
    Y is Row * 22 + 4,
    Width is Duration * 24,
    (   Bakers > 0
    ->  Colour = '#35678c'
    ;   Colour = '#e0a030'
    ),
    Baseline is Y + 13,
    atomic_list_concat(Words, '_', Name),
    atomic_list_concat(Words, ' ', Label),
    format("<text x=\"120\" y=\"~d\" text-anchor=\"end\">~w</text>", [Baseline, Label]),
    format("<rect x=\"~d\" y=\"~d\" width=\"~d\" height=\"18\" rx=\"3\" fill=\"~w\"/>~n",
           [X, Y, Width, Colour]).

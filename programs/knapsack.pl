% A knapsack: the most valuable load that a rucksack can carry.
%
% Own work.
%
% Shows: scalar_product/4 for weights and values; labeling/2 with max(Value),
% which gives the solutions from the best to the worst. The same model answers
% the opposite question, too: the least weight for a wanted value.

:- use_module(library(clpfd)).

% item(Name, Weight in hectograms, Value, Copies).
item(tent,     28, 90, 1).
item(stove,     9, 45, 1).
item(water,    10, 40, 4).
item(bread,     6, 24, 3).
item(camera,    7, 25, 1).
item(rope,     15, 35, 2).
item(book,      4,  9, 3).
item(lantern,   5, 17, 1).

%% load(-Names, -Counts, -Weight, -Value)
%
%  Counts has the number of copies for each of Names. Nothing is chosen yet.

load(Names, Counts, Weight, Value) :-
    findall(Name-item(W, V, Copies), item(Name, W, V, Copies), Items),
    pairs_keys_values(Items, Names, Facts),
    maplist(item_count, Facts, Weights, Values, Counts),
    scalar_product(Weights, Counts, #=, Weight),
    scalar_product(Values, Counts, #=, Value).

item_count(item(Weight, Value, Copies), Weight, Value, Count) :-
    Count in 0..Copies.

%% best(+Limit, -Load, -Weight, -Value)
%
%  Load is the most valuable load of at most Limit hectograms, as a list of
%  pairs Name-Count. On backtracking, other loads, by falling value.

best(Limit, Load, Weight, Value) :-
    load(Names, Counts, Weight, Value),
    Weight #=< Limit,
    labeling([max(Value)], Counts),
    taken(Names, Counts, Load).

%% lightest(+Least, -Load, -Weight, -Value)
%
%  Load is the lightest load with at least the value Least. Of equally light
%  loads it is the most valuable one.

lightest(Least, Load, Weight, Value) :-
    load(Names, Counts, Weight, Value),
    Value #>= Least,
    labeling([min(Weight), max(Value)], Counts),
    taken(Names, Counts, Load).

taken([], [], []).
taken([Name|Names], [Count|Counts], Load) :-
    (   Count =:= 0
    ->  Load = Rest
    ;   Load = [Name-Count|Rest]
    ),
    taken(Names, Counts, Rest).

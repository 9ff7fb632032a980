% Pairs Key-Value: the predicates that SWI-Prolog's library(pairs) documents.

:- module(pairs, [
    pairs_keys_values/3,
    pairs_keys/2,
    pairs_values/2,
    group_pairs_by_key/2,
    transpose_pairs/2,
    map_list_to_pairs/3
]).

:- meta_predicate(map_list_to_pairs(2, ?, ?)).

%% pairs_keys_values(?Pairs, ?Keys, ?Values)
%
%  True if Pairs are the pairs of the corresponding elements of Keys and Values.
%
%  ?- pairs_keys_values([a-1,b-2], Keys, Values).
%  Keys = [a, b],
%  Values = [1, 2].
%
%  ?- pairs_keys_values(Pairs, [a,b], [1,2]).
%  Pairs = [a-1, b-2].

pairs_keys_values([], [], []).
pairs_keys_values([Key-Value|Pairs], [Key|Keys], [Value|Values]) :-
    pairs_keys_values(Pairs, Keys, Values).

%% pairs_keys(?Pairs, ?Keys)
%
%  Unifies Keys with the keys of Pairs.
%
%  ?- pairs_keys([a-1,b-2], Keys).
%  Keys = [a, b].

pairs_keys([], []).
pairs_keys([Key-_|Pairs], [Key|Keys]) :-
    pairs_keys(Pairs, Keys).

%% pairs_values(?Pairs, ?Values)
%
%  Unifies Values with the values of Pairs.
%
%  ?- pairs_values([a-1,b-2], Values).
%  Values = [1, 2].

pairs_values([], []).
pairs_values([_-Value|Pairs], [Value|Values]) :-
    pairs_values(Pairs, Values).

%% group_pairs_by_key(+Pairs, -Groups)
%
%  Unifies Groups with a list of Key-Values for each run of pairs with identical keys. Sort Pairs with keysort/2
%  first to get all values of a key in one group.
%
%  ?- group_pairs_by_key([a-1,a-2,b-3,a-4], Groups).
%  Groups = [a-[1, 2], b-[3], a-[4]].
%
%  ?- keysort([b-3,a-1,b-2], Sorted), group_pairs_by_key(Sorted, Groups).
%  Sorted = [a-1, b-3, b-2],
%  Groups = [a-[1], b-[3, 2]].

group_pairs_by_key([], []).
group_pairs_by_key([Key-Value|Pairs], [Key-[Value|Values]|Groups]) :-
    pairs_same_key(Pairs, Key, Values, Rest),
    group_pairs_by_key(Rest, Groups).

pairs_same_key([Key1-Value|Pairs], Key, [Value|Values], Rest) :-
    Key1 == Key,
    !,
    pairs_same_key(Pairs, Key, Values, Rest).
pairs_same_key(Rest, _, [], Rest).

%% transpose_pairs(+Pairs, -Transposed)
%
%  Unifies Transposed with the pairs Value-Key of Pairs, sorted by keysort/2.
%
%  ?- transpose_pairs([a-2,b-1], Pairs).
%  Pairs = [1-b, 2-a].

transpose_pairs(Pairs, Transposed) :-
    pairs_flip(Pairs, Flipped),
    keysort(Flipped, Sorted),
    Transposed = Sorted.

pairs_flip([], []).
pairs_flip([Key-Value|Pairs], [Value-Key|Flipped]) :-
    pairs_flip(Pairs, Flipped).

%% map_list_to_pairs(:Function, +Values, -Pairs)
%
%  Unifies Pairs with a list of Key-Value for each Value in Values, where call(Function, Value, Key).
%
%  ?- map_list_to_pairs(atom_length, [pear,fig], Pairs), keysort(Pairs, Sorted).
%  Pairs = [4-pear, 3-fig],
%  Sorted = [3-fig, 4-pear].

map_list_to_pairs(Function, Values, Pairs) :-
    pairs_map(Values, Function, Pairs).

pairs_map([], _, []).
pairs_map([Value|Values], Function, [Key-Value|Pairs]) :-
    call(Function, Value, Key),
    pairs_map(Values, Function, Pairs).

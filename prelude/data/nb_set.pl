% Sets that backtracking does not undo: the predicates that SWI-Prolog's library(nb_set) documents. A set is
% nb_set(Buckets, Size), whose arguments are replaced in place. Buckets is a table of lists.

:- module(nb_set, [
    empty_nb_set/1,
    add_nb_set/2,
    add_nb_set/3,
    gen_nb_set/2,
    size_nb_set/2,
    nb_set_to_list/2
]).

:- use_module(library(error), [must_be/2, type_error/2]).

%% empty_nb_set(-Set)
%
%  Unifies Set with a new empty set.
%
%  ?- empty_nb_set(_S), add_nb_set(a, _S), size_nb_set(_S, Size).
%  Size = 1.

empty_nb_set(nb_set(Table, 0)) :-
    nb_set_table(8, Table).

nb_set_table(Size, Table) :-
    compound_name_arity(Table, buckets, Size),
    nb_set_clear(Size, Table).

nb_set_clear(0, _) :- !.
nb_set_clear(Index, Table) :-
    arg(Index, Table, []),
    Next is Index - 1,
    nb_set_clear(Next, Table).

%% add_nb_set(+Key, !Set)
%
%  Adds a copy of Key to Set.

add_nb_set(Key, Set) :-
    add_nb_set(Key, Set, _).

%% add_nb_set(+Key, !Set, ?New)
%
%  Adds a copy of Key to Set. Unifies New with true if Set did not hold Key before, else with false. If New is
%  true at the call and Set holds Key, the call fails.
%
%  ?- empty_nb_set(_S), add_nb_set(a, _S, New1), add_nb_set(a, _S, New2).
%  New1 = true,
%  New2 = false.

add_nb_set(Key, Set, New) :-
    ( acyclic_term(Key) -> true ; type_error(acyclic_term, Key) ),
    must_be(nonvar, Set),
    ( nb_set_parts(Set, Table, _) -> true ; type_error(nb_set, Set) ),
    nb_set_place(Key, Table, Place),
    arg(Place, Table, Bucket),
    (   nb_set_holds(Bucket, Key)
    ->  New = false
    ;   New = true,
        nb_setarg(Place, Table, [Key|Bucket]),
        arg(2, Set, Count0),
        Count is Count0 + 1,
        nb_setarg(2, Set, Count),
        functor(Table, _, Size),
        ( Count > 2 * Size -> nb_set_grow(Set, Table, Size) ; true )
    ).

nb_set_place(Key, Table, Place) :-
    variant_hash_of(Key, Hash),
    functor(Table, _, Size),
    Place is Hash mod Size + 1.

variant_hash_of(Key, Hash) :-
    (   ground(Key)
    ->  term_hash(Key, Hash)
    ;   copy_term_nat(Key, Copy),
        numbervars(Copy, 0, _),
        term_hash(Copy, Hash)
    ).

nb_set_holds([Other|Bucket], Key) :-
    (   Other =@= Key
    ->  true
    ;   nb_set_holds(Bucket, Key)
    ).

nb_set_grow(Set, Table, Size) :-
    Size1 is 4 * Size,
    nb_set_table(Size1, Table1),
    Table =.. [_|Buckets],
    nb_set_move(Buckets, Table1),
    nb_setarg(1, Set, Table1).

nb_set_move([], _).
nb_set_move([Bucket|Buckets], Table) :-
    nb_set_move_keys(Bucket, Table),
    nb_set_move(Buckets, Table).

nb_set_move_keys([], _).
nb_set_move_keys([Key|Keys], Table) :-
    nb_set_place(Key, Table, Place),
    arg(Place, Table, Bucket),
    setarg(Place, Table, [Key|Bucket]),
    nb_set_move_keys(Keys, Table).

%% nb_set_to_list(+Set, -List)
%
%  Unifies List with the keys of Set in the standard order.
%
%  ?- empty_nb_set(_S), add_nb_set(b, _S), add_nb_set(a, _S), nb_set_to_list(_S, L).
%  L = [a, b].

nb_set_to_list(Set, List) :-
    nb_set_parts(Set, Table, _),
    Table =.. [_|Buckets],
    nb_set_append(Buckets, Keys),
    sort(Keys, Sorted),
    List = Sorted.

nb_set_parts(Set, Table, Size) :-
    nonvar(Set),
    Set = nb_set(Table, Size).

nb_set_append([], []).
nb_set_append([Bucket|Buckets], Keys) :-
    nb_set_append(Bucket, Keys, Rest),
    nb_set_append(Buckets, Rest).

nb_set_append([], Keys, Keys).
nb_set_append([Key|Bucket], [Key|Keys], Rest) :-
    nb_set_append(Bucket, Keys, Rest).

%% gen_nb_set(+Set, -Key)
%
%  True if Key is a key of Set at the time of the call. Enumerates the keys in the standard order on
%  backtracking.
%
%  ?- empty_nb_set(_S), add_nb_set(b, _S), add_nb_set(a, _S), gen_nb_set(_S, Key).
%  Key = a ;
%  Key = b.

gen_nb_set(Set, Key) :-
    nb_set_to_list(Set, List),
    '$member'(Key, List).

%% size_nb_set(+Set, -Size)
%
%  Unifies Size with the number of keys in Set.

size_nb_set(Set, Size) :-
    nb_set_parts(Set, _, Size).

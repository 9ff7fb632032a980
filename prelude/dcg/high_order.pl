% Grammars that call grammars: the nonterminals that SWI-Prolog's library(dcg/high_order) documents.

:- module(dcg_high_order, [
    sequence//2, sequence//3, sequence//5, optional//2, foreach//2, foreach//3
]).

:- use_module(library(lists), [append/3]).

:- meta_predicate(sequence(3, ?, ?, ?)).
:- meta_predicate(sequence(3, //, ?, ?, ?)).
:- meta_predicate(sequence(//, 3, //, //, ?, ?, ?)).
:- meta_predicate(optional(//, //, ?, ?)).
:- meta_predicate(foreach(0, //, ?, ?)).
:- meta_predicate(foreach(0, //, //, ?, ?)).

%% sequence(:Element, ?List)//
%
%  Parses or writes a List with call(Element, X) for each element X. Parses as many elements as possible.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- use_module(library(dcg/high_order)).
%  true.
%
%  ?- phrase(sequence(alpha_to_lower, _L), `ABC`), atom_codes(A, _L).
%  A = abc.

sequence(Element, List, S0, S) :-
    items(List, Element, S0, S).

items([X|Xs], Element, S0, S) :-
    call(Element, X, S0, S1),
    items(Xs, Element, S1, S).
items([], _, S, S).

%% sequence(:Element, :Separator, ?List)//
%
%  Parses or writes like sequence//2, with Separator between elements.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- use_module(library(dcg/high_order)).
%  true.
%
%  ?- phrase(sequence(integer, ",", L), `1,2,3`).
%  L = [1, 2, 3].

sequence(Element, Separator, List, S0, S) :-
    separated(List, Element, Separator, S0, S).

% A bound list is taken as it is. For an unbound list, each separator requires another element and removes the
% choice points of the element before.

separated(List, Element, Separator, S0, S) :-
    (   nonvar(List)
    ->  separated_given(List, Element, Separator, S0, S)
    ;   call(Element, X, S0, S1)
    *-> List = [X|Xs],
        (   phrase(Separator, S1, S2)
        ->  !,
            separated_open(Xs, Element, Separator, S2, S)
        ;   Xs = [],
            S = S1
        )
    ;   List = [],
        S = S0
    ).

separated_open([X|Xs], Element, Separator, S0, S) :-
    call(Element, X, S0, S1),
    (   phrase(Separator, S1, S2)
    ->  !,
        separated_open(Xs, Element, Separator, S2, S)
    ;   Xs = [],
        S = S1
    ).

separated_given([], _, _, S, S).
separated_given([X|Xs], Element, Separator, S0, S) :-
    call(Element, X, S0, S1),
    (   Xs == []
    ->  S = S1
    ;   phrase(Separator, S1, S2)
    *-> (   nonvar(Xs)
        ->  separated_given(Xs, Element, Separator, S2, S)
        ;   separated_open(Xs, Element, Separator, S2, S)
        )
    ;   Xs = [],
        S = S1
    ).

%% sequence(:Start, :Element, :Separator, :End, ?List)//
%
%  Parses or writes like sequence//3, between Start and End, which leave no choice points.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- use_module(library(dcg/high_order)).
%  true.
%
%  ?- phrase(sequence("[", integer, ",", "]", L), `[1,2]`).
%  L = [1, 2].

sequence(Start, Element, Separator, End, List, S0, S) :-
    phrase(Start, S0, S1),
    separated(List, Element, Separator, S1, S2),
    phrase(End, S2, S3), !,
    S = S3.

%% optional(:Match, :Default)//
%
%  Parses Match if possible, else Default. Takes only the first solution.
%
%  ?- use_module(library(dcg/high_order)).
%  true.
%
%  ?- phrase(( optional("-", []), [C] ), `x`).
%  C = 120.

optional(Match, Default, S0, S) :-
    (   phrase(Match, S0, S1)
    ->  S = S1
    ;   phrase(Default, S0, S)
    ->  true
    ).

%% foreach(:Generator, :Element)//
%
%  Parses or writes Element for each solution of Generator. The elements have the values of the variables of
%  Generator. All elements share the other variables of Element.
%
%  ?- use_module(library(dcg/high_order)).
%  true.
%
%  ?- phrase(foreach(member(X, [1,2]), [X]), L).
%  L = [1, 2].

foreach(Generator, Element, S0, S) :-
    elements(Generator, Element, Elements),
    in_turn(Elements, S0, S).

elements(Generator, Element, Elements) :-
    term_variables(Generator, Local),
    term_variables(Local-Element, All),
    append(Local, Shared, All), !,
    findall(Shared-Element, Generator, Found),
    with_shared(Found, Shared, Elements).

with_shared([], _, []).
with_shared([Shared-Element|Found], Shared, [Element|Elements]) :-
    with_shared(Found, Shared, Elements).

in_turn([], S, S).
in_turn([Element|Elements], S0, S) :-
    phrase(Element, S0, S1),
    in_turn(Elements, S1, S).

%% foreach(:Generator, :Element, :Separator)//
%
%  Parses or writes like foreach//2, with Separator between elements.
%
%  ?- use_module(library(dcg/high_order)).
%  true.
%
%  ?- phrase(foreach(member(X, `abc`), [X], "-"), _L), atom_codes(A, _L).
%  A = 'a-b-c'.

foreach(Generator, Element, Separator, S0, S) :-
    elements(Generator, Element, Elements),
    between_each(Elements, Separator, S0, S).

between_each([], _, S, S).
between_each([Element|Elements], Separator, S0, S) :-
    phrase(Element, S0, S1),
    (   Elements == []
    ->  S = S1
    ;   phrase(Separator, S1, S2),
        between_each(Elements, Separator, S2, S)
    ).

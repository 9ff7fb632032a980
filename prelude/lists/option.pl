% Option lists, Name(Value) or Name=Value: the predicates that SWI-Prolog's
% library(option) documents.

:- module(option, [
    option/2,
    option/3,
    select_option/3,
    select_option/4,
    merge_options/3,
    meta_options/3
]).

:- use_module(library(error), [must_be/2]).

:- meta_predicate(meta_options(1, :, -)).

%% option(?Option, +Options)
%
%  True if Option, Name(Value), is in Options. Only the first option with that name counts.
%
%  ?- option(depth(D), [width(80), depth(3)]).
%  D = 3.
%
%  ?- option(depth(D), [width = 80, depth = 3]).
%  D = 3.
%
%  ?- option(color(C), [width(80)]).
%  false.

option(Option, Options) :-
    is_list(Options), !,
    functor(Option, Name, 1),
    functor(Found, Name, 1),
    option_first(Options, Name, Found),
    !,
    Option = Found.
option(Option, Options) :-
    '$no_rule'(option:option(Option, Options)).

%% option(?Option, +Options, +Default)
%
%  Looks up an option like option/2. If Options has no such option, its value is Default.
%
%  ?- option(color(C), [width(80)], red).
%  C = red.

option(Option, Options, Default) :-
    option_checked(Option, Options),
    functor(Option, Name, 1),
    functor(Found, Name, 1),
    arg(1, Option, Value),
    (   option_first(Options, Name, Found)
    ->  Option = Found
    ;   Value = Default
    ).

option_checked(Option, Options) :-
    must_be(list, Options),
    must_be(compound, Option).

option_first([Option|Options], Name, Found) :-
    (   option_named(Option, Name, Found)
    ->  true
    ;   option_first(Options, Name, Found)
    ).

option_named(Option, Name, Found) :-
    nonvar(Option),
    (   Option = (Name1=Value),
        Name1 == Name
    ->  arg(1, Found, Value)
    ;   functor(Option, Name, 1),
        Option = Found
    ).

%% select_option(?Option, +Options, -Rest)
%
%  Looks up an option like option/2. Unifies Rest with the other options.
%
%  ?- select_option(depth(D), [width(80), depth(3)], Rest).
%  D = 3,
%  Rest = [width(80)].

select_option(Option, Options, Rest) :-
    must_be(list, Options),
    functor(Option, Name, 1),
    functor(Found, Name, 1),
    option_select(Options, Name, Found, Rest0),
    !,
    Option = Found,
    Rest = Rest0.

%% select_option(?Option, +Options, -Rest, +Default)
%
%  Looks up an option like option/3. Unifies Rest with the other options.
%
%  ?- select_option(color(C), [width(80)], Rest, red).
%  C = red,
%  Rest = [width(80)].

select_option(Option, Options, Rest, Default) :-
    option_checked(Option, Options),
    functor(Option, Name, 1),
    functor(Found, Name, 1),
    (   option_select(Options, Name, Found, Rest0)
    ->  Option = Found,
        Rest = Rest0
    ;   arg(1, Option, Default),
        Rest = Options
    ).

option_select([Option|Options], Name, Found, Rest) :-
    (   option_named(Option, Name, Found)
    ->  Rest = Options
    ;   Rest = [Option|Rest1],
        option_select(Options, Name, Found, Rest1)
    ).

%% merge_options(+New, +Old, -Merged)
%
%  Unifies Merged with the options of New and those of Old with other names, as Name(Value), sorted by name.
%
%  ?- merge_options([width(80)], [width(72), depth(3)], Options).
%  Options = [depth(3), width(80)].

merge_options(New, Old, Merged) :-
    must_be(list, New),
    must_be(list, Old),
    option_keyed(New, NewPairs),
    option_keyed(Old, OldPairs),
    option_add(OldPairs, NewPairs, All),
    keysort(All, Sorted),
    option_unique(Sorted, Merged).

option_keyed([], []).
option_keyed([Option0|Options], [Name-Option|Pairs]) :-
    (   Option0 = (Name=Value)
    ->  Option =.. [Name,Value]
    ;   functor(Option0, Name, _),
        Option = Option0
    ),
    option_keyed(Options, Pairs).

option_add([], Pairs, Pairs).
option_add([Name-Option|Pairs0], Pairs, All) :-
    (   option_has(Pairs, Name)
    ->  All = All1
    ;   All = [Name-Option|All1]
    ),
    option_add(Pairs0, Pairs, All1).

option_has([Name1-_|Pairs], Name) :-
    (   Name1 == Name
    ->  true
    ;   option_has(Pairs, Name)
    ).

option_unique([], []).
option_unique([Name-Option|Pairs], [Option|Options]) :-
    option_skip(Pairs, Name, Rest),
    option_unique(Rest, Options).

option_skip([Name1-_|Pairs], Name, Rest) :-
    Name1 == Name,
    !,
    option_skip(Pairs, Name, Rest).
option_skip(Rest, _, Rest).

%% meta_options(:IsMeta, :Options0, -Options)
%
%  Unifies Options with Options0 after qualifying values with a module. If call(IsMeta, Name) is true for an
%  option Name(Value) or Name=Value, Value gets the module of Options0.

meta_options(IsMeta, Options0, Options) :-
    strip_module(Options0, Module, Plain),
    must_be(list, Plain),
    option_qualified(Plain, IsMeta, Module, Options).

option_qualified([], _, _, []).
option_qualified([Option0|Options0], IsMeta, Module, [Option|Options]) :-
    (   option_value(Option0, Name, Value),
        call(IsMeta, Name)
    ->  strip_module(Module:Value, ValueModule, Plain),
        Option =.. [Name,ValueModule:Plain]
    ;   Option = Option0
    ),
    option_qualified(Options0, IsMeta, Module, Options).

option_value(Option, Name, Value) :-
    compound(Option),
    (   Option = (Name=Value)
    ->  atom(Name)
    ;   functor(Option, Name, 1),
        arg(1, Option, Value)
    ).

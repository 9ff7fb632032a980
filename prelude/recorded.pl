% Terms kept by key, and flags that count.

:- module(recorded, [
    recorda/2,
    recorda/3,
    recordz/2,
    recordz/3,
    recorded/2,
    recorded/3,
    current_key/1,
    flag/3
]).

:- use_module(library(error), [must_be/2]).

:- dynamic(record/2).
:- dynamic(flag/2).

%% recorda(+Key, +Term), recorda(+Key, +Term, -Reference)
%
%  Keeps a copy of Term, before others of Key. Key is an atom, an integer, or a compound term, of which
%  name and arity count. erase/1 takes the record away.

recorda(Key, Term) :-
    recorda(Key, Term, _).

recorda(Key, Term, Reference) :-
    record_key(Key, Functor),
    must_be(var, Reference),
    asserta(record(Functor, Term), Reference).

%% recordz(+Key, +Term), recordz(+Key, +Term, -Reference)
%
%  The same, after others of Key.

recordz(Key, Term) :-
    recordz(Key, Term, _).

recordz(Key, Term, Reference) :-
    record_key(Key, Functor),
    must_be(var, Reference),
    assertz(record(Functor, Term), Reference).

%% recorded(?Key, ?Term), recorded(?Key, ?Term, ?Reference)
%
%  Term unifies with what is recorded with Key, in order.

recorded(Key, Term) :-
    recorded(Key, Term, _).

recorded(Key, Term, Reference) :-
    (   var(Key)
    ->  clause(record(Functor, Term), true, Reference),
        key_of(Functor, Key)
    ;   record_key(Key, Functor),
        clause(record(Functor, Term), true, Reference)
    ).

%% current_key(?Key)
%
%  Something is recorded with Key, each of which is given once.

current_key(Key) :-
    findall(Functor, record(Functor, _), Functors0),
    sort(Functors0, Functors),
    '$member'(Functor, Functors),
    key_of(Functor, Key).

record_key(Key, Functor) :-
    (   var(Key)
    ->  throw(error(instantiation_error, _))
    ;   compound(Key)
    ->  compound_name_arity(Key, Name, Arity),
        Functor = Name/Arity
    ;   atom(Key)
    ->  Functor = key(Key)
    ;   integer(Key)
    ->  Functor = key(Key)
    ;   throw(error(type_error(key, Key), _))
    ).

key_of(key(Key), Key).
key_of(Name/Arity, Key) :-
    compound_name_arity(Key, Name, Arity).

%% flag(+Key, -Old, +New)
%
%  Old is the number that Key has, 0 at first; from then on it is the value of New.

flag(Key, Old, New) :-
    record_key(Key, Functor),
    (   flag(Functor, Present)
    ->  Old = Present
    ;   Old = 0
    ),
    Value is New,
    retractall(flag(Functor, _)),
    assertz(flag(Functor, Value)).

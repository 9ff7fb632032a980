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

:- use_module(library(terms), [term_factorized/3]).

% A term is kept with the key's name and arity, -1 for a key that is no compound term. Clauses are finite:
% record/4 keeps a cyclic term as a variable, with its skeleton and the equations that close its cycles.
:- dynamic(record/4).

%% recorda(+Key, +Term)
%% recorda(+Key, +Term, -Reference)
%
%  Keeps a copy of Term, before others of Key. Key is an atom, an integer, or a compound term, of which
%  name and arity count. Term may be cyclic. erase/1 takes the record away.
%
%  ?- recordz(queue, a), recordz(queue, b), findall(X, recorded(queue, X), L).
%  L = [a, b].

recorda(Key, Term) :-
    record_key(Key, Name, Arity),
    finite(Term, Kept, Cycles),
    asserta(record(Name, Arity, Kept, Cycles)).

recorda(Key, Term, Reference) :-
    record_key(Key, Name, Arity),
    ( var(Reference) -> true ; throw(error(uninstantiation_error(Reference), _)) ),
    finite(Term, Kept, Cycles),
    asserta(record(Name, Arity, Kept, Cycles), Reference).

%% recordz(+Key, +Term)
%% recordz(+Key, +Term, -Reference)
%
%  The same, after others of Key.

recordz(Key, Term) :-
    record_key(Key, Name, Arity),
    finite(Term, Kept, Cycles),
    assertz(record(Name, Arity, Kept, Cycles)).

recordz(Key, Term, Reference) :-
    record_key(Key, Name, Arity),
    ( var(Reference) -> true ; throw(error(uninstantiation_error(Reference), _)) ),
    finite(Term, Kept, Cycles),
    assertz(record(Name, Arity, Kept, Cycles), Reference).

%% recorded(?Key, ?Term)
%% recorded(?Key, ?Term, ?Reference)
%
%  Term unifies with what is recorded with Key, in order.
%
%  ?- recordz(queue, a), recorded(queue, X).
%  X = a.

recorded(Key, Term) :-
    (   var(Key)
    ->  record(Name, Arity, Term, Cycles),
        close_cycles(Cycles, Term),
        key_of(Arity, Name, Key)
    ;   record_key(Key, Name, Arity),
        record(Name, Arity, Term, Cycles),
        close_cycles(Cycles, Term)
    ).

recorded(Key, Term, Reference) :-
    (   var(Key)
    ->  clause(record(Name, Arity, Term, Cycles), true, Reference),
        close_cycles(Cycles, Term),
        key_of(Arity, Name, Key)
    ;   record_key(Key, Name, Arity),
        clause(record(Name, Arity, Term, Cycles), true, Reference),
        close_cycles(Cycles, Term)
    ).

finite(Term, Kept, Cycles) :-
    (   cyclic_term(Term)
    ->  term_factorized(Term, Skeleton, Equations),
        Cycles = Skeleton-Equations
    ;   Kept = Term,
        Cycles = []
    ).

close_cycles([], _).
close_cycles(Skeleton-Equations, Term) :-
    unify_all(Equations),
    Term = Skeleton.

unify_all([]).
unify_all([Part = Part|Equations]) :-
    unify_all(Equations).

%% current_key(?Key)
%
%  Something is recorded with Key, each of which is given once.
%
%  ?- recordz(color, red), current_key(Key).
%  Key = color.

current_key(Key) :-
    findall(Arity-Name, record(Name, Arity, _, _), Keys0),
    sort(Keys0, Keys),
    '$member'(Arity-Name, Keys),
    key_of(Arity, Name, Key).

record_key(Key, Name, Arity) :-
    (   atom(Key)
    ->  Name = Key,
        Arity = -1
    ;   var(Key)
    ->  throw(error(instantiation_error, _))
    ;   compound(Key)
    ->  compound_name_arity(Key, Name, Arity)
    ;   integer(Key)
    ->  Name = Key,
        Arity = -1
    ;   throw(error(type_error(key, Key), _))
    ).

key_of(Arity, Name, Key) :-
    (   Arity =:= -1
    ->  Key = Name
    ;   compound_name_arity(Key, Name, Arity)
    ).

%% flag(+Key, -Old, +New)
%
%  Old is the number that Key has, 0 at first; from then on it is the value of New.
%
%  ?- flag(hits, N, N + 1), flag(hits, M, M).
%  N = 0,
%  M = 1.

flag(Key, Old, New) :-
    record_key(Key, Name, Arity),
    '$flag'(Name, Arity, Old),
    Value is New,
    '$set_flag'(Name, Arity, Value).

% The library of SWI-Prolog 3.4 to 5.2, where it differs from today's.
%
% A program of that time loads it by :- use_module(library(dialect_swi3)). The
% predicates below then mean in that program what they meant; programs that do
% not load it, and the library itself, are not affected.

:- module(dialect_swi3, [
    last/2,
    concat_atom/2,
    concat_atom/3,
    concat/3,
    int_to_atom/2,
    int_to_atom/3,
    writef/1,
    writef/2,
    writeln/2,
    write_ln/1,
    checklist/2,
    sublist/3,
    merge/3,
    merge_set/3,
    free_variables/2,
    displayq/1,
    flush/0
]).

:- loaders_dialect(swi3).

:- use_module(library(lists), [append/3]).
:- use_module(library(apply), [maplist/2, include/3]).
:- use_module(library(ordsets), [ord_union/3]).
:- use_module(library(writef), [writef/1, writef/2]).

:- meta_predicate(checklist(1, ?)).
:- meta_predicate(sublist(1, ?, ?)).

%% last(?Last, +List)
%
%  True when Last is the last element of List. (Today: last(List, Last).)

last(Last, [X|Xs]) :-
    dialect_last(Xs, X, Last).

dialect_last([], Last, Last).
dialect_last([X|Xs], _, Last) :-
    dialect_last(Xs, X, Last).

%% concat_atom(+List, ?Atom)
%
%  Atom is the concatenation of the atoms and numbers of List. (Today:
%  atomic_list_concat/2.)
%
%  ?- concat_atom([a,1], A).
%  A = a1.

concat_atom(List, Atom) :-
    atomic_list_concat(List, Atom).

%% concat_atom(?List, +Separator, ?Atom)
%
%  As concat_atom/2, with Separator between the elements. With Atom and a
%  Separator that is not empty, List are its parts. (Today:
%  atomic_list_concat/3.)
%
%  ?- concat_atom([a,b], '-', A).
%  A = 'a-b'.

concat_atom(List, Separator, Atom) :-
    atomic_list_concat(List, Separator, Atom).

%% concat(+Atomic1, +Atomic2, ?Atom)
%
%  Atom is the concatenation of Atomic1 and Atomic2. (Today: atomic_concat/3 or
%  atom_concat/3.)

concat(Atomic1, Atomic2, Atom) :-
    atomic_list_concat([Atomic1,Atomic2], Atom).

%% int_to_atom(+Integer, -Atom)
%% int_to_atom(-Integer, +Atom)
%
%  Atom is the decimal notation of Integer. (Today: atom_number/2.)

int_to_atom(Integer, Atom) :-
    (   var(Integer),
        var(Atom)
    ->  throw(error(instantiation_error, _))
    ;   var(Integer)
    ->  atom_codes(Atom, Codes),
        number_codes(Integer, Codes)
    ;   dialect_integer(Integer),
        number_codes(Integer, Codes),
        atom_codes(Atom, Codes)
    ).

%% int_to_atom(+Integer, +Base, -Atom)
%
%  Atom is the notation of Integer in Base, 2 to 36, as in 2'101 (base 10
%  without the prefix). Base 0 takes Integer as a character code: 0'a.

int_to_atom(Integer, Base, Atom) :-
    dialect_integer(Integer),
    dialect_integer(Base),
    (   Base =:= 10
    ->  int_to_atom(Integer, Atom)
    ;   Base =:= 0
    ->  atom_codes(Atom, [0'0,0'\',Integer])
    ;   Base >= 2,
        Base =< 36
    ->  format(atom(Atom), '~w\'~*r', [Base,Base,Integer])
    ;   throw(error(domain_error(radix, Base), _))
    ).

dialect_integer(Integer) :-
    (   integer(Integer)
    ->  true
    ;   var(Integer)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(integer, Integer), _))
    ).

%% writeln(+Format, +Arguments)
%
%  Same as writef/2. A Format that is a list of one atom is written between
%  brackets. With a stream as first argument, writeln/2 of today.

writeln(Format, Arguments) :-
    (   nonvar(Format),
        Format = [Atom],
        atom(Atom)
    ->  write('['),
        writef(Atom, Arguments),
        write(']')
    ;   dialect_stream(Format)
    ->  write(Format, Arguments),
        nl(Format)
    ;   writef(Format, Arguments)
    ).

dialect_stream(Stream) :-
    (   atom(Stream)
    ->  stream_property(_, alias(Stream))
    ;   nonvar(Stream),
        Stream \= [_|_],
        catch(stream_property(Stream, mode(_)), _, fail)
    ),
    !.

%% write_ln(+Term)
%
%  Write Term and a line end. (Today: writeln/1.)

write_ln(Term) :-
    write(Term),
    nl.

%% checklist(:Goal, ?List)
%
%  Goal holds for every element of List. (Today: maplist/2.)

checklist(Goal, List) :-
    maplist(Goal, List).

%% sublist(:Goal, +List, -Sublist)
%
%  Sublist are the elements of List for which Goal holds. (Today: include/3.)
%
%  ?- sublist(integer, [a,1,b,2], L).
%  L = [1, 2].

sublist(Goal, List, Sublist) :-
    include(Goal, List, Sublist).

%% merge(+List1, +List2, -List)
%
%  Merge two sorted lists, keeping duplicates.

merge(List1, List2, List) :-
    append(List1, List2, Both),
    msort(Both, List).

%% merge_set(+Set1, +Set2, -Set)
%
%  Merge two sorted lists without duplicates. (Today: ord_union/3.)

merge_set(Set1, Set2, Set) :-
    ord_union(Set1, Set2, Set).

%% free_variables(+Term, -Variables)
%
%  The variables of Term. (Today: term_variables/2.)
%
%  ?- free_variables(f(X, g(Y), X), Vs).
%  Vs = [X, Y].

free_variables(Term, Variables) :-
    term_variables(Term, Variables).

%% displayq(+Term)
%
%  Write Term quoted and without operators. (Today: write_canonical/1.)

displayq(Term) :-
    write_term(Term, [quoted(true),ignore_ops(true)]).

%% flush
%
%  Flush the current output. (Today: flush_output/0.)

flush :-
    flush_output.

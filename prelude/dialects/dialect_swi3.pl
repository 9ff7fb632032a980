% The library of SWI-Prolog 3.4 to 5.2, where it differs from today's library.
%
% A program written for those versions loads it by :- use_module(library(dialect_swi3)). In that program, the
% predicates below then have their old meaning. Programs that do not load it, and the library itself, are not
% affected.

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
%  True if Last is the last element of List. (Today: last(List, Last).)

last(Last, [X|Xs]) :-
    dialect_last(Xs, X, Last).

dialect_last([], Last, Last).
dialect_last([X|Xs], _, Last) :-
    dialect_last(Xs, X, Last).

%% concat_atom(+List, ?Atom)
%
%  Unifies Atom with the concatenation of the atoms and numbers of List. (Today: atomic_list_concat/2.)
%
%  ?- concat_atom([a,1], A).
%  A = a1.

concat_atom(List, Atom) :-
    atomic_list_concat(List, Atom).

%% concat_atom(?List, +Separator, ?Atom)
%
%  Concatenates like concat_atom/2, with Separator between the elements. If Atom is bound and Separator is not
%  empty, unifies List with the parts of Atom. (Today: atomic_list_concat/3.)
%
%  ?- concat_atom([a,b], '-', A).
%  A = 'a-b'.

concat_atom(List, Separator, Atom) :-
    atomic_list_concat(List, Separator, Atom).

%% concat(+Atomic1, +Atomic2, ?Atom)
%
%  Unifies Atom with the concatenation of Atomic1 and Atomic2. (Today: atomic_concat/3 or atom_concat/3.)

concat(Atomic1, Atomic2, Atom) :-
    atomic_list_concat([Atomic1,Atomic2], Atom).

%% int_to_atom(+Integer, -Atom)
%% int_to_atom(-Integer, +Atom)
%
%  Converts between Integer and its decimal notation Atom. (Today: atom_number/2.)

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
%  Unifies Atom with the notation of Integer in Base, 2 to 36, as in 2'101. Base 10 has no prefix. Base 0 takes
%  Integer as a character code: 0'a.

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
%  Writes like writef/2. Writes a Format that is a list of one atom between brackets. With a stream as first
%  argument, works like today's writeln/2.

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
%  Writes Term and a line end. (Today: writeln/1.)

write_ln(Term) :-
    write(Term),
    nl.

%% checklist(:Goal, ?List)
%
%  True if Goal is true for every element of List. (Today: maplist/2.)

checklist(Goal, List) :-
    maplist(Goal, List).

%% sublist(:Goal, +List, -Sublist)
%
%  Unifies Sublist with the elements of List for which Goal is true. (Today: include/3.)
%
%  ?- sublist(integer, [a,1,b,2], L).
%  L = [1, 2].

sublist(Goal, List, Sublist) :-
    include(Goal, List, Sublist).

%% merge(+List1, +List2, -List)
%
%  Merges two sorted lists and keeps duplicates.

merge(List1, List2, List) :-
    append(List1, List2, Both),
    msort(Both, List).

%% merge_set(+Set1, +Set2, -Set)
%
%  Merges two sorted lists without duplicates. (Today: ord_union/3.)

merge_set(Set1, Set2, Set) :-
    ord_union(Set1, Set2, Set).

%% free_variables(+Term, -Variables)
%
%  Unifies Variables with the variables of Term. (Today: term_variables/2.)
%
%  ?- free_variables(f(X, g(Y), X), Vs).
%  Vs = [X, Y].

free_variables(Term, Variables) :-
    term_variables(Term, Variables).

%% displayq(+Term)
%
%  Writes Term quoted and without operators. (Today: write_canonical/1.)

displayq(Term) :-
    write_term(Term, [quoted(true),ignore_ops(true)]).

%% flush
%
%  Flushes the current output. (Today: flush_output/0.)

flush :-
    flush_output.

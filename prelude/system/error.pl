% Errors and type checks: the predicates that SWI-Prolog's library(error)
% documents. The error terms are those of ISO/IEC 13211-1, 7.12.2.

:- module(error, [
    type_error/2,
    domain_error/2,
    existence_error/2,
    existence_error/3,
    permission_error/3,
    instantiation_error/1,
    uninstantiation_error/1,
    representation_error/1,
    syntax_error/1,
    resource_error/1,
    must_be/2,
    is_of_type/2,
    is_list_or_partial_list/1,
    current_type/3
]).

%% type_error(+Type, +Culprit)
%
%  Raises a type error: Culprit is not of Type.
%
%  ?- type_error(integer, a).
%  error: Type error: `integer' expected, found `a' (an atom) [type_error(integer, a)]

type_error(Type, Culprit) :-
    throw(error(type_error(Type, Culprit), _)).

%% domain_error(+Domain, +Culprit)
%
%  Raises a domain error: Culprit has the right type but not a value of Domain.
%
%  ?- domain_error(positive, -1).
%  error: Domain error: `positive' expected, found `-1' [domain_error(positive, -1)]

domain_error(Domain, Culprit) :-
    throw(error(domain_error(Domain, Culprit), _)).

%% existence_error(+Kind, +Culprit)
%
%  Raises an existence error: the object Culprit of Kind does not exist.
%
%  ?- existence_error(file, 'notes.txt').
%  error: file `notes.txt' does not exist [existence_error(file, 'notes.txt')]

existence_error(Kind, Culprit) :-
    throw(error(existence_error(Kind, Culprit), _)).

%% existence_error(+Kind, +Culprit, +In)
%
%  Raises an existence error like existence_error/2. In is the place of the search.
%
%  ?- existence_error(key, b, [a-1]).
%  error: key `b' does not exist in [a-1] [existence_error(key, b, [a-1])]

existence_error(Kind, Culprit, In) :-
    throw(error(existence_error(Kind, Culprit, In), _)).

%% permission_error(+Action, +Kind, +Culprit)
%
%  Raises a permission error: Action on Culprit, an object of Kind, is not permitted.
%
%  ?- permission_error(modify, static_procedure, foo/1).
%  error: No permission to modify static procedure `foo/1' [permission_error(modify, static_procedure, foo/1)]

permission_error(Action, Kind, Culprit) :-
    throw(error(permission_error(Action, Kind, Culprit), _)).

%% instantiation_error(@Culprit)
%
%  Raises an instantiation error: Culprit is not sufficiently instantiated.
%
%  ?- instantiation_error(_).
%  error: Arguments are not sufficiently instantiated [instantiation_error]

instantiation_error(_) :-
    throw(error(instantiation_error, _)).

%% uninstantiation_error(+Culprit)
%
%  Raises an uninstantiation error: Culprit should have been a variable.
%
%  ?- uninstantiation_error(a).
%  error: Expected a variable, found `a' [uninstantiation_error(a)]

uninstantiation_error(Culprit) :-
    throw(error(uninstantiation_error(Culprit), _)).

%% representation_error(+Flag)
%
%  Raises a representation error: Flag, a limit of the implementation, is exceeded.
%
%  ?- representation_error(max_arity).
%  error: Cannot represent due to `max arity' [representation_error(max_arity)]

representation_error(Flag) :-
    throw(error(representation_error(Flag), _)).

%% syntax_error(+Message)
%
%  Raises a syntax error: a text is not well formed.
%
%  ?- syntax_error(end_of_clause).
%  error: Syntax error: end of clause [syntax_error(end_of_clause)]

syntax_error(Message) :-
    throw(error(syntax_error(Message), _)).

%% resource_error(+Resource)
%
%  Raises a resource error: Resource is exhausted.
%
%  ?- resource_error(memory).
%  error: Not enough resources: memory [resource_error(memory)]

resource_error(Resource) :-
    throw(error(resource_error(Resource), _)).

%% must_be(+Type, @Term)
%
%  True if Term is of Type; raises an error otherwise. The types are those of is_of_type/2. A term that is not
%  sufficiently instantiated raises an instantiation error.
%
%  ?- must_be(positive_integer, 0).
%  error: Type error: `positive_integer' expected, found `0' (an integer) [type_error(positive_integer, 0)]
%
%  ?- must_be(boolean, maybe).
%  error: Type error: `boolean' expected, found `maybe' (an atom) [type_error(boolean, maybe)]
%
%  ?- must_be(list, [a|_]).
%  error: Arguments are not sufficiently instantiated [instantiation_error]

must_be(Type, Term) :-
    (   nonvar(Type),
        error_type(Type, Term)
    ->  true
    ;   error_is_not(Type, Term)
    ).

%% is_of_type(+Type, @Term)
%
%  True if Term is of Type. Types of texts: atom, char, chars, code, codes, string, symbol, text. Types of
%  numbers: between(L, U), float, integer, negative_integer, nonneg, number, positive_integer, rational. Types
%  of lists: list, list(Type), list_or_partial_list. Other types: acyclic, any, atomic, bool, boolean, callable,
%  compound, constant, cyclic, encoding, ground, nonvar, oneof(List), pair, stream, type, var.
%
%  ?- is_of_type(list(integer), [1,2]).
%  true.
%
%  ?- is_of_type(oneof([a,b]), c).
%  false.

is_of_type(Type, Term) :-
    (   nonvar(Type)
    ->  error_type(Type, Term),
        !
    ;   instantiation_error(Type)
    ).

%% is_list_or_partial_list(@Term)
%
%  True if Term is a list, or can become a list by binding its tail.
%
%  ?- is_list_or_partial_list([a|_]).
%  true.

is_list_or_partial_list(Term) :-
    '$skip_list'(Term, Tail),
    (   var(Tail)
    ->  true
    ;   Tail == []
    ).

%% current_type(?Type, @Term, -Body)
%
%  True if Type is a type. Unifies Body with a goal that tests Term. Enumerates the types on backtracking.

current_type(Type, Term, error_type(Type, Term)) :-
    error_known(Type).

error_type(any, _).
error_type(atom, Term) :-
    atom(Term).
error_type(atomic, Term) :-
    atomic(Term).
error_type(between(Low, High), Term) :-
    (   integer(Low),
        integer(High)
    ->  integer(Term)
    ;   number(Term)
    ),
    Term >= Low,
    Term =< High.
error_type(boolean, Term) :-
    error_bool(Term).
error_type(bool, Term) :-
    error_bool(Term).
error_type(callable, Term) :-
    callable(Term).
error_type(char, Term) :-
    atom(Term),
    atom_length(Term, 1).
error_type(chars, Term) :-
    error_type(list(char), Term).
error_type(code, Term) :-
    integer(Term),
    Term >= 0,
    Term =< 0x10ffff.
error_type(codes, Term) :-
    error_type(list(code), Term).
error_type(compound, Term) :-
    compound(Term).
error_type(constant, Term) :-
    atomic(Term).
error_type(cyclic, Term) :-
    \+ acyclic_term(Term).
error_type(acyclic, Term) :-
    acyclic_term(Term).
error_type(encoding, Term) :-
    error_encoding(Term).
error_type(float, Term) :-
    float(Term).
error_type(ground, Term) :-
    ground(Term).
error_type(integer, Term) :-
    integer(Term).
error_type(list, Term) :-
    is_list(Term).
error_type(proper_list, Term) :-
    is_list(Term).
error_type(list(Type), Term) :-
    is_list(Term),
    error_elements(Term, Type).
error_type(list_or_partial_list, Term) :-
    is_list_or_partial_list(Term).
error_type(negative_integer, Term) :-
    integer(Term),
    Term < 0.
error_type(nonneg, Term) :-
    integer(Term),
    Term >= 0.
error_type(nonvar, Term) :-
    nonvar(Term).
error_type(number, Term) :-
    number(Term).
error_type(oneof(List), Term) :-
    is_list(List),
    ground(Term),
    error_member(List, Term).
error_type(pair, Term) :-
    nonvar(Term),
    Term = _-_.
error_type(positive_integer, Term) :-
    integer(Term),
    Term >= 1.
error_type(rational, Term) :-
    integer(Term).
error_type(stream, Term) :-
    error_stream(Term).
error_type(string, Term) :-
    string(Term).
error_type(symbol, Term) :-
    atom(Term).
error_type(text, Term) :-
    (   atom(Term)
    ;   string(Term)
    ;   error_type(chars, Term)
    ;   error_type(codes, Term)
    ),
    !.
error_type(type, Term) :-
    ground(Term),
    error_known(Term).
error_type(var, Term) :-
    var(Term).

error_bool(Term) :-
    (   Term == true
    ->  true
    ;   Term == false
    ).

error_encoding(Term) :-
    atom(Term),
    error_member([octet,ascii,iso_latin_1,text,utf8,unicode_be,unicode_le,
                  utf16be,utf16le,wchar_t], Term).

error_stream(Term) :-
    nonvar(Term),
    catch(stream_property(Term, mode(_)), _, fail),
    !.

error_member([X|Xs], Term) :-
    (   X == Term
    ->  true
    ;   error_member(Xs, Term)
    ).

error_elements([], _).
error_elements([X|Xs], Type) :-
    is_of_type(Type, X),
    error_elements(Xs, Type).

error_known_type(Type) :-
    \+ \+ error_known(Type).

error_known(any).
error_known(atom).
error_known(atomic).
error_known(between(_, _)).
error_known(boolean).
error_known(bool).
error_known(callable).
error_known(char).
error_known(chars).
error_known(code).
error_known(codes).
error_known(compound).
error_known(constant).
error_known(cyclic).
error_known(acyclic).
error_known(encoding).
error_known(float).
error_known(ground).
error_known(integer).
error_known(list).
error_known(proper_list).
error_known(list(_)).
error_known(list_or_partial_list).
error_known(negative_integer).
error_known(nonneg).
error_known(nonvar).
error_known(number).
error_known(oneof(_)).
error_known(pair).
error_known(positive_integer).
error_known(rational).
error_known(stream).
error_known(string).
error_known(symbol).
error_known(text).
error_known(type).
error_known(var).

% Raises the error of a term that is not of a type.

error_is_not(Type, _) :-
    var(Type),
    !,
    instantiation_error(Type).
error_is_not(Type, _) :-
    \+ error_known_type(Type),
    !,
    existence_error(type, Type).
error_is_not(var, Term) :-
    !,
    uninstantiation_error(Term).
error_is_not(list(Type), Term) :-
    !,
    error_not_list_of(Term, Type).
error_is_not(chars, Term) :-
    !,
    error_not_list_of(Term, char).
error_is_not(codes, Term) :-
    !,
    error_not_list_of(Term, code).
error_is_not(list, Term) :-
    !,
    error_not_list(Term, list).
error_is_not(cyclic, Term) :-
    !,
    domain_error(cyclic_term, Term).
error_is_not(acyclic, Term) :-
    !,
    domain_error(acyclic_term, Term).
error_is_not(list_or_partial_list, Term) :-
    !,
    type_error(list, Term).
error_is_not(oneof(List), _) :-
    \+ is_list(List),
    !,
    error_not_list(List, list).
error_is_not(Type, Term) :-
    (   var(Term)
    ->  instantiation_error(Term)
    ;   error_ground_type(Type),
        \+ ground(Term)
    ->  instantiation_error(Term)
    ;   type_error(Type, Term)
    ).

% The types whose terms are ground.

error_ground_type(ground).
error_ground_type(oneof(_)).
error_ground_type(stream).
error_ground_type(text).
error_ground_type(string).
error_ground_type(rational).

error_not_list(Term, Type) :-
    (   is_list_or_partial_list(Term)
    ->  instantiation_error(Term)
    ;   type_error(Type, Term)
    ).

error_not_list_of(Term, Type) :-
    (   is_list(Term)
    ->  error_not_element(Term, Type)
    ;   error_not_list(Term, list(Type))
    ).

error_not_element([X|Xs], Type) :-
    must_be(Type, X),
    error_not_element(Xs, Type).

% Grammar rules: the translation of Head --> Body into clauses, and phrase/2,3.
% After the ISO draft for definite clause grammars (ISO/IEC DTR 13211-3) and
% SWI-Prolog's documentation.

:- module(dcg, [
    dcg_translate_rule/2,
    phrase/2,
    phrase/3
]).

:- use_module(library(lists), [append/3]).

:- meta_predicate(phrase(//, ?)).
:- meta_predicate(phrase(//, ?, ?)).

%% dcg_translate_rule(+Rule, -Clause)
%
%  Clause is the clause that the grammar rule Rule stands for. Rule is
%  (Head --> Body) or (Head, Pushback --> Body), Pushback being a list. In Body:
%
%    N              a non-terminal, a callable term
%    [T1, ...]      terminals; "abc" is the list of its codes or characters
%    (A, B)         A followed by B
%    (A ; B) (A | B)  A or B
%    (A -> B) (A *-> B)  the conditions of Prolog
%    \+ A           A cannot be parsed here; nothing is consumed
%    {Goal}         Goal is called
%    !              the cut
%    call(G, ...)   G is called with the two lists as further arguments

dcg_translate_rule((Head --> Body), Clause) :-
    dcg_rule(Head, Body, Clause).

dcg_rule(Head, _, _) :-
    var(Head),
    !,
    throw(error(instantiation_error, _)).
dcg_rule((Head, Pushback), Body, (Head1 :- Body1, Terminals)) :-
    !,
    dcg_head(Head, S0, S, Head1),
    dcg_body(Body, S0, S1, Body1),
    dcg_pushback(Pushback, S, S1, Terminals).
dcg_rule(Head, Body, (Head1 :- Body1)) :-
    dcg_head(Head, S0, S, Head1),
    dcg_body(Body, S0, S, Body1).

dcg_head(Head, _, _, _) :-
    var(Head),
    !,
    throw(error(instantiation_error, _)).
dcg_head(Module:Head, S0, S, Module:Head1) :-
    !,
    dcg_head(Head, S0, S, Head1).
dcg_head(Head, S0, S, Head1) :-
    (   callable(Head)
    ->  true
    ;   throw(error(type_error(callable, Head), _))
    ),
    (   dcg_construct(Head)
    ->  throw(error(permission_error(define, dcg_nonterminal, Head), _))
    ;   dcg_extend(Head, S0, S, Head1)
    ).

dcg_pushback(Pushback, _, _, _) :-
    var(Pushback),
    !,
    throw(error(instantiation_error, _)).
dcg_pushback(Pushback, S0, S, Terminals) :-
    (   dcg_text(Pushback, Codes)
    ->  dcg_terminals(Codes, S0, S, Terminals)
    ;   dcg_is_list(Pushback)
    ->  dcg_terminals(Pushback, S0, S, Terminals)
    ;   throw(error(type_error(list, Pushback), _))
    ).

% dcg_construct(+Body): Body has a meaning of its own, or is a list.

dcg_construct([]).
dcg_construct([_|_]).
dcg_construct((_, _)).
dcg_construct((_ ; _)).
dcg_construct((_ | _)).
dcg_construct((_ -> _)).
dcg_construct((_ *-> _)).
dcg_construct(\+ _).
dcg_construct({}(_)).
dcg_construct({}).
dcg_construct(!).

dcg_is_list([]).
dcg_is_list([_|_]).

% A string as the list that it stands for.

dcg_text(Text, Codes) :-
    string(Text),
    string_codes(Text, Codes).

% dcg_extend(+Term, +S0, +S, -Goal): two more arguments.

dcg_extend(Term, S0, S, Goal) :-
    Term =.. List0,
    append(List0, [S0,S], List),
    Goal =.. List.

% dcg_body(+Body, ?S0, ?S, -Goal): Goal parses Body from S0 to S.

dcg_body(Var, S0, S, phrase(Var, S0, S)) :-
    var(Var),
    !.
dcg_body(Module:Body, S0, S, Goal) :-
    !,
    dcg_qualified(Body, Module, S0, S, Goal).
dcg_body((A, B), S0, S, (A1, B1)) :-
    !,
    dcg_body(A, S0, S1, A1),
    dcg_body(B, S1, S, B1).
dcg_body((A ; B), S0, S, (A1 ; B1)) :-
    !,
    dcg_body(A, S0, S, A1),
    dcg_body(B, S0, S, B1).
dcg_body((A | B), S0, S, (A1 ; B1)) :-
    !,
    dcg_body(A, S0, S, A1),
    dcg_body(B, S0, S, B1).
dcg_body((A -> B), S0, S, (A1 -> B1)) :-
    !,
    dcg_body(A, S0, S1, A1),
    dcg_body(B, S1, S, B1).
dcg_body((A *-> B), S0, S, (A1 *-> B1)) :-
    !,
    dcg_body(A, S0, S1, A1),
    dcg_body(B, S1, S, B1).
dcg_body(\+ A, S0, S, (\+ A1, S = S0)) :-
    !,
    dcg_body(A, S0, _, A1).
dcg_body(!, S0, S, (!, S = S0)) :-
    !.
dcg_body({}, S0, S, S = S0) :-
    !.
dcg_body({Goal}, S0, S, (Goal, S = S0)) :-
    !.
dcg_body(call(G), S0, S, call(G, S0, S)) :-
    !.
dcg_body([], S0, S, S0 = S) :-
    !.
dcg_body([T|Ts], S0, S, Goal) :-
    !,
    dcg_terminals([T|Ts], S0, S, Goal).
dcg_body(Text, S0, S, Goal) :-
    dcg_text(Text, Codes),
    !,
    dcg_terminals(Codes, S0, S, Goal).
dcg_body(Body, S0, S, Goal) :-
    (   callable(Body)
    ->  dcg_extend(Body, S0, S, Goal)
    ;   throw(error(type_error(callable, Body), _))
    ).

dcg_qualified(Body, Module, S0, S, Goal) :-
    (   var(Body)
    ->  Goal = phrase(Module:Body, S0, S)
    ;   Body = Module1:Body1
    ->  dcg_qualified(Body1, Module1, S0, S, Goal)
    ;   dcg_body(Body, S0, S, Goal0),
        Goal = Module:Goal0
    ).

% dcg_terminals(+Terminals, ?S0, ?S, -Goal)

dcg_terminals(Terminals, S0, S, Goal) :-
    dcg_join(Terminals, S, List, Tail),
    (   Tail == end
    ->  Goal = (S0 = List)
    ;   var(Tail)
    ->  Goal = lists:append(Terminals, S, S0)
    ;   throw(error(type_error(list_or_partial_list, Terminals), _))
    ).

dcg_join(Terminals, S, List, Tail) :-
    (   var(Terminals)
    ->  Tail = Terminals
    ;   Terminals = [T|Ts]
    ->  List = [T|List1],
        dcg_join(Ts, S, List1, Tail)
    ;   Terminals == []
    ->  List = S,
        Tail = end
    ;   Tail = Terminals
    ).

%% phrase(:Body, ?List)
%
%  Same as phrase(Body, List, []).

phrase(Body, List) :-
    phrase(Body, List, []).

%% phrase(:Body, ?List, ?Rest)
%
%  True when the grammar body Body parses List up to Rest. Body may be any body of
%  a grammar rule; a cut in it is local to it.

phrase(Body, List, Rest) :-
    dcg_strip(Body, user, Module, Plain),
    (   var(Plain)
    ->  throw(error(instantiation_error, _))
    ;   true
    ),
    dcg_check_list(List),
    dcg_check_list(Rest),
    dcg_body(Plain, S0, S, Goal),
    S0 = List,
    S = Rest,
    call(Module:Goal).

dcg_strip(Body, Module0, Module, Plain) :-
    (   nonvar(Body),
        Body = Module1:Body1,
        atom(Module1)
    ->  dcg_strip(Body1, Module1, Module, Plain)
    ;   Module = Module0,
        Plain = Body
    ).

dcg_check_list(List) :-
    (   dcg_may_be_list(List)
    ->  true
    ;   throw(error(type_error(list, List), _))
    ).

dcg_may_be_list(List) :-
    (   var(List)
    ->  true
    ;   List = [_|_]
    ->  true
    ;   List == []
    ).

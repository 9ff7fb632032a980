% Lambda expressions, as SWI-Prolog's library(yall) documents them:
%
%      Parameters>>Goal
%      {Shared}/Parameters>>Goal
%      {Shared}/Goal
%
% A call copies Parameters>>Goal, unifies the parameters with the arguments in order, and calls Goal with the
% remaining arguments. The copy does not rename the variables in Shared: they are those of the context.
%
% If a clause of a text passes such an expression to a system predicate that calls it, loading makes it a
% predicate: see expand.pl.

:- module(yall, [
    (>>)/2,
    (>>)/3,
    (>>)/4,
    (>>)/5,
    (>>)/6,
    (>>)/7,
    (>>)/8,
    (>>)/9,
    (/)/2,
    (/)/3,
    (/)/4,
    (/)/5,
    (/)/6,
    (/)/7,
    (/)/8,
    (/)/9
]).

:- meta_predicate('>>'(?, 0)).
:- meta_predicate('>>'(?, 1, ?)).
:- meta_predicate('>>'(?, 2, ?, ?)).
:- meta_predicate('>>'(?, 3, ?, ?, ?)).
:- meta_predicate('>>'(?, 4, ?, ?, ?, ?)).
:- meta_predicate('>>'(?, 5, ?, ?, ?, ?, ?)).
:- meta_predicate('>>'(?, 6, ?, ?, ?, ?, ?, ?)).
:- meta_predicate('>>'(?, 7, ?, ?, ?, ?, ?, ?, ?)).
:- meta_predicate('/'(?, 0)).
:- meta_predicate('/'(?, 1, ?)).
:- meta_predicate('/'(?, 2, ?, ?)).
:- meta_predicate('/'(?, 3, ?, ?, ?)).
:- meta_predicate('/'(?, 4, ?, ?, ?, ?)).
:- meta_predicate('/'(?, 5, ?, ?, ?, ?, ?)).
:- meta_predicate('/'(?, 6, ?, ?, ?, ?, ?, ?)).
:- meta_predicate('/'(?, 7, ?, ?, ?, ?, ?, ?, ?)).

:- use_module(library(error), [must_be/2, instantiation_error/1, type_error/2, domain_error/2]).

%% >>(?Parameters, :Goal, ?Argument...)
%
%  Calls a copy of Goal with the parameters unified with the arguments. Parameters is a list, or {Shared}/List.
%
%  ?- maplist([X,Y]>>(Y is X * 2), [1,2,3], L).
%  L = [2, 4, 6].
%
%  ?- maplist([X]>>(X > 1), [1,2,3]).
%  false.

'>>'(Parameters, Lambda) :-
    yall_bind(Parameters, Lambda, [], Rest, Goal),
    yall_call(Rest, Goal).

'>>'(Parameters, Lambda, A1) :-
    yall_bind(Parameters, Lambda, [A1], Rest, Goal),
    yall_call(Rest, Goal).

'>>'(Parameters, Lambda, A1, A2) :-
    yall_bind(Parameters, Lambda, [A1, A2], Rest, Goal),
    yall_call(Rest, Goal).

'>>'(Parameters, Lambda, A1, A2, A3) :-
    yall_bind(Parameters, Lambda, [A1, A2, A3], Rest, Goal),
    yall_call(Rest, Goal).

'>>'(Parameters, Lambda, A1, A2, A3, A4) :-
    yall_bind(Parameters, Lambda, [A1, A2, A3, A4], Rest, Goal),
    yall_call(Rest, Goal).

'>>'(Parameters, Lambda, A1, A2, A3, A4, A5) :-
    yall_bind(Parameters, Lambda, [A1, A2, A3, A4, A5], Rest, Goal),
    yall_call(Rest, Goal).

'>>'(Parameters, Lambda, A1, A2, A3, A4, A5, A6) :-
    yall_bind(Parameters, Lambda, [A1, A2, A3, A4, A5, A6], Rest, Goal),
    yall_call(Rest, Goal).

'>>'(Parameters, Lambda, A1, A2, A3, A4, A5, A6, A7) :-
    yall_bind(Parameters, Lambda, [A1, A2, A3, A4, A5, A6, A7], Rest, Goal),
    yall_call(Rest, Goal).

%% /(+Shared, :Lambda, ?Argument...)
%
%  Calls a copy of Lambda that shares the variables in Shared, {Variable, ...}, with the context.
%
%  ?- F = 10, maplist({F}/[X,Y]>>(Y is X * F), [1,2,3], L).
%  F = 10,
%  L = [10, 20, 30].

'/'(Shared, Lambda) :-
    yall_shared(Shared),
    copy_term_nat(Shared/Lambda, Shared/Goal),
    call(Goal).

'/'(Shared, Lambda, A1) :-
    yall_shared(Shared),
    copy_term_nat(Shared/Lambda, Shared/Goal),
    call(Goal, A1).

'/'(Shared, Lambda, A1, A2) :-
    yall_shared(Shared),
    copy_term_nat(Shared/Lambda, Shared/Goal),
    call(Goal, A1, A2).

'/'(Shared, Lambda, A1, A2, A3) :-
    yall_shared(Shared),
    copy_term_nat(Shared/Lambda, Shared/Goal),
    call(Goal, A1, A2, A3).

'/'(Shared, Lambda, A1, A2, A3, A4) :-
    yall_shared(Shared),
    copy_term_nat(Shared/Lambda, Shared/Goal),
    call(Goal, A1, A2, A3, A4).

'/'(Shared, Lambda, A1, A2, A3, A4, A5) :-
    yall_shared(Shared),
    copy_term_nat(Shared/Lambda, Shared/Goal),
    call(Goal, A1, A2, A3, A4, A5).

'/'(Shared, Lambda, A1, A2, A3, A4, A5, A6) :-
    yall_shared(Shared),
    copy_term_nat(Shared/Lambda, Shared/Goal),
    call(Goal, A1, A2, A3, A4, A5, A6).

'/'(Shared, Lambda, A1, A2, A3, A4, A5, A6, A7) :-
    yall_shared(Shared),
    copy_term_nat(Shared/Lambda, Shared/Goal),
    call(Goal, A1, A2, A3, A4, A5, A6, A7).

yall_bind(Parameters, _, _, _, _) :-
    var(Parameters), !,
    instantiation_error(Parameters).
yall_bind(Shared/Parameters, Lambda, Arguments, Rest, Goal) :- !,
    yall_shared(Shared),
    must_be(list, Parameters),
    copy_term_nat(Shared/Parameters>>Lambda, Shared/Own>>Goal),
    yall_unify(Own, Arguments, Rest, Shared/Parameters>>Lambda).
yall_bind(Parameters, Lambda, Arguments, Rest, Goal) :-
    must_be(list, Parameters),
    copy_term_nat(Parameters>>Lambda, Own>>Goal),
    yall_unify(Own, Arguments, Rest, Parameters>>Lambda).

yall_unify([], Rest, Rest, _).
yall_unify([Parameter|Parameters], Arguments, Rest, Culprit) :-
    yall_unify(Arguments, Parameter, Parameters, Rest, Culprit).

yall_unify([], _, _, _, Culprit) :-
    domain_error(lambda_parameters, Culprit).
yall_unify([Argument|Arguments], Argument, Parameters, Rest, Culprit) :-
    yall_unify(Parameters, Arguments, Rest, Culprit).

yall_call([], Goal) :- call(Goal).
yall_call([A|As], Goal) :- yall_call(As, A, Goal).

yall_call([], A, Goal) :- call(Goal, A).
yall_call([B|Bs], A, Goal) :-
    Call =.. [call, Goal, A, B|Bs],
    call(Call).

yall_shared(Shared) :-
    (   var(Shared)
    ->  instantiation_error(Shared)
    ;   Shared = {_}
    ->  true
    ;   Shared == {}
    ->  true
    ;   type_error(lambda_free, Shared)
    ).

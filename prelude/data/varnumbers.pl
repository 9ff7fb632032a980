% Conversion between terms '$VAR'(N) and variables: the predicates of SWI-Prolog's library(varnumbers).

:- module(varnumbers, [
    numbervars/1,
    varnumbers/2,
    varnumbers/3,
    max_var_number/3,
    varnumbers_names/3
]).

%% numbervars(+Term)
%
%  Binds variables like numbervars(Term, 0, _).
%
%  ?- T = f(X, Y), numbervars(T).
%  T = f('$VAR'(0), '$VAR'(1)),
%  X = '$VAR'(0),
%  Y = '$VAR'(1).

numbervars(Term) :-
    numbervars(Term, 0, _).

%% varnumbers(+Term, -Copy)
%
%  Unifies Copy with Term after replacing each term '$VAR'(N), with an integer N from 0 on, by a variable. The
%  same N gives the same variable.
%
%  ?- varnumbers(f('$VAR'(0), '$VAR'(1), '$VAR'(0)), T).
%  T = f(_A, _, _A).

varnumbers(Term, Copy) :-
    varnumbers(Term, 0, Copy).

%% varnumbers(+Term, +Start, -Copy)
%
%  Replaces like varnumbers/2, for numbers from Start on.

varnumbers(Term, Start, Copy) :-
    must_be(integer, Start),
    must_be(acyclic, Term),
    empty_assoc(Vars),
    varnumbers_term(Term, number(Start), Copy, Vars, _).

%% varnumbers_names(+Term, -Copy, -Names)
%
%  Replaces like varnumbers/2, and also replaces '$VAR'(Name) with an atom Name. Unifies Names with a list of
%  Name = Variable and N = Variable.
%
%  ?- varnumbers_names(f('$VAR'('X'), '$VAR'('Y')), T, Names).
%  T = f(_A, _B),
%  Names = ['X'=_A, 'Y'=_B].

varnumbers_names(Term, Copy, Names) :-
    must_be(acyclic, Term),
    empty_assoc(None),
    varnumbers_term(Term, name, Copy, None, Vars),
    assoc_to_list(Vars, Pairs),
    varnumbers_bindings(Pairs, Names).

varnumbers_bindings([], []).
varnumbers_bindings([Name-Var|Pairs], [Name=Var|Names]) :-
    varnumbers_bindings(Pairs, Names).

varnumbers_term(Term, How, Copy, Vars0, Vars) :-
    (   \+ compound(Term)
    ->  Copy = Term,
        Vars = Vars0
    ;   Term = '$VAR'(Key),
        varnumbers_fits(How, Key)
    ->  (   get_assoc(Key, Vars0, Var)
        ->  Copy = Var,
            Vars = Vars0
        ;   put_assoc(Key, Vars0, Copy, Vars)
        )
    ;   compound_name_arguments(Term, Name, Args0),
        varnumbers_terms(Args0, How, Args, Vars0, Vars),
        compound_name_arguments(Copy0, Name, Args),
        Copy = Copy0
    ).

varnumbers_fits(number(Start), Key) :- integer(Key), Key >= Start.
varnumbers_fits(name, Key) :- ( atom(Key) -> true ; integer(Key), Key >= 0 ).

varnumbers_terms([], _, [], Vars, Vars).
varnumbers_terms([Term|Terms], How, [Copy|Copies], Vars0, Vars) :-
    varnumbers_term(Term, How, Copy, Vars0, Vars1),
    varnumbers_terms(Terms, How, Copies, Vars1, Vars).

%% max_var_number(+Term, +Start, -Max)
%
%  Unifies Max with the greatest N of the terms '$VAR'(N) in Term, but at least Start.
%
%  ?- max_var_number(f('$VAR'(3), '$VAR'(1)), 0, Max).
%  Max = 3.

max_var_number(Term, Start, Max) :-
    must_be(acyclic, Term),
    varnumbers_max([Term], Start, Max).

varnumbers_max([], Max, Max).
varnumbers_max([Term|Terms], Max0, Max) :-
    (   \+ compound(Term)
    ->  varnumbers_max(Terms, Max0, Max)
    ;   Term = '$VAR'(N),
        integer(N)
    ->  Max1 is max(Max0, N),
        varnumbers_max(Terms, Max1, Max)
    ;   compound_name_arguments(Term, _, Args),
        varnumbers_max(Args, Max0, Max1),
        varnumbers_max(Terms, Max1, Max)
    ).

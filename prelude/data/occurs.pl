% Occurrences of subterms, and replacement of subterms: the predicates that SWI-Prolog's library(occurs) and
% library(terms) document.

:- module(occurs, [
    sub_term/2,
    occurrences_of_term/3,
    occurrences_of_var/3,
    contains_term/2,
    contains_var/2,
    free_of_term/2,
    free_of_var/2,
    term_singletons/2,
    numbervars/4,
    subsumes_chk/2,
    subsumes/2,
    variant/2,
    mapargs/3,
    mapsubterms/3,
    foldsubterms/4
]).

:- use_module(library(error), [must_be/2]).
:- use_module(library(option), [option/3]).

:- meta_predicate(mapargs(2, ?, ?)).
:- meta_predicate(mapsubterms(2, ?, ?)).
:- meta_predicate(foldsubterms(3, +, +, -)).

%% sub_term(-Sub, +Term)
%
%  True if Sub is Term or a part of it. Enumerates all parts on backtracking, first Term itself.
%
%  ?- findall(S, sub_term(S, f(a, g(b))), L).
%  L = [f(a, g(b)), a, g(b), b].

sub_term(Term, Term).
sub_term(Sub, Term) :-
    compound(Term),
    arg(_, Term, Arg),
    sub_term(Sub, Arg).

%% contains_term(+Sub, +Term)
%
%  Unifies Sub with Term, or with the first part of Term that unifies with Sub.
%
%  ?- contains_term(g(_), f(g(a))).
%  true.

contains_term(Sub, Term) :-
    sub_term(Sub, Term), !.

%% contains_var(+Sub, +Term)
%
%  True if Term, or a part of it, is identical to Sub.
%
%  ?- contains_var(X, f(X)).
%  true.

contains_var(Sub, Term) :-
    \+ free_of_var(Sub, Term).

%% free_of_term(+Sub, +Term)
%
%  True if neither Term nor a part of it unifies with Sub.
%
%  ?- free_of_term(a, f(b, c)).
%  true.

free_of_term(Sub, Term) :-
    \+ ( sub_term(Part, Term), \+ Sub \= Part ).

%% free_of_var(+Sub, +Term)
%
%  True if neither Term nor a part of it is identical to Sub.
%
%  ?- free_of_var(X, f(Y)).
%  true.

free_of_var(Sub, Term) :-
    \+ ( sub_term(Part, Term), Sub == Part ).

%% occurrences_of_term(+Sub, +Term, ?Count)
%
%  Unifies Count with the number of parts of Term, including Term itself, that unify with Sub.
%
%  ?- occurrences_of_term(a, f(a, g(a), b), N).
%  N = 2.

occurrences_of_term(Sub, Term, Count) :-
    '$count'(( sub_term(Part, Term), \+ Sub \= Part ), Count).

%% occurrences_of_var(+Sub, +Term, ?Count)
%
%  Unifies Count with the number of parts of Term, including Term itself, that are identical to Sub.
%
%  ?- occurrences_of_var(X, f(X, Y, X), N).
%  N = 2.

occurrences_of_var(Sub, Term, Count) :-
    aggregate_all(count, ( sub_term(Part, Term), Sub == Part ), Count).

%% subsumes_chk(@General, @Specific)
%
%  True if General subsumes Specific, like subsumes_term/2.
%
%  ?- subsumes_chk(f(_), f(a)).
%  true.

subsumes_chk(General, Specific) :-
    subsumes_term(General, Specific).

%% subsumes(+General, @Specific)
%
%  Unifies General with Specific if that binds no variable of Specific, else fails.
%
%  ?- subsumes(f(X, Y), f(a, b)).
%  X = a,
%  Y = b.

subsumes(General, Specific) :-
    subsumes_term(General, Specific),
    General = Specific.

%% variant(@Term1, @Term2)
%
%  True if the two terms are variants, like =@=.
%
%  ?- variant(f(X, Y), f(Y, X)).
%  true.

variant(Term1, Term2) :-
    Term1 =@= Term2.

%% mapargs(:Goal, ?Term1, ?Term2)
%
%  True if the terms have the same functor and Goal is true for each pair of their arguments.
%
%  ?- mapargs(succ, f(1, 2), T).
%  T = f(2, 3).

mapargs(Goal, Term1, Term2) :-
    (   compound(Term1)
    ->  compound_name_arity(Term1, Name, Arity),
        compound_name_arity(Term, Name, Arity),
        Term2 = Term
    ;   compound(Term2)
    ->  compound_name_arity(Term2, Name, Arity),
        compound_name_arity(Term, Name, Arity),
        Term1 = Term
    ;   var(Term1),
        var(Term2)
    ->  throw(error(instantiation_error, _))
    ;   Term1 = Term2,
        Arity = 0
    ),
    mapargs(1, Arity, Goal, Term1, Term2).

mapargs(N, Arity, Goal, Term1, Term2) :-
    (   N =< Arity
    ->  arg(N, Term1, Arg1),
        arg(N, Term2, Arg2),
        call(Goal, Arg1, Arg2),
        N1 is N + 1,
        mapargs(N1, Arity, Goal, Term1, Term2)
    ;   true
    ).

%% mapsubterms(:Goal, +Term1, -Term2)
%
%  Unifies Term2 with Term1 after replacing the outermost parts for which Goal is true. call(Goal, Part, New)
%  replaces Part by New. Parts of New are not visited.
%
%  ?- mapsubterms([a,b]>>true, f(a, g(a)), T).
%  T = f(b, g(b)).

mapsubterms(Goal, Term1, Term2) :-
    (   var(Term1)
    ->  Term2 = Term1
    ;   call(Goal, Term1, Term)
    ->  Term2 = Term
    ;   compound(Term1)
    ->  compound_name_arity(Term1, Name, Arity),
        compound_name_arity(Term, Name, Arity),
        Term2 = Term,
        mapargs(1, Arity, mapsubterms(Goal), Term1, Term2)
    ;   Term2 = Term1
    ).

%% foldsubterms(:Goal, +Term, +State0, -State)
%
%  Calls Goal with each part of Term, a state and the next state, outermost parts first. Skips the parts of a
%  term for which Goal is true. Variables count as parts.
%
%  ?- foldsubterms([X,S0,S]>>( integer(X), S is S0 + X ), f(1, g(2, 3)), 0, Sum).
%  Sum = 6.

foldsubterms(Goal, Term, State0, State) :-
    (   call(Goal, Term, State0, State1)
    ->  State = State1
    ;   compound(Term)
    ->  compound_name_arity(Term, _, Arity),
        foldsubterms(1, Arity, Goal, Term, State0, State)
    ;   State = State0
    ).

foldsubterms(N, Arity, Goal, Term, State0, State) :-
    (   N =< Arity
    ->  arg(N, Term, Arg),
        foldsubterms(Goal, Arg, State0, State1),
        N1 is N + 1,
        foldsubterms(N1, Arity, Goal, Term, State1, State)
    ;   State = State0
    ).

%% term_singletons(+Term, -Vars)
%
%  Unifies Vars with the variables that occur once in Term, in the order of their occurrence.
%
%  ?- term_singletons(f(X, Y, X), Vs).
%  Vs = [Y].

term_singletons(Term, Vars) :-
    must_be(acyclic, Term),
    term_variables(Term, All),
    copy_term_nat(Term-All, Copy-Marks),
    occurs_mark(Copy),
    occurs_once(Marks, All, Vars).

% In a copy, binds each variable at its first occurrence to a mark. Another occurrence binds the argument of the
% mark.

occurs_mark(Term) :-
    (   var(Term)
    ->  Term = '$occurs_mark'(_)
    ;   Term = '$occurs_mark'(Again)
    ->  Again = yes
    ;   compound(Term)
    ->  compound_name_arity(Term, _, Arity),
        occurs_mark(1, Arity, Term)
    ;   true
    ).

occurs_mark(N, Arity, Term) :-
    (   N < Arity
    ->  arg(N, Term, Arg),
        occurs_mark(Arg),
        N1 is N + 1,
        occurs_mark(N1, Arity, Term)
    ;   N =:= Arity
    ->  arg(N, Term, Arg),
        occurs_mark(Arg)
    ;   true
    ).

occurs_once([], [], []).
occurs_once(['$occurs_mark'(Again)|Marks], [Var|All], Vars) :-
    (   var(Again)
    ->  Vars = [Var|Vars1]
    ;   Vars = Vars1
    ),
    occurs_once(Marks, All, Vars1).

%% numbervars(+Term, +Start, -End, +Options)
%
%  Binds the variables of Term like numbervars/3. Options: singletons(true) binds variables that occur once to
%  '$VAR'('_'). attvar(Action) says how to treat attributed variables: bind, skip, or error, the default.
%  functor_name(Name) uses Name instead of '$VAR'.
%
%  ?- T = f(X, Y), numbervars(T, 3, End, []).
%  T = f('$VAR'(3), '$VAR'(4)),
%  X = '$VAR'(3),
%  Y = '$VAR'(4),
%  End = 5.

numbervars(Term, Start, End, Options) :-
    must_be(integer, Start),
    option(functor_name(Name), Options, '$VAR'),
    option(attvar(Action), Options, error),
    option(singletons(Once), Options, false),
    must_be(atom, Name),
    must_be(boolean, Once),
    must_be(oneof([bind,skip,error]), Action),
    occurs_attributed(Action, Term),
    (   Once == true
    ->  term_singletons(Term, Singletons),
        Blank =.. [Name,'_'],
        occurs_name_once(Singletons, Action, Blank)
    ;   true
    ),
    term_variables(Term, Vars),
    occurs_number(Vars, Action, Name, Start, End).

occurs_attributed(Action, Term) :-
    (   Action == error,
        term_attvars(Term, [_|_])
    ->  throw(error(type_error(free_of_attvar, Term), _))
    ;   true
    ).

occurs_name_once([], _, _).
occurs_name_once([Var|Vars], Action, Blank) :-
    (   Action == skip,
        attvar(Var)
    ->  true
    ;   occurs_bind(Var, Blank)
    ),
    occurs_name_once(Vars, Action, Blank).

occurs_number([], _, _, End, End).
occurs_number([Var|Vars], Action, Name, N, End) :-
    (   Action == skip,
        attvar(Var)
    ->  N1 = N
    ;   Numbered =.. [Name,N],
        occurs_bind(Var, Numbered),
        N1 is N + 1
    ),
    occurs_number(Vars, Action, Name, N1, End).

% Removes attributes first, so that no hook runs.

occurs_bind(Var, Term) :-
    (   attvar(Var)
    ->  del_attrs(Var)
    ;   true
    ),
    Var = Term.

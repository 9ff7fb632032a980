% What occurs in terms, and terms of which parts are replaced: the predicates that SWI-Prolog's
% library(occurs) and library(terms) document.

:- module(occurs, [
    sub_term/2,
    occurrences_of_term/3,
    occurrences_of_var/3,
    contains_term/2,
    contains_var/2,
    free_of_term/2,
    free_of_var/2,
    subsumes_chk/2,
    subsumes/2,
    variant/2,
    mapargs/3,
    mapsubterms/3,
    foldsubterms/4
]).

:- meta_predicate(mapargs(2, ?, ?)).
:- meta_predicate(mapsubterms(2, ?, ?)).
:- meta_predicate(foldsubterms(3, +, +, -)).

%% sub_term(-Sub, +Term)
%
%  Sub is Term or a part of it; all of them are given, the whole first.

sub_term(Term, Term).
sub_term(Sub, Term) :-
    compound(Term),
    arg(_, Term, Arg),
    sub_term(Sub, Arg).

%% contains_term(+Sub, +Term)
%
%  Term, or a part of it, unifies with Sub. Nothing is bound.

contains_term(Sub, Term) :-
    \+ free_of_term(Sub, Term).

%% contains_var(+Sub, +Term)
%
%  Term, or a part of it, is identical to Sub.

contains_var(Sub, Term) :-
    \+ free_of_var(Sub, Term).

%% free_of_term(+Sub, +Term)
%
%  Neither Term nor a part of it unifies with Sub.

free_of_term(Sub, Term) :-
    \+ ( sub_term(Part, Term), \+ Sub \= Part ).

%% free_of_var(+Sub, +Term)
%
%  Neither Term nor a part of it is identical to Sub.

free_of_var(Sub, Term) :-
    \+ ( sub_term(Part, Term), Sub == Part ).

%% occurrences_of_term(+Sub, +Term, ?Count)
%
%  Count parts of Term are instances of Sub.

occurrences_of_term(Sub, Term, Count) :-
    aggregate_all(count, ( sub_term(Part, Term), subsumes_term(Sub, Part) ), Count).

%% occurrences_of_var(+Sub, +Term, ?Count)
%
%  Count parts of Term are identical to Sub.

occurrences_of_var(Sub, Term, Count) :-
    aggregate_all(count, ( sub_term(Part, Term), Sub == Part ), Count).

%% subsumes_chk(@General, @Specific)
%
%  As subsumes_term/2.

subsumes_chk(General, Specific) :-
    subsumes_term(General, Specific).

%% subsumes(+General, @Specific)
%
%  Unifies General with Specific if that binds no variable of Specific.

subsumes(General, Specific) :-
    subsumes_term(General, Specific),
    General = Specific.

%% variant(@Term1, @Term2)
%
%  As =@=.

variant(Term1, Term2) :-
    Term1 =@= Term2.

%% mapargs(:Goal, ?Term1, ?Term2)
%
%  The terms have the same functor, and Goal is true for each pair of their arguments.

mapargs(Goal, Term1, Term2) :-
    (   compound(Term1)
    ->  compound_name_arity(Term1, Name, Arity),
        compound_name_arity(Term2, Name, Arity)
    ;   compound(Term2)
    ->  compound_name_arity(Term2, Name, Arity),
        compound_name_arity(Term1, Name, Arity)
    ;   throw(error(instantiation_error, _))
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
%  Term2 is Term1 with each part replaced by what Goal makes of it, the outermost that it is true
%  for; what replaces a part is not looked into.

mapsubterms(Goal, Term1, Term2) :-
    (   var(Term1)
    ->  Term2 = Term1
    ;   call(Goal, Term1, Term)
    ->  Term2 = Term
    ;   compound(Term1)
    ->  compound_name_arity(Term1, Name, Arity),
        compound_name_arity(Term2, Name, Arity),
        mapsubterms(1, Arity, Goal, Term1, Term2)
    ;   Term2 = Term1
    ).

mapsubterms(N, Arity, Goal, Term1, Term2) :-
    (   N =< Arity
    ->  arg(N, Term1, Arg1),
        arg(N, Term2, Arg2),
        mapsubterms(Goal, Arg1, Arg2),
        N1 is N + 1,
        mapsubterms(N1, Arity, Goal, Term1, Term2)
    ;   true
    ).

%% foldsubterms(:Goal, +Term, +State0, -State)
%
%  Calls Goal with each part of Term, a state and the next one, the outermost parts first; parts
%  of those that it is true for are passed over.

foldsubterms(Goal, Term, State0, State) :-
    (   var(Term)
    ->  State = State0
    ;   call(Goal, Term, State0, State1)
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

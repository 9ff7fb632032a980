% Whole terms: the predicates that SWI-Prolog's library(terms) documents. Builtins, and predicates of other
% libraries, are exported under this name too.

:- module(terms, [
    term_hash/2,
    term_size/2,
    term_variables/2,
    term_variables/3,
    variant/2,
    subsumes/2,
    subsumes_chk/2,
    cyclic_term/1,
    acyclic_term/1,
    term_subsumer/3,
    term_factorized/3,
    mapargs/3,
    mapsubterms/3,
    mapsubterms_var/3,
    foldsubterms/4,
    foldsubterms/5,
    same_functor/2,
    same_functor/3,
    same_functor/4
]).

:- meta_predicate(mapsubterms_var(2, ?, ?)).
:- meta_predicate(foldsubterms(4, +, ?, +, -)).

%% term_subsumer(+Special1, +Special2, -General)
%
%  Unifies General with the most specific term that subsumes both terms: their least general generalization.
%
%  ?- term_subsumer(f(a, g(b)), f(c, g(b)), General).
%  General = f(_, g(b)).

term_subsumer(Special1, Special2, General) :-
    empty_assoc(Map),
    terms_subsumer(Special1, Special2, General, Map, _).

terms_subsumer(S1, S2, G, Map, Map) :-
    S1 == S2, !,
    G = S1.
terms_subsumer(S1, S2, G, Map0, Map) :-
    compound(S1),
    compound(S2),
    compound_name_arity(S1, Name, Arity),
    compound_name_arity(S2, Name, Arity), !,
    compound_name_arguments(S1, Name, Args1),
    compound_name_arguments(S2, Name, Args2),
    terms_subsumers(Args1, Args2, Args, Map0, Map),
    compound_name_arguments(G0, Name, Args),
    G = G0.
terms_subsumer(S1, S2, G, Map, Map) :-
    get_assoc(S1+S2, Map, G0), !,
    G = G0.
terms_subsumer(S1, S2, G, Map0, Map) :-
    put_assoc(S1+S2, Map0, G, Map).

terms_subsumers([], [], [], Map, Map).
terms_subsumers([S1|S1s], [S2|S2s], [G|Gs], Map0, Map) :-
    terms_subsumer(S1, S2, G, Map0, Map1),
    terms_subsumers(S1s, S2s, Gs, Map1, Map).

%% term_factorized(+Term, -Skeleton, -Substitution)
%
%  Unifies Skeleton with Term after replacing each compound part that occurs more than once by a variable.
%  Unifies Substitution with a list of Variable=Part that restores Term. If Term is cyclic, Skeleton and the
%  parts are finite.
%
%  ?- term_factorized(f(g(a), g(a)), Skeleton, Substitution).
%  Skeleton = f(_A, _A),
%  Substitution = [_A=g(a)].

term_factorized(Term, Skeleton, Substitution) :-
    empty_assoc(None),
    terms_count([Term], None, Counts),
    terms_factor(Term, Counts, Skeleton, None, _, Substitution, []).

terms_count([], Counts, Counts).
terms_count([Term|Terms], Counts0, Counts) :-
    (   \+ compound(Term)
    ->  terms_count(Terms, Counts0, Counts)
    ;   get_assoc(Term, Counts0, Count)
    ->  Count = many,
        terms_count(Terms, Counts0, Counts)
    ;   put_assoc(Term, Counts0, _, Counts1),
        compound_name_arguments(Term, _, Args),
        terms_count(Args, Counts1, Counts2),
        terms_count(Terms, Counts2, Counts)
    ).

terms_factor(Term, Counts, Skeleton, Named0, Named, Parts0, Parts) :-
    (   \+ compound(Term)
    ->  Skeleton = Term,
        Named = Named0,
        Parts0 = Parts
    ;   get_assoc(Term, Named0, Name)
    ->  Skeleton = Name,
        Named = Named0,
        Parts0 = Parts
    ;   get_assoc(Term, Counts, Count),
        Count == many
    ->  put_assoc(Term, Named0, Skeleton, Named1),
        Parts0 = [Skeleton=Part|Parts1],
        terms_factor_args(Term, Counts, Part, Named1, Named, Parts1, Parts)
    ;   terms_factor_args(Term, Counts, Skeleton, Named0, Named, Parts0, Parts)
    ).

terms_factor_args(Term, Counts, Skeleton, Named0, Named, Parts0, Parts) :-
    compound_name_arguments(Term, Name, Args0),
    terms_factor_list(Args0, Counts, Args, Named0, Named, Parts0, Parts),
    compound_name_arguments(Skeleton0, Name, Args),
    Skeleton = Skeleton0.

terms_factor_list([], _, [], Named, Named, Parts, Parts).
terms_factor_list([Arg0|Args0], Counts, [Arg|Args], Named0, Named, Parts0, Parts) :-
    terms_factor(Arg0, Counts, Arg, Named0, Named1, Parts0, Parts1),
    terms_factor_list(Args0, Counts, Args, Named1, Named, Parts1, Parts).

%% mapsubterms_var(:Goal, +Term1, -Term2)
%
%  Maps like mapsubterms/3, but also calls Goal with variables.

mapsubterms_var(Goal, Term1, Term2) :-
    (   call(Goal, Term1, Term)
    ->  Term2 = Term
    ;   compound(Term1)
    ->  same_functor(Term1, Term2),
        mapargs(mapsubterms_var(Goal), Term1, Term2)
    ;   Term2 = Term1
    ).

%% foldsubterms(:Goal, +Term1, ?Term2, +State0, -State)
%
%  Replaces the parts of Term1 for which call(Goal, Part1, Part2, State1, State2) is true and unifies Term2 with
%  the result. The states pass from each replaced part to the next. Parts of a replaced part are not visited.

foldsubterms(Goal, Term1, Term2, State0, State) :-
    (   call(Goal, Term1, Term, State0, State1)
    ->  Term2 = Term,
        State = State1
    ;   compound(Term1)
    ->  same_functor(Term1, Term2, Arity),
        terms_fold(0, Arity, Goal, Term1, Term2, State0, State)
    ;   Term2 = Term1,
        State = State0
    ).

terms_fold(Arity, Arity, _, _, _, State, State) :- !.
terms_fold(I0, Arity, Goal, Term1, Term2, State0, State) :-
    I is I0 + 1,
    arg(I, Term1, Arg1),
    arg(I, Term2, Arg2),
    foldsubterms(Goal, Arg1, Arg2, State0, State1),
    terms_fold(I, Arity, Goal, Term1, Term2, State1, State).

%% same_functor(?Term1, ?Term2)
%
%  True if both terms have the same name and arity. If one is unbound, binds it to such a term.
%
%  ?- same_functor(f(a, b), f(c, d)).
%  true.

same_functor(Term1, Term2) :-
    same_functor(Term1, Term2, _, _).

%% same_functor(?Term1, ?Term2, -Arity)
%
%  Compares like same_functor/2. Unifies Arity with the number of arguments.
%
%  ?- same_functor(f(a, b), T, Arity).
%  T = f(_, _),
%  Arity = 2.

same_functor(Term1, Term2, Arity) :-
    same_functor(Term1, Term2, _, Arity).

%% same_functor(?Term1, ?Term2, ?Name, ?Arity)
%
%  Compares like same_functor/2. Unifies Name and Arity with the name and the number of arguments.
%
%  ?- same_functor(f(a, b), T, Name, Arity).
%  T = f(_, _),
%  Name = f,
%  Arity = 2.

same_functor(Term1, Term2, Name, Arity) :-
    (   nonvar(Term1)
    ->  functor(Term1, Name, Arity, Type),
        functor(Term2, Name, Arity, Type)
    ;   functor(Term2, Name, Arity, Type),
        functor(Term1, Name, Arity, Type)
    ).

% Goals, heads and predicate indicators as terms: the predicates of SWI-Prolog's library(prolog_code).

:- module(prolog_code, [
    comma_list/2,
    semicolon_list/2,
    mkconj/3,
    mkdisj/3,
    pi_head/2,
    head_name_arity/3,
    most_general_goal/2,
    extend_goal/3,
    predicate_label/2,
    predicate_sort_key/2,
    is_control_goal/1,
    is_predicate_indicator/1,
    body_term_calls/2
]).

:- meta_predicate(body_term_calls(:, -)).

%% comma_list(?Conjunction, ?List)
%
%  Converts between Conjunction and the List of its goals. A conjunction made from List nests to the right.
%
%  ?- comma_list((a, b, c), L).
%  L = [a, b, c].
%
%  ?- comma_list(Goal, [a,b,c]).
%  Goal = (a, b, c).

comma_list(Conjunction, List) :-
    code_list(Conjunction, ',', List).

%% semicolon_list(?Disjunction, ?List)
%
%  Converts between Disjunction and the List of its goals.
%
%  ?- semicolon_list((a ; b ; c), L).
%  L = [a, b, c].

semicolon_list(Disjunction, List) :-
    code_list(Disjunction, (;), List).

code_list(Term, Name, List) :-
    (   nonvar(Term)
    ->  code_parts(Term, Name, List, [])
    ;   List = [First|Rest],
        code_join(Rest, First, Name, Term)
    ).

code_parts(Term, Name, List0, List) :-
    (   nonvar(Term),
        compound(Term),
        compound_name_arguments(Term, Name, [Left,Right])
    ->  code_parts(Left, Name, List0, List1),
        code_parts(Right, Name, List1, List)
    ;   List0 = [Term|List]
    ).

code_join([], Term, _, Term).
code_join([Next|Rest], First, Name, Term) :-
    compound_name_arguments(Term, Name, [First,Right]),
    code_join(Rest, Next, Name, Right).

%% mkconj(+A, +B, -Conjunction)
%
%  Unifies Conjunction with (A, B), or with one of them if the other is true.
%
%  ?- mkconj(a, true, Goal).
%  Goal = a.

mkconj(A, B, Conjunction) :-
    (   A == true
    ->  Conjunction = B
    ;   B == true
    ->  Conjunction = A
    ;   code_parts(A, ',', List, []),
        code_onto(List, B, ',', Conjunction)
    ).

%% mkdisj(+A, +B, -Disjunction)
%
%  Unifies Disjunction with (A ; B), or with one of them if the other is false.
%
%  ?- mkdisj(a, b, Goal).
%  Goal = (a;b).

mkdisj(A, B, Disjunction) :-
    (   A == false
    ->  Disjunction = B
    ;   B == false
    ->  Disjunction = A
    ;   code_parts(A, (;), List, []),
        code_onto(List, B, (;), Disjunction)
    ).

code_onto([], Term, _, Term).
code_onto([First|Rest], Last, Name, Term) :-
    compound_name_arguments(Term0, Name, [First,Right]),
    Term = Term0,
    code_onto(Rest, Last, Name, Right).

%% pi_head(?Indicator, ?Head)
%
%  Converts between a predicate Indicator, perhaps with a module, and a goal or Head.
%
%  ?- pi_head(append/3, Head).
%  Head = append(_, _, _).
%
%  ?- pi_head(Indicator, foo(_, _)).
%  Indicator = foo/2.

pi_head(Indicator, Head) :-
    (   var(Indicator),
        var(Head)
    ->  throw(error(instantiation_error, _))
    ;   code_indicator(Indicator, Head)
    ).

code_indicator(Indicator, Head) :-
    var(Indicator), !,
    (   Head = Module:Plain
    ->  Indicator = Module:Inner,
        pi_head(Inner, Plain)
    ;   head_name_arity(Head, Name, Arity),
        Indicator = Name/Arity
    ).
code_indicator(Module:Indicator, Head) :- !,
    Head = Module:Plain,
    pi_head(Indicator, Plain).
code_indicator(Name/Arity, Head) :- !,
    head_name_arity(Head, Name, Arity).
code_indicator(Name//Count, Head) :- !,
    (   integer(Count)
    ->  Arity is Count + 2,
        head_name_arity(Head, Name, Arity)
    ;   head_name_arity(Head, Name, Arity),
        Arity >= 2,
        Count is Arity - 2
    ).
code_indicator(Indicator, _) :-
    throw(error(type_error(predicate_indicator, Indicator), _)).

%% head_name_arity(?Head, ?Name, ?Arity)
%
%  True if Head has the name Name and Arity arguments.
%
%  ?- head_name_arity(foo(_, _), Name, Arity).
%  Name = foo,
%  Arity = 2.

head_name_arity(Head, Name, Arity) :-
    (   compound(Head)
    ->  compound_name_arity(Head, Name, Arity)
    ;   functor(Head, Name, Arity)
    ).

%% most_general_goal(+Goal, -General)
%
%  Unifies General with Goal with new variables as its arguments, in the same module.
%
%  ?- most_general_goal(foo(a, b), General).
%  General = foo(_, _).

most_general_goal(Goal, General) :-
    (   var(Goal)
    ->  General = Goal
    ;   Goal = Module:Plain
    ->  General = Module:General1,
        most_general_goal(Plain, General1)
    ;   must_be(callable, Goal),
        functor(Goal, Name, Arity, Type),
        functor(General1, Name, Arity, Type),
        General = General1
    ).

%% extend_goal(+Goal0, +Extra, -Goal)
%
%  Unifies Goal with Goal0 with the arguments of the list Extra appended.
%
%  ?- extend_goal(append([a]), [X, Y], Goal).
%  Goal = append([a], X, Y).

extend_goal(Goal0, Extra, Goal) :-
    (   Extra == []
    ->  Goal = Goal0
    ;   var(Goal0)
    ->  compound_name_arguments(Goal1, call, [Goal0|Extra]),
        Goal = Goal1
    ;   Goal0 = Module:Plain
    ->  Goal = Module:Goal1,
        extend_goal(Plain, Extra, Goal1)
    ;   must_be(callable, Goal0),
        (   compound(Goal0)
        ->  compound_name_arguments(Goal0, Name, Args0)
        ;   Name = Goal0,
            Args0 = []
        ),
        append(Args0, Extra, Args),
        must_be(list, Args),
        Goal1 =.. [Name|Args],
        Goal = Goal1
    ).

%% predicate_label(+Indicator, -Label)
%
%  Unifies Label with an atom that names the predicate. It omits the module if it is user, or if all modules see
%  the predicate of the system or of a library.
%
%  ?- predicate_label(append/3, Label).
%  Label = 'append/3'.

predicate_label(Indicator, Label) :-
    strip_module(Indicator, Module, Plain),
    (   is_predicate_indicator(Plain)
    ->  true
    ;   type_error(predicate_indicator, Indicator)
    ),
    (   code_hidden(Module, Plain)
    ->  format(atom(Label), '~q', [Plain])
    ;   format(atom(Label), '~q', [Module:Plain])
    ).

code_hidden(user, _) :- !.
code_hidden(system, _) :- !.
code_hidden(Module, Plain) :-
    module_property(Module, class(library)),
    pi_head(Plain, Head),
    predicate_property(Module:Head, exported).

%% predicate_sort_key(+Indicator, -Key)
%
%  Unifies Key with the name of the predicate, for sorting.

predicate_sort_key(Indicator, Key) :-
    strip_module(Indicator, _, Plain),
    (   Plain = Name/_ -> Key = Name ; Plain = Name//_, Key = Name ).

%% is_control_goal(@Goal)
%
%  True if Goal is a control construct that contains goals.
%
%  ?- is_control_goal((a, b)).
%  true.

is_control_goal(Goal) :-
    nonvar(Goal),
    code_control(Goal).

code_control((_, _)).
code_control((_ ; _)).
code_control((_ -> _)).
code_control((_ *-> _)).
code_control(\+ _).

%% is_predicate_indicator(@Term)
%
%  True if Term is Name/Arity or Name//Arity, perhaps with a module.
%
%  ?- is_predicate_indicator(append/3).
%  true.

is_predicate_indicator(Term) :-
    (   var(Term)
    ->  throw(error(instantiation_error, _))
    ;   Term = Module:Indicator
    ->  atom(Module),
        nonvar(Indicator),
        is_predicate_indicator(Indicator)
    ;   ( Term = Name/Arity -> true ; Term = Name//Arity ),
        atom(Name),
        integer(Arity),
        Arity >= 0
    ).

%% body_term_calls(:Body, -Goal)
%
%  True if Body calls Goal: Body itself, goals in its control constructs, and arguments that predicates call.
%  Enumerates the goals on backtracking.

body_term_calls(Spec, Goal) :-
    strip_module(Spec, Module, Body),
    code_calls(Body, Module, Module, Goal).

code_calls(Body, Module, Home, Goal) :-
    (   Module == Home -> Goal = Body ; Goal = Module:Body ).
code_calls(Body, _, _, _) :- \+ compound(Body), !, fail.
code_calls(Module:Body, _, Home, Goal) :- !,
    atom(Module),
    code_calls(Body, Module, Home, Goal).
code_calls(Body, Module, Home, Goal) :-
    is_control_goal(Body), !,
    arg(_, Body, Part),
    code_calls(Part, Module, Home, Goal).
code_calls(Body, Module, Home, Goal) :-
    callable(Body),
    predicate_property(Module:Body, meta_predicate(Specs)), !,
    arg(I, Specs, Spec),
    arg(I, Body, Arg),
    code_called(Spec, Arg, Called),
    code_calls(Called, Module, Home, Goal).

code_called(0, Goal, Goal).
code_called(^, Goal0, Goal) :- code_without_carets(Goal0, Goal).
code_called(Count, Goal0, Goal) :-
    integer(Count),
    Count > 0,
    ( nonvar(Goal0) -> callable(Goal0) ; true ),
    length(Extra, Count),
    extend_goal(Goal0, Extra, Goal).

code_without_carets(Goal0, Goal) :-
    (   nonvar(Goal0),
        Goal0 = _^Goal1
    ->  code_without_carets(Goal1, Goal)
    ;   Goal = Goal0
    ).

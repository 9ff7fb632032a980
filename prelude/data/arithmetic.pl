% Evaluable functions of programs: the predicates of SWI-Prolog's library(arithmetic).

:- module(arithmetic, [
    arithmetic_function/1,
    arithmetic_expression_value/2
]).

% Expanded clauses call these.
:- public((arithmetic_expansion/2)).

:- meta_predicate(arithmetic_function(:)).
:- meta_predicate(arithmetic_expression_value(:, -)).

% arithmetic_known(Module, Name, Arity): a function of Arity arguments
:- dynamic(arithmetic_known/3).

%% arithmetic_function(:Function)
%
%  Declares, as a directive, an evaluable Function, Name/Arity, for the following clauses of the module.
%  Expressions of is/2 and of comparisons may use it. The predicate Name computes its value as last argument,
%  after Arity others, which are evaluated first. Functions that is/2 knows itself cannot be redefined. An
%  expression that is built at run time cannot use Function: see arithmetic_expression_value/2.

arithmetic_function(Spec) :-
    strip_module(Spec, Module0, Plain),
    (   '$loading'
    ->  true
    ;   throw(error(permission_error(declare, arithmetic_function, Plain),
                    context(arithmetic_function/1, 'no file is being loaded')))
    ),
    (   var(Plain)
    ->  throw(error(instantiation_error, _))
    ;   Plain = Name/Arity
    ->  true
    ;   throw(error(type_error(predicate_indicator, Plain), _))
    ),
    must_be(atom, Name),
    must_be(nonneg, Arity),
    ( Module0 == user -> '$source_module'(Module) ; Module = Module0 ),
    (   arithmetic_evaluable(Name, Arity)
    ->  true
    ;   arithmetic_declare(Name, Arity, Module)
    ).

% Functions that is/2 evaluates itself stay unchanged.

arithmetic_evaluable(Name, Arity) :-
    functor(Expression, Name, Arity),
    Expression =.. [_|Args],
    arithmetic_ones(Args),
    catch(( _ is Expression, Evaluates = true ), error(Error, _), true),
    ( Evaluates == true -> true ; Error \= type_error(evaluable, _), Error \= existence_error(_, _) ),
    !.

arithmetic_ones([]).
arithmetic_ones([1|Args]) :- arithmetic_ones(Args).

arithmetic_declare(Name, Arity, Module) :-
    (   arithmetic_known(_, _, _)
    ->  true
    ;   '$assertz'((system:goal_expansion(Goal0, Goal) :- arithmetic:arithmetic_expansion(Goal0, Goal)))
    ),
    (   arithmetic_known(Module, Name, Arity)
    ->  true
    ;   '$assertz'(arithmetic_known(Module, Name, Arity))
    ).

arithmetic_expansion(Goal0, Goal) :-
    arithmetic_goal(Goal0, Values0, Values, Goal1),
    acyclic_term(Goal0),
    '$source_module'(Module),
    arithmetic_parts(Values0, Module, Values, Goals, []),
    Goals = [First|Rest],
    arithmetic_conjunction(Rest, First, Goal1, Goal).

arithmetic_goal(X is E0, [E0], [E], X is E).
arithmetic_goal(A0 =:= B0, [A0,B0], [A,B], A =:= B).
arithmetic_goal(A0 =\= B0, [A0,B0], [A,B], A =\= B).
arithmetic_goal(A0 < B0, [A0,B0], [A,B], A < B).
arithmetic_goal(A0 =< B0, [A0,B0], [A,B], A =< B).
arithmetic_goal(A0 > B0, [A0,B0], [A,B], A > B).
arithmetic_goal(A0 >= B0, [A0,B0], [A,B], A >= B).

arithmetic_conjunction([], Goal, Last, (Goal, Last)).
arithmetic_conjunction([Next|Goals], Goal, Last, (Goal, Conjunction)) :-
    arithmetic_conjunction(Goals, Next, Last, Conjunction).

arithmetic_parts([], _, [], Goals, Goals).
arithmetic_parts([Part0|Parts0], Module, [Part|Parts], Goals0, Goals) :-
    arithmetic_part(Part0, Module, Part, Goals0, Goals1),
    arithmetic_parts(Parts0, Module, Parts, Goals1, Goals).

% arithmetic_part(+Expression0, +Module, -Expression, -Goals0, ?Goals): the goals compute the values of the
% module's functions in the expression.

arithmetic_part(Part0, Module, Part, Goals0, Goals) :-
    (   callable(Part0),
        Part0 =.. [Name|Args0]
    ->  arithmetic_parts(Args0, Module, Args, Goals0, Goals1),
        length(Args, Arity),
        (   arithmetic_known(Module, Name, Arity)
        ->  arithmetic_values(Args, Values, Goals1, Goals2),
            append(Values, [Part], All),
            Call =.. [Name|All],
            Goals2 = [Call|Goals]
        ;   Part =.. [Name|Args],
            Goals1 = Goals
        )
    ;   Part = Part0,
        Goals0 = Goals
    ).

arithmetic_values([], [], Goals, Goals).
arithmetic_values([Arg|Args], [Value|Values], Goals0, Goals) :-
    (   callable(Arg)
    ->  Goals0 = [Value is Arg|Goals1]
    ;   Value = Arg,
        Goals0 = Goals1
    ),
    arithmetic_values(Args, Values, Goals1, Goals).

%% arithmetic_expression_value(:Expression, -Value)
%
%  Unifies Value with the value of Expression, which may use functions of the module.
%
%  ?- arithmetic_expression_value(1 + 2, X).
%  X = 3.

arithmetic_expression_value(Spec, Value) :-
    strip_module(Spec, Module, Expression),
    must_be(acyclic, Expression),
    arithmetic_value(Expression, Module, Value).

arithmetic_value(Expression, Module, Value) :-
    (   compound(Expression),
        Expression = [_|_]
    ->  Value is Expression
    ;   callable(Expression)
    ->  Expression =.. [Name|Args],
        arithmetic_all(Args, Module, Values),
        length(Args, Arity),
        (   arithmetic_known(Module, Name, Arity)
        ->  append(Values, [Value], All),
            Call =.. [Name|All],
            call(Module:Call)
        ;   Plain =.. [Name|Values],
            Value is Plain
        )
    ;   Value is Expression
    ).

arithmetic_all([], _, []).
arithmetic_all([Arg|Args], Module, [Value|Values]) :-
    arithmetic_value(Arg, Module, Value),
    arithmetic_all(Args, Module, Values).

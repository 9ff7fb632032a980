% Temporary operators: the predicates of SWI-Prolog's library(operators).

:- module(prolog_operator, [
    push_operators/1,
    push_operators/2,
    pop_operators/0,
    pop_operators/1,
    push_op/3
]).

:- dynamic(operators_undo/1).

%% push_operators(+Operators)
%
%  Defines Operators, a list of op(Priority, Type, Names). pop_operators/0 undoes the definitions.

push_operators(Operators) :-
    push_operators(Operators, Undo),
    '$asserta'(operators_undo(Undo)).

%% push_operators(+Operators, -Undo)
%
%  Defines Operators like push_operators/1. pop_operators(Undo) undoes the definitions.

push_operators(Operators, Undo) :-
    must_be(list, Operators),
    operators_push(Operators, [], Undo).

operators_push([], Undo, Undo).
operators_push([op(Priority, Type, Names)|Operators], Undo0, Undo) :-
    operators_names(Names, List),
    operators_before(List, Type, Undo0, Undo1),
    op(Priority, Type, Names),
    operators_push(Operators, Undo1, Undo).

operators_names(Names, List) :-
    (   is_list(Names) -> List = Names ; List = [Names] ).

operators_before([], _, Undo, Undo).
operators_before([Name0|Names], Type, Undo0, Undo) :-
    strip_module(Name0, _, Name),
    (   current_op(Priority, Before, Name),
        operators_same_place(Type, Before)
    ->  Undo1 = [op(Priority, Before, Name)|Undo0]
    ;   Undo1 = [op(0, Type, Name)|Undo0]
    ),
    operators_before(Names, Type, Undo1, Undo).

operators_same_place(Type, Before) :-
    operators_place(Type, Place),
    operators_place(Before, Place).

operators_place(fx, prefix).
operators_place(fy, prefix).
operators_place(xf, postfix).
operators_place(yf, postfix).
operators_place(xfx, infix).
operators_place(xfy, infix).
operators_place(yfx, infix).

%% push_op(+Priority, +Type, +Names)
%
%  Defines operators like op/3. pop_operators/0 undoes this together with the last push.

push_op(Priority, Type, Names) :-
    (   '$retract'(operators_undo(Undo0)) -> true ; Undo0 = [] ),
    operators_push([op(Priority, Type, Names)], Undo0, Undo),
    '$asserta'(operators_undo(Undo)).

%% pop_operators
%
%  Restores the operators from before the last push_operators/1.

pop_operators :-
    (   '$retract'(operators_undo(Undo))
    ->  pop_operators(Undo)
    ;   true
    ).

%% pop_operators(+Undo)
%
%  Restores the operators from before the push_operators/2 that returned Undo.

pop_operators([]).
pop_operators([op(Priority, Type, Name)|Undo]) :-
    op(Priority, Type, Name),
    pop_operators(Undo).

% Expansion: the loader transforms the terms of a text with the hooks of programs.

:- module(system, []).

% '$expand'(+Term, -Clauses): Clauses are loaded in place of Term. The hooks can read Term with
% prolog_load_context/2.

'$expand'(Term, Clauses) :-
    '$source_module'(Module),
    b_setval('$term', Term),
    '$expansion'(Module, Term, _, Clauses0, _),
    '$expand_bodies'(Clauses0, Module, Clauses),
    b_setval('$term', []).

% '$expansion'(+Module, +Term0, ?Position0, -Term, -Position): applies the expansions of the module, of user and
% of system, one after the other.

'$expansion'(Module, Term0, Position0, Term, Position) :-
    '$hook_modules'(Module, Modules),
    '$expansion_by'(Modules, Term0, Position0, Term, Position).

'$hook_modules'(user, [user, system]) :- !.
'$hook_modules'(system, [system]) :- !.
'$hook_modules'(Module, [Module, user, system]).

'$expansion_by'([], Term, Position, Term, Position).
'$expansion_by'([Module|Modules], Term0, Position0, Term, Position) :-
    (   '$term_hook'(Module, Term0, Position0, Term1, Position1)
    ->  '$expansion_of'(Term1, Modules, Position1, Term, Position)
    ;   '$expansion_by'(Modules, Term0, Position0, Term, Position)
    ).

% Passes the result of a hook to the hooks of the next modules, each term of a list separately.

'$expansion_of'(Term, [], Position, Term, Position) :- !.
'$expansion_of'(Term, _, Position, Term, Position) :- var(Term), !.
'$expansion_of'([], _, Position, [], Position) :- !.
'$expansion_of'([Term0|Terms0], Modules, Position, Terms, Position) :- !,
    '$expansion_of'(Term0, Modules, _, Term, _),
    (   nonvar(Term), ( Term == [] ; Term = [_|_] ), is_list(Term)
    ->  '$append'(Term, Terms1, Terms)
    ;   Terms = [Term|Terms1]
    ),
    '$expansion_of'(Terms0, Modules, _, Terms1, _).
'$expansion_of'(Term0, Modules, Position0, Term, Position) :-
    '$expansion_by'(Modules, Term0, Position0, Term, Position).

'$term_hook'(Module, Term0, Position0, Term, Position) :-
    '$has_clauses'(Module, term_expansion, 4),
    '$call_hook'(Module:term_expansion(Term0, Position0, Term, Position), nonvar(Term)), !.
'$term_hook'(Module, Term0, Position, Term, Position) :-
    '$has_clauses'(Module, term_expansion, 2),
    '$call_hook'(Module:term_expansion(Term0, Term), nonvar(Term)), !.

% '$call_hook'(:Goal, :Test): runs a goal of the program until a solution passes the test. If a limit stops it
% outside the clauses of the program, the error shows the place of the present term.

'$call_hook'(Goal, Test) :-
    '$reached_goal'(Outer),
    '$reached'(1),
    (   catch(Goal, Error, ('$directive_error'(Error), fail)),
        Test
    ->  '$reached'(Outer)
    ;   '$reached'(Outer),
        fail
    ).

% Expands goals in bodies.

'$expand_bodies'(Clauses0, Module, Clauses) :-
    (   '$has_goal_hook'(Module),
        acyclic_term(Clauses0)
    ->  '$expand_clauses'(Clauses0, Module, Clauses)
    ;   Clauses = Clauses0
    ).

'$has_goal_hook'(Module) :-
    '$hook_modules'(Module, Modules),
    '$member'(Hook, Modules),
    ( '$has_clauses'(Hook, goal_expansion, 4) ; '$has_clauses'(Hook, goal_expansion, 2) ),
    !.

'$expand_clauses'(Clauses, _, Clauses) :- var(Clauses), !.
'$expand_clauses'([], _, []) :- !.
'$expand_clauses'([Clause0|Clauses0], Module, [Clause|Clauses]) :- !,
    '$expand_clauses'(Clause0, Module, Clause),
    '$expand_clauses'(Clauses0, Module, Clauses).
'$expand_clauses'((Head :- Body0), Module, (Head :- Body)) :- !,
    '$expand_goal'(Body0, Module, [], Body).
'$expand_clauses'('=>'(Head0, Body0), Module, '=>'(Head, Body)) :- !,
    (   nonvar(Head0), Head0 = (Head1, Guard0)
    ->  '$expand_goal'(Guard0, Module, [], Guard),
        Head = (Head1, Guard)
    ;   Head = Head0
    ),
    '$expand_goal'(Body0, Module, [], Body).
'$expand_clauses'((Head --> Body), Module, Clause) :-
    % Errors in the rule are reported when it is added.
    catch(dcg_translate_rule((Head --> Body), Clause0), _, fail), !,
    '$expand_clauses'(Clause0, Module, Clause).
'$expand_clauses'(Module:Clause0, _, Module:Clause) :-
    atom(Module), !,
    '$expand_clauses'(Clause0, Module, Clause).
'$expand_clauses'(Clause, _, Clause).

% '$goal_hook'(+Module, +Goal0, ?Position0, -Goal, -Position): applies the first expansion that changes the
% goal, from the module, user, or system. Goals of host predicates are not expanded.

'$goal_hook'(Module, Goal0, Position0, Goal, Position) :-
    \+ '$calls_host'(Module, Goal0),
    '$hook_modules'(Module, Modules),
    '$member'(Hook, Modules),
    '$goal_hook_of'(Hook, Goal0, Position0, Goal, Position),
    !.

'$goal_hook_of'(Module, Goal0, Position0, Goal, Position) :-
    '$has_clauses'(Module, goal_expansion, 4),
    '$call_hook'(Module:goal_expansion(Goal0, Position0, Goal, Position), Goal \== Goal0).
'$goal_hook_of'(Module, Goal0, Position, Goal, Position) :-
    '$has_clauses'(Module, goal_expansion, 2),
    '$call_hook'(Module:goal_expansion(Goal0, Goal), Goal \== Goal0).

% '$expand_goal'(+Goal0, +Module, +Done, -Goal): expands a goal. Done are the goals whose expansion led to
% Goal0. If Goal0 is one of them, it is not expanded again.

'$expand_goal'(Goal, _, _, Goal) :- var(Goal), !.
'$expand_goal'(Module:Goal0, _, Done, Module:Goal) :- !,
    (   atom(Module)
    ->  '$expand_goal'(Goal0, Module, Done, Goal)
    ;   Goal = Goal0
    ).
'$expand_goal'(Goal0, Module, Done, Goal) :-
    \+ ( '$member'(Goal1, Done), Goal1 == Goal0 ),
    '$goal_hook'(Module, Goal0, _, Goal1, _), !,
    '$expand_goal'(Goal1, Module, [Goal0|Done], Goal).
'$expand_goal'(Goal0, Module, Done, Goal) :-
    compound(Goal0),
    callable(Goal0),
    '$argument_kinds'(Goal0, Module, Kinds), !,
    Goal0 =.. [Name|Args0],
    '$expand_arguments'(Kinds, Args0, Module, Done, Args),
    Goal1 =.. [Name|Args],
    '$expanded_as'(Goal0, Goal1, Goal).
'$expand_goal'(Goal, _, _, Goal).

% '$expanded_as'(+Goal0, +Goal1, -Goal): Goal is Goal1, made of the parts of Goal0. A disjunction stays a
% disjunction, and a conditional stays a conditional.

'$expanded_as'((Left0 ; _), (Left1 ; Right), (Left ; Right)) :- !,
    '$left_kind'(Left0, Kind0),
    '$left_kind'(Left1, Kind1),
    '$expanded_left'(Kind0, Kind1, Left1, Left).
'$expanded_as'(_, Goal, Goal).

'$left_kind'(Left, Kind) :-
    (   nonvar(Left), ( Left = (_ -> _), Kind = (->) ; Left = (_ *-> _), Kind = (*->) )
    ->  true
    ;   Kind = goal
    ).

'$expanded_left'(Kind, Kind, Left, Left) :- !.
'$expanded_left'(goal, _, Left, (Left, true)) :- !.
'$expanded_left'(Kind, _, Goal, Left) :- Left =.. [Kind, Goal, true].

'$argument_kinds'((_, _), _, [0,0]) :- !.
'$argument_kinds'((_ ; _), _, [0,0]) :- !.
'$argument_kinds'((_ -> _), _, [0,0]) :- !.
'$argument_kinds'((_ *-> _), _, [0,0]) :- !.
'$argument_kinds'(\+ _, _, [0]) :- !.
'$argument_kinds'(Goal, Module, Kinds) :-
    % The file may still define a predicate that would be loaded only when it is called.
    '$visible'(Module:Goal),
    predicate_property(Module:Goal, meta_predicate(Specs)),
    Specs =.. [_|Kinds].

'$expand_arguments'([], [], _, _, []).
'$expand_arguments'([Kind|Kinds], [Arg0|Args0], Module, Done, [Arg|Args]) :-
    (   '$expand_argument'(Kind, Arg0, Module, Done, Arg1) -> Arg = Arg1 ; Arg = Arg0 ),
    '$expand_arguments'(Kinds, Args0, Module, Done, Args).

'$expand_argument'(0, Goal0, Module, Done, Goal) :- !, '$expand_goal'(Goal0, Module, Done, Goal).
'$expand_argument'(^, Goal0, Module, Done, Goal) :- !,
    (   nonvar(Goal0), Goal0 = Var^Inner0
    ->  '$expand_argument'(^, Inner0, Module, Done, Inner),
        Goal = Var^Inner
    ;   '$expand_goal'(Goal0, Module, Done, Goal)
    ).
'$expand_argument'(Count, Closure0, Module, Done, Closure) :-
    integer(Count),
    '$has_parts'(Closure0),
    Closure0 \= _:_,
    % Adds new variables for the arguments of the call. The expansion must leave them unchanged.
    length(Extra, Count),
    Closure0 =.. List0,
    '$append'(List0, Extra, List1),
    Goal1 =.. List1,
    '$expand_goal'(Goal1, Module, Done, Goal),
    Goal \== Goal1,
    '$has_parts'(Goal),
    Goal =.. [Name|Args],
    length(Args, Length),
    Kept is Length - Count,
    Kept >= 0,
    length(Before, Kept),
    '$append'(Before, After, Args),
    After == Extra,
    term_variables(Before, Vars),
    \+ ( '$member'(Var, Vars), '$member'(New, Extra), Var == New ),
    Closure =.. [Name|Before].

% '$has_parts'(+Term): true if =.. can take the callable term apart. It accepts no compound term without
% arguments.
'$has_parts'(Term) :-
    (   compound(Term)
    ->  compound_name_arity(Term, _, Arity),
        Arity > 0
    ;   atom(Term)
    ).

% Lambda expressions of library(yall) that a body passes to system predicates become predicates of the module
% '$lambda'. These predicates are hidden: the clause is kept as it is, and tracers see the expressions. Such a
% predicate does the same as a call of the expression. Its first arguments are the variables that also occur
% elsewhere in the clause. Each call copies these variables unless they are ground, except the shared ones. The
% next argument becomes true when they are known to be ground, so later calls need not check again. Only
% setarg/3 and nb_setarg/3 distinguish a ground term from the copy that a call of the expression makes.

% '$with_lambdas'(+Clause0, -Clause, -Compiled): Compiled is Clause with closures in place of its lambda
% expressions, whose clauses are loaded. Fails if there are none.

'$with_lambdas'(Clause0, Clause, Compiled) :-
    acyclic_term(Clause0),
    '$source_module'(Module),
    '$lambda_rule'(Clause0, Clause),
    Clause = (Head :- Body0),
    callable(Head),
    '$know_predicate'(Module:Head),
    '$compiled_body'((Head :- Body0), Module, Compiled).

'$lambda_rule'((Head --> Body), Clause) :- !,
    % Errors in the rule are reported when it is added.
    catch(dcg_translate_rule((Head --> Body), Clause), _, fail).
'$lambda_rule'(Clause, Clause).

'$compiled_body'((Head :- Body0), Module, (Head :- Body)) :-
    '$lambda_goal'(Body0, Module, Body, Lambdas, []),
    Lambdas = [_|_],
    '$lambda_closures'(Lambdas, [], (Head :- Body), Module).

% The goals of bagof/3 may contain only variables of the program, so they get no Known argument.

'$without_known'(Lambdas0, Lambdas) :- Lambdas0 == Lambdas, !.
'$without_known'([lambda(_, _, false)|Lambdas0], Lambdas) :- '$without_known'(Lambdas0, Lambdas).

% '$lambda_goal'(+Goal0, +Module, -Goal, -Lambdas, ?Rest): Goal has variables in place of lambda expressions.
% Lambdas lists them as lambda(Variable, Expression, Known). Known is the argument that becomes true.

'$lambda_goal'(Goal, _, Goal, Lambdas, Lambdas) :- \+ '$has_lambda'(Goal), !.
'$lambda_goal'(Goal0, Module, Goal, Lambdas0, Lambdas) :-
    callable(Goal0),
    '$calls_closures'(Goal0, Kinds),
    \+ '$own_definition'(Module:Goal0), !,
    Goal0 =.. [Name|Args0],
    '$lambda_arguments'(Kinds, Args0, Module, Args, Lambdas0, Lambdas),
    Goal =.. [Name|Args].
'$lambda_goal'(Goal, _, Goal, Lambdas, Lambdas).

'$own_definition'(Goal) :-
    '$visible'(Goal),
    predicate_property(Goal, defined),
    \+ predicate_property(Goal, system),
    \+ ( predicate_property(Goal, imported_from(Home)), module_property(Home, class(library)) ).

% '$calls_closures'(+Goal, -Kinds): true for predicates that only call their closures and do not show them.

'$calls_closures'((_, _), [0,0]).
'$calls_closures'((_ ; _), [0,0]).
'$calls_closures'((_ -> _), [0,0]).
'$calls_closures'((_ *-> _), [0,0]).
'$calls_closures'(\+ _, [0]).
'$calls_closures'(once(_), [0]).
'$calls_closures'(ignore(_), [0]).
'$calls_closures'(forall(_, _), [0,0]).
'$calls_closures'(findall(_, _, _), [?,0,?]).
'$calls_closures'(findall(_, _, _, _), [?,0,?,?]).
'$calls_closures'(bagof(_, _, _), [?,^,?]).
'$calls_closures'(setof(_, _, _), [?,^,?]).
'$calls_closures'(aggregate_all(_, _, _), [?,0,?]).
'$calls_closures'(aggregate_all(_, _, _, _), [?,?,0,?]).
'$calls_closures'(catch(_, _, _), [0,?,0]).
'$calls_closures'(call(_), [0]).
'$calls_closures'(call(_, _), [1,?]).
'$calls_closures'(call(_, _, _), [2,?,?]).
'$calls_closures'(call(_, _, _, _), [3,?,?,?]).
'$calls_closures'(call(_, _, _, _, _), [4,?,?,?,?]).
'$calls_closures'(maplist(_, _), [1,?]).
'$calls_closures'(maplist(_, _, _), [2,?,?]).
'$calls_closures'(maplist(_, _, _, _), [3,?,?,?]).
'$calls_closures'(maplist(_, _, _, _, _), [4,?,?,?,?]).
'$calls_closures'(foldl(_, _, _, _), [3,?,?,?]).
'$calls_closures'(foldl(_, _, _, _, _), [4,?,?,?,?]).
'$calls_closures'(foldl(_, _, _, _, _, _), [5,?,?,?,?,?]).
'$calls_closures'(include(_, _, _), [1,?,?]).
'$calls_closures'(exclude(_, _, _), [1,?,?]).
'$calls_closures'(partition(_, _, _, _), [1,?,?,?]).
'$calls_closures'(partition(_, _, _, _, _), [2,?,?,?,?]).
'$calls_closures'(convlist(_, _, _), [2,?,?]).
'$calls_closures'(predsort(_, _, _), [3,?,?]).
'$calls_closures'(map_assoc(_, _), [1,?]).
'$calls_closures'(map_assoc(_, _, _), [2,?,?]).

'$lambda_arguments'([], [], _, [], Lambdas, Lambdas).
'$lambda_arguments'([Kind|Kinds], [Arg0|Args0], Module, [Arg|Args], Lambdas0, Lambdas) :-
    '$lambda_argument'(Kind, Arg0, Module, Arg, Lambdas0, Lambdas1),
    '$lambda_arguments'(Kinds, Args0, Module, Args, Lambdas1, Lambdas).

'$lambda_argument'(Kind, Arg, _, Arg, Lambdas, Lambdas) :- ( Kind == (?) ; var(Arg) ), !.
'$lambda_argument'(0, Goal0, Module, Goal, Lambdas0, Lambdas) :- !,
    '$lambda_goal'(Goal0, Module, Goal, Lambdas0, Lambdas).
'$lambda_argument'(^, Goal0, Module, Goal, Lambdas0, Lambdas) :- !,
    (   Goal0 = Var^Inner0
    ->  '$lambda_argument'(^, Inner0, Module, Inner, Lambdas0, Lambdas),
        Goal = Var^Inner
    ;   '$lambda_goal'(Goal0, Module, Goal, Lambdas0, Lambdas),
        '$without_known'(Lambdas0, Lambdas)
    ).
'$lambda_argument'(Count, Lambda, Module, Closure, [lambda(Closure, Lambda, _)|Lambdas], Lambdas) :-
    '$lambda_parts'(Lambda, _, Parameters, Body),
    callable(Body),
    is_list(Parameters),
    length(Parameters, Count),
    Arity is Count + 2,
    functor(Call, >>, Arity),
    (   '$visible'(Module:Call)
    ->  predicate_property(Module:Call, imported_from(yall))
    ;   true
    ), !.
'$lambda_argument'(_, Arg, _, Arg, Lambdas, Lambdas).

'$lambda_parts'(Parameters0 >> Body, Shared, Parameters, Body) :-
    nonvar(Parameters0),
    (   Parameters0 = Free/Parameters
    ->  nonvar(Free),
        ( Free == {} -> Shared = [] ; Free = {Term}, term_variables(Term, Shared) )
    ;   Parameters = Parameters0,
        Shared = []
    ).

'$lambda_closures'([], _, _, _).
'$lambda_closures'([lambda(Closure0, Lambda, Known)|Lambdas], Done, Clause, Module) :-
    term_variables(Clause-Done-Lambdas, Outside),
    '$lambda_predicate'(Lambda, Known, Outside, Module, Closure),
    '$lambda_closures'(Lambdas, [Lambda|Done], Clause, Module),
    Closure0 = Closure.

'$lambda_predicate'(Lambda, Known, Outside, Module, '$lambda':Closure) :-
    '$lambda_parts'(Lambda, Shared, Parameters, Body),
    term_variables(Shared-Parameters-Body, Inside0),
    '$lambda_without'(Inside0, Shared, Inside),
    '$lambda_among'(Inside, Outside, Copied),
    ( Copied == [] -> Last = [] ; Last = [Known] ),
    '$append'(Shared, Last, Context0),
    '$append'(Copied, Context0, Context),
    '$append'(Last, Parameters, Rest),
    length(Context, Count0),
    length(Parameters, Count1),
    Count is Count0 + Count1,
    '$new_lambda'(Count, Name),
    Closure =.. [Name|Context],
    copy_term_nat(l(Copied, Shared, Lambda), l(Copied1, Shared1, Lambda1)),
    length(Rest, More),
    '$lambda_expression_clause'(Copied1, Shared1, More, Name, Module, Lambda1, Shown),
    '$lambda_parts'(Lambda1, _, Parameters1, Body1),
    '$lambda_clause'(Copied1, Shared1, Parameters1, Body1, Name, Clause0),
    ( '$compiled_body'(Clause0, Module, Clause) -> true ; Clause = Clause0 ),
    '$load_lambda'(Shown, Clause).

% Keeps the clause as the expression, for the context in its first arguments.

'$lambda_expression_clause'(Copied, Shared, More, Name, Module, Lambda, ('$lambda':Head :- Goal)) :-
    length(Rest, More),
    '$append'(Shared, Rest, Args0),
    '$append'(Copied, Args0, Args),
    Head =.. [Name|Args],
    ( Module == user -> Goal = Lambda ; Goal = Module:Lambda ).

'$lambda_clause'([], Shared, Parameters, Body, Name, ('$lambda':Head :- Body)) :- !,
    '$append'(Shared, Parameters, Args),
    Head =.. [Name|Args].
'$lambda_clause'(Copied, Shared, Parameters, Body0, Name, ('$lambda':Head :- Body)) :-
    '$lambda_copies'(Copied, Given, Same),
    '$append'(Copied, Shared, Outer),
    '$lambda_parameters'(Parameters, Outer, Args, Body1, Body0),
    % A term without variables would not be copied.
    Body = ( (   Known == true
             ->  Same
             ;   system:ground(Given),
                 Known = true
             ->  Same
             ;   system:copy_term_nat([_|Shared]-Given, [_|Shared]-Copied)
             ), Body1 ),
    '$append'(Shared, [Known|Args], Rest),
    '$append'(Given, Rest, All),
    Head =.. [Name|All].

'$lambda_copies'([Copy|Copies], [Given|Rest], Same) :-
    (   Copies == []
    ->  Rest = [],
        Same = (Copy = Given)
    ;   Same = (Copy = Given, Same1),
        '$lambda_copies'(Copies, Rest, Same1)
    ).

% Unifies arguments with the parameters after the copy, in order.

'$lambda_parameters'([], _, [], Body, Body).
'$lambda_parameters'([Parameter|Parameters], Known, [Arg|Args], Body0, Body) :-
    (   var(Parameter),
        '$lambda_among'([Parameter], Known, [])
    ->  Arg = Parameter,
        Body0 = Body1
    ;   Body0 = (Arg = Parameter, Body1)
    ),
    term_variables(Known-Parameter, Known1),
    '$lambda_parameters'(Parameters, Known1, Args, Body1, Body).

'$lambda_among'([], _, []).
'$lambda_among'([Var|Vars], All, Found) :-
    (   '$member'(One, All), One == Var
    ->  Found = [Var|Found1]
    ;   Found = Found1
    ),
    '$lambda_among'(Vars, All, Found1).

'$lambda_without'([], _, []).
'$lambda_without'([Var|Vars], Not, Left) :-
    (   '$member'(One, Not), One == Var
    ->  Left = Left1
    ;   Left = [Var|Left1]
    ),
    '$lambda_without'(Vars, Not, Left1).

%% expand_goal(+Goal0, -Goal)
%  Expands Goal0 as the loader expands a goal in a body, and unifies Goal with the result. Applies
%  goal_expansion/2 and goal_expansion/4 of the module, of user and of system until nothing changes. Also
%  expands goals in control constructs and in arguments that are goals. Leaves arguments of predicates unchanged
%  if their library is not loaded yet, since the file may define these predicates itself. A goal that becomes
%  (If -> Then) is not the condition of a disjunction around it.
expand_goal(Goal0, Goal) :-
    '$source_module'(Module),
    '$expanded_goal'(Goal0, Module, Goal).

%% expand_goal(+Goal0, ?Position0, -Goal, -Position)
%  Expands like expand_goal/2. Position0, the place of Goal0 in a text, becomes Position. Wamlet calls
%  goal_expansion/4 with variables for positions.
expand_goal(Goal0, Position, Goal, Position) :- expand_goal(Goal0, Goal).

'$expanded_goal'(Goal0, Module, Goal) :-
    (   '$has_goal_hook'(Module),
        acyclic_term(Goal0)
    ->  '$expand_goal'(Goal0, Module, [], Goal)
    ;   Goal = Goal0
    ).

%% expand_term(+Term, -Clauses)
%  Expands Term as the loader does and unifies Clauses with the result. First applies term_expansion/4 or
%  term_expansion/2 of the module, of user and of system, one after the other. Then translates grammar rules and
%  expands goals.
%
%  ?- expand_term((greeting --> [hello], name), Clause).
%  Clause = (greeting(_A, _B):-_A=[hello|_C], name(_C, _B)).
expand_term(Term, Clauses) :- expand_term(Term, _, Clauses, _).

%% expand_term(+Term, ?Position0, -Clauses, -Position)
%  Expands like expand_term/2. Position0, the place of Term in a text, becomes Position, as in term_expansion/4.
expand_term(Term, Position, Term, Position) :- var(Term), !.
expand_term(Term, Position0, Clauses, Position) :-
    '$source_module'(Module),
    '$expansion'(Module, Term, Position0, Clauses0, Position1),
    (   nonvar(Clauses0), Clauses0 = [_|_], \+ is_list(Clauses0)
    ->  throw(error(type_error(list, Clauses0), _))
    ;   Position = Position1
    ),
    '$translated'(Clauses0, Clauses1),
    (   nonvar(Clauses1), Clauses1 = (:- Goal0)
    ->  '$expanded_goal'(Goal0, Module, Goal),
        Clauses = (:- Goal)
    ;   '$expand_bodies'(Clauses1, Module, Clauses)
    ).

% '$translated'(+Terms, -Clauses): translates grammar rules to clauses.

'$translated'(Terms, Terms) :- var(Terms), !.
'$translated'((Head --> Body), Clause) :- !, dcg_translate_rule((Head --> Body), Clause).
'$translated'([Term|Terms], [Clause|Clauses]) :- !,
    '$translated'(Term, Clause),
    '$translated'(Terms, Clauses).
'$translated'(Term, Term).

%% dcg_translate_rule(+Rule, ?Position0, -Clause, -Position)
%  Translates like dcg_translate_rule/2. Unifies Position with Position0.
dcg_translate_rule(Rule, Position, Clause, Position) :- dcg_translate_rule(Rule, Clause).

% Predicates that keep their answers in tables. Left recursive predicates, and predicates that depend on each
% other, terminate if they have finitely many answers.
%
% The clauses of a tabled p/N are those of 'p tabled'/N. p/N looks up the table of its goal.
% src/machine/tables.rs explains how tables that depend on each other are filled.

:- module(tabling, [
    table/1,
    abolish_all_tables/0,
    current_table/2
]).

% Clauses of programs call these.
:- public((tabled_call/2, moded_call/4)).

:- meta_predicate(table(:)).
:- meta_predicate(current_table(:, ?)).

%% table(:Predicates)
%
%  Declares that the clauses of these predicates are tabled: a goal is evaluated once, and returns each answer
%  once. A predicate is Name/Arity, Name//Arity, or a head whose arguments are variables or modes, as in
%  path(_, _, min). Of the answers that agree in the other arguments, the table keeps the one that the mode
%  prefers. An argument + or index counts as a variable. Modes are min, max, first, last, sum, - (the first
%  one), lattice(Name/3) and po(Name/2). lattice(Name/3) joins two values to one; po(Name/2) is true if the
%  second value is preferred. Predicates as Options is also accepted; Options are variant, subsumptive, shared,
%  incremental and others of SWI-Prolog, and change nothing. Answers appear in the order in which they were
%  found. Tables do not see changes of dynamic predicates: see abolish_all_tables/0. Each tabled goal of a body
%  receives each answer once. Clauses run again only for a goal that depends on itself through a condition, a
%  negation, findall/3, catch/3, or a goal before a cut. A tabled goal cannot use linear assumptions, as in {}.
%  With other assumptions around it, it is evaluated again at each call.

table(Specs0) :-
    strip_module(Specs0, Module, Specs),
    tabling_declare(Specs, Module).

tabling_declare(Specs, _) :- var(Specs), !, throw(error(instantiation_error, _)).
tabling_declare([], _) :- !.
tabling_declare([Spec|Specs], Module) :- !,
    tabling_declare(Spec, Module),
    tabling_declare(Specs, Module).
tabling_declare((Spec, Specs), Module) :- !,
    tabling_declare(Spec, Module),
    tabling_declare(Specs, Module).
tabling_declare(Module:Spec, _) :- !, tabling_declare(Spec, Module).
tabling_declare(Specs as Options, Module) :- !,
    tabling_options(Options),
    tabling_declare(Specs, Module).
tabling_declare(Spec, Module) :-
    tabling_head(Spec, Modes),
    functor(Modes, Name, Arity),
    (   '$is_tabled'(Module, Name, Arity)
    ->  true
    ;   tabling_clause(Modes, Name, Arity, Module, Clause),
        '$table_clauses'(Module, Name, Arity),
        (   '$loading' -> '$load_made_clause'(Module:Clause) ; assertz(Module:Clause) ),
        '$set_tabled'(Module, Name, Arity)
    ).

% Other systems use these options to choose how to store tables. They do not change the answers.

tabling_options(Options) :- var(Options), !, throw(error(instantiation_error, _)).
tabling_options((Option, Options)) :- !,
    tabling_options(Option),
    tabling_options(Options).
tabling_options(Option) :-
    (   tabling_option(Option)
    ->  true
    ;   throw(error(domain_error(table_option, Option), _))
    ).

tabling_option(variant).
tabling_option(subsumptive).
tabling_option(shared).
tabling_option(private).
tabling_option(incremental).
tabling_option(opaque).
tabling_option(monotonic).
tabling_option(lazy).
tabling_option(dynamic).
tabling_option(subgoal_abstract(_)).
tabling_option(answer_abstract(_)).
tabling_option(max_answers(_)).

tabling_head(Name/Arity, Head) :- !, tabling_functor(Head, Name, Arity).
tabling_head(Name//Arity0, Head) :- !,
    must_be(integer, Arity0),
    Arity is Arity0 + 2,
    tabling_functor(Head, Name, Arity).
tabling_head(Head, Head) :- must_be(callable, Head).

tabling_functor(Head, Name, Arity) :-
    must_be(atom, Name),
    must_be(integer, Arity),
    must_be(nonneg, Arity),
    functor(Head, Name, Arity).

% Makes the clause that replaces a tabled predicate. With modes, the table is that of the goal with variables as
% the moded arguments.

tabling_clause(Declared, Name, Arity, Module, (Head :- Body)) :-
    functor(Head, Name, Arity),
    Declared =.. [_|Declarations],
    Head =.. [_|Args],
    tabling_modes(Declarations, Args, TableArgs, Given, Free, Modes),
    atom_concat(Name, ' tabled', TabledName),
    Goal =.. [Name|TableArgs],
    Tabled =.. [TabledName|TableArgs],
    (   Modes == []
    ->  Body = tabling:tabled_call(Module:Goal, Module:Tabled)
    ;   Body = ( tabling:moded_call(Module:Goal, Module:Tabled, Free, Module:Modes), Given = Free )
    ).

tabling_modes([], [], [], [], [], []).
tabling_modes([Mode|Modes0], [Arg|Args], [TableArg|TableArgs], Given, Free, Modes) :-
    (   ( var(Mode) ; Mode == index ; Mode == (+) )
    ->  TableArg = Arg,
        tabling_modes(Modes0, Args, TableArgs, Given, Free, Modes)
    ;   tabling_mode(Mode, Known)
    ->  Given = [Arg|Given1],
        Free = [TableArg|Free1],
        Modes = [Known|Modes1],
        tabling_modes(Modes0, Args, TableArgs, Given1, Free1, Modes1)
    ;   throw(error(domain_error(tabled_mode, Mode), _))
    ).

tabling_mode(min, min).
tabling_mode(max, max).
tabling_mode(first, first).
tabling_mode(-, first).
tabling_mode(last, last).
tabling_mode(sum, sum).
tabling_mode(lattice(Spec), lattice(Name)) :- tabling_name(Spec, 3, Name).
tabling_mode(po(Spec), po(Name)) :- tabling_name(Spec, 2, Name).

tabling_name(Spec, _, _) :- var(Spec), !, throw(error(instantiation_error, _)).
tabling_name(Name/Arity, Arity, Name) :- !, atom(Name).
tabling_name(Name, _, Name) :- atom(Name), !.
tabling_name(Head, Arity, Name) :- functor(Head, Name, Arity).

% Assumptions affect the answers, so the intuitionistic ones are part of the key of the table. Linear
% assumptions are hidden, as in {}, since an answer may be taken any number of times.

tabled_call(Goal, Tabled) :-
    (   '$table_ready'(Goal, Table, Key)
    ->  '$table_answer'(Table, Key-_)
    ;   tabling_call(Goal, Tabled)
    ).

tabling_call(Goal, Tabled) :-
    '$assumptions'(Assumed),
    '$table_call'(Goal, Assumed, Table, Todo),
    term_variables(Goal-Assumed, Key),
    (   Todo == evaluate
    ->  tabling_evaluate(Table, Tabled, found(Table, Key))
    ;   true
    ),
    tabling_answer(Assumed, Table, Key-_).

moded_call(Goal, Tabled, Values, Modes) :-
    '$assumptions'(Assumed),
    '$table_call'(Goal, Assumed, Table, Todo),
    term_variables(Goal-Assumed, Variables),
    tabling_without(Variables, Values, Key),
    (   Todo == evaluate
    ->  tabling_evaluate(Table, Tabled, found(Table, Key, Values, Modes))
    ;   true
    ),
    tabling_answer(Assumed, Table, Key-Values).

% A table that depends on assumptions, or that a depth limit has kept from answers, may be gone before its next
% answer is needed. Only a table that is part of an evaluation stays. During an evaluation, the last goal
% returns the answers: its continuation is that of the tabled goal.

tabling_answer(Assumed, Table, Answer) :-
    (   ( Assumed == [], \+ '$depth_limited' ; '$table_evaluating' )
    ->  '$table_answer'(Table, Answer)
    ;   findall(Found, '$table_answer'(Table, Found), Answers),
        '$member'(Answer, Answers)
    ).

tabling_without([], _, []).
tabling_without([Variable|Variables], Values, Key) :-
    (   tabling_among(Values, Variable)
    ->  Key = Key1
    ;   Key = [Variable|Key1]
    ),
    tabling_without(Variables, Values, Key1).

tabling_among([Value|Values], Variable) :-
    (   Value == Variable -> true ; tabling_among(Values, Variable) ).

% An evaluation that ends with an exception leaves no table.

tabling_evaluate(Table, Tabled, Found) :-
    call_cleanup(
        tabling_begin(Table, Tabled, Found, Done),
        ( Done == true -> true ; '$table_broken_off'(Table) )).

tabling_begin(Table, Tabled, Found, Done) :-
    '$table_begin'(Table),
    tabling_next(round, Table, Tabled, Found, Done).

% tabling_next(+Todo, +Table, :Tabled, +Found, -Done): does the rest of the evaluation.

tabling_next(answers, _, _, _, true).
tabling_next(round, Table, Tabled, Found, Done) :-
    \+ tabling_run(Found, Tabled),
    '$table_round_over'(Table, Next),
    tabling_next(Next, Table, Tabled, Found, Done).
tabling_next(work, Table, Tabled, Found, Done) :-
    \+ tabling_work(Table),
    '$table_round_over'(Table, Next),
    tabling_next(Next, Table, Tabled, Found, Done).
tabling_next(guarded_work, Table, Tabled, Found, Done) :-
    catch(\+ tabling_work(Table), Ball, true),
    (   var(Ball)
    ->  '$table_round_over'(Table, Next)
    ;   '$table_raised'(Table)
    ->  Next = round
    ;   throw(Ball)
    ),
    tabling_next(Next, Table, Tabled, Found, Done).

tabling_work(Table) :-
    '$table_consumer'(Table, Consumer),
    tabling_run(_, Consumer).

% Adds each answer of a goal, or of a continuation, to its table. Fails in the end.

tabling_run(Found, What) :-
    linear:{'$table_run'(Found, What)},
    tabling_found(Found),
    fail.

tabling_found(found(Table, Key)) :- '$table_add'(Table, Key).
tabling_found(found(Table, Key, Values, Modes)) :- tabling_choose(Table, Key, Values, Modes).

tabling_choose(Table, Key, Values, Module:Modes) :-
    (   '$table_value'(Table, Key, Number, Old)
    ->  tabling_best(Modes, Old, Values, Module, Best),
        Best \== Old,
        '$table_put'(Table, Number, Key, Best)
    ;   '$table_put'(Table, -1, Key, Values)
    ).

tabling_best([], [], [], _, []).
tabling_best([Mode|Modes], [Old|Olds], [New|News], Module, [Best|Bests]) :-
    tabling_better(Mode, Old, New, Module, Best),
    tabling_best(Modes, Olds, News, Module, Bests).

tabling_better(min, Old, New, _, Best) :- ( New @< Old -> Best = New ; Best = Old ).
tabling_better(max, Old, New, _, Best) :- ( New @> Old -> Best = New ; Best = Old ).
tabling_better(first, Old, _, _, Old).
tabling_better(last, _, New, _, New).
tabling_better(sum, Old, New, _, Sum) :- Sum is Old + New.
tabling_better(lattice(Name), Old, New, Module, Best) :- call(Module:Name, Old, New, Best), !.
tabling_better(po(Name), Old, New, Module, Best) :-
    (   call(Module:Name, Old, New) -> Best = New ; Best = Old ).

%% abolish_all_tables
%
%  Removes all tables, so that goals are evaluated again. Not allowed during an evaluation.

abolish_all_tables :-
    (   '$tables_clear'
    ->  true
    ;   throw(error(permission_error(abolish, tables, all), _))
    ).

%% current_table(:Goal, -Table)
%
%  True if Table is the table of Goal, a variant of a goal that was called. Enumerates all matching tables on
%  backtracking.

current_table(Goal0, Table) :-
    strip_module(Goal0, Module, Goal),
    '$tables'(Tables),
    '$member'(Key-Table, Tables),
    tabling_key(Key, Module:Goal).

% Unifies the goal of a table, alone or with assumptions.

tabling_key([Goal|_], Found) :- !, Found = Goal.
tabling_key(Goal, Goal).

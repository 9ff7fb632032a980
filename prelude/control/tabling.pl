% Predicates that keep their answers in tables: what is defined by left recursion, or by goals that
% depend on each other, comes to an end if its answers do.
%
% The clauses of a tabled p/N are those of 'p tabled'/N. p/N looks into the table of its goal. How tables
% that depend on each other are filled is told in src/machine/tables.rs.

:- module(tabling, [
    table/1,
    abolish_all_tables/0,
    current_table/2
]).

% Called by clauses of programs.
:- public((tabled_call/2, moded_call/4)).

:- meta_predicate(table(:)).
:- meta_predicate(current_table(:, ?)).

%% table(:Predicates)
%
%  The clauses of these predicates are tabled: a goal is evaluated once, and gives each
%  answer once. Predicates are given as Name/Arity, Name//Arity or by a head whose arguments are variables
%  or modes, as in path(_, _, min): of the answers that agree in the other arguments the one is kept that a
%  mode prefers. An argument + or index is as a variable. Predicates as Options, where Options are variant, subsumptive,
%  shared, incremental and others of SWI-Prolog, are tabled in the same way. Modes are min, max, first, last, sum, - (the first one), lattice(Name/3), which makes one
%  value of two, and po(Name/2), which is true where the second value is preferred. Answers come in order of
%  their finding. Tables do not see changes of dynamic predicates: see abolish_all_tables/0.
%  Each tabled goal of a body meets each answer once. Clauses run again only for a goal that depends on itself
%  through a condition, a negation, findall/3, catch/3, or a goal before a cut.
%  A tabled goal does not use what is assumed for one use, as in {}; with other assumptions around it, it is
%  evaluated anew at each call.

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

% What other systems make of these options is their way to keep the tables: answers are the same.

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

% The clause that stands for a tabled predicate. Where there are modes, the table is that of the goal
% with variables for the arguments that have them.

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

% What is assumed has a part in the answers: all that may be used any number of times is in the key of the
% table. What is for one use is out of sight, as in {}, since an answer may be taken any number of times.

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

% A table that depends on assumptions, or that a limit of depth has kept from answers, may be gone when its
% next answer is asked for, unless it is part of an evaluation. While it is evaluated, the last goal gives its
% answers: its continuation is that of the tabled goal.

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

% What an exception leaves is no table.

tabling_evaluate(Table, Tabled, Found) :-
    call_cleanup(
        tabling_begin(Table, Tabled, Found, Done),
        ( Done == true -> true ; '$table_broken_off'(Table) )).

tabling_begin(Table, Tabled, Found, Done) :-
    '$table_begin'(Table),
    tabling_next(round, Table, Tabled, Found, Done).

% tabling_next(+Todo, +Table, :Tabled, +Found, -Done): all that is left of the evaluation.

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

% Each answer of a goal, or of a continuation, is added to its table. It fails in the end.

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
%  Forget all tables, so that goals are evaluated again. Not while one is evaluated.

abolish_all_tables :-
    (   '$tables_clear'
    ->  true
    ;   throw(error(permission_error(abolish, tables, all), _))
    ).

%% current_table(:Goal, -Table)
%
%  There is a table for Goal, a variant of a goal that was called. Gives all that fit.

current_table(Goal0, Table) :-
    strip_module(Goal0, Module, Goal),
    '$tables'(Tables),
    '$member'(Key-Table, Tables),
    tabling_key(Key, Module:Goal).

% The goal of a table, alone or with assumptions.

tabling_key([Goal|_], Found) :- !, Found = Goal.
tabling_key(Goal, Goal).

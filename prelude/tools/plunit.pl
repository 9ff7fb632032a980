% Tests of programs: the units, options and outcome of SWI-Prolog's library(plunit).
%
% The clauses between begin_tests/1 and end_tests/1 belong to a separate module of the unit, which sees the
% definitions of the file. Clauses of test/1,2 become clauses of 'unit body'/2. Long because a library has all
% predicates.

:- module(plunit, [
    begin_tests/1,
    begin_tests/2,
    end_tests/1,
    run_tests/0,
    run_tests/1,
    load_test_files/1,
    current_unit/4
]).

% Clauses and directives of programs call these.
:- public((plunit_expansion/2, plunit_add/5, plunit_run_one/6)).

:- meta_predicate(plunit_caught(0, -)).

% plunit_unit(Unit, Module, Context, Options)
:- dynamic(plunit_unit/4).
% plunit_test(Unit, Name, Number, Place, Options, Vars)
:- dynamic(plunit_test/6).
% plunit_open(Unit, Module, Context, File): the unit that is being loaded
:- dynamic(plunit_open/4).
% plunit_count(Outcome, Count)
:- dynamic(plunit_count/2).

%% begin_tests(+Unit)
%
%  Begins the tests of Unit, up to end_tests(Unit). The tests are clauses of test/1 and test/2, and clauses of
%  predicates that they need.

begin_tests(Unit) :-
    begin_tests(Unit, []).

%% begin_tests(+Unit, +Options)
%
%  Begins tests like begin_tests/1, with Options. blocked(Reason), condition(Goal), setup(Goal) and
%  cleanup(Goal) have the same meaning for the unit as for a test. sto(Terms) has no effect. Other options are
%  reported and ignored.

begin_tests(Unit, Options0) :-
    must_be(atom, Unit),
    plunit_list(Options0, Options1),
    plunit_known_options(Options1, Options),
    (   '$load_source'(File, _)
    ->  true
    ;   throw(error(permission_error(open, unit, Unit), context(begin_tests/2, 'no file is being loaded')))
    ),
    (   plunit_open(Open, _, _, File)
    ->  throw(error(permission_error(open, unit, Unit), context(begin_tests/2, unit(Open))))
    ;   '$retractall'(plunit_open(_, _, _, _))
    ),
    '$source_module'(Context),
    atom_concat(plunit_, Unit, Module),
    '$retractall'(plunit_unit(Unit, _, _, _)),
    '$retractall'(plunit_test(Unit, _, _, _, _, _)),
    '$assertz'(plunit_unit(Unit, Module, Context, Options)),
    '$assertz'(plunit_open(Unit, Module, Context, File)),
    '$set_import_modules'(Module, [Context]),
    retractall(Module:term_expansion(_, _)),
    assertz((Module:term_expansion(Clause, Clauses) :- plunit:plunit_expansion(Clause, Clauses))),
    discontiguous(Module:'unit body'/2),
    module(Module).

%% end_tests(+Unit)
%
%  Ends the tests of Unit.

end_tests(Unit) :-
    (   '$retract'(plunit_open(Unit, Module, Context, _))
    ->  retractall(Module:term_expansion(_, _)),
        module(Context)
    ;   throw(error(permission_error(close, unit, Unit), context(end_tests/1, 'it is not open')))
    ).

% Reports and removes options that a unit cannot have.

plunit_known_options([], []).
plunit_known_options([Option|Options0], Options) :-
    (   catch(plunit_check_options([Option], unit_option), Error, true),
        nonvar(Error)
    ->  '$directive_error'(Error),
        Options = Options1
    ;   Options = [Option|Options1]
    ),
    plunit_known_options(Options0, Options1).

plunit_list(Options, List) :-
    (   is_list(Options) -> List = Options ; List = [Options] ).

% plunit_expansion(+Clause, -Clauses)

plunit_expansion(Clause, Clauses) :-
    nonvar(Clause),
    plunit_clause(Clause, Name, Options, Body),
    plunit_open(Unit, _, _, _),
    plunit_list(Options, List0),
    plunit_normal_options(List0, List),
    findall(Earlier, plunit_test(Unit, Earlier, _, _, _, _), Names),
    length(Names, Number),
    (   catch(plunit_check_test(List), Error, true),
        nonvar(Error)
    ->  '$directive_error'(Error),
        Clauses = (:- plunit:plunit_add(Unit, Name, Number, [wrong_options], vars))
    ;   term_variables(Name-List, Vars0),
        Vars =.. [vars|Vars0],
        Clauses = [
            (:- plunit:plunit_add(Unit, Name, Number, List, Vars)),
            ('unit body'(Number, Vars) :- Body)
        ]
    ).

% Adds a test by a directive, so that an image of the program adds it, too.

plunit_add(Unit, Name, Number, List, Vars) :-
    '$load_place'(Place),
    '$assertz'(plunit_test(Unit, Name, Number, Place, List, Vars)).

plunit_clause((Head :- Body), Name, Options, Body) :- !,
    plunit_head(Head, Name, Options).
plunit_clause(Head, Name, Options, true) :-
    plunit_head(Head, Name, Options).

plunit_head(Head, _, _) :- var(Head), !, fail.
plunit_head(test(Name), Name, []).
plunit_head(test(Name, Options), Name, Options).

% Options: the expected outcome is success, fail, throws(Ball) or all(How, Op, Template, Expected).

plunit_normal_options([], []).
plunit_normal_options([Option0|Options0], [Option|Options]) :-
    (   plunit_normal(Option0, Option1) -> Option = Option1 ; Option = Option0 ),
    plunit_normal_options(Options0, Options).

plunit_normal(Option, _) :- var(Option), !, fail.
plunit_normal(true, true(true)).
plunit_normal(false, fail).
plunit_normal(error(Formal), throws(error(Formal, _))).
plunit_normal(error(Formal, Context), throws(error(Formal, Context))).
plunit_normal(exception(Ball), throws(Ball)).
plunit_normal(Comparison, true(Comparison)) :- plunit_comparison(Comparison, _, _, _).

plunit_comparison(Comparison, Op, Left, Right) :-
    nonvar(Comparison),
    Comparison =.. [Op,Left,Right],
    memberchk(Op, [=,==,=:=,=@=,\=,\==,=\=,\=@=,<,=<,>,>=,@<,@=<,@>,@>=,is]).

plunit_check_test(Options) :-
    plunit_check_options(Options, test_option),
    findall(Outcome, ( member(Option, Options), plunit_outcome(Option, Outcome) ), Outcomes),
    sort(Outcomes, Kinds),
    (   Kinds = [_,_|_]
    ->  throw(error(domain_error(one_outcome, Kinds), _))
    ;   Kinds = [success]
    ->  true
    ;   Outcomes = [_,_|_]
    ->  throw(error(domain_error(one_outcome, Outcomes), _))
    ;   true
    ).

plunit_outcome(true(_), success).
plunit_outcome(fail, fail).
plunit_outcome(throws(_), throws).
plunit_outcome(all(_), all).
plunit_outcome(set(_), set).
plunit_outcome(bag(_), bag).

plunit_check_options([], _).
plunit_check_options([Option|Options], Domain) :-
    (   var(Option)
    ->  throw(error(instantiation_error, _))
    ;   plunit_known(Option, Domain)
    ->  true
    ;   throw(error(domain_error(Domain, Option), _))
    ),
    plunit_check_options(Options, Domain).

plunit_known(blocked(_), _).
plunit_known(condition(_), _).
plunit_known(setup(_), _).
plunit_known(cleanup(_), _).
plunit_known(sto(_), _).
plunit_known(true(_), test_option).
plunit_known(fail, test_option).
plunit_known(throws(_), test_option).
plunit_known(nondet, test_option).
plunit_known(forall(_), test_option).
plunit_known(fixme(_), test_option).
plunit_known(all(Comparison), test_option) :- plunit_comparison(Comparison, _, _, _).
plunit_known(set(Comparison), test_option) :- plunit_comparison(Comparison, _, _, _).
plunit_known(bag(Comparison), test_option) :- plunit_comparison(Comparison, _, _, _).

%% current_unit(?Unit, ?Module, ?Context, ?Options)
%
%  True if Unit is loaded into Module, which sees the definitions of Context.

current_unit(Unit, Module, Context, Options) :-
    plunit_unit(Unit, Module, Context, Options).

%% load_test_files(+Options)
%
%  Loads, for each loaded file, the file with the same name and the extension plt, if it exists.

load_test_files(Options) :-
    must_be(list, Options),
    forall(plunit_test_file(File), load_files(user:File, [if(not_loaded)])).

plunit_test_file(File) :-
    source_file(Source),
    file_name_extension(Base, Extension, Source),
    Extension \== plt,
    file_name_extension(Base, plt, File),
    exists_file(File).

%% run_tests
%
%  Runs the tests of all units. Reports failed tests with their places, and then their number. Fails if a test
%  fails, or if there is no test.
%
%  A test should succeed and leave no choice point; a choice point causes a warning. Options of test/2 change
%  the expected outcome. true(Goal), or a comparison, must be true afterwards. fail expects failure.
%  throws(Ball), error(Formal) and error(Formal, Context) expect an exception that is an instance of this term.
%  all(Template == Solutions) expects these solutions; bag ignores their order, and set also duplicates. nondet
%  allows choice points. forall(Generator) runs the test for each solution of Generator. setup(Goal) and
%  cleanup(Goal) run before and after the test. condition(Goal) skips the test if Goal fails. blocked(Reason)
%  skips the test. fixme(Reason) marks a known failure, which does not count. sto(Terms) has no effect. A test
%  with another option is not run and counts as failed. A test in which assertion/1 fails continues, and counts
%  as failed.

run_tests :-
    findall(Unit, plunit_unit(Unit, _, _, _), Units),
    run_tests(Units).

%% run_tests(+Tests)
%
%  Runs tests like run_tests/0, but only those of a unit, of Unit:Test or Unit:[Test, …], or of a list of these.
%  Also fails if no unit has such a test.

run_tests(Specs) :-
    plunit_list(Specs, List),
    plunit_check_specs(List),
    '$retractall'(plunit_count(_, _)),
    plunit_run_specs(List),
    plunit_summary,
    \+ plunit_count(failed, _),
    plunit_has_test(List).

plunit_has_test(Specs) :-
    member(Spec, Specs),
    (   Spec = Unit:Tests0
    ->  plunit_list(Tests0, Tests)
    ;   Unit = Spec,
        Tests = all
    ),
    plunit_wanted(Unit, Tests, _), !.

plunit_check_specs([]).
plunit_check_specs([Spec|Specs]) :-
    (   var(Spec)
    ->  throw(error(instantiation_error, _))
    ;   ( Spec = Unit:_ -> true ; Unit = Spec ),
        must_be(atom, Unit),
        (   plunit_unit(Unit, _, _, _)
        ->  true
        ;   throw(error(existence_error(unit_test, Unit), _))
        )
    ),
    plunit_check_specs(Specs).

plunit_run_specs([]).
plunit_run_specs([Spec|Specs]) :-
    (   Spec = Unit:Tests0
    ->  plunit_list(Tests0, Tests)
    ;   Unit = Spec,
        Tests = all
    ),
    plunit_unit(Unit, Module, _, Options),
    plunit_run_unit(Unit, Module, Options, Tests),
    plunit_run_specs(Specs).

plunit_run_unit(Unit, Module, Options, Tests) :-
    (   memberchk(blocked(_), Options)
    ->  plunit_add(blocked)
    ;   member(condition(Condition), Options),
        \+ plunit_goal(Condition, Module, none, unit(Unit), condition)
    ->  true
    ;   plunit_goals(Options, setup, Module, none, unit(Unit))
    ->  forall(plunit_wanted(Unit, Tests, Test),
               plunit_run_test(Unit, Module, Test)),
        plunit_goals(Options, cleanup, Module, none, unit(Unit))
    ;   true
    ), !.
plunit_run_unit(_, _, _, _).

plunit_wanted(Unit, Tests, test(Name, Number, Place, Options, Vars)) :-
    plunit_test(Unit, Name, Number, Place, Options, Vars),
    (   Tests == all
    ->  true
    ;   member(Test, Tests),
        subsumes_term(Test, Name)
    ->  true
    ).

plunit_run_test(Unit, Module, test(Name, Number, Place, Options, Vars)) :-
    Which = test(Unit, Name, ''),
    (   memberchk(wrong_options, Options)
    ->  plunit_report(error, Place, Which, ' was not run because its options are wrong'),
        plunit_add(failed)
    ;   memberchk(blocked(_), Options)
    ->  plunit_add(blocked)
    ;   member(condition(Condition), Options),
        \+ plunit_goal(Condition, Module, Place, Which, condition)
    ->  true
    ;   memberchk(forall(Generator), Options)
    ->  term_variables(Generator, Bound),
        plunit_caught(forall(Module:Generator,
                             plunit:plunit_run_one(test(Unit, Name, Bound), Module, Number, Place, Options, Vars)),
                      Result),
        (   Result = raised(Error)
        ->  plunit_report_raised(Place, Which, ' (forall)', Error)
        ;   true
        )
    ;   plunit_run_one(Which, Module, Number, Place, Options, Vars)
    ).

plunit_run_one(Which, Module, Number, Place, Options, Vars) :-
    (   plunit_goals(Options, setup, Module, Place, Which)
    ->  Assertions = assertions(0),
        b_setval('$plunit_test', running(Place, Which, Options, Assertions)),
        plunit_outcome_of(Options, Module, 'unit body'(Number, Vars), Outcome0),
        b_setval('$plunit_test', none),
        plunit_with_assertions(Outcome0, Assertions, Outcome),
        plunit_judge(Outcome, Options, Place, Which),
        ignore(plunit_goals(Options, cleanup, Module, Place, Which))
    ;   true
    ).

% Reports a failing assertion/1 with its test, which continues and counts as failed.

:- multifile(prolog:assertion_failed/2).

prolog:assertion_failed(Why, Goal) :-
    nb_current('$plunit_test', running(Place, Which, Options, Assertions)),
    arg(1, Assertions, Count0),
    Count is Count0 + 1,
    nb_setarg(1, Assertions, Count),
    (   memberchk(fixme(_), Options)
    ->  true
    ;   plunit_assertion(Why, Goal, Format, Arguments),
        plunit_named(Arguments, Named),
        format(atom(What), Format, Named),
        plunit_report(error, Place, Which, What)
    ).

plunit_assertion(Why, Goal0, Format, [Goal|Arguments]) :-
    strip_module(Goal0, _, Goal),
    (   Why == fail
    ->  Format = ': the assertion ~p failed',
        Arguments = []
    ;   Format = ': the assertion ~p raised ~p',
        Arguments = [Why]
    ).

plunit_with_assertions(Outcome0, Assertions, Outcome) :-
    arg(1, Assertions, Count),
    (   Count > 0,
        Outcome0 \= wrong(_, _)
    ->  Outcome = reported
    ;   Outcome = Outcome0
    ).

% An outcome is `right`, `right(nondet)`, `wrong(Format, Arguments)`, or `reported`: wrong, with its message printed.

plunit_outcome_of(Options, Module, Body, Outcome) :-
    member(Option, Options),
    plunit_outcome(Option, _), !,
    plunit_outcome_as(Option, Options, Module, Body, Outcome).
plunit_outcome_of(Options, Module, Body, Outcome) :-
    plunit_outcome_as(true(true), Options, Module, Body, Outcome).

plunit_outcome_as(true(_), Options, Module, Body, Outcome) :-
    plunit_caught(Module:Body, Result),
    plunit_success(Result, Options, Module, Outcome).
plunit_outcome_as(fail, _, Module, Body, Outcome) :-
    plunit_caught(Module:Body, Result),
    (   Result = true(_)
    ->  Outcome = wrong(' succeeded, but should fail', [])
    ;   Result = raised(Error)
    ->  plunit_raised(Error, Outcome)
    ;   Outcome = right
    ).
plunit_outcome_as(throws(Ball), _, Module, Body, Outcome) :-
    plunit_caught(Module:Body, Result),
    (   Result = true(_)
    ->  Outcome = wrong(' succeeded, but should raise ~p', [Ball])
    ;   Result = raised(Error)
    ->  (   subsumes_term(Ball, Error)
        ->  Outcome = right
        ;   Outcome = wrong(' raised ~p, but should raise ~p', [Error,Ball])
        )
    ;   Outcome = wrong(' failed, but should raise ~p', [Ball])
    ).
plunit_outcome_as(all(Comparison), _, Module, Body, Outcome) :-
    plunit_all(Comparison, all, Module, Body, Outcome).
plunit_outcome_as(set(Comparison), _, Module, Body, Outcome) :-
    plunit_all(Comparison, set, Module, Body, Outcome).
plunit_outcome_as(bag(Comparison), _, Module, Body, Outcome) :-
    plunit_all(Comparison, bag, Module, Body, Outcome).

plunit_order(all, List, List).
plunit_order(set, List, Set) :- sort(List, Set).
plunit_order(bag, List, Bag) :- msort(List, Bag).

plunit_all(Comparison, Order, Module, Body, Outcome) :-
    plunit_comparison(Comparison, Op, Template, Expected0),
    plunit_caught(findall(Template, Module:Body, Found0), Result),
    (   Result = raised(Error)
    ->  plunit_raised(Error, Outcome)
    ;   plunit_order(Order, Found0, Found),
        ( is_list(Expected0) -> plunit_order(Order, Expected0, Expected) ; Expected = Expected0 ),
        (   call(Op, Found, Expected)
        ->  Outcome = right
        ;   Outcome = wrong(': the solutions are ~p, not ~p', [Found,Expected])
        )
    ).

plunit_success(fail, _, _, wrong(' failed', [])).
plunit_success(raised(Error), _, _, Outcome) :-
    plunit_raised(Error, Outcome).
plunit_success(true(Det), Options, Module, Outcome) :-
    (   member(true(Goal), Options),
        plunit_caught(Module:Goal, Result),
        Result \= true(_)
    ->  (   Result = raised(Error)
        ->  plunit_raised(Error, Outcome)
        ;   plunit_comparison(Goal, Op, Left, Right)
        ->  Outcome = wrong(': ~p is not ~w ~p', [Left,Op,Right])
        ;   Outcome = wrong(': ~p is false', [Goal])
        )
    ;   Det == true
    ->  Outcome = right
    ;   memberchk(nondet, Options)
    ->  Outcome = right
    ;   Outcome = right(nondet)
    ).

plunit_raised(Error, wrong(Format, Arguments)) :-
    (   nonvar(Error),
        Error = error(_, _),
        '$error_text'(Error, Text)
    ->  Format = ' raised an error: ~w',
        Arguments = [Text]
    ;   Format = ' raised ~p',
        Arguments = [Error]
    ).

% plunit_caught(:Goal, -Result): Result is true(Det), fail or raised(Error). Det is true if no choice point is
% left. Keeps the bindings.

plunit_caught(Goal, Result) :-
    (   catch(plunit_called(Goal, Det), Error, true)
    ->  (   var(Error) -> Result = true(Det) ; Result = raised(Error) )
    ;   Result = fail
    ).

plunit_called(Goal, Det) :-
    call_cleanup(Goal, Left = true),
    ( Left == true -> Det = true ; Det = false ).

% Runs the goals of setup and cleanup, and conditions.

plunit_goals(Options, Kind, Module, Place, Which) :-
    plunit_pick(Options, Kind, Goals),
    plunit_each(Goals, Module, Place, Which, Kind).

plunit_pick([], _, []).
plunit_pick([Option|Options], Kind, Goals0) :-
    (   Option =.. [Kind,Goal]
    ->  Goals0 = [Goal|Goals]
    ;   Goals0 = Goals
    ),
    plunit_pick(Options, Kind, Goals).

plunit_each([], _, _, _, _).
plunit_each([Goal|Goals], Module, Place, Which, Kind) :-
    plunit_goal(Goal, Module, Place, Which, Kind),
    plunit_each(Goals, Module, Place, Which, Kind).

plunit_goal(Goal, Module, Place, Which, Kind) :-
    plunit_caught(Module:Goal, Result),
    (   Result = true(_)
    ->  true
    ;   Result = raised(Error)
    ->  format(atom(What), ' (~w)', [Kind]),
        plunit_report_raised(Place, Which, What, Error),
        fail
    ;   Kind == condition
    ->  fail
    ;   format(atom(What), ' (~w) failed', [Kind]),
        plunit_report(error, Place, Which, What),
        plunit_add(failed),
        fail
    ).

% Reports.

plunit_judge(Outcome, Options, Place, Which) :-
    (   memberchk(fixme(_), Options)
    ->  (   memberchk(Outcome, [reported,wrong(_, _)])
        ->  plunit_add(fixme)
        ;   plunit_add(fixed)
        )
    ;   Outcome == reported
    ->  plunit_add(failed)
    ;   Outcome = wrong(Format, Arguments)
    ->  plunit_add(failed),
        plunit_named(Arguments, Named),
        format(atom(What), Format, Named),
        plunit_report(error, Place, Which, What)
    ;   plunit_add(passed),
        (   Outcome = right(nondet)
        ->  plunit_report(warning, Place, Which,
                        ' succeeded with a choice point; allow this with the option nondet')
        ;   true
        )
    ).

% Shows variables by names, as in answers.

plunit_named(Arguments, Named) :-
    (   catch(copy_term(Arguments, Named, _), _, fail),
        acyclic_term(Named)
    ->  numbervars(Named, 0, _)
    ;   Named = Arguments
    ).

plunit_report_raised(Place, Which, What0, Error) :-
    plunit_raised(Error, wrong(Format, Arguments)),
    plunit_named(Arguments, Named),
    format(atom(Text), Format, Named),
    atom_concat(What0, Text, What),
    plunit_report(error, Place, Which, What),
    plunit_add(failed).

plunit_report(Severity, Place, Which, What) :-
    plunit_which(Which, Name),
    atom_concat(Name, What, Text),
    plunit_about(Severity, About),
    (   '$place_message'(Severity, Text, Place, About, [])
    ->  true
    ;   print_message(Severity, format('~w', [Text]))
    ).

% Names the warning, if it is one.

plunit_about(error, none).
plunit_about(warning, choicepoint).

plunit_which(unit(Unit), Text) :-
    format(atom(Text), 'unit ~q', [Unit]).
plunit_which(test(Unit, Name, Bound), Text) :-
    (   Bound == ''
    ->  format(atom(Text), 'test ~q', [Unit:Name])
    ;   plunit_named(Bound, Named),
        format(atom(Text), 'test ~q (forall ~p)', [Unit:Name,Named])
    ).

plunit_add(Outcome) :-
    (   '$retract'(plunit_count(Outcome, Count0)) -> true ; Count0 = 0 ),
    Count is Count0 + 1,
    '$assertz'(plunit_count(Outcome, Count)).

plunit_summary :-
    flush_output(user_output),
    plunit_say(blocked, 'blocked'),
    plunit_say(fixme, 'failed as expected'),
    plunit_say(fixed, 'passed unexpectedly'),
    plunit_say(failed, 'failed'),
    (   plunit_count(passed, Count)
    ->  plunit_tests(Count, Tests),
        (   plunit_count(failed, _)
        ->  print_message(informational, format('~w passed', [Tests]))
        ;   Count =:= 1
        ->  print_message(informational, format('1 test passed', []))
        ;   print_message(informational, format('All ~w passed', [Tests]))
        )
    ;   plunit_count(_, _)
    ->  true
    ;   print_message(warning, format('No tests to run', []))
    ).

plunit_say(Outcome, Text) :-
    (   plunit_count(Outcome, Count)
    ->  plunit_tests(Count, Tests),
        print_message(informational, format('~w ~w', [Tests,Text]))
    ;   true
    ).

plunit_tests(1, '1 test') :- !.
plunit_tests(Count, Tests) :- format(atom(Tests), '~d tests', [Count]).

% The report of run_tests/0 about tests with unexpected results.

:- use_module(library(plunit)).

fact(1).

:- begin_tests(failing, [setup(true)]).

test(fails) :- fact(2).
test(compared, X == 3) :- fact(X).
test(choices) :- member(_, [1,2]).
test(solutions, all(X-_ == [1-_])) :- member(X, [1,2]).
test(succeeds, fail) :- fact(1).
test(other_ball, throws(y)) :- throw(x).
test(no_ball, error(type_error(_, _))) :- fact(1).
test(error, true) :-
    atom_length(_, _).
test(ball, X == 1) :- throw(f(X)).
test(each, [forall(member(X, [1,2])), true(Y =:= X)]) :- Y = 1.
test(not_set_up, setup(fact(2))) :- fact(1).
test(clean, cleanup(throw(x))) :- fact(1).
test(repaired, fixme(later)) :- fact(1).
test(unknown, [nondeterministic]) :- fact(1).
test(two_outcomes, [fail,throws(_)]) :- fact(1).
test(goes_on, sto(rational_trees)) :- assertion(fact(2)), assertion(atom_length(_, _)), fact(3).
test(counted, forall(member(X, [1,2,3]))) :- assertion(X < 3).
test(known, fixme(later)) :- assertion(fact(2)).
test(holds, X == 1) :- assertion(fact(X)), fact(X).

:- end_tests(failing).
:- end_tests(failing).

:- begin_tests(hopeless, [setup(fail)]).

test(never) :- fact(1).

:- end_tests(hopeless).

:- begin_tests(odd, [no_such_option(1),sto(finite_trees)]).

test(runs) :- fact(2).

:- end_tests(odd).

:- initialization(run_tests).

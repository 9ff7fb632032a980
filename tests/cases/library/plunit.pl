% Tests that come out as they should: library(plunit).

:- use_module(library(plunit)).

helper(1).

:- begin_tests(good).

own(2).
own(3).

test(sees_the_file) :- helper(1).
test(compared, X == 3) :- X is 1 + 2.
test(two, [true(X == 1), Y == 2]) :- X = 1, Y = 2.
test(list, all(X == [1,2])) :- member(X, [1,2]).
test(own, all(X == [2,3])) :- own(X).
test(set, set(X == [1,2])) :- member(X, [2,1,2]).
test(bag, bag(X == [1,2,2])) :- member(X, [2,1,2]).
test(variables, all(X =@= [_,_])) :- member(X, [_,_]).
test(fails, fail) :- fail.
test(ball, throws(x)) :- throw(x).
test(ball, exception(f(_))) :- throw(f(1)).
test(error, error(type_error(_, _))) :- atom_length(f(x), _).
test(error, error(instantiation_error, _)) :- atom_length(_, _).
test(choices, nondet) :- member(_, [1,2]).
test(choices, [X == 1,nondet]) :- member(X, [1,2]).
test(each, [forall(member(X, [1,2])),true(Y =:= X)]) :- Y = X.
test(around, [setup(nb_setval(plunit_k, 1)),cleanup(nb_setval(plunit_k, 0)),X == 1]) :- nb_getval(plunit_k, X).
test(blocked, blocked(later)) :- fail.
test(left_out, condition(fail)) :- fail.
test(known, fixme(sometime)) :- fail.
test(true, true).
test(grammar, L == `ab`) :- phrase(letters, L).

letters --> "ab".

:- end_tests(good).

:- begin_tests(wrong).
test(no) :- fail.
test(yes).
:- end_tests(wrong).

:- begin_tests(blocked, [blocked(because)]).
test(no) :- fail.
:- end_tests(blocked).

:- begin_tests(left_out, [condition(\+ helper(1))]).
test(no) :- fail.
:- end_tests(left_out).

after(Module) :- context_module(Module).

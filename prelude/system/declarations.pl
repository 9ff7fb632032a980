% Directives of SWI-Prolog beyond the standard. They matter more to other systems than to Wamlet.

:- module(system, []).

% Clauses of programs call this.
:- public('$det_call'/2).

:- meta_predicate(autoload(:)).
:- meta_predicate(autoload(:, +)).
:- meta_predicate(dynamic(:, +)).
:- meta_predicate(load_files(:)).
:- meta_predicate(volatile(:)).
:- meta_predicate(noprofile(:)).
:- meta_predicate(non_terminal(:)).
:- meta_predicate('$hide'(:)).
:- meta_predicate(thread_initialization(0)).
:- meta_predicate(predicate_options(:, +, +)).
:- meta_predicate(compile_predicates(:)).
:- meta_predicate(det(:)).
:- meta_predicate($(0)).
:- meta_predicate(redefine_system_predicate(:)).

%% autoload(:Files)
%  Makes the exports of these files available, like use_module/1. Definitions and other imports of the program
%  replace them without a message. Skips a file that does not exist.
%
%  ?- autoload(library(dcg/basics)), phrase(digits(Ds), `12`).
%  Ds = [49, 50].
autoload(Files) :-
    '$files'(Files, Module, Plain),
    '$autoload'(Plain, Module, all).

%% autoload(:File, +Imports)
%  Makes the listed predicates of a file available, like autoload/1.
autoload(Files, Imports) :-
    '$files'(Files, Module, Plain),
    '$must_be_list'(Imports),
    '$autoload'(Plain, Module, Imports).

'$autoload'(Files, _, _) :- var(Files), !, throw(error(instantiation_error, _)).
'$autoload'([], _, _) :- !.
'$autoload'([File|Files], Module, Imports) :- !,
    '$autoload'(File, Module, Imports),
    '$autoload'(Files, Module, Imports).
'$autoload'(File, Module, Imports) :-
    (   catch('$resolve_source'(File, Kind, Name), error(existence_error(_, _), _), fail)
    ->  '$load'(Kind, Name, Module, lazily(Imports))
    ;   true
    ).

%% load_files(:Files)
%  Loads files like load_files(Files, []).
load_files(Files) :- load_files(Files, []).

%% dynamic(:Indicators, +Options)
%  Declares the predicates of a list as dynamic. Options: multifile(true) and discontiguous(true) declare that
%  too. incremental(Boolean), abstract(0) and thread(Which) have no effect.
dynamic(Spec, Options) :-
    strip_module(Spec, Module, Indicators),
    '$must_be_list'(Indicators),
    '$must_be_list'(Options),
    dynamic(Module:Indicators),
    ( '$option_member'(multifile(true), Options) -> multifile(Module:Indicators) ; true ),
    ( '$option_member'(discontiguous(true), Options) -> discontiguous(Module:Indicators) ; true ).

%% volatile(:Indicators)
%  Declares, as a directive, that saved states of the program omit the predicates. Has no effect: Wamlet has no
%  saved states.
volatile(Indicators) :- public(Indicators).

%% noprofile(:Indicators)
%  Declares, as a directive, that the profiler of other systems ignores the predicates. Has no effect in Wamlet.
noprofile(Indicators) :- public(Indicators).

%% non_terminal(:Indicators)
%  Declares, as a directive, that the predicates are grammar rules. Has no effect.
non_terminal(Indicators) :- public(Indicators).

'$hide'(Indicators) :- public(Indicators).

%% license(+License)
%  Declares, as a directive, the license of the file, an atom. Has no effect.
license(License) :- '$check_license'(License).

%% license(+License, +Component)
%  Declares, as a directive, the license of a component of the program. Has no effect.
license(License, _) :- '$check_license'(License).

'$check_license'(License) :-
    (   atom(License)
    ->  true
    ;   var(License)
    ->  throw(error(instantiation_error, _))
    ;   throw(error(type_error(atom, License), _))
    ).

%% thread_initialization(:Goal)
%  Runs Goal now, for the only thread.
thread_initialization(Goal) :- call(Goal), !.

%% predicate_options(:Indicator, +Argument, +Options)
%  Declares, as a directive, that argument number Argument of a predicate is a list of such options. Has no
%  effect.
predicate_options(_, _, _).

%% compile_predicates(:Indicators)
%  Makes dynamic predicates static in other systems. In Wamlet they stay dynamic.
compile_predicates(Indicators) :- public(Indicators).

%% redefine_system_predicate(:Head)
%  Declares, as a directive, that the program redefines a predicate of the system. Wamlet does not need this
%  declaration.
redefine_system_predicate(Spec) :-
    strip_module(Spec, _, Head),
    (   var(Head)
    ->  throw(error(instantiation_error, _))
    ;   callable(Head)
    ->  true
    ;   throw(error(type_error(callable, Head), _))
    ).

% Determinism. The clauses of a determinate p/N are those of 'p tabled'/N, as for tables. p/N is one clause that
% calls it.

%% det(:Indicators)
%  Declares, as a directive, that each call of these predicates succeeds and leaves no choice point. A call that
%  does not raises determinism_error(Indicator, det, Found, property), where Found is fail or nondet. If the
%  flag determinism_error is warning or silent instead of error, execution continues. A call keeps its memory
%  until it has succeeded, even if it is the last call of a clause. So do not declare predicates that recurse
%  without end. Dynamic predicates are not checked.
%
%  :- det(area/2).
det(Spec) :-
    strip_module(Spec, Module, Indicators),
    '$det'(Indicators, Module).

'$det'(Spec, _) :- var(Spec), !, throw(error(instantiation_error, _)).
'$det'([], _) :- !.
'$det'([Spec|Specs], Module) :- !,
    '$det'(Spec, Module),
    '$det'(Specs, Module).
'$det'((Spec, Specs), Module) :- !,
    '$det'(Spec, Module),
    '$det'(Specs, Module).
'$det'(Module:Spec, _) :- !, '$det'(Spec, Module).
'$det'(Name//Arity0, Module) :- integer(Arity0), !,
    Arity is Arity0 + 2,
    '$det'(Name/Arity, Module).
'$det'(Indicator, Module) :-
    public(Module:Indicator),
    Indicator = Name/Arity,
    (   '$det_dynamic'(Module, Name, Arity)
    ->  true
    ;   '$is_tabled'(Module, Name, Arity)
    ->  true
    ;   '$det_clause'(Module, Name, Arity, Clause),
        '$table_clauses'(Module, Name, Arity),
        (   '$loading' -> '$load_made_clause'(Module:Clause) ; assertz(Module:Clause) ),
        '$set_tabled'(Module, Name, Arity),
        '$set_det'(Module, Name, Arity)
    ).

'$det_dynamic'(Module, Name, Arity) :-
    functor(Head, Name, Arity),
    '$visible'(Module:Head),
    predicate_property(Module:Head, dynamic).

'$det_clause'(Module, Name, Arity, (Head :- system:'$det_call'(Module:Goal, Culprit))) :-
    functor(Head, Name, Arity),
    Head =.. [_|Args],
    atom_concat(Name, ' tabled', Other),
    Goal =.. [Other|Args],
    ( Module == user -> Culprit = Name/Arity ; Culprit = Module:Name/Arity ).

'$det_call'(Goal, Culprit) :- '$determinate'(Goal, Culprit, property).

%% $(:Goal)
%  Calls Goal like call/1. Goal must succeed and leave no choice point. Otherwise raises
%  determinism_error(Goal, det, Found, goal), where Found is fail or nondet. See det/1.
%
%  ?- $member(X, [a]).
%  X = a.
%
%  ?- catch($member(_, [a, b]), error(determinism_error(_, det, Found, Kind), _), true).
%  Found = nondet,
%  Kind = goal.
$(Goal) :-
    strip_module(Goal, _, Culprit),
    '$determinate'(Goal, Culprit, goal).

%% $
%  Cuts like !. The rest of the conjunction must succeed and leave no choice point. Otherwise raises
%  determinism_error(Indicator, det, Found, guard), where Found is fail or nondet. See det/1.
'$'.

% '$guarded'(+Before, +Culprit): runs when the goals after `$` have succeeded. Before was then the newest choice
% point.

'$guarded'(Before, Culprit) :-
    '$choice'(Now),
    (   Now == Before
    ->  true
    ;   '$not_determinate'(Culprit, nondet, guard)
    ).

'$guard_failed'(Culprit) :-
    '$not_determinate'(Culprit, fail, guard),
    fail.

'$determinate'(Goal, Culprit, Kind) :-
    (   call_cleanup(Goal, Determinate = true)
    *-> (   Determinate == true
        ->  true
        ;   '$not_determinate'(Culprit, nondet, Kind)
        )
    ;   '$not_determinate'(Culprit, fail, Kind),
        fail
    ).

'$not_determinate'(Culprit, Found, Kind) :-
    current_prolog_flag(determinism_error, Action),
    '$not_determinate'(Action, determinism_error(Culprit, det, Found, Kind)).

'$not_determinate'(error, Error) :- throw(error(Error, _)).
'$not_determinate'(warning, Error) :- print_message(warning, error(Error, _)).
'$not_determinate'(silent, _).

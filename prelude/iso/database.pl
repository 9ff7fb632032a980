% The database of clauses, and properties of predicates and modules: parts of these builtins that are best
% written in Prolog.

:- module(system, []).

:- meta_predicate(assert(:)).
:- meta_predicate(assert(:, -)).
:- meta_predicate(asserta(:)).
:- meta_predicate(asserta(:, -)).
:- meta_predicate(assertz(:)).
:- meta_predicate(assertz(:, -)).
:- meta_predicate(clause(:, ?)).
:- meta_predicate(clause(:, ?, ?)).
:- meta_predicate(retract(:)).
:- meta_predicate(retractall(:)).
:- meta_predicate('$asserta'(:)).
:- meta_predicate('$assertz'(:)).
:- meta_predicate('$retract'(:)).
:- meta_predicate('$retractall'(:)).
:- meta_predicate(abolish(:)).
:- meta_predicate(abolish(:, +)).
:- meta_predicate(dynamic(:)).
:- meta_predicate(discontiguous(:)).
:- meta_predicate(multifile(:)).
:- meta_predicate(count_memo(:)).
:- meta_predicate(meta_predicate(:)).
:- meta_predicate(public(:)).
:- meta_predicate(module_transparent(:)).
:- meta_predicate(table(:)).
:- meta_predicate(export(:)).
:- meta_predicate(module(:)).
:- meta_predicate(op(+, +, :)).
:- meta_predicate(set_prolog_flag(:, +)).
:- meta_predicate(import(:)).
:- meta_predicate(current_predicate(:)).
:- meta_predicate(current_predicate(?, :)).
:- meta_predicate('$predicate'(:, -, -)).
:- meta_predicate('$visible'(:)).
:- meta_predicate(predicate_property(:, ?)).
:- meta_predicate(vm_list(:)).
:- meta_predicate(strip_module(:, -, -)).

% The control constructs, from control.pl and from the machine itself.

:- meta_predicate(call(0)).
:- meta_predicate(call(1, ?)).
:- meta_predicate(call(2, ?, ?)).
:- meta_predicate(call(3, ?, ?, ?)).
:- meta_predicate(call(4, ?, ?, ?, ?)).
:- meta_predicate(call(5, ?, ?, ?, ?, ?)).
:- meta_predicate(call(6, ?, ?, ?, ?, ?, ?)).
:- meta_predicate(call(7, ?, ?, ?, ?, ?, ?, ?)).
:- meta_predicate(','(0, 0)).
:- meta_predicate(;(0, 0)).
:- meta_predicate(->(0, 0)).
:- meta_predicate(*->(0, 0)).
:- meta_predicate(\+(0)).
:- meta_predicate(once(0)).
:- meta_predicate(ignore(0)).
:- meta_predicate(forall(0, 0)).
:- meta_predicate(findall(?, 0, -)).
:- meta_predicate(findall(?, 0, -, ?)).
:- meta_predicate(catch(0, ?, 0)).
:- meta_predicate(call_cleanup(0, 0)).
:- meta_predicate(setup_call_cleanup(0, 0, 0)).
:- meta_predicate('$call_cleanup'(0, 0)).

%% predicate_property(:Head, ?Property)
%  True if the predicate of Head has Property. If Head is unbound, enumerates the predicates of the program and
%  of the system on backtracking.
%
%  ?- assertz(color(red)), predicate_property(color(_), number_of_clauses(N)).
%  N = 1.
%
%  ?- predicate_property(append(_, _, _), imported_from(M)).
%  M = lists.
%
%  ?- predicate_property(atom_length(_, _), dynamic).
%  false.
predicate_property(Head, Property) :-
    '$predicate'(Head, Module, Index),
    '$predicate_properties'(Module, Index, Property, Properties),
    '$member'(Property, Properties).

%% module_property(?Module, ?Property)
%  True if Module has Property: class(C), file(F) or exports(L). Enumerates modules and properties on
%  backtracking.
%
%  ?- module_property(pairs, exports(_L)), length(_L, N).
%  N = 6.
module_property(Module, Property) :-
    current_module(Module),
    '$module_properties'(Module, Property, Properties),
    '$member'(Property, Properties).

%% abolish(:Name, +Arity)
%  Removes a predicate like abolish(Name/Arity).
%
%  ?- assertz(old(1)), abolish(old, 1), catch(old(_), error(E, _), true).
%  E = existence_error(procedure, old/1).
abolish(Spec, Arity) :-
    strip_module(Spec, Module, Name),
    abolish(Module:Name/Arity).

%% import(:Indicators)
%  Imports predicates, each given as From:Name/Arity.
import(Spec) :-
    (   nonvar(Spec), Spec = Into:Specs, nonvar(Specs),
        Specs \= _/_, Specs \= _//_
    ->  true
    ;   '$source_module'(Into),
        Specs = Spec
    ),
    '$import_each'(Specs, Into).

'$import_each'(Specs, _) :- var(Specs), !, throw(error(instantiation_error, _)).
'$import_each'((A, B), Into) :- !, '$import_each'(A, Into), '$import_each'(B, Into).
'$import_each'([], _) :- !.
'$import_each'([A|B], Into) :- !, '$import_each'(A, Into), '$import_each'(B, Into).
'$import_each'(From:Indicator, Into) :- '$import'(From, [Indicator], Into).

%% @(:Goal, +Module)
%  Calls Goal in the context of Module.
@(Goal, Module) :- call(Module:Goal).

% Linear logic: goals that assume, after Hodas and Miller, "Logic Programming in a Fragment of
% Intuitionistic Linear Logic", Information and Computation 110 (1994).
%
% The compiler compiles these connectives in place in a module that imports them, and also here. The predicates
% are for goals known only when they are called. Clauses of such a module may also be formulas: load::formulas.
% The library explain reports why a goal fails, what it leaves unused and what it uses; it needs no import.

:- module(linear, [
    '-<>'/2, '-o'/2, '⊸'/2, '=>'/2, '&'/2, '{}'/1, erase/0, forall/1, exists/1, guard/3,
    linear/1, exactly/1, '--o'/2,
    op(1150, fx, linear), op(1200, xfx, '<='),
    op(950, xfy, '-<>'), op(950, xfy, '⊸'), op(950, xfy, '=>'), op(1020, xfy, '&'),
    op(940, xfy, '--o'), op(950, fy, forall), op(950, fy, exists), op(950, xfy, '\\')
]).

:- meta_predicate('-<>'(:, 0)).
:- meta_predicate('-o'(:, 0)).
:- meta_predicate('⊸'(:, 0)).
:- meta_predicate('=>'(:, 0)).
:- meta_predicate('&'(0, 0)).
:- meta_predicate('{}'(0)).
:- meta_predicate(forall(:)).
:- meta_predicate(exists(:)).
:- meta_predicate(guard(0, 0, 0)).
:- meta_predicate(exactly(0)).
:- meta_predicate(linear(:)).

%%  -<>(:Formula, :Goal)
%   True if Goal is true with the assumption Formula, which Goal must use exactly once.
%
%  ?- use_module(library(linear)).
%  true.
%
%  ?- tea -<> tea.
%  true.
%
%  ?- tea -<> (tea, tea).
%  false.
'-<>'(Formula, Goal) :- '-o'(Formula, Goal).

%%  -o(:Formula, :Goal)
%   Means Formula -<> Goal.
'-o'(Formula, Goal) :- '-o'(Formula, Goal).

%%  ⊸(:Formula, :Goal)
%   Means Formula -<> Goal.
'⊸'(Formula, Goal) :- '-o'(Formula, Goal).

%%  =>(:Formula, :Goal)
%   True if Goal is true with the assumption Formula, which Goal may use any number of times.
%
%  ?- use_module(library(linear)).
%  true.
%
%  ?- tea => (tea, tea).
%  true.
'=>'(Formula, Goal) :- '=>'(Formula, Goal).

%%  &(:A, :B)
%   True if A and B are both true, each with the same assumptions, and both consume the same ones.
%
%  ?- use_module(library(linear)).
%  true.
%
%  ?- (tea & coffee) -<> coffee.
%  true.
'&'(A, B) :- '&'(A, B).

%%  {}(:Goal)
%   True if Goal is true without the linear assumptions around it.
%
%  ?- use_module(library(linear)).
%  true.
%
%  ?- rule => (thing -<> ({rule}, thing)).
%  true.
{Goal} :- {Goal}.

%%  erase
%   Succeeds. The assumptions made so far may then be left unused.
%
%  ?- use_module(library(linear)).
%  true.
%
%  ?- tea -<> coffee -<> tea.
%  false.
%
%  ?- tea -<> coffee -<> (tea, erase).
%  true.
erase :- '$erase_context'.

%%  forall(:Quantified)
%   True for forall X\ Goal if Goal is true for a new constant X.
forall(Quantified) :-
    '$open_universal'(Quantified, First, Last, Outer, Goal),
    call(Goal),
    '$eigenvariables_free'(First, Last, Outer).

%%  exists(:Quantified)
%   True for exists X\ Goal if Goal is true for some X.
exists(Quantified) :-
    '$open_existential'(Quantified, Goal),
    call(Goal).

%%  guard(:Condition, :Then, :Else)
%   Calls Then for the first solution of Condition, or Else if Condition has no solution.
guard(Condition, Then, Else) :- ( Condition -> Then ; Else ).

%%  linear(:Formulas)
%   Declares, as a directive, that every query begins with these formulas, separated by commas, as linear
%   assumptions. A query need not use them; exactly/1 checks whether it does.
linear(Module:Formulas) :- !, '$linear'(Formulas, Module).
linear(Formulas) :- '$linear'(Formulas, user).

'$linear'(Formulas, _) :- var(Formulas), !, throw(error(instantiation_error, _)).
'$linear'((A, B), Module) :- !, '$linear'(A, Module), '$linear'(B, Module).
'$linear'(Module:Formulas, _) :- !, '$linear'(Formulas, Module).
'$linear'(Formula, Module) :- '$declare_linear'(Module:Formula).

%%  --o(+Module, +Goal)
%   True if Goal is true with the clauses of a Lolli module. Module is `name` or `name(Argument, ...)`, or a
%   file whose name ends in `.ll`. Goal is a Lolli goal in Prolog syntax: its names are those of Lolli, then
%   Prolog's.
'--o'(Module, Goal) :- lolli_session:in_module(Module, Goal).

%%  exactly(:Goal)
%   True if Goal is true and leaves no linear assumption unused.
exactly(Goal) :- call(Goal), '$all_used'.

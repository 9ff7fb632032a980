% Linear logic: goals that assume, after Hodas and Miller, "Logic Programming in a Fragment of
% Intuitionistic Linear Logic", Information and Computation 110 (1994).
%
% In a module that imports them these connectives are compiled in place, here too; the predicates are
% for goals that are known only when they are called. Clauses of such a module may be formulas too:
% load::formulas. What tells why a goal fails, what it leaves and
% what it uses is in the library explain, which needs no import.

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
%   True when Goal is, with Formula as an assumption that it uses exactly once.
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
%   The same.
'-o'(Formula, Goal) :- '-o'(Formula, Goal).

%%  ⊸(:Formula, :Goal)
%   The same.
'⊸'(Formula, Goal) :- '-o'(Formula, Goal).

%%  =>(:Formula, :Goal)
%   True when Goal is, with Formula as an assumption that it may use any number of times.
%
%  ?- use_module(library(linear)).
%  true.
%
%  ?- tea => (tea, tea).
%  true.
'=>'(Formula, Goal) :- '=>'(Formula, Goal).

%%  &(:A, :B)
%   True when both A and B are, each with the same assumptions, and both use up the same ones.
%
%  ?- use_module(library(linear)).
%  true.
%
%  ?- (tea & coffee) -<> coffee.
%  true.
'&'(A, B) :- '&'(A, B).

%%  {}(:Goal)
%   True when Goal is without any linear assumption of those around it.
%
%  ?- use_module(library(linear)).
%  true.
%
%  ?- rule => (thing -<> ({rule}, thing)).
%  true.
{Goal} :- {Goal}.

%%  erase
%   True; what was assumed so far may be left unused.
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
%   forall X\ Goal: true when Goal is for a new constant X.
forall(Quantified) :-
    '$open_universal'(Quantified, First, Last, Outer, Goal),
    call(Goal),
    '$eigenvariables_free'(First, Last, Outer).

%%  exists(:Quantified)
%   exists X\ Goal: true when Goal is for some X.
exists(Quantified) :-
    '$open_existential'(Quantified, Goal),
    call(Goal).

%%  guard(:Condition, :Then, :Else)
%   True when Then is after the first solution of Condition, or Else if that has none.
guard(Condition, Then, Else) :- ( Condition -> Then ; Else ).

%%  linear(:Formulas)
%   As a directive: every query begins with these formulas, separated by commas, as linear
%   assumptions. It need not use them; exactly/1 tells whether it does.
linear(Module:Formulas) :- !, '$linear'(Formulas, Module).
linear(Formulas) :- '$linear'(Formulas, user).

'$linear'(Formulas, _) :- var(Formulas), !, throw(error(instantiation_error, _)).
'$linear'((A, B), Module) :- !, '$linear'(A, Module), '$linear'(B, Module).
'$linear'(Module:Formulas, _) :- !, '$linear'(Formulas, Module).
'$linear'(Formula, Module) :- '$declare_linear'(Module:Formula).

%%  --o(+Module, +Goal)
%   True when Goal is with the clauses of a module of Lolli, `name` or `name(Argument, ...)`, or of a
%   file whose name ends in `.ll`. Goal is one of Lolli in the syntax of Prolog: its names are those of
%   Lolli, then Prolog's.
'--o'(Module, Goal) :- lolli_session:in_module(Module, Goal).

%%  exactly(:Goal)
%   True when Goal is and leaves no linear assumption unused.
exactly(Goal) :- call(Goal), '$all_used'.

% Constraints over integers under the names of Scryer Prolog's library: those of library(clpfd), the operator #,
% the functions / and sign, relations with their truth value as last argument, and nvalue/2.

:- module(clpz, [
    op(760, yfx, #<==>), op(750, xfy, #==>), op(750, yfx, #<==), op(740, yfx, #\/),
    op(730, yfx, #\), op(720, yfx, #/\), op(710, fy, #\),
    op(700, xfx, #>), op(700, xfx, #<), op(700, xfx, #>=), op(700, xfx, #=<),
    op(700, xfx, #=), op(700, xfx, #\=), op(700, xfx, in), op(700, xfx, ins),
    op(700, xfx, in_set), op(450, xfx, ..), op(150, fx, #),
    (#=)/2, (#\=)/2, (#<)/2, (#>)/2, (#=<)/2, (#>=)/2,
    (#\)/1, (#<==>)/2, (#==>)/2, (#<==)/2, (#\/)/2, (#\)/2, (#/\)/2,
    (in)/2, (ins)/2,
    all_different/1, all_distinct/1, sum/3, scalar_product/4, chain/2,
    element/3, tuples_in/2, automaton/3, automaton/8, global_cardinality/2, global_cardinality/3,
    circuit/1, cumulative/1, cumulative/2, disjoint2/1, lex_chain/1, zcompare/3,
    label/1, labeling/2, indomain/1,
    fd_var/1, fd_inf/2, fd_sup/2, fd_size/2, fd_dom/2,
    (#=)/3, (#<)/3, clpz_t/2, nvalue/2
]).

:- dynamic(monotonic/0).
:- multifile(monotonic/0).

% A program asserts monotonic to show variables in expressions marked with #. Loading this library declares
% monotonic. The declaration makes / and sign functions ('$fd_clpz').

% library(clpfd) defines the exports that are not defined here (BASES in load/prelude.rs).

%% #=(?Left, ?Right, ?Truth)
%
%  Unifies Truth with true if the expressions have the same value, else with false. If the truth is unknown,
%  enumerates both values on backtracking.
%
%  ?- use_module(library(clpz)).
%  true.
%
%  ?- X in 1..2, #=(X, 3, Truth).
%  Truth = false,
%  X in 1..2.

'#='(Left, Right, Truth) :-
    clpz_t('#='(Left, Right), Truth).

%% #<(?Left, ?Right, ?Truth)
%
%  Unifies Truth with true if the value of Left is less than the value of Right, else with false.

'#<'(Left, Right, Truth) :-
    clpz_t('#<'(Left, Right), Truth).

%% clpz_t(?Constraint, ?Truth)
%
%  Unifies Truth with true if Constraint holds, else with false. Constraint must be reifiable.

clpz_t(Constraint, Truth) :-
    '#<==>'(Constraint, B),
    clpz_truth(B, Truth).

clpz_truth(1, true).
clpz_truth(0, false).

%% nvalue(?N, +Xs)
%
%  Constrains N to the number of different values in the list Xs.
%
%  ?- use_module(library(clpz)).
%  true.
%
%  ?- X in 1..2, nvalue(1, [X,Y,2]).
%  X = Y, Y = 2.

nvalue(N, Xs) :- '$fd_nvalue'(N, Xs).

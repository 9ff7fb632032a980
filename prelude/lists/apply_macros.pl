% Grammar bodies as goals. In SWI-Prolog, this library also compiles calls of maplist/2 and similar predicates
% to new predicates. That changes only their speed.

:- module(apply_macros, [
    expand_phrase/2,
    expand_phrase/4
]).

:- use_module(library(error), [must_be/2]).

%% expand_phrase(+Phrase, -Goal)
%
%  Unifies Goal with the translation of Phrase, a goal phrase/2 or phrase/3, if its grammar body is known.

expand_phrase(phrase(Body, List), Goal) :- !,
    expand_phrase(phrase(Body, List, []), Goal).
expand_phrase(phrase(Body, List, Rest), Goal) :-
    callable(Body),
    '$dcg_body'(Body, List0, Rest0, Goal0),
    List0 = List,
    Rest0 = Rest,
    Goal = Goal0.

%% expand_phrase(+Phrase, ?Position0, -Goal, ?Position)
%
%  Expands like expand_phrase/2. Positions of subterms are not kept here, so Position stays unknown.

expand_phrase(Phrase, _, Goal, _) :-
    expand_phrase(Phrase, Goal).

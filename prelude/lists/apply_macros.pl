% Grammar bodies as goals. In SWI-Prolog this library also has calls of maplist/2 and its like compiled
% to predicates of their own, which changes nothing but speed.

:- module(apply_macros, [
    expand_phrase/2,
    expand_phrase/4
]).

:- use_module(library(error), [must_be/2]).

%% expand_phrase(+Phrase, -Goal)
%
%  Goal is what the goal Phrase, phrase/2 or phrase/3, stands for if its grammar body is known.

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
%  The same. Places of parts of terms are not kept here, so that of the goal is not known.

expand_phrase(Phrase, _, Goal, _) :-
    expand_phrase(Phrase, Goal).

% Each warning is silenced by its name.
:- use_module(library(lists), [no_such/1]).
:- fail.
:- initialization(fail).
:- style_check(-import).
:- use_module(library(lists), [no_such/2]).
:- style_check(-directive).
:- fail.
:- style_check(+directive).
:- 1 > 2.

% Checks of the loaded program: the checks that SWI-Prolog's library(check) documents, unless the loader already
% makes them.

:- module(check, [
    check/0,
    list_undefined/0,
    list_undefined/1
]).

:- use_module(library(error), [must_be/2]).

%% check
%
%  Warns about undefined goals in the files loaded so far. The loader reports everything else.
%
%  ?- check.
%  true.

check :- list_undefined.

%% list_undefined
%
%  Warns about undefined goals in the files loaded so far.
%
%  ?- list_undefined.
%  true.

list_undefined :- '$check_undefined'.

%% list_undefined(+Options)
%
%  Warns like list_undefined/0. Options are ignored.

list_undefined(Options) :-
    must_be(list, Options),
    list_undefined.

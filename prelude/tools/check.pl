% Checks of the loaded program: what SWI-Prolog's library(check) documents, as far as loading does not do it
% already.

:- module(check, [
    check/0,
    list_undefined/0,
    list_undefined/1
]).

:- use_module(library(error), [must_be/2]).

%% check
%
%  Warns of goals that nothing defines in the files loaded so far. Loading reports everything else.
%
%  ?- check.
%  true.

check :- list_undefined.

%% list_undefined
%
%  Warns of goals that nothing defines in the files loaded so far.
%
%  ?- list_undefined.
%  true.

list_undefined :- '$check_undefined'.

%% list_undefined(+Options)
%
%  The same. Options are ignored.

list_undefined(Options) :-
    must_be(list, Options),
    list_undefined.

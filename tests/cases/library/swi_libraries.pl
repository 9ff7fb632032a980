% Libraries that programs for SWI-Prolog import, by the names that they have there.

:- use_module(library(statistics)).
:- use_module(library(filesex)).
:- use_module(library(pio)).
:- use_module(library(terms), [subsumes_chk/2, term_size/2, term_variables/2]).
:- use_module(library(sort), [predsort/3]).
:- use_module(library(make)).
:- use_module(library(backcomp)).
:- use_module(library(edinburgh)).
:- use_module(library(quintus)).
:- use_module(library(prolog_code)).
:- use_module(library(thread)).
:- use_module(library(apply_macros)).
:- use_module(library(ctypes)).
:- use_module(library(varnumbers)).
:- use_module(library(operators)).
:- use_module(library(files)).

:- mode age(+, -).

age(tom, 7).

letters --> [a], letters.
letters --> [].

:- use_module(library(http/http_open)).
:- use_module(library(http/json)).
:- use_module(library(pcre), [re_match/2]).
:- use_module(library(clpb)).
:- use_module(library(clpfd), [transpose/2]).
:- use_module(library(chr)).
:- use_module(library(lsts)).
:- ensure_loaded(library(prolog_pack)).
:- autoload(library(http/http_open)).
:- initialization(use_module(library(yaml))).

:- encoding(iso_latin_1).
:- module(_, [name_of_module/1]).
:- prolog_load_context(module, M), assertz(name_of_module(M)).
length_of_name(N) :- atom_length(été, N).

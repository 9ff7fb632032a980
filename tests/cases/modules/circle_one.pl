% Exports a predicate that it imports from a module that imports it from here: nothing defines it.
:- module(circle_one, [circular/1]).
:- use_module(circle_two, [circular/1]).

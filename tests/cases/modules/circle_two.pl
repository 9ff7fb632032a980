:- module(circle_two, [circular/1]).
:- use_module(circle_one, [circular/1]).

:- module(flags_of_module, [of_module/2]).
of_module("a", `b`).

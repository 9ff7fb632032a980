:- module(second, [shared/1, only_second/1]).

shared(second).
only_second(2).

% Lists of character codes shown as text: portray_text/1 of SWI-Prolog's library(portray_text).

:- module(portray_text, [
    portray_text/1
]).

%% portray_text(+Bool)
%
%  Sets the flag portray_text. With true, print/1 and answers show lists of three or more character codes as
%  text in back quotes. With false, the default, they show numbers.
%
%  ?- portray_text(true), X = [104,101,108,108,111].
%  X = `hello`.

portray_text(Bool) :- set_prolog_flag(portray_text, Bool).

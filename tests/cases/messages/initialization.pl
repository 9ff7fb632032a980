% Errors of goals that run after loading have the location of the directive.
:- initialization(throws).
:- initialization(no_such(1)).
  :- initialization(( fails,
                      true )).
:- initialization(after_load_too, after_load).
:- initialization(true).
throws :- throw(my_error).
fails :- fail.
:- include('initialization.inc').

% What cannot be formatted is shown as it is, and a hook that raises an error is none.
:- multifile(prolog:message//1).
prolog:message(wrong) --> [ '~d'-[x], nl, fine ].
prolog:message(worse) --> { throw(oops) }.
message_hook(hooked, _, _) :- throw(oops).
portray(boom) :- throw(oops).
:- initialization(print_message(error, format("~q ~d", [a]))).
:- initialization(print_message(error, wrong)).
:- initialization(print_message(error, worse)).
:- initialization(print_message(error, hooked)).
:- initialization(print_message(error, format("~p", [boom]))).

% Texts for messages that a program has by grammars in module prolog.

:- multifile prolog:deprecated//1, prolog:message_location//1, prolog:message_context//1, prolog:error_message//1.
:- multifile prolog:message//1, user:message_property/2.

user:message_property(note, prefix('~N> ')).
user:message_property(note, stream(user_output)).
user:message_property(tagged, tag('Look')).
user:message_property(tagged, stream(user_output)).

prolog:deprecated(old(X)) --> ['~w is old'-[X], nl, 'use another one'].
prolog:message_location(here(X)) --> ['At ~w: '-[X]].
prolog:message_context(here(_)) --> [' in context'].
prolog:error_message(bad(X)) --> ['bad ~w'-[X]].
prolog:message(mine) --> ['mine!'].

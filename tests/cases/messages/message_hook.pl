% A hook that prints what it is given, and something else, for message_hook.queries.

:- multifile(user:message_hook/3).
:- dynamic(user:message_hook/3).
:- dynamic(given/1).

user:message_hook(Message, Kind, _) :-
    assertz(given(Message)),
    print_message(Kind, Message),
    print_message(silent, format(another, [])),
    Message \== format(mine, []).

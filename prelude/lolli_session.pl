% Queries of Lolli: from Prolog, and in sessions.

:- module(lolli_session, []).

lolli(Text) :-
    lolli_query(Text, _).

lolli_query(Text, Bindings) :-
    '$lolli_text'(Text, Goal, Bindings),
    call(lolli:Goal).

% Builtins of the standard on streams and terms that enumerate solutions or call goals.

:- module(system, []).

%% stream_property(?Stream, ?Property)
%
%  True if the open stream Stream has Property. Enumerates streams and properties on backtracking. ISO 8.11.8.

stream_property(Stream, Property) :-
    '$stream_properties'(Stream, Property, Pairs),
    (   Pairs == []
    ->  true
    ;   '$member'(Stream-Property, Pairs)
    ).

%% subsumes_term(@General, @Specific)
%
%  True if Specific is an instance of General: they can be made equal without binding variables of Specific.
%  Binds nothing. ISO 8.2.4.
%
%  ?- subsumes_term(f(_), f(a)).
%  true.
%
%  ?- subsumes_term(f(a), f(_)).
%  false.

subsumes_term(General, Specific) :-
    '$subsumes_term'(General, Specific, Attributed),
    (   Attributed == true
    ->  % Hooks may object, or bind variables.
        \+ \+ ( term_variables(Specific, Vars0),
                General = Specific,
                term_variables(Vars0, Vars),
                Vars0 == Vars )
    ;   true
    ).

%% write_term(@Term, +Options)
%
%  Writes Term with Options: quoted(B), ignore_ops(B), numbervars(B), variable_names(L), max_depth(N),
%  priority(N), spacing(S), portray(B), fullstop(B), nl(B), cycles(B), attributes(A), dotlists(B), no_lists(B),
%  brace_terms(B), character_escapes(B), portray_goal(G). With portray_goal(G), call(G, Subterm, Options) may
%  write a subterm, instead of portray/1. ISO 8.14.3.
%
%  ?- write_term('A' + [1,2,3], [quoted(true), max_depth(3)]), nl.
%  'A'+[1|...]
%  true.
%
%  ?- write_term(1 + 2, [ignore_ops(true)]), nl.
%  +(1,2)
%  true.
%
%  ?- write_term(f(X, Y), [variable_names(['X' = X, 'Y' = Y])]), nl.
%  f(X,Y)
%  true.

write_term(Term, Options) :-
    (   '$wants_portray'(Options, Hook)
    ->  current_output(Stream),
        '$write_portrayed'(Stream, Term, Options, Hook)
    ;   '$write_term'(Term, Options)
    ).

%% write_term(+Stream, @Term, +Options)
%
%  Writes Term to Stream like write_term/2.
%
%  ?- write_term(user_output, 'A b', [quoted(true)]), nl.
%  'A b'
%  true.

write_term(Stream, Term, Options) :-
    (   '$wants_portray'(Options, Hook)
    ->  '$write_portrayed'(Stream, Term, Options, Hook)
    ;   '$write_term'(Stream, Term, Options)
    ).

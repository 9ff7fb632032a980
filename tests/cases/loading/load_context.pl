% The keys of prolog_load_context/2, asked by a directive.

:- dynamic context/2.

kept(Key) :-
    (   prolog_load_context(Key, Value)
    ->  assertz(context(Key, Value))
    ;   assertz(context(Key, none))
    ).

:- X = 1, Y = X, prolog_load_context(variable_names, All), All = [A, B|_], assertz(context(variable_names, [A, B])).
  :- kept(term_position).
:- kept(term), kept(script), kept(reloading), kept(dialect), kept(no_such_key).
% ä
:- kept(term_position).
:- prolog_load_context(stream, Stream),
   read_term(Stream, Term, []),
   line_count(Stream, Line),
   assertz(context(read, Term-Line)).
not_loaded(1).
loaded(1).
:- prolog_load_context(stream, S), stream_property(S, file_name(Name)), file_base_name(Name, Base),
   assertz(context(file, Base)).
:- prolog_load_context(directory, D), file_base_name(D, Base), assertz(context(directory, Base)).

% Messages: errors, warnings and other notes as text on the standard error.

:- module(messages, [
    print_message/2,
    print_message_lines/3,
    message_to_lines/2,
    message_text/2,
    message_to_text//1,
    '$print_uncaught'/1,
    '$message_taken'/2
]).

:- use_module(library(lists), [append/3]).

%% print_message(+Kind, +Message)
%
%  Prints Message for the user. Kind is error, warning, informational, silent, or another kind, printed without
%  a heading: debug(Topic), help, information, banner or query. The predicate
%  user:message_hook(Message, Kind, Lines) of the program can handle a message instead. It also receives the
%  errors and failures of directives. Lines are the text: a list of Format-Arguments, of atoms and of nl.
%  Clauses of user:message_property(Kind, Property) change the output. prefix(Format) and tag(Atom) change the
%  text before each line, and stream(Stream) the stream. If the hook itself prints the same Message, the hook
%  does not receive it again. The error that the program caught last is shown with the place where it was
%  raised, like uncaught errors.
%
%  ?- print_message(error, format("~w is wrong", [this])).
%  ERROR: this is wrong
%  true.

print_message(Kind, Message) :-
    (   var(Kind)
    ->  throw(error(instantiation_error, _))
    ;   message_to_lines(Message, Lines)
    ),
    (   messages_hook(Message, Kind, Lines)
    ->  true
    ;   messages_print(Kind, Message, Lines)
    ).

messages_hook(Message, Kind, Lines) :-
    (   messages_defined(user, thread_message_hook, 3)
    ;   messages_defined(user, message_hook, 3)
    ),
    !,
    (   nb_current('$messages_hooked', Hooked)
    ->  true
    ;   Hooked = []
    ),
    % The hook does not receive a message again that it prints itself.
    \+ ( member(Other, Hooked), Other =@= Message ),
    b_setval('$messages_hooked', [Message|Hooked]),
    (   catch(user:thread_message_hook(Message, Kind, Lines), _, fail)
    ;   catch(user:message_hook(Message, Kind, Lines), _, fail)
    ),
    !,
    b_setval('$messages_hooked', Hooked).

messages_defined(Module, Name, Arity) :-
    catch(current_predicate(Module:Name/Arity), _, fail),
    !.

messages_print(silent, _, _) :-
    !.
messages_print(Kind, _, _) :-
    messages_quiet(Kind),
    !.
messages_print(Kind, Message, Lines) :-
    messages_of_error(Kind, Message, Error),
    \+ messages_property(Kind, _),
    messages_texts(Lines, Texts),
    atomic_list_concat(Texts, Text),
    flush_output(user_output),
    messages_fresh_line(user_error),
    '$message_of_caught'(Kind, Text, Error),
    !.
messages_print(Kind, Message, Lines) :-
    '$messages_for_programs',
    !,
    messages_texts(Lines, Texts),
    atomic_list_concat(Texts, Text),
    messages_severity(Kind, Severity),
    flush_output(user_output),
    '$message_for_programs'(Severity, Text, Message).
messages_print(Kind, _, Lines) :-
    messages_heading(Kind, First, Next),
    messages_stream(Kind, Stream),
    flush_output(user_output),
    messages_fresh_line(Stream),
    messages_show(Lines, Stream, First, Next),
    flush_output(Stream).

% Messages about an exception are shown with the place where it was raised, if known.

messages_of_error(error, Message, Error) :-
    messages_error_in(Message, Error).
messages_of_error(warning, Message, Error) :-
    messages_error_in(Message, Error).

messages_error_in(Message, Error) :-
    (   Message = unhandled_exception(Error)
    ->  true
    ;   Message = Error
    ),
    nonvar(Error),
    Error = error(_, _).

messages_quiet(Kind) :-
    messages_chatter(Kind),
    catch(current_prolog_flag(verbose, Verbose), _, fail),
    Verbose == silent.

messages_chatter(informational).
messages_chatter(information).
messages_chatter(banner).

messages_heading(Kind, First, Next) :-
    messages_property(Kind, prefix(Prefix)),
    !,
    (   atom_concat('~N', Format, Prefix)
    ->  true
    ;   Format = Prefix
    ),
    format(atom(First), Format, []),
    Next = First.
messages_heading(Kind, First, Next) :-
    messages_property(Kind, tag(Tag)),
    !,
    atomic_list_concat([Tag, ': '], First),
    Next = First.
messages_heading(error, 'ERROR: ', 'ERROR: ') :-
    !.
messages_heading(warning, 'Warning: ', 'Warning: ') :-
    !.
messages_heading(informational, '% ', '% ') :-
    !.
messages_heading(debug(_), '% ', '% ') :-
    !.
messages_heading(_, '', '').

messages_stream(Kind, Stream) :-
    (   messages_property(Kind, stream(Stream0))
    ->  Stream = Stream0
    ;   Stream = user_error
    ).

% Looks up a property of a kind of messages in user:message_property/2 of the program.

messages_property(Kind, Property) :-
    messages_defined(user, message_property, 2),
    catch(user:message_property(Kind, Property), _, fail),
    !.

messages_severity(Kind, Severity) :-
    (   ( Kind == error ; Kind == warning )
    ->  Severity = Kind
    ;   Severity = note
    ).

messages_fresh_line(Stream) :-
    (   catch(line_position(Stream, Position), _, fail),
        Position > 0
    ->  nl(Stream)
    ;   true
    ).

%% print_message_lines(+Stream, +Prefix, +Lines)
%
%  Writes Lines to Stream, each line after Prefix (a text or kind(Kind)).

print_message_lines(Stream, Prefix, Lines) :-
    (   Prefix = kind(Kind)
    ->  messages_heading(Kind, First, Next)
    ;   First = Prefix,
        Next = Prefix
    ),
    messages_show(Lines, Stream, First, Next).

messages_show(Lines, Stream, First, Next) :-
    write(Stream, First),
    messages_show(Lines, Stream, Next).

messages_show([], Stream, _) :-
    nl(Stream).
messages_show([Line|Lines], Stream, Prefix) :-
    messages_line(Line, Lines, Stream, Prefix).

messages_line(nl, [], Stream, _) :- !,
    nl(Stream).
messages_line(nl, Lines, Stream, Prefix) :- !,
    nl(Stream),
    write(Stream, Prefix),
    messages_show(Lines, Stream, Prefix).
messages_line(Line, Lines, Stream, Prefix) :-
    messages_part(Line, Text),
    write(Stream, Text),
    messages_show(Lines, Stream, Prefix).

% Shows a message unformatted if its text cannot be formatted, so that it is not lost.

messages_part(Line, Text) :-
    (   catch(messages_formatted(Line, Text0), _, fail)
    ->  Text = Text0
    ;   messages_unformatted(Line, Text)
    ).

messages_unformatted(Line, Text) :-
    (   nonvar(Line),
        Line = Format0-Arguments
    ->  (   catch(format(atom(Format), '~s', [Format0]), _, fail) -> true ; Format = Format0 ),
        format('$message'(Text), '~w: ~q', [Format,Arguments])
    ;   format('$message'(Text), '~q', [Line])
    ).

messages_formatted(Line, Text) :-
    (   var(Line)
    ->  fail
    ;   Line = Format-Arguments
    ->  format('$message'(Text), Format, Arguments)
    ;   Line = ansi(_, Format, Arguments)
    ->  format('$message'(Text), Format, Arguments)
    ;   Line == flush
    ->  Text = ''
    ;   Line = at_same_line
    ->  Text = ''
    ;   atomic(Line)
    ->  format('$message'(Text), Line, [])
    ;   format('$message'(Text), '~p', [Line])
    ).

%% message_text(+Message, -Text)
%
%  Unifies Text with the text of Message, an atom with line ends between the lines.

message_text(Message, Text) :-
    message_to_lines(Message, Lines),
    messages_texts(Lines, Texts),
    atomic_list_concat(Texts, Text).

messages_texts([], []).
messages_texts([Line|Lines], [Text|Texts]) :-
    (   Line == nl
    ->  Text = '\n'
    ;   messages_part(Line, Text)
    ),
    messages_texts(Lines, Texts).

%% message_to_lines(+Message, -Lines)
%
%  Unifies Lines with the text of Message, in the form of print_message/2.

message_to_lines(Message, Lines) :-
    message_to_text(Message, Lines, []),
    !.

%% message_to_text(+Message)//
%
%  Describes Message as lines. A program adds its own messages by clauses of prolog:message//1.
%  prolog:error_message//1 gives texts for the first argument of error(Formal, Context). For the second
%  argument, prolog:message_location//1 gives the text before the error and prolog:message_context//1 the text
%  after it. prolog:deprecated//1 gives texts for deprecated(Term).

message_to_text(Message) -->
    { var(Message) },
    !,
    [ 'Unknown message: ~p'-[Message] ].
message_to_text(Message) -->
    messages_own(Message),
    !.
message_to_text(Message) -->
    messages_known(Message),
    !.
message_to_text(Message) -->
    [ 'Unknown message: ~p'-[Message] ].

messages_own(Message) -->
    messages_hook_text(message, Message).

% messages_hook_text(+Hook, +Term)//: the text of the program for Term, from a grammar in module prolog:
% Hook//2, which takes a language first, or Hook//1.

messages_hook_text(Hook, Term, Lines, Tail) :-
    messages_hook_goal(Hook, Term, Lines0, Goal),
    catch(prolog:Goal, _, fail),
    !,
    append(Lines0, Tail, Lines).

messages_hook_goal(Hook, Term, Lines, Goal) :-
    messages_defined(prolog, Hook, 4),
    Goal =.. [Hook, en, Term, Lines, []].
messages_hook_goal(Hook, Term, Lines, Goal) :-
    messages_defined(prolog, Hook, 3),
    Goal =.. [Hook, Term, Lines, []].

messages_known(format(Format, Arguments)) -->
    [ Format-Arguments ].
messages_known(error(Formal, Context)) -->
    messages_where(Context, Formal),
    messages_error(Formal),
    messages_why(Context).
messages_known(unhandled_exception(Ball)) -->
    messages_uncaught(Ball).
messages_known(deprecated(Term)) -->
    { nonvar(Term) },
    messages_hook_text(deprecated, Term).
messages_known(goal_failed(directive, Goal)) -->
    [ 'Goal (directive) failed: ~p'-[Goal] ].
messages_known(goal_failed(Kind, Goal)) -->
    [ 'Goal (~w) failed: ~p'-[Kind,Goal] ].
messages_known(initialization_exception(Ball)) -->
    [ 'Initialization goal raised exception:', nl ],
    messages_uncaught(Ball).
messages_known(initialization_error(_, Ball, File:Line)) -->
    [ '~w:~w: Initialization goal raised exception:'-[File,Line], nl ],
    messages_uncaught(Ball).
messages_known(initialization_failure(_, File:Line)) -->
    [ '~w:~w: Initialization goal failed'-[File,Line] ].
messages_known(init_goal(failed, Goal)) -->
    [ 'Initialization goal failed: ~p'-[Goal] ].
messages_known(assertion_failed(_, Goal)) -->
    [ 'Assertion failed: ~p'-[Goal] ].
messages_known(make(File, Lines)) -->
    [ '~w: reloaded'-[File] ],
    messages_listed(Lines).
messages_known(no_predicates_for(Spec)) -->
    [ 'No predicates for ~p'-[Spec] ].
messages_known(halt) -->
    [ 'halt' ].

messages_listed([]) -->
    [].
messages_listed([Line|Lines]) -->
    [ Line ],
    messages_listed(Lines).

messages_uncaught(Ball) -->
    { nonvar(Ball), Ball = error(_, _) },
    !,
    message_to_text(Ball).
messages_uncaught(Ball) -->
    { nonvar(Ball) },
    messages_own(Ball),
    !.
messages_uncaught(Ball) -->
    [ 'Unhandled exception: ~p'-[Ball] ].

% The place: the predicate that found the error.

messages_where(Context, _) -->
    { nonvar(Context) },
    messages_hook_text(message_location, Context),
    !.
messages_where(Context, Formal) -->
    { messages_context(Context, Indicator),
      \+ messages_names_itself(Formal, Indicator)
    },
    !,
    [ '~q: '-[Indicator] ].
messages_where(_, _) -->
    [].

messages_context(Context, Indicator) :-
    nonvar(Context),
    (   Context = context(Indicator0, _)
    ->  true
    ;   Context = _/_,
        Indicator0 = Context
    ),
    nonvar(Indicator0),
    messages_visible(Indicator0, Indicator).

messages_visible(Indicator0, Indicator) :-
    (   Indicator0 = Module:Indicator1,
        messages_hidden_module(Module)
    ->  Indicator = Indicator1
    ;   Indicator = Indicator0
    ),
    messages_is_indicator(Indicator).

messages_is_indicator(_:Indicator) :-
    !,
    messages_is_indicator(Indicator).
messages_is_indicator(Name/Arity) :-
    atom(Name),
    \+ sub_atom(Name, 0, _, _, $),
    integer(Arity).

messages_hidden_module(Module) :-
    (   Module == system
    ->  true
    ;   Module == user
    ).

% The error already names an unknown procedure.

messages_names_itself(existence_error(procedure, Indicator), Indicator).
messages_names_itself(existence_error(procedure, _:Indicator), Indicator).

% The reason: the second part of context(Indicator, Message).

messages_why(Context) -->
    { nonvar(Context) },
    messages_hook_text(message_context, Context),
    !.
messages_why(Context) -->
    { nonvar(Context),
      Context = context(_, Message),
      nonvar(Message)
    },
    !,
    (   { messages_is_text(Message) }
    ->  [ ' (~w)'-[Message] ]
    ;   [ ' (~p)'-[Message] ]
    ).
messages_why(_) -->
    [].

messages_is_text(Message) :-
    (   atom(Message)
    ->  true
    ;   string(Message)
    ).

messages_determinism(property, Culprit) --> !, [ 'Determinate procedure ~q '-[Culprit] ].
messages_determinism(_, Culprit) --> [ 'Goal ~p '-[Culprit] ].

messages_determinism(fail) --> !, [ 'failed'-[] ].
messages_determinism(_) --> [ 'succeeded with a choice point'-[] ].

% The errors of ISO/IEC 13211-1, 7.12.2, and a few more.

messages_error(Formal) -->
    { var(Formal) },
    !,
    [ 'Unknown error: ~p'-[Formal] ].
messages_error(Formal) -->
    messages_hook_text(error_message, Formal),
    !.
messages_error(instantiation_error) -->
    !,
    [ 'Arguments are not sufficiently instantiated' ].
messages_error(uninstantiation_error(Culprit)) -->
    !,
    { messages_shown(Culprit, Shown) },
    [ 'Expected a variable, found `~w\''-[Shown] ].
messages_error(type_error(evaluable, Indicator)) -->
    !,
    [ 'Arithmetic: evaluable `~p\' does not exist'-[Indicator] ].
messages_error(type_error(Type, Culprit)) -->
    !,
    { messages_shown(Culprit, Shown) },
    [ 'Type error: `~w\' expected, found `~w\''-[Type,Shown] ],
    messages_kind(Culprit).
messages_error(domain_error(Domain, Culprit)) -->
    !,
    { messages_shown(Culprit, Shown) },
    [ 'Domain error: `~w\' expected, found `~w\''-[Domain,Shown] ].
messages_error(existence_error(procedure, Indicator)) -->
    !,
    [ 'Unknown procedure: ~q'-[Indicator] ].
messages_error(existence_error(matching_rule, Module:Goal)) -->
    !,
    { functor(Goal, Name, Arity) },
    [ 'No rule of ~q takes these arguments'-[Module:Name/Arity] ].
messages_error(determinism_error(Culprit, det, Found, Kind)) -->
    !,
    messages_determinism(Kind, Culprit),
    messages_determinism(Found).
messages_error(existence_error(Kind, Culprit)) -->
    !,
    { messages_noun(Kind, Noun),
      messages_shown(Culprit, Shown) },
    [ '~w `~w\' does not exist'-[Noun,Shown] ].
messages_error(existence_error(Kind, Culprit, In)) -->
    !,
    { messages_shown(Culprit, Shown) },
    [ '~w `~w\' does not exist in ~p'-[Kind,Shown,In] ].
messages_error(permission_error(Action, _, Culprit)) -->
    { nonvar(Action), Action = import_into(Module) },
    !,
    [ 'No permission to import ~q into ~q'-[Culprit,Module] ].
messages_error(permission_error(use, capability, Capability)) -->
    !,
    [ 'the program may not use the capability `~w\''-[Capability] ].
messages_error(permission_error(use, effect, search)) -->
    !,
    [ 'a goal that several threads search must not have effects' ].
messages_error(permission_error(Action, Kind, Culprit)) -->
    !,
    { messages_noun(Kind, Noun),
      messages_spaced(Noun, Text),
      messages_shown(Culprit, Shown) },
    [ 'No permission to ~w ~w `~w\''-[Action,Text,Shown] ].
messages_error(representation_error(Limit)) -->
    !,
    { messages_spaced(Limit, Text) },
    [ 'Cannot represent due to `~w\''-[Text] ].
messages_error(evaluation_error(What)) -->
    !,
    { messages_spaced(What, Text) },
    [ 'Arithmetic: evaluation error: ~w'-[Text] ].
messages_error(resource_error(Resource)) -->
    !,
    { messages_spaced(Resource, Text) },
    [ 'Not enough resources: ~w'-[Text] ].
messages_error(syntax_error(Message)) -->
    !,
    { messages_spaced(Message, Text) },
    [ 'Syntax error: ~w'-[Text] ].
messages_error(occurs_check(Variable, Term)) -->
    !,
    [ 'Cannot unify ~p with ~p: that would make a cyclic term'-[Variable,Term] ].
messages_error(system_error(Message)) -->
    !,
    [ 'System error: ~w'-[Message] ].
messages_error(system_error) -->
    !,
    [ 'System error' ].
messages_error(timeout_error(Operation, Stream)) -->
    !,
    [ 'Timeout in ~w from ~p'-[Operation,Stream] ].
messages_error(io_error(Operation, Stream)) -->
    !,
    [ 'I/O error in ~w on stream ~p'-[Operation,Stream] ].
messages_error(assertion_error(_, Goal)) -->
    !,
    [ 'Assertion failed: ~p'-[Goal] ].
messages_error(format(Message)) -->
    !,
    [ 'Format error: ~w'-[Message] ].
messages_error(format_argument_type(Directive, Argument)) -->
    !,
    [ 'Format error: ~~~w does not take ~p'-[Directive,Argument] ].
messages_error(format(Format, Arguments)) -->
    !,
    [ Format-Arguments ].
messages_error(Formal) -->
    [ 'Unknown error term: ~p'-[Formal] ].

% Shows a term between quotes. An atom has no quotes of its own there.
messages_shown(Culprit, Shown) :-
    (   atom(Culprit),
        Culprit \== '',
        \+ ( sub_atom(Culprit, _, 1, _, Char), char_type(Char, cntrl) )
    ->  Shown = Culprit
    ;   format('$message'(Shown), '~p', [Culprit])
    ).

messages_noun(Kind, Noun) :-
    ( Kind == source_sink -> Noun = file ; Noun = Kind ).

% Replaces underscores of an atom by blanks; leaves other terms unchanged.

messages_spaced(Name, Text) :-
    (   atom(Name),
        Name \== '_'
    ->  atomic_list_concat(Parts, '_', Name),
        atomic_list_concat(Parts, ' ', Text)
    ;   Text = Name
    ).

messages_kind(Culprit) -->
    { messages_kind_of(Culprit, Kind) },
    [ ' (~w)'-[Kind] ].

messages_kind_of(Term, Kind) :-
    (   var(Term)
    ->  Kind = 'a var'
    ;   integer(Term)
    ->  Kind = 'an integer'
    ;   float(Term)
    ->  Kind = 'a float'
    ;   number(Term)
    ->  Kind = 'a number'
    ;   Term == []
    ->  Kind = 'an empty_list'
    ;   atom(Term)
    ->  Kind = 'an atom'
    ;   string(Term)
    ->  Kind = 'a string'
    ;   is_list(Term)
    ->  Kind = 'a list'
    ;   compound(Term)
    ->  Kind = 'a compound'
    ;   Kind = 'a term'
    ).

%% '$message_taken'(+Kind, +Message)
%
%  True if a hook of the program handles Message.

'$message_taken'(Kind, Message) :-
    message_to_lines(Message, Lines),
    messages_hook(Message, Kind, Lines).

%% '$print_uncaught'(+Ball)
%
%  Prints that Ball was raised and not caught.

'$print_uncaught'(Ball) :-
    print_message(error, unhandled_exception(Ball)).

% Streams, printing and formatting: builtins that call goals or enumerate solutions.

:- module(system, []).

:- meta_predicate(with_output_to(?, 0)).

% Streams.

%% current_stream(?Object, ?Mode, ?Stream)
%
%  True if Stream is open in Mode (read, write, append or update) on the file Object, or [] without a file.
%  Enumerates the streams on backtracking.

current_stream(Object, Mode, Stream) :-
    stream_property(Stream, mode(Mode)),
    (   stream_property(Stream, file_name(File))
    ->  Object = File
    ;   Object = []
    ).

%% stream_position_data(?Field, +Position, ?Value)
%
%  Unifies Value with the Field of Position: char_count, line_count, line_position or byte_count.

stream_position_data(char_count, '$stream_position'(Count, _, _, _), Count).
stream_position_data(line_count, '$stream_position'(_, Line, _, _), Line).
stream_position_data(line_position, '$stream_position'(_, _, Column, _), Column).
stream_position_data(byte_count, '$stream_position'(_, _, _, Bytes), Bytes).

% Captured output.

%% with_output_to(+Sink, :Goal)
%
%  Calls Goal once and redirects its current output to Sink: atom(A), string(S), codes(Cs), codes(Cs, Tail),
%  chars(Cs) or chars(Cs, Tail).
%
%  ?- with_output_to(string(S), write(f('A', 1))).
%  S = "f(A,1)".
%
%  ?- with_output_to(atom(A), forall(member(X, [1,2]), write(X))).
%  A = '12'.

with_output_to(Sink, Goal) :-
    '$output_sink'(Sink, Kind, Text, Tail),
    '$output_of'(Goal, Kind, Captured),
    '$with_tail'(Kind, Captured, Tail, Text).

'$output_of'(Goal, Kind, Text) :-
    '$begin_capture'(Capture),
    once(Goal),
    '$end_capture'(Capture, Kind, Text),
    !.

'$with_tail'(_, Text0, Tail, Text) :- Tail == [], !, Text = Text0.
'$with_tail'(codes, Codes, Tail, Text) :- !, '$append'(Codes, Tail, Text).
'$with_tail'(chars, Chars, Tail, Text) :- !, '$append'(Chars, Tail, Text).
'$with_tail'(_, Text, _, Text).

% Formatted output.

%% format(+Format)
%
%  Writes Format like format(Format, []).
%
%  ?- format("hello~n").
%  hello
%  true.

format(Format) :-
    current_output(Stream),
    format(Stream, Format, []).

%% format(+Format, +Arguments)
%
%  Writes Arguments to the current output according to the directives in Format. Arguments is a list, or a
%  single argument that is no list.
%
%  ?- format("~w and ~q~n", ['A', 'A']).
%  A and 'A'
%  true.
%
%  ?- format("~a~t~12|~d~n", [pear,3]).
%  pear        3
%  true.
%
%  ?- format("~2f ~e ~s~n", [3.14159,2.0,"codes"]).
%  3.14 2.000000e+00 codes
%  true.
%
%  ?- format("~`-t~30|~n").
%  ------------------------------
%  true.
%
%  ?- format("~d~n", [a]).
%  error: format/2: Arithmetic: evaluable `a/0' does not exist [type_error(evaluable, a/0)]

format(Format, Arguments) :-
    current_output(Stream),
    format(Stream, Format, Arguments).

%% format(+Sink, +Format, +Arguments)
%
%  Writes like format/2, but to Sink: a stream, or a sink of with_output_to/2.
%
%  ?- format(atom(A), "~w-~w", [a,b]).
%  A = 'a-b'.

format(Sink, Format, Arguments) :-
    '$format'(Sink, Format, Arguments, Goals),
    '$format_goals'(Goals, Sink, Format, Arguments).

'$format_goals'([], _, _, _).
'$format_goals'([Goal|Goals], Sink, Format, Arguments) :-
    '$outputs_of'([Goal|Goals], Texts),
    '$format'(Sink, Format, Arguments, [], Texts).

'$outputs_of'([], []).
'$outputs_of'([Goal|Goals], [Text|Texts]) :-
    '$output_of'(Goal, atom, Text),
    '$outputs_of'(Goals, Texts).

% Printing.

%% print(@Term)
%
%  Writes Term with portray/1 of the program, or quoted if that does not apply. Calls of portray/1 may be nested
%  up to 1000 levels.
%
%  ?- print('A b'), nl.
%  'A b'
%  true.

print(Term) :-
    (   '$has_portray'
    ->  current_output(Stream),
        '$write_portrayed'(Stream, Term, [quoted(true), numbervars(true)], portray)
    ;   '$print'(Term)
    ).

%% print(+Stream, @Term)
%
%  Writes Term to Stream like print/1.
%
%  ?- print(user_output, 'A b'), nl.
%  'A b'
%  true.

print(Stream, Term) :-
    (   '$has_portray'
    ->  '$write_portrayed'(Stream, Term, [quoted(true), numbervars(true)], portray)
    ;   '$print'(Stream, Term)
    ).

% '$wants_portray'(+Options, -Hook): Hook is portray, or goal(Goal, Options) for the option portray_goal.

'$wants_portray'(Options, Hook) :-
    is_list(Options),
    (   '$portray_goal'(Options, Goal)
    ->  Hook = goal(Goal, Options)
    ;   '$has_portray',
        (   '$has_option'(Options, portray(true))
        ->  true
        ;   '$has_option'(Options, portrayed(true))
        ),
        Hook = portray
    ).

'$portray_goal'([First|Rest], Goal) :-
    (   nonvar(First),
        First = portray_goal(Goal0)
    ->  (   var(Goal0)
        ->  throw(error(instantiation_error, _))
        ;   strip_module(Goal0, Module, Plain),
            Goal = Module:Plain
        )
    ;   '$portray_goal'(Rest, Goal)
    ).

'$has_option'([First|Rest], Option) :-
    (   First == Option
    ->  true
    ;   '$has_option'(Rest, Option)
    ).

% Replaces a subterm by the output of portray/1: a new variable has that text as its name. If portray/1 prints
% its own argument again, it is not called again for it.

'$write_portrayed'(Stream, Term, Options, Hook) :-
    (   acyclic_term(Term)
    ->  '$portray'(Term, Hook, Shown, Names, []),
        '$named_options'(Options, Names, All),
        '$write_term'(Stream, Shown, All)
    ;   '$write_term'(Stream, Term, Options)
    ).

'$named_options'([], Names, [variable_names(Names)]).
'$named_options'([Option|Options], Names, All) :-
    (   nonvar(Option),
        Option = variable_names(Given),
        is_list(Given)
    ->  '$append'(Names, Given, Together),
        '$named_options'(Options, Together, All)
    ;   All = [Option|Rest],
        '$named_options'(Options, Names, Rest)
    ).

'$portray'(Term, _, Shown, Names, Names) :-
    var(Term),
    !,
    Shown = Term.
'$portray'(Term, Hook, Shown, [Text=Shown|Names], Names) :-
    '$portray_text'(Hook, Term, Text),
    !.
'$portray'([Head|Tail], Hook, [ShownHead|ShownTail], Names0, Names) :-
    !,
    '$portray'(Head, Hook, ShownHead, Names0, Names1),
    '$portray_tail'(Tail, Hook, ShownTail, Names1, Names).
'$portray'(Term, Hook, Shown, Names0, Names) :-
    compound(Term),
    functor(Term, Name, Arity),
    Arity > 0,
    \+ ( Term = '$VAR'(Number), integer(Number) ),
    !,
    functor(Shown, Name, Arity),
    '$portray_arguments'(1, Arity, Term, Hook, Shown, Names0, Names).
'$portray'(Term, _, Term, Names, Names).

'$portray_tail'(Tail, Hook, Shown, Names0, Names) :-
    nonvar(Tail),
    Tail = [Head|Rest],
    !,
    Shown = [ShownHead|ShownRest],
    '$portray'(Head, Hook, ShownHead, Names0, Names1),
    '$portray_tail'(Rest, Hook, ShownRest, Names1, Names).
'$portray_tail'(Tail, Hook, Shown, Names0, Names) :-
    (   Tail == []
    ->  Shown = [],
        Names = Names0
    ;   '$portray'(Tail, Hook, Shown, Names0, Names)
    ).

'$portray_arguments'(Index, Arity, Term, Hook, Shown, Names0, Names) :-
    arg(Index, Term, Argument),
    arg(Index, Shown, ShownArgument),
    '$portray'(Argument, Hook, ShownArgument, Names0, Names1),
    (   Index =:= Arity
    ->  Names = Names1
    ;   Next is Index + 1,
        '$portray_arguments'(Next, Arity, Term, Hook, Shown, Names1, Names)
    ).

'$portray_text'(portray, Term, Text) :-
    '$portrayed'(user:portray(Term), Text).
'$portray_text'(goal(Goal, Options), Term, Text) :-
    '$portrayed'(call(Goal, Term, Options), Text).

'$portrayed'(Goal, Text) :-
    setup_call_cleanup(
        (   '$begin_portray'(Capture)
        ->  true
        ;   throw(error(resource_error(portray_nesting), _))
        ),
        ( once(Goal), '$end_capture'(Capture, atom, Text) ),
        '$drop_capture'(Capture)).

%% tmp_file_stream(+Encoding, -File, -Stream)
%
%  Creates a temporary file File with Encoding and opens it for writing.

tmp_file_stream(Encoding, File, Stream) :-
    tmp_file(stream, File),
    (   Encoding == binary
    ->  open(File, write, Stream, [type(binary)])
    ;   open(File, write, Stream, [encoding(Encoding)])
    ).

% Whole files.

%% read_file_to_terms(+File, -Terms, +Options)
%
%  Unifies Terms with the list of all terms in File, read with Options.
%
%  ?- open('data.pl', write, _S), write(_S, 'p(1). p(2).'), close(_S), read_file_to_terms('data.pl', Terms, []).
%  Terms = [p(1), p(2)].

read_file_to_terms(File, Terms, Options) :-
    setup_call_cleanup(
        open(File, read, Stream),
        '$read_terms'(Stream, Options, Terms),
        close(Stream)).

'$read_terms'(Stream, Options, Terms) :-
    read_term(Stream, Term, Options),
    (   Term == end_of_file
    ->  Terms = []
    ;   Terms = [Term|Rest],
        '$read_terms'(Stream, Options, Rest)
    ).

%% read_file_to_codes(+File, -Codes, +Options)
%
%  Unifies Codes with the codes of the text in File.
%
%  ?- open('data.txt', write, _S), write(_S, hi), close(_S), read_file_to_codes('data.txt', Codes, []).
%  Codes = [104, 105].

read_file_to_codes(File, Codes, Options) :-
    setup_call_cleanup(
        open(File, read, Stream, Options),
        read_stream_to_codes(Stream, Codes),
        close(Stream)).

%% read_file_to_string(+File, -String, +Options)
%
%  Unifies String with the text in File.
%
%  ?- open('data.txt', write, _S), write(_S, hello), close(_S), read_file_to_string('data.txt', Text, []).
%  Text = "hello".

read_file_to_string(File, String, Options) :-
    setup_call_cleanup(
        open(File, read, Stream, Options),
        read_string(Stream, _, String),
        close(Stream)).

%% nth_integer_root_and_remainder(+N, +Integer, -Root, -Remainder)
%
%  Computes Root and Remainder with Root ** N + Remainder =:= Integer. Root is the N-th root of Integer,
%  truncated to an integer.
%
%  ?- nth_integer_root_and_remainder(2, 10, Root, Remainder).
%  Root = 3,
%  Remainder = 1.

nth_integer_root_and_remainder(N, Integer, Root, Remainder) :-
    '$root_integer'(N),
    '$root_integer'(Integer),
    (   N < 1
    ->  throw(error(domain_error(not_less_than_one, N), _))
    ;   Integer >= 0
    ->  '$integer_root'(N, Integer, Root0)
    ;   N mod 2 =:= 1
    ->  Positive is -Integer,
        '$integer_root'(N, Positive, Root1),
        Root0 is -Root1
    ;   throw(error(evaluation_error(undefined), _))
    ),
    Remainder0 is Integer - Root0 ** N,
    Root = Root0,
    Remainder = Remainder0.

'$root_integer'(Term) :- var(Term), !, throw(error(instantiation_error, _)).
'$root_integer'(Term) :- integer(Term), !.
'$root_integer'(Term) :- throw(error(type_error(integer, Term), _)).

% Newton's method from above.

'$integer_root'(_, 0, Root) :- !, Root = 0.
'$integer_root'(N, Integer, Root) :-
    Bits is msb(Integer),
    (   N > Bits
    ->  Root = 1
    ;   Start is 1 << (Bits // N + 1),
        '$integer_root'(Start, N, Integer, Root)
    ).

'$integer_root'(Guess, N, Integer, Root) :-
    Next is ((N - 1) * Guess + Integer // Guess ** (N - 1)) // N,
    (   Next >= Guess
    ->  Root = Guess
    ;   '$integer_root'(Next, N, Integer, Root)
    ).

% Directives of format/2 that a program defines.

:- dynamic('$format_predicate'/2).
:- meta_predicate(format_predicate(+, 0)).
:- meta_predicate(current_format_predicate(?, 0)).

%% format_predicate(+Char, :Head)
%
%  Makes the directive ~Char of format/2 call the predicate of Head. The call has two arguments: the numeric
%  argument of the directive, or default, and the next argument of format/2. Its output replaces the directive.
%
%  ?- assertz((twice(_, X) :- write(X), write(X))), format_predicate(v, twice(_, _)), format('~v~n', [ab]).
%  abab
%  true.

format_predicate(Char0, Head) :-
    (   integer(Char0)
    ->  char_code(Char, Char0)
    ;   Char = Char0
    ),
    strip_module(Head, Module, Plain),
    (   var(Plain)
    ->  throw(error(instantiation_error, _))
    ;   functor(Plain, Name, 2)
    ->  true
    ;   throw(error(format('the predicate of a format directive must have two arguments'), _))
    ),
    '$own_format_directive'(Char),
    '$retractall'('$format_predicate'(Char, _)),
    '$assertz'('$format_predicate'(Char, Module:Name)).

%% current_format_predicate(?Char, :Head)
%
%  True if Head is the predicate of the directive ~Char that the program has defined. Enumerates the directives
%  on backtracking.
%
%  ?- assertz(shown(_, _)), format_predicate(v, shown(_, _)), current_format_predicate(v, Head).
%  Head = _:user:shown(_, _).

current_format_predicate(Char, Module:Head) :-
    '$format_predicate'(Char, Module0:Name),
    functor(Head0, Name, 2),
    (   Module == Module0
    ->  Head = Head0
    ;   Head = Module0:Head0
    ).

'$own_directive'(Char, Count, Argument) :-
    '$format_predicate'(Char, Closure), !,
    call(Closure, Count, Argument).

% Clauses and terms.

:- meta_predicate(copy_predicate_clauses(:, :)).

%% copy_predicate_clauses(:From, :To)
%
%  Adds the clauses of the predicate From to the dynamic predicate To. Both are Name/Arity or heads.
%
%  ?- assertz(p(1)), assertz((p(X) :- X = 2)), dynamic(q/1), copy_predicate_clauses(p/1, q/1), findall(X, q(X), L).
%  L = [1, 2].

copy_predicate_clauses(From0, To0) :-
    '$plain_indicator'(From0, From, Name, Arity),
    '$plain_indicator'(To0, To, NewName, NewArity),
    (   Arity =:= NewArity
    ->  true
    ;   throw(error(domain_error(arity(Arity), NewArity), _))
    ),
    functor(Head, Name, Arity),
    Head =.. [_|Args],
    NewHead =.. [NewName|Args],
    (   predicate_property(From:Head, defined)
    ->  true
    ;   throw(error(existence_error(procedure, From:Name/Arity), _))
    ),
    findall((NewHead :- Body), clause(From:Head, Body), Clauses),
    '$assert_copies'(Clauses, To).

'$plain_indicator'(Spec, Module, Name, Arity) :-
    strip_module(Spec, Module, Plain),
    (   nonvar(Plain), Plain = Name/Arity
    ->  '$must_be_atom'(Name),
        '$root_integer'(Arity)
    ;   var(Plain)
    ->  throw(error(instantiation_error, _))
    ;   callable(Plain)
    ->  functor(Plain, Name, Arity)
    ;   throw(error(type_error(predicate_indicator, Plain), _))
    ).

'$must_be_atom'(Name) :- var(Name), !, throw(error(instantiation_error, _)).
'$must_be_atom'(Name) :- atom(Name), !.
'$must_be_atom'(Name) :- throw(error(type_error(atom, Name), _)).

'$assert_copies'([], _).
'$assert_copies'([Clause|Clauses], Module) :-
    assertz(Module:Clause),
    '$assert_copies'(Clauses, Module).

%% is_most_general_term(@Term)
%
%  True if Term is an atom, a compound term whose arguments are distinct variables, or a list of distinct
%  variables.
%
%  ?- is_most_general_term(f(X, Y)).
%  true.
%
%  ?- is_most_general_term(f(X, X)).
%  false.

is_most_general_term(Term) :- atom(Term), !.
is_most_general_term(Term) :-
    is_list(Term), !,
    '$distinct_variables'(Term).
is_most_general_term(Term) :-
    compound(Term),
    compound_name_arguments(Term, _, Args),
    '$distinct_variables'(Args).

'$distinct_variables'(Terms) :-
    length(Terms, Count),
    term_variables(Terms, Vars),
    length(Vars, Count),
    Vars == Terms.

%% copy_term(+Variables, +Term, -NewVariables, -NewTerm)
%
%  Unifies NewTerm with a copy of Term in which only the variables of the term Variables are new. Unifies
%  NewVariables with the copy of Variables.
%
%  ?- copy_term(X, f(X, Y), Z, T).
%  T = f(Z, Y).

copy_term(Vars0, Term0, Vars, Term) :-
    '$kept_variables'(Vars0, Term0, Kept),
    copy_term(Vars0-Term0-Kept, Vars-Term-Kept).

%% copy_term_nat(+Variables, +Term, -NewVariables, -NewTerm)
%
%  Copies like copy_term/4; the new variables have no attributes.
%
%  ?- copy_term_nat(X, f(X, Y), Z, T).
%  T = f(Z, Y).

copy_term_nat(Vars0, Term0, Vars, Term) :-
    '$kept_variables'(Vars0, Term0, Kept),
    copy_term_nat(Vars0-Term0-Kept, Vars-Term-Kept).

% Selects the variables of a term that other terms do not have.

'$kept_variables'(Vars, Term, Kept) :-
    term_variables(Vars, New),
    term_variables(Term, All),
    '$without_variables'(All, New, Kept).

'$without_variables'([], _, []).
'$without_variables'([Var|Vars], New, Kept) :-
    (   '$memberchk_of'(Var, New)
    ->  Kept = Kept1
    ;   Kept = [Var|Kept1]
    ),
    '$without_variables'(Vars, New, Kept1).

%% read_clause(+Stream, -Clause, +Options)
%
%  Reads a clause as the loader does. The options are those of read_term/3.
%
%  ?- open_string("p(X) :- q(X).", S), read_clause(S, (H :- _), [variable_names(Names)]).
%  S = '$stream'(3),
%  H = p(_A),
%  Names = ['X'=_A].

read_clause(Stream, Clause, Options) :- read_term(Stream, Clause, Options).

%% prolog_to_os_filename(?Name, ?OsName)
%
%  Converts between Name and OsName, a file name of the operating system. In Wamlet they are equal.
%
%  ?- prolog_to_os_filename('/tmp/a', Name).
%  Name = '/tmp/a'.

prolog_to_os_filename(Name, OsName) :-
    (   var(Name)
    ->  '$text_as_atom'(OsName, Name)
    ;   '$text_as_atom'(Name, OsName)
    ).

'$text_as_atom'(Text, _) :- var(Text), !, throw(error(instantiation_error, _)).
'$text_as_atom'(Text, Atom) :- atom_string(Atom0, Text), Atom = Atom0.

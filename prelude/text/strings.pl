% Predicates on texts that are too rarely needed to be builtins.

:- module(strings, [
    normalize_space/2,
    sub_atom_icasechk/3,
    write_length/3,
    string_lines/2,
    dedent_lines/3,
    indent_lines/3,
    indent_lines/4,
    interpolate_string/4
]).

:- meta_predicate(indent_lines(1, +, +, -)).

%% normalize_space(+Sink, +Text)
%
%  Writes Text to Sink, a sink of format/3, with normalized white space. Removes blanks at both ends and
%  replaces each inner run of white space by one blank.
%
%  ?- normalize_space(atom(A), '  two   words ').
%  A = 'two words'.

normalize_space(Sink, Text) :-
    '$normal_space'(Text, Normal),
    format(Sink, '~a', [Normal]).

%% sub_atom_icasechk(+Text, ?Start, +Part)
%
%  True if Part occurs in Text at offset Start, ignoring case. If Start is unbound, unifies it with the first
%  such offset.
%
%  ?- sub_atom_icasechk('Hello World', Start, world).
%  Start = 6.

sub_atom_icasechk(Text, Start, Part) :-
    '$place_without_case'(Text, Start, Part).

%% write_length(+Term, -Length, +Options)
%
%  Unifies Length with the number of characters that write_term/2 writes for Term with Options. With the option
%  max_length(N), fails if the number is greater than N.
%
%  ?- write_length('A b', N, [quoted(true)]).
%  N = 5.

write_length(Term, Length, Options0) :-
    must_be(list, Options0),
    strings_maximum(Options0, Maximum, Options),
    with_output_to(string(Text), write_term(Term, Options)),
    string_length(Text, Length),
    (   Maximum == none
    ->  true
    ;   Length =< Maximum
    ).

strings_maximum([], none, []).
strings_maximum([Option|Options0], Maximum, Options) :-
    (   Option = max_length(Maximum)
    ->  Options = Options0
    ;   Options = [Option|Options1],
        strings_maximum(Options0, Maximum, Options1)
    ).

%% string_lines(?String, ?Lines)
%
%  Converts between String and its Lines, without line ends. A String made from Lines has a line end after each
%  line.
%
%  ?- string_lines("one\ntwo\n", Lines).
%  Lines = ["one", "two"].
%
%  ?- string_lines(S, [one,two]).
%  S = "one\ntwo\n".

string_lines(String, Lines) :-
    (   var(String)
    ->  must_be(list, Lines),
        strings_ended(Lines, Parts),
        atomics_to_string(Parts, String)
    ;   strings_split(String, Lines0, End),
        ( string_length(End, 0) -> Lines = Lines0 ; append(Lines0, [End], Lines) )
    ).

strings_ended([], []).
strings_ended([Line|Lines], [Line,'\n'|Parts]) :-
    strings_ended(Lines, Parts).

% Splits a string into the lines that have a line end, and the text after the last line end.

strings_split(String, Lines, End) :-
    must_be(text, String),
    split_string(String, "\n", "", Parts),
    append(Lines, [End], Parts), !.

strings_joined(Lines, End, String) :-
    strings_ended(Lines, Parts0),
    append(Parts0, [End], Parts),
    atomics_to_string(Parts, String).

%% dedent_lines(+Text, -String, +Options)
%
%  Removes common leading white space from the lines of Text and unifies String with the result. Ignores lines
%  that contain only white space when it determines the common part. The option tab(Columns) sets the distance
%  of tab stops, by default 8.
%
%  ?- dedent_lines("  a\n    b\n", S, []).
%  S = "a\n  b\n".

dedent_lines(Text, String, Options) :-
    option(tab(Tab), Options, 8),
    must_be(positive_integer, Tab),
    strings_split(Text, Lines0, End0),
    append(Lines0, [End0], All),
    findall(Columns, ( member(Line, All), strings_indented(Line, Tab, Columns) ), Indents),
    (   min_list(Indents, Indent) -> true ; Indent = 0 ),
    strings_dedent(Lines0, Tab, Indent, Lines),
    strings_dedent([End0], Tab, Indent, [End]),
    strings_joined(Lines, End, String).

% Computes the indentation of a line. Fails for a line of white space only.

strings_indented(Line, Tab, Columns) :-
    string_codes(Line, Codes),
    strings_margin(Codes, Tab, 0, Columns, [_|_]).

strings_margin(Codes, Tab, Columns0, Columns, Rest) :-
    (   Codes = [Code|Codes1],
        strings_white(Code, Tab, Columns0, Columns1)
    ->  strings_margin(Codes1, Tab, Columns1, Columns, Rest)
    ;   Columns = Columns0,
        Rest = Codes
    ).

strings_white(0'\s, _, Columns0, Columns) :- Columns is Columns0 + 1.
strings_white(0'\t, Tab, Columns0, Columns) :- Columns is (Columns0 // Tab + 1) * Tab.

strings_dedent([], _, _, []).
strings_dedent([Line0|Lines0], Tab, Indent, [Line|Lines]) :-
    string_codes(Line0, Codes0),
    strings_without(Codes0, Tab, 0, Indent, Codes),
    string_codes(Line, Codes),
    strings_dedent(Lines0, Tab, Indent, Lines).

strings_without(Codes, Tab, Columns0, Indent, Rest) :-
    (   Columns0 < Indent,
        Codes = [Code|Codes1],
        strings_white(Code, Tab, Columns0, Columns)
    ->  strings_without(Codes1, Tab, Columns, Indent, Rest)
    ;   % A tab may extend beyond the removed columns.
        Extra is max(0, Columns0 - Indent),
        length(Blanks, Extra),
        maplist(=(0'\s), Blanks),
        append(Blanks, Codes, Rest)
    ).

%% indent_lines(+Prefix, +Text, -String)
%
%  Adds Prefix before each line of Text that does not consist of white space, and unifies String with the
%  result.
%
%  ?- indent_lines('> ', 'a\nb', S).
%  S = "> a\n> b".

indent_lines(Prefix, Text, String) :-
    strings_split(Text, Lines0, End0),
    strings_indent(Lines0, Prefix, Lines),
    strings_indent([End0], Prefix, [End]),
    strings_joined(Lines, End, String).

strings_indent([], _, []).
strings_indent([Line0|Lines0], Prefix, [Line|Lines]) :-
    (   strings_indented(Line0, 8, _)
    ->  string_concat(Prefix, Line0, Line)
    ;   Line = Line0
    ),
    strings_indent(Lines0, Prefix, Lines).

%% indent_lines(:Filter, +Prefix, +Text, -String)
%
%  Adds Prefix like indent_lines/3, but only before lines for which call(Filter, Line) is true.

indent_lines(Filter, Prefix, Text, String) :-
    strings_split(Text, Lines0, End0),
    strings_indent_if(Lines0, Filter, Prefix, Lines),
    (   string_length(End0, 0)
    ->  End = End0
    ;   strings_indent_if([End0], Filter, Prefix, [End])
    ),
    strings_joined(Lines, End, String).

strings_indent_if([], _, _, []).
strings_indent_if([Line0|Lines0], Filter, Prefix, [Line|Lines]) :-
    (   call(Filter, Line0)
    ->  string_concat(Prefix, Line0, Line)
    ;   Line = Line0
    ),
    strings_indent_if(Lines0, Filter, Prefix, Lines).

%% interpolate_string(+Text, -String, +Map, +Options)
%
%  Replaces {Name} in Text by Value for Name = Value in the list Map, where Name is the name of a variable.
%  Replaces {Name,Default} by Default if Map has no Name. Unifies String with the result. There are no options.
%
%  ?- interpolate_string('Hello {Name}!', S, ['Name' = 'Ann'], []).
%  S = "Hello Ann!".

interpolate_string(Text, String, Map, Options) :-
    must_be(list, Map),
    must_be(list, Options),
    string_codes(Text, Codes),
    strings_interpolated(Codes, Map, Parts),
    atomics_to_string(Parts, String).

strings_interpolated([], _, []).
strings_interpolated([Code|Codes], Map, [Part|Parts]) :-
    (   Code == 0'{,
        strings_slot(Codes, Name, Default, Rest)
    ->  strings_value(Name, Default, Map, Part)
    ;   char_code(Part, Code),
        Rest = Codes
    ),
    strings_interpolated(Rest, Map, Parts).

strings_slot([First|Codes], Name, Default, Rest) :-
    code_type(First, prolog_var_start),
    strings_name(Codes, Tail, Codes1),
    atom_codes(Name, [First|Tail]),
    (   Codes1 = [0'}|Rest]
    ->  Default = none
    ;   Codes1 = [0',|Codes2],
        append(Text, [0'}|Rest], Codes2)
    ->  atom_codes(Atom, Text),
        Default = default(Atom)
    ).

strings_name([Code|Codes], [Code|Name], Rest) :-
    code_type(Code, prolog_identifier_continue), !,
    strings_name(Codes, Name, Rest).
strings_name(Codes, [], Codes).

strings_value(Name, Default, Map, Part) :-
    (   memberchk(Name=Value, Map)
    ->  format(atom(Part), '~w', [Value])
    ;   Default = default(Part)
    ->  true
    ;   throw(error(existence_error(template_var, Name), _))
    ).

% Documentation of builtins and libraries, at the prompt.

:- module(help, [
    help/0,
    help/1,
    apropos/1
]).

:- use_module(library(lists), [member/2]).

:- meta_predicate(help(:)).

%% help
%
%  Explains how to get help.

help :-
    format("help(Name), help(Name/Arity)  show the documentation of a predicate, such as help(append/3)~n", []),
    format("apropos(Text)                 list predicates with this text in their name or description~n", []),
    format("listing(Name)                 list the clauses of a predicate of the program~n", []),
    format("edit(Name)                    open the editor at its definition; make/0 loads changed files~n", []),
    format("trace, spy(Name)              trace the goals of the next query~n", []),
    format("halt                          leave Wamlet; Ctrl-D does the same~n", []).

%% help(:What)
%
%  Prints the documentation of a predicate, Name/Arity, or of all predicates with the name Name. The sign before
%  an argument is its mode: + means bound, - unified with a result, ? both, : a goal or clause that depends on
%  the module. For library(Name), or a library name that is no predicate, prints the predicates of the library,
%  each with the first sentence of its description. In a session of Lolli, prints the meaning of the name there.

help(What0) :-
    strip_module(What0, Module, What1),
    '$plain_name'(What1, What),
    (   var(What)
    ->  throw(error(instantiation_error, context(help/1, _)))
    ;   help_name(What, Name, Arity)
    ->  help_about(Module, Name, Arity)
    ;   What = library(Library),
        ground(Library)
    ->  (   help_library(Library)
        ->  true
        ;   throw(error(existence_error(library, Library), _))
        )
    ;   throw(error(type_error(predicate_indicator, What), _))
    ).

help_name(Name/Arity, Name, Arity) :-
    !,
    atom(Name),
    ( var(Arity) -> true ; integer(Arity), Arity >= 0 ).
help_name(Name//Arity0, Name, Arity) :-
    !,
    atom(Name),
    ( var(Arity0) -> true ; integer(Arity0), Arity0 >= 0, Arity is Arity0 + 2 ).
help_name(Name, Name, _) :-
    atom(Name).

help_about(Module, Name, Arity) :-
    ( var(Arity) -> '$lolli_help'(Name, OfLolli) ; OfLolli = [] ),
    '$help'(Name, Arity, OfProlog),
    findall(Text, help_own(Module, Name, Arity, Text), Own),
    (   OfLolli \== [],
        ( Module == lolli ; OfProlog == [], Own == [] )
    ->  help_print(OfLolli)
    ;   OfProlog == [],
        Own == []
    ->  help_unknown(Name, Arity)
    ;   help_print(OfProlog),
        help_print(Own)
    ).

help_print([]).
help_print([Text|Texts]) :-
    write(Text),
    nl,
    help_print(Texts).

% Describes the place of a predicate of the program.

help_own(Module, Name, Arity, Text) :-
    help_home(Module, Name, Arity, Home, Shown),
    current_predicate(Home:Name/Arity),
    functor(Head, Name, Arity),
    predicate_property(Home:Head, file(Path)),
    '$shown_file'(Path, File),
    predicate_property(Home:Head, line_count(Line)),
    format(string(Text), '~q~n    defined at ~w:~w~n', [Shown,File,Line]).

help_own(Module, Name, Arity, Text) :-
    ( Module == user ; Module == lolli ),
    '$lolli_clauses'(Name, Arity, Clauses),
    findall(Indicator, member(clause(Indicator, _, _, _), Clauses), Indicators0),
    sort(Indicators0, Indicators),
    member(Name/Arity, Indicators),
    memberchk(clause(Name/Arity, File, Line, _), Clauses),
    format(string(Text), '~q~n    defined at ~w:~w~n', [Name/Arity,File,Line]).

help_home(Module, Name, Arity, Home, Shown) :-
    (   \+ \+ current_predicate(Module:Name/Arity)
    ->  Home = Module,
        Shown = Name/Arity
    ;   Module == user,
        '$modules_with'(Name, Arity, Modules),
        member(Home, Modules),
        Shown = Home:Name/Arity
    ).

help_unknown(Name, Arity) :-
    ( var(Arity) -> What = Name ; What = Name/Arity ),
    (   var(Arity),
        help_library(Name)
    ->  true
    ;   var(Arity),
        help_part(Name, Whole, WholeArity)
    ->  '$help'(Whole, WholeArity, Texts),
        help_print(Texts)
    ;   ( '$meant'(Name, Arity, Hint) ; '$meant'(Name, _, Hint) )
    ->  print_message(warning, format('there is no documentation of ~q; ~w', [What,Hint]))
    ;   print_message(warning, format('there is no documentation of ~q; search descriptions with apropos(Text)', [What]))
    ).

% Operators of libraries that are no predicates, each with a predicate whose description contains it.

help_part('..', in, 2).
help_part('#', '#=', 2).

help_library(Library) :-
    format(string(Name), '~w', [Library]),
    '$help_library'(Name, Lines),
    Lines \== [],
    help_lines(Lines).

help_lines(Lines) :-
    forall(member(Line, Lines), ( write(Line), nl )).

%% apropos(+Text)
%
%  Prints the documented predicates with Text in their names or descriptions, each with the first sentence of
%  its description. Ignores case.

apropos(Text) :-
    (   var(Text)
    ->  throw(error(instantiation_error, _))
    ;   text_to_string(Text, String)
    ),
    '$apropos'(String, Lines),
    (   Lines == []
    ->  print_message(warning, format('no name or description contains ~q', [Text]))
    ;   help_lines(Lines)
    ).

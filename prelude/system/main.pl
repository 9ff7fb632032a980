% Programs for the command line: the predicates that SWI-Prolog's library(main) documents.

:- module(prolog_main, [
    main/0,
    argv_options/3,
    argv_options/4,
    argv_usage/1
]).

:- use_module(library(option), [option/2]).
:- use_module(library(lists), [max_list/2, member/2, memberchk/2]).

:- meta_predicate(argv_options(:, -, -)).
:- meta_predicate(argv_options(:, -, -, +)).
:- meta_predicate(argv_usage(:)).

%% main
%
%  Calls main/1 with the arguments of the program, the flag argv. If `:- initialization(main, main)` names the
%  main goal in a module, calls main/1 of that module, else main/1 of user.

main :-
    current_prolog_flag(argv, Arguments),
    (   system:'$main'(Goal, _),
        nonvar(Goal),
        Goal = Module0:_
    ->  Module = Module0
    ;   Module = user
    ),
    call(Module:main(Arguments)).

%% argv_options(:Arguments, -Positional, -Options)
%
%  Divides the arguments of a program into Options, a list of Name(Value), and the others, Positional. Arguments
%  after `--` are positional. If the module defines opt_type(Flag, Name, Type), it lists the valid options. A
%  Flag of one letter is `-f`, `-f Value` or `-fValue`; letters of Boolean flags can be combined. A longer Flag
%  is `--flag=Value` or `--flag Value`, and a Boolean one `--flag` or `--no-flag`. Invalid arguments are
%  reported and end the program with status 1. `--help` prints the text of argv_usage/1 and ends the program
%  with status 0. Types: boolean, boolean(Value), integer, nonneg, natural, float, number, between(Low, High),
%  atom, string, oneof(Atoms), file, file(Access), term, and A|B. Without opt_type/3, `--name=Value` gives
%  name(Value), as a number if possible. `--name` gives name(true) and `--no-name` gives name(false).
%
%  ?- argv_options(['--verbose','--depth=3','file.txt'], Positional, Options).
%  Positional = ['file.txt'],
%  Options = [verbose(true), depth(3)].

argv_options(Spec, Positional, Options) :-
    strip_module(Spec, Module, Arguments),
    (   main_typed(Module)
    ->  argv_options(Module:Arguments, Positional, Options, [on_error(halt(1))])
    ;   main_untyped(Arguments, Positional, Options)
    ).

%% argv_options(:Arguments, -Positional, -Options, +How)
%
%  Divides arguments like argv_options/3 with opt_type/3. How is a list of options. With on_error(halt(Status)),
%  invalid arguments end the program; otherwise they raise error(opt_error(What), _). With
%  options_after_arguments(false), all arguments from the first positional one on are positional.

argv_options(Spec, Positional, Options, How) :-
    strip_module(Spec, Module, Arguments),
    (   main_asks_for_help(Arguments, Module)
    ->  argv_usage(Module:debug),
        halt(0)
    ;   option(on_error(halt(Status)), How)
    ->  catch(main_typed(Arguments, Module, How, Positional, Options), error(Error, _),
              main_wrong(Error, Status))
    ;   main_typed(Arguments, Module, How, Positional, Options)
    ).

main_wrong(Error, Status) :-
    (   Error = opt_error(What),
        main_fault(What, Format, Values)
    ->  print_message(error, format(Format, Values)),
        halt(Status)
    ;   throw(error(Error, _))
    ).

main_fault(unknown_option(_:Flag), 'Unknown option: ~w', [Shown]) :-
    main_flag(Flag, Shown).
main_fault(missing_value(Flag, Type), 'Option ~w requires an argument (of type ~p)', [Shown, Type]) :-
    main_flag(Flag, Shown).
main_fault(value_type(Flag, Type, Value), 'Option ~w requires a value of type ~p, found ~q', [Shown, Type, Value]) :-
    main_flag(Flag, Shown).
main_fault(access_file(File, Access), 'Cannot access file ~q for ~w', [File, Access]).

main_flag(Flag, Shown) :-
    (   atom_length(Flag, 1)
    ->  atom_concat(-, Flag, Shown)
    ;   atomic_list_concat(Parts, '_', Flag),
        atomic_list_concat(Parts, -, Long),
        atom_concat(--, Long, Shown)
    ).

% Without types

main_untyped([], [], []).
main_untyped([Argument|Arguments], Positional, Options) :-
    (   Argument == (--)
    ->  Positional = Arguments,
        Options = []
    ;   atom_concat(--, Long, Argument)
    ->  main_untyped_option(Long, Option),
        Options = [Option|Options1],
        main_untyped(Arguments, Positional, Options1)
    ;   Positional = [Argument|Positional1],
        main_untyped(Arguments, Positional1, Options)
    ).

main_untyped_option(Long, Option) :-
    (   main_assignment(Long, Flag, Text)
    ->  main_untyped_value(Flag, Text, Value)
    ;   atom_concat('no-', Flag, Long)
    ->  Value = false
    ;   Flag = Long,
        Value = true
    ),
    main_name(Flag, Name),
    Option =.. [Name,Value].

main_untyped_value(password, Text, Value) :-
    !,
    atom_string(Text, Value).
main_untyped_value(_, Text, Value) :-
    (   main_number(Text, Value)
    ->  true
    ;   Value = Text
    ).

main_number(Text, Number) :-
    catch(atom_number(Text, Number), _, fail).

main_assignment(Long, Flag, Text) :-
    sub_atom(Long, Before, 1, After, =),
    !,
    sub_atom(Long, 0, Before, _, Flag),
    sub_atom(Long, _, After, 0, Text).

main_name(Flag, Name) :-
    atomic_list_concat(Parts, -, Flag),
    atomic_list_concat(Parts, '_', Name).

% With types

main_typed(Module) :-
    main_clause(Module:opt_type(_, _, _)),
    !.

main_clause(Module:Goal) :-
    functor(Goal, Name, Arity),
    current_predicate(Module:Name/Arity),
    call(Module:Goal).

main_type(Module, Flag, Name, Type) :-
    main_clause(Module:opt_type(Flag, Name, Type)),
    !.

main_boolean(Module, Flag, Name, Value) :-
    main_clause(Module:opt_type(Flag, Name, Type)),
    main_boolean(Type, Value),
    !.

main_boolean(boolean, true).
main_boolean(boolean(Value), Value).

main_asks_for_help(['-h'], Module) :- \+ main_type(Module, h, _, _).
main_asks_for_help(['-?'], _).
main_asks_for_help(['--help'], Module) :- \+ main_type(Module, help, _, _).
main_asks_for_help([Argument], Module) :-
    main_clause(Module:opt_type(Flag, help, boolean)),
    main_flag(Flag, Argument).

main_typed([], _, _, [], []).
main_typed([Argument|Arguments], Module, How, Positional, Options) :-
    (   Argument == (--)
    ->  Positional = Arguments,
        Options = []
    ;   atom_concat(--, Long, Argument)
    ->  main_long(Long, Arguments, Module, Rest, Option),
        Options = [Option|Options1],
        main_typed(Rest, Module, How, Positional, Options1)
    ;   Argument \== (-),
        atom_concat(-, Short, Argument)
    ->  atom_chars(Short, Letters),
        main_short(Letters, Arguments, Module, Rest, Options, Options1),
        main_typed(Rest, Module, How, Positional, Options1)
    ;   option(options_after_arguments(false), How)
    ->  Positional = [Argument|Arguments],
        Options = []
    ;   Positional = [Argument|Positional1],
        main_typed(Arguments, Module, How, Positional1, Options)
    ).

main_long(Long, Rest, Module, Rest, Option) :-
    main_assignment(Long, Flag0, Text),
    !,
    main_name(Flag0, Flag),
    (   main_type(Module, Flag, Name, Type)
    ->  main_value(Type, Flag, Text, Value),
        Option =.. [Name,Value]
    ;   main_error(unknown_option(Module:Flag0))
    ).
main_long(Long, Arguments, Module, Rest, Option) :-
    main_name(Long, Flag),
    (   main_boolean(Module, Flag, Name, Value)
    ->  Rest = Arguments
    ;   member(No, ['no_',no]),
        atom_concat(No, Positive, Flag),
        main_boolean(Module, Positive, Name, Value0)
    ->  main_opposite(Value0, Value),
        Rest = Arguments
    ;   main_type(Module, Flag, Name, Type)
    ->  main_next(Arguments, Flag, Type, Text, Rest),
        main_value(Type, Flag, Text, Value)
    ;   main_error(unknown_option(Module:Flag))
    ),
    Option =.. [Name,Value].

main_short([], Rest, _, Rest, Options, Options).
main_short([Flag|Letters], Arguments, Module, Rest, [Option|Options], End) :-
    (   main_boolean(Module, Flag, Name, Value)
    ->  main_short(Letters, Arguments, Module, Rest, Options, End)
    ;   main_type(Module, Flag, Name, Type)
    ->  (   Letters == []
        ->  main_next(Arguments, Flag, Type, Text, Rest)
        ;   atom_chars(Text, Letters),
            Rest = Arguments
        ),
        main_value(Type, Flag, Text, Value),
        Options = End
    ;   main_error(unknown_option(Module:Flag))
    ),
    Option =.. [Name,Value].

main_next(Arguments, Flag, Type, Text, Rest) :-
    (   Arguments = [Text|Rest]
    ->  true
    ;   main_error(missing_value(Flag, Type))
    ).

main_opposite(true, false).
main_opposite(false, true).

main_error(What) :-
    throw(error(opt_error(What), _)).

main_value(Type, Flag, Text, Value) :-
    (   main_converted(Type, Text, Value0)
    ->  Value = Value0
    ;   main_error(value_type(Flag, Type, Text))
    ).

main_converted((Type1|Type2), Text, Value) :-
    (   main_converted(Type1, Text, Value0)
    ->  Value = Value0
    ;   main_converted(Type2, Text, Value)
    ).
main_converted(boolean, Text, Value) :- main_truth(Text, Value).
main_converted(boolean(_), Text, Value) :- main_truth(Text, Value).
main_converted(number, Text, Value) :- main_number(Text, Value).
main_converted(integer, Text, Value) :- main_integer(Text, Value).
main_converted(nonneg, Text, Value) :- main_integer(Text, Value), Value >= 0.
main_converted(natural, Text, Value) :- main_integer(Text, Value), Value >= 1.
main_converted(float, Text, Value) :- main_number(Text, Number), Value is float(Number).
main_converted(between(Low, High), Text, Value) :-
    main_number(Text, Number),
    (   ( float(Low) ; float(High) )
    ->  Value is float(Number)
    ;   integer(Number),
        Value = Number
    ),
    Value >= Low,
    Value =< High.
main_converted(atom, Text, Text).
main_converted(oneof(Atoms), Text, Text) :- memberchk(Text, Atoms).
main_converted(string, Text, Value) :- atom_string(Text, Value).
main_converted(file, Text, Text).
main_converted(file(Access), Text, Text) :-
    (   ( Text == (-) ; access_file(Text, Access) )
    ->  true
    ;   main_error(access_file(Text, Access))
    ).
main_converted(term, Text, Value) :-
    catch(term_string(Value, Text), error(syntax_error(_), _), fail).

main_integer(Text, Value) :-
    main_number(Text, Value),
    integer(Value).

main_truth(Text, Value) :-
    downcase_atom(Text, Lower),
    main_truth_name(Lower, Value0),
    !,
    Value = Value0.

main_truth_name(true, true).
main_truth_name(on, true).
main_truth_name('1', true).
main_truth_name(false, false).
main_truth_name(off, false).
main_truth_name('0', false).

%% argv_usage(:Level)
%
%  Prints the usage of the program and its options to user_error. The options are those of opt_type/3 of the
%  module. opt_help(Name, Text) of the module gives the text of an option, and of help(header), help(usage) and
%  help(footer). opt_meta(Name, Text) names its value. Level is not used.

argv_usage(Spec) :-
    strip_module(Spec, Module, _),
    main_text(Module, header, '~w~n'),
    (   main_clause(Module:opt_help(help(usage), Usage))
    ->  true
    ;   Usage = ' [options]'
    ),
    format(user_error, 'Usage: program~w~n~nOptions:~n', [Usage]),
    findall(Name, main_clause(Module:opt_type(_, Name, _)), Names0),
    main_distinct(Names0, [help], Names),
    findall(Flags-Help, main_option(Module, [help|Names], Flags, Help), Rows),
    findall(Length, ( member(Flags-_, Rows), atom_length(Flags, Length) ), Lengths),
    max_list(Lengths, Longest),
    Column is min(Longest, 30) + 1,
    forall(member(Flags-Help, Rows), format(user_error, '~w~t~*|~w~n', [Flags, Column, Help])),
    main_text(Module, footer, '~n~w~n').

main_text(Module, Which, Format) :-
    (   main_clause(Module:opt_help(help(Which), Text))
    ->  format(user_error, Format, [Text])
    ;   true
    ).

main_distinct([], _, []).
main_distinct([Name|Names], Seen, Distinct) :-
    (   memberchk(Name, Seen)
    ->  Distinct = Distinct1
    ;   Distinct = [Name|Distinct1]
    ),
    main_distinct(Names, [Name|Seen], Distinct1).

main_option(Module, Names, Flags, Help) :-
    member(Name, Names),
    findall(Flag-Type, main_clause(Module:opt_type(Flag, Name, Type)), Given),
    (   Name == help,
        Given == []
    ->  Flags = '-h, -?, --help'
    ;   main_usages(Given, Name, Module, Usages),
        Usages = [_|_],
        atomic_list_concat(Usages, ', ', Flags)
    ),
    (   main_clause(Module:opt_help(Name, Help0))
    ->  Help = Help0
    ;   Name == help
    ->  Help = 'Show this help message and exit'
    ;   Help = ''
    ).

% Lists short flags first.
main_usages(Given, Name, Module, Usages) :-
    findall(Usage,
            ( member(Short, [true,false]),
              member(Flag-Type, Given),
              ( atom_length(Flag, 1) -> Short = true ; Short = false ),
              main_usage(Type, Flag, Name, Module, Short, Usage)
            ),
            Usages).

main_usage(Type, Flag, Name, Module, Short, Usage) :-
    main_flag(Flag, Shown),
    (   main_boolean(Type, _)
    ->  Usage = Shown
    ;   main_value_name(Type, Name, Module, Value),
        ( Short == true -> Between = ' ' ; Between = (=) ),
        atomic_list_concat([Shown, Between, Value], Usage)
    ).

main_value_name(Type, Name, Module, Value) :-
    (   main_clause(Module:opt_meta(Name, Value0))
    ->  Value = Value0
    ;   functor(Type, Kind0, _),
        ( Kind0 == ('|') -> Kind = value ; Kind = Kind0 ),
        upcase_atom(Kind, Value)
    ).

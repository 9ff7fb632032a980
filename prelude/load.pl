% Loading files: what drives the primitives that read and add clauses.

:- module(system, []).

:- meta_predicate(consult(:)).
:- meta_predicate(ensure_loaded(:)).
:- meta_predicate(use_module(:)).
:- meta_predicate(use_module(:, +)).
:- meta_predicate(reexport(:)).
:- meta_predicate(reexport(:, +)).
:- meta_predicate(load_files(:, +)).
:- meta_predicate([:|+]).
:- meta_predicate(initialization(0)).
:- meta_predicate(initialization(0, +)).

:- dynamic('$after_load'/3).
:- dynamic('$main'/2).
:- dynamic('$program'/3).

%% consult(:Files)
%  Loads a file or a list of files; clauses that an earlier load of a file defined are replaced. Names may
%  stand in double quotes. A file whose name ends in .ll is a module of Lolli: its clauses are there for Module --o Goal.
%  One file is one file, also if another path or a symbolic link leads to it. Messages name it as it was named first.
%
%  ?- consult(no_such_file).
%  error: source_sink `no_such_file' does not exist [existence_error(source_sink, no_such_file)]
consult(Files) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, consult).

%% []
%  Loads no file: the end of a list of files.
[].

%% '.'(:File, :Files)
%  [File|Files]: loads these files, as consult/1. [user] reads clauses that are typed.
[First|Files] :-
    (   nonvar(First), First = Module:File
    ->  consult(Module:[File|Files])
    ;   consult(user:[First|Files])
    ).

%% ensure_loaded(:Files)
%  Loads a file unless it was loaded already.
ensure_loaded(Files) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, ensure).

%% use_module(:Files)
%  Loads a file that defines a module unless it was loaded already, and imports what it exports.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- use_module(library(no_such)).
%  error: source_sink `library(no_such)' does not exist [existence_error(source_sink, library(no_such))]
use_module(Files) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, use(all)).

%% use_module(:File, +Imports)
%  Imports a list of predicates, or all but some: except(List).
%
%  ?- use_module(library(dcg/basics), [integer//1]).
%  true.
use_module(Files, Imports) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, use(Imports)).

%% reexport(:Files)
%  Like use_module/1; what is imported is exported in turn.
reexport(Files) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, reexport(all)).

%% reexport(:File, +Imports)
%  Like use_module/2; what is imported is exported in turn.
reexport(Files, Imports) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, reexport(Imports)).

%% load_files(:Files, +Options)
%  Loads files; the options if(not_loaded) and if(true) are heeded.
load_files(Files, Options) :-
    '$files'(Files, Module, Plain),
    (   '$option_member'(if(not_loaded), Options)
    ->  '$each_file'(Plain, Module, ensure)
    ;   '$each_file'(Plain, Module, consult)
    ).

'$option_member'(Option, Options) :- '$member'(Option, Options), !.

'$files'(Files, _, _) :- var(Files), !, throw(error(instantiation_error, _)).
'$files'(Files, _, _) :- cyclic_term(Files), !, throw(error(type_error(acyclic_term, Files), _)).
'$files'(Module:Files, Module, Plain) :- atom(Module), !, '$plain_files'(Files, Plain).
'$files'(Files, Module, Files) :- '$source_module'(Module).

'$plain_files'(Files, Files) :- var(Files), !.
'$plain_files'(_:Files, Plain) :- !, '$plain_files'(Files, Plain).
'$plain_files'(Files, Files).

% What stands in double quotes names what an atom names: a string, or a list of codes.
'$plain_name'(Text, Name) :-
    (   nonvar(Text), Text = [Code|_], integer(Code), catch(atom_codes(Atom, Text), _, fail)
    ->  Name = Atom
    ;   string(Text)
    ->  atom_string(Name, Text)
    ;   Name = Text
    ).

'$each_file'(Files, _, _) :- var(Files), !, throw(error(instantiation_error, _)).
'$each_file'([], _, _) :- !.
'$each_file'([Code|Codes], Module, How) :-
    '$plain_name'([Code|Codes], File),
    atom(File),
    !,
    '$each_file'(File, Module, How).
'$each_file'([File|Files], Module, How) :- !,
    '$each_file'(File, Module, How),
    '$each_file'(Files, Module, How).
'$each_file'(user, Module, consult) :- !, '$load_user'(Module).
'$each_file'(File, Module, How) :-
    '$resolve_source'(File, Kind, Name),
    '$tell_library'(Kind, How, File, Name),
    '$load'(Kind, Name, Module, How).

% A library was meant, and no file of that name is there. To load one so is what other systems have had long ago.

'$tell_library'(library, use(_), File, Name) :-
    \+ '$is_alias'(File),
    atomic_list_concat(['there is no file `', Name, '`: library(', Name, ') is used; write library(', Name, ')'], Text),
    '$load_message'(warning, Text, import), !.
'$tell_library'(_, _, _, _).

'$load'(library, Name, Module, How) :- !,
    '$load_library'(Name, Library),
    '$import_from'(Library, How, Module),
    '$tell_partial'(Name, How).
'$load'(file, Path, _, _) :- sub_atom(Path, _, _, 0, '.ll'), !, '$load_lolli'(Path).
'$load'(file, Path, Module, How) :-
    sub_atom(Path, _, _, 0, '.wam'), !,
    setup_call_cleanup(
        '$open_image'(Path, Program),
        '$load'(file, Program, Module, How),
        '$close_image').
'$load'(file, Path, Module, consult) :- !,
    '$check_not_loading'(Path),
    '$load_file'(Path, Module),
    '$import_file'(Path, consult, Module).
'$load'(file, Path, Module, How) :-
    (   '$is_loaded'(Path) -> true ; '$load_file'(Path, Module) ),
    '$import_file'(Path, How, Module).

% A program that loads the whole library wants its constraints.

'$tell_partial'(clpfd, use(all)) :- !,
    '$tell_problem'(error(existence_error(source_sink, library(clpfd)),
                          context(_, 'only transpose/2 of it is there'))).
'$tell_partial'(_, _).

% A file that loads or includes itself, perhaps by way of others, would do so without end.

'$check_not_loading'(Path) :-
    (   '$is_loading'(Path)
    ->  throw(error(permission_error(load, source_sink, Path),
                    context(_, 'the file is being loaded')))
    ;   true
    ).

'$import_file'(Path, How, Module) :-
    (   '$file_module'(Path, Source), Source \== Module
    ->  '$import_from'(Source, How, Module)
    ;   true
    ).

% What goes wrong with one import is told, the others are made.

'$import_from'(Source, lazily(Imports), Module) :- !, '$import_lazily'(Source, Imports, Module).
'$import_from'(Source, How, Module) :-
    '$wanted_imports'(How, Imports),
    '$import'(Source, Imports, Module, Problems),
    '$tell_problems'(Problems),
    (   How = reexport(_)
    ->  '$reexport'(Source, Imports, Module)
    ;   true
    ).

'$wanted_imports'(use(Imports), Imports) :- !.
'$wanted_imports'(reexport(Imports), Imports) :- !.
'$wanted_imports'(_, all).

'$tell_problems'([]).
'$tell_problems'([Problem|Problems]) :-
    '$tell_problem'(Problem),
    '$tell_problems'(Problems).

'$tell_problem'(warning(Text)) :- !,
    (   '$load_message'(warning, Text, import)
    ->  true
    ;   print_message(warning, format('~w', [Text]))
    ).
'$tell_problem'(Error) :- '$directive_error'(Error).

% '$import'(+Source, +Imports, +Module): the first error is thrown.

'$import'(Source, Imports, Module) :-
    '$import'(Source, Imports, Module, Problems),
    (   '$member'(error(Formal, Context), Problems)
    ->  throw(error(Formal, Context))
    ;   true
    ).

'$load_file'(Path, Module) :-
    % A load that was cut short has left its own.
    retractall('$after_load'(Path, _, _)),
    setup_call_cleanup(
        '$load_begin'(Path, Module, false, Depth),
        '$load_all',
        '$load_end'(Depth)),
    '$run_after_load'(Path).

'$load_all' :-
    repeat,
    '$load_next'(Item),
    '$load_item'(Item),
    !.

'$load_item'(end).
'$load_item'(directive(Goal)) :- '$directive'(Goal), fail.
'$load_item'(expand(Term)) :- '$expand'(Term, Clauses), '$load_clauses'(Clauses), fail.

'$load_clauses'(Clauses) :- var(Clauses), !, '$load_clause'(Clauses).
'$load_clauses'([]) :- !.
'$load_clauses'([Clause|Clauses]) :- !,
    '$load_clauses'(Clause),
    '$load_clauses'(Clauses).
'$load_clauses'((:- Goal)) :- !, '$directive'(Goal).
'$load_clauses'((?- Goal)) :- !, '$directive'(Goal).
'$load_clauses'(Clause) :- '$load_clause'(Clause).

'$expand'(Term, Clauses) :-
    '$source_module'(Module),
    (   '$expansion'(Module, Term, Clauses0)
    ->  true
    ;   Clauses0 = Term
    ),
    '$expand_bodies'(Clauses0, Module, Clauses).

'$expansion'(Module, Term, Clauses) :-
    '$has_clauses'(Module, term_expansion, 2),
    '$call_hook'(Module:term_expansion(Term, Clauses), nonvar(Clauses)), !.
'$expansion'(Module, Term, Clauses) :-
    Module \== user,
    '$has_clauses'(user, term_expansion, 2),
    '$call_hook'(user:term_expansion(Term, Clauses), nonvar(Clauses)).

% '$call_hook'(:Goal, :Test): runs a goal of the program's up to an answer that passes the test. Where a limit
% ends it outside of the clauses of the program, the place of the present term is told.

'$call_hook'(Goal, Test) :-
    '$reached_goal'(Outer),
    '$reached'(1),
    (   catch(Goal, Error, ('$directive_error'(Error), fail)),
        Test
    ->  '$reached'(Outer)
    ;   '$reached'(Outer),
        fail
    ).

% Goals in bodies.

'$expand_bodies'(Clauses0, Module, Clauses) :-
    (   '$goal_hook'(Module, _),
        acyclic_term(Clauses0)
    ->  '$expand_clauses'(Clauses0, Module, Clauses)
    ;   Clauses = Clauses0
    ).

'$expand_clauses'(Clauses, _, Clauses) :- var(Clauses), !.
'$expand_clauses'([], _, []) :- !.
'$expand_clauses'([Clause0|Clauses0], Module, [Clause|Clauses]) :- !,
    '$expand_clauses'(Clause0, Module, Clause),
    '$expand_clauses'(Clauses0, Module, Clauses).
'$expand_clauses'((Head :- Body0), Module, (Head :- Body)) :- !,
    '$expand_goal'(Body0, Module, [], Body).
'$expand_clauses'((Head --> Body), Module, Clause) :-
    % What is wrong with it is told when it is added.
    catch(dcg_translate_rule((Head --> Body), Clause0), _, fail), !,
    '$expand_clauses'(Clause0, Module, Clause).
'$expand_clauses'(Module:Clause0, _, Module:Clause) :-
    atom(Module), !,
    '$expand_clauses'(Clause0, Module, Clause).
'$expand_clauses'(Clause, _, Clause).

% '$goal_hook'(+Module, -Hook): goals of Module are expanded by goal_expansion/2 of module Hook.

'$goal_hook'(Module, Module) :- '$has_clauses'(Module, goal_expansion, 2).
'$goal_hook'(Module, user) :- Module \== user, '$has_clauses'(user, goal_expansion, 2).
'$goal_hook'(Module, system) :- Module \== system, '$has_clauses'(system, goal_expansion, 2).

% '$expand_goal'(+Goal0, +Module, +Done, -Goal): a goal that results from the expansion of one of
% Done is not expanded again if it is the same.

'$expand_goal'(Goal, _, _, Goal) :- var(Goal), !.
'$expand_goal'(Module:Goal0, _, Done, Module:Goal) :- !,
    (   atom(Module)
    ->  '$expand_goal'(Goal0, Module, Done, Goal)
    ;   Goal = Goal0
    ).
'$expand_goal'(Goal0, Module, Done, Goal) :-
    \+ ( '$member'(Goal1, Done), Goal1 == Goal0 ),
    '$call_goal_hook'(Module, Goal0, Goal1), !,
    '$expand_goal'(Goal1, Module, [Goal0|Done], Goal).
'$expand_goal'(Goal0, Module, Done, Goal) :-
    compound(Goal0),
    callable(Goal0),
    '$argument_kinds'(Goal0, Module, Kinds), !,
    Goal0 =.. [Name|Args0],
    '$expand_arguments'(Kinds, Args0, Module, Done, Args),
    Goal1 =.. [Name|Args],
    '$expanded_as'(Goal0, Goal1, Goal).
'$expand_goal'(Goal, _, _, Goal).

% '$expanded_as'(+Goal0, +Goal1, -Goal): Goal is Goal1, made of the parts of Goal0, with a disjunction still a
% disjunction and a conditional a conditional.

'$expanded_as'((Left0 ; _), (Left1 ; Right), (Left ; Right)) :- !,
    '$left_kind'(Left0, Kind0),
    '$left_kind'(Left1, Kind1),
    '$expanded_left'(Kind0, Kind1, Left1, Left).
'$expanded_as'(_, Goal, Goal).

'$left_kind'(Left, Kind) :-
    (   nonvar(Left), ( Left = (_ -> _), Kind = (->) ; Left = (_ *-> _), Kind = (*->) )
    ->  true
    ;   Kind = goal
    ).

'$expanded_left'(Kind, Kind, Left, Left) :- !.
'$expanded_left'(goal, _, Left, (Left, true)) :- !.
'$expanded_left'(Kind, _, Goal, Left) :- Left =.. [Kind, Goal, true].

'$argument_kinds'((_, _), _, [0,0]) :- !.
'$argument_kinds'((_ ; _), _, [0,0]) :- !.
'$argument_kinds'((_ -> _), _, [0,0]) :- !.
'$argument_kinds'((_ *-> _), _, [0,0]) :- !.
'$argument_kinds'(\+ _, _, [0]) :- !.
'$argument_kinds'(Goal, Module, Kinds) :-
    % What is only to be loaded when it is called may be defined further down.
    '$visible'(Module:Goal),
    predicate_property(Module:Goal, meta_predicate(Specs)),
    Specs =.. [_|Kinds].

'$call_goal_hook'(Module, Goal0, Goal) :-
    '$goal_hook'(Module, Hook),
    '$call_hook'(Hook:goal_expansion(Goal0, Goal), Goal \== Goal0), !.

'$expand_arguments'([], [], _, _, []).
'$expand_arguments'([Kind|Kinds], [Arg0|Args0], Module, Done, [Arg|Args]) :-
    (   '$expand_argument'(Kind, Arg0, Module, Done, Arg1) -> Arg = Arg1 ; Arg = Arg0 ),
    '$expand_arguments'(Kinds, Args0, Module, Done, Args).

'$expand_argument'(0, Goal0, Module, Done, Goal) :- !, '$expand_goal'(Goal0, Module, Done, Goal).
'$expand_argument'(^, Goal0, Module, Done, Goal) :- !,
    (   nonvar(Goal0), Goal0 = Var^Inner0
    ->  '$expand_argument'(^, Inner0, Module, Done, Inner),
        Goal = Var^Inner
    ;   '$expand_goal'(Goal0, Module, Done, Goal)
    ).
'$expand_argument'(Count, Closure0, Module, Done, Closure) :-
    integer(Count),
    '$has_parts'(Closure0),
    Closure0 \= _:_,
    % With arguments of its own for those that come with the call, which must come out as they are.
    length(Extra, Count),
    Closure0 =.. List0,
    '$append'(List0, Extra, List1),
    Goal1 =.. List1,
    '$expand_goal'(Goal1, Module, Done, Goal),
    Goal \== Goal1,
    '$has_parts'(Goal),
    Goal =.. [Name|Args],
    length(Args, Length),
    Kept is Length - Count,
    Kept >= 0,
    length(Before, Kept),
    '$append'(Before, After, Args),
    After == Extra,
    term_variables(Before, Vars),
    \+ ( '$member'(Var, Vars), '$member'(New, Extra), Var == New ),
    Closure =.. [Name|Before].

% '$has_parts'(+Term): =.. takes the callable term apart. It takes no compound without arguments.
'$has_parts'(Term) :-
    (   compound(Term)
    ->  compound_name_arity(Term, _, Arity),
        Arity > 0
    ;   atom(Term)
    ).

%% expand_goal(+Goal0, -Goal)
%  Goal is what loading makes of Goal0 in a body, by goal_expansion/2 of the module, of user and of
%  system: also of the goals in control constructs and in arguments that are goals, until nothing
%  changes any more. Arguments of predicates whose library is not loaded yet stay as they are: the
%  file may define these predicates itself. A goal that becomes (If -> Then) is no condition of the
%  disjunction that it stands in.
expand_goal(Goal0, Goal) :-
    '$source_module'(Module),
    '$expanded_goal'(Goal0, Module, Goal).

'$expanded_goal'(Goal0, Module, Goal) :-
    (   '$goal_hook'(Module, _),
        acyclic_term(Goal0)
    ->  '$expand_goal'(Goal0, Module, [], Goal)
    ;   Goal = Goal0
    ).

%% expand_term(+Term, -Clauses)
%  What loading makes of a term: user's expansions, then grammar rules, then expansions of goals.
%
%  ?- expand_term((greeting --> [hello], name), Clause).
%  Clause = (greeting(_A, _B):-_A=[hello|_C], name(_C, _B)).
expand_term(Term, Term) :- var(Term), !.
expand_term(Term, Clauses) :-
    '$source_module'(Module),
    '$expanded_term'(Term, Module, Clauses0),
    (   nonvar(Clauses0), Clauses0 = (:- Goal0)
    ->  '$expanded_goal'(Goal0, Module, Goal),
        Clauses = (:- Goal)
    ;   '$expand_bodies'(Clauses0, Module, Clauses)
    ).

'$expanded_term'(Term, Module, Clauses) :- '$expansion'(Module, Term, Clauses), !.
'$expanded_term'((Head --> Body), _, Clause) :- !, dcg_translate_rule((Head --> Body), Clause).
'$expanded_term'(Term, _, Term).

% Directives.

%% module(+Name, +Exports)
%  As the first directive of a file: what follows is the module Name; if Name is a variable, the module has the name
%  of the file without directory and extension. Exports is the list of the predicates that
%  others get by use_module/1, Name/Arity or Name//Arity, and of operators, op(Priority, Type, Name).
%
%  :- module(shapes, [area/2]).

%% encoding(+Encoding)
%  As a directive: from the next line on the file is in Encoding, which is utf8, iso_latin_1, ascii, octet, text (which
%  is utf8), utf16le, utf16be, unicode_le, unicode_be or utf16. Without it a file is in UTF-8. A byte order mark of
%  UTF-16 at the beginning of the file overrules it. The encoding of a file may change 16 times.
%
%  :- encoding(iso_latin_1).

%% include(+File)
%  As a directive: the text of File stands in place of the directive. ISO 7.4.2.7.

%% if(:Condition)
%% elif(:Condition)
%% else
%% endif
%  As directives: the text between if(Condition) and the next of them is loaded if Condition is true, that after
%  elif(Condition) if no condition before it was and this one is, that after else if none was; endif ends them.
%
%  :- if(current_prolog_flag(bounded, false)).
%  big(N) :- N is 2 ** 100.
%  :- else.
%  big(N) :- current_prolog_flag(max_integer, N).
%  :- endif.

'$directive'(Goal) :- var(Goal), !, '$directive_error'(error(instantiation_error, _)).
'$directive'(Goal) :- '$record_directive'(Goal), fail.
'$directive'(module(Name, Exports)) :- !, '$catch_directive'('$begin_module'(Name, Exports)).
'$directive'(encoding(Encoding)) :- !, '$catch_directive'('$check_encoding'(Encoding)).
'$directive'(include(File)) :- !, '$catch_directive'('$include'(File)).
'$directive'(if(Condition)) :- !, '$condition'(if, Condition).
'$directive'(elif(Condition)) :- !, '$condition'(elif, Condition).
'$directive'(else) :- !, '$load_condition'(else, true).
'$directive'(endif) :- !, '$load_condition'(endif, true).
'$directive'(initialization(Goal0)) :- !,
    '$source_module'(Module),
    '$expanded_goal'(Goal0, Module, Goal),
    '$after'(Module:Goal).
'$directive'(initialization(Goal0, When)) :- !,
    '$source_module'(Module),
    '$expanded_goal'(Goal0, Module, Goal),
    '$catch_directive'('$initialization'(When, Module:Goal)).
'$directive'(Goal0) :-
    '$source_module'(Module),
    '$expanded_goal'(Goal0, Module, Goal),
    '$catch_directive'(Module:Goal).

'$catch_directive'(Goal) :-
    '$watched'(Goal, Watched),
    '$reached_goal'(Outer),
    '$reached'(1),
    (   catch(('$assume_declared', Watched), '$raised'(Error), '$directive_raised'(Goal, Error))
    ->  true
    ;   '$goal_failed'(Goal)
    ),
    '$reached'(Outer).

% Goals in a row are noted when they are come to: the last of these is the one that fails.

'$watched'(Module:Goal, Module:Watched) :- nonvar(Goal), Goal = (A, B), acyclic_term(Goal), !,
    Watched = (A, Rest),
    '$watched_from'(B, 2, Rest).
'$watched'(Goal, Goal).

'$watched_from'(Goal, Number, ('$reached'(Number), A, Rest)) :- nonvar(Goal), Goal = (A, B), !,
    Next is Number + 1,
    '$watched_from'(B, Next, Rest).
'$watched_from'(Goal, Number, ('$reached'(Number), Goal)).

% '$goal_reached'(+Places, +Place, -Reached): the place of the goal that was come to.

'$goal_reached'(Places, _, Reached) :-
    '$reached_goal'(Number),
    '$nth'(Number, Places, Reached), !.
'$goal_reached'(_, Place, Place).

'$nth'(1, [Item|_], Found) :- !, Found = Item.
'$nth'(Number, [_|Items], Found) :- Before is Number - 1, '$nth'(Before, Items, Found).

% The place of the clause that has raised the error is told, if there is one, or the goal of the directive.

'$directive_raised'(Goal, Error) :-
    '$load_place'(Directive),
    '$told_where_raised'(Goal, Error, Directive), !.
'$directive_raised'(Goal, Error) :-
    '$raised_in_directive'(Goal, Place), !,
    '$error_text'(Error, Text),
    '$place_message'(error, Text, Place, Error, []).
'$directive_raised'(_, Error) :- '$directive_error'(Error).

'$told_where_raised'(Goal, Error, '$place'(File, Line, _, _, _, _)) :-
    '$raised_place'(Goal, Place, Callers),
    '$error_text'(Error, Text),
    Place = '$place'(InFile, _, _, _, _, _),
    (   InFile == File
    ->  atomic_list_concat([Text, ' (raised by the directive in line ', Line, ')'], Message)
    ;   atomic_list_concat([Text, ' (raised by the directive at ', File, ':', Line, ')'], Message)
    ),
    '$place_message'(error, Message, Place, Error, Callers).

'$goal_failed'(Goal0) :-
    '$shown_goal'(Goal0, Text),
    atom_concat('the directive failed: ', Text, Message),
    (   '$goal_places'(Places, Goal0),
        '$goal_reached'(Places, none, Place),
        '$place_message'(warning, Message, Place, directive, [])
    ->  true
    ;   '$load_message'(warning, Message, directive)
    ->  true
    ;   print_message(warning, format('~w', [Message]))
    ).

% A goal of the present directive, with the names that its variables have there.

'$shown_goal'(Module:Goal, Text) :- Module == user, !, '$directive_text'(Goal, Text).
'$shown_goal'(Goal, Text) :- '$directive_text'(Goal, Text).

'$directive_error'(Error) :-
    (   '$error_text'(Error, Text), '$load_message'(error, Text, Error)
    ->  true
    ;   print_message(error, Error)
    ).

'$error_text'(Error, Text) :-
    catch(message_text(unhandled_exception(Error), Text), _, fail), !.
'$error_text'(Error, Text) :- term_to_atom(Error, Text).

'$condition'(Word, Condition0) :-
    (   '$load_condition_matters'(Word)
    ->  '$source_module'(Module),
        '$expanded_goal'(Condition0, Module, Condition),
        (   '$call_hook'(Module:Condition, true)
        ->  Truth = true
        ;   Truth = false
        )
    ;   Truth = false
    ),
    '$load_condition'(Word, Truth).

'$begin_module'(Name0, Exports) :-
    '$module_name'(Name0, Name),
    (   '$load_defines'
    ->  throw(error(permission_error(create, module, Name),
                    context(_, 'a file names its module before its clauses')))
    ;   true
    ),
    '$load_module'(Name),
    '$export_operators'(Exports, Plain),
    '$set_exports'(Name, Plain).

% A module without a name is named as its file is.

'$module_name'(Name0, Name) :-
    (   var(Name0), '$load_source'(File, _)
    ->  file_base_name(File, Base),
        file_name_extension(Name, _, Base)
    ;   Name = Name0
    ).

'$export_operators'([], []).
'$export_operators'([op(Priority, Type, Names)|Exports], Plain) :- !,
    op(Priority, Type, Names),
    '$export_operators'(Exports, Plain).
'$export_operators'([Export|Exports], [Export|Plain]) :-
    '$export_operators'(Exports, Plain).

'$include'(File) :-
    '$resolve_source'(File, file, Path),
    '$check_not_loading'(Path),
    '$source_module'(Module),
    setup_call_cleanup('$load_begin'(Path, Module, true, Depth), '$load_all', '$load_end'(Depth)).

%% initialization(:Goal)
%  Runs Goal after the file that is being loaded, or at once.
initialization(Goal) :-
    strip_module(Goal, Module, Plain),
    (   '$loading' -> '$after'(Module:Plain) ; call(Module:Plain) ).

%% initialization(:Goal, +When)
%  When is now; after_load; program: once all files are loaded and the goals of the command have
%  run; or main: the goal is the main program, which ends with it.
initialization(Goal, When) :-
    strip_module(Goal, Module, Plain),
    '$initialization'(When, Module:Plain).

'$initialization'(When, _) :- var(When), !, throw(error(instantiation_error, _)).
'$initialization'(now, Goal) :- !, call(Goal).
'$initialization'(after_load, Goal) :- !, '$after'(Goal).
'$initialization'(main, Goal) :- !,
    (   '$load_place'(Place) -> true ; Place = none ),
    retractall('$main'(_, _)),
    assertz('$main'(Goal, Place)).
'$initialization'(program, Goal) :- !,
    (   '$load_place'(Place) -> true ; Place = none ),
    findall(Number, '$program'(Number, _, _), Numbers),
    length(Numbers, Number0),
    assertz('$program'(Number0, Goal, Place)).
'$initialization'(When, _) :- throw(error(domain_error(initialization_type, When), _)).

% Goals of included files run after the file that includes them.

'$after'(Goal) :-
    '$load_source'(File, _),
    '$load_place'(Place),
    ( '$goal_places'(Places, Goal) -> true ; Places = [] ),
    '$shown_goal'(Goal, Text),
    assertz('$after_load'(File, Goal, '$after'(Place, Places, Text))).

% Who makes an image of a program does not run it.

'$run_after_load'(File) :-
    '$makes_image'(File), !,
    retractall('$after_load'(File, _, _)).
'$run_after_load'(File) :-
    retract('$after_load'(File, Goal, '$after'(Place, Places, Text))),
    setup_call_cleanup(
        true,
        '$catch_initialization'(Goal, Place, Places, Text),
        '$initialization_left'(Place)),
    fail.
'$run_after_load'(_).

'$catch_initialization'(Goal, Place, Places, Text) :-
    '$watched'(Goal, Watched),
    '$reached_goal'(Outer),
    '$reached'(1),
    (   catch(('$assume_declared', Watched), '$raised'(Error),
              '$initialization_error'(Goal, Error, Place, Places))
    ->  true
    ;   atom_concat('initialization goal failed: ', Text, Message),
        '$goal_reached'(Places, Place, Here),
        '$place_message'(warning, Message, Here, directive, [])
    ),
    '$reached'(Outer).

'$initialization_error'(Goal, Error, Place, _) :-
    '$told_where_raised'(Goal, Error, Place), !.
'$initialization_error'(_, Error, Place, Places) :-
    '$error_text'(Error, Text),
    '$goal_reached'(Places, Place, Here),
    '$place_message'(error, Text, Here, Error, []).

% Clauses typed at the prompt: `[user].`

'$load_user'(Module) :-
    retractall('$after_load'(user, _, _)),
    setup_call_cleanup(
        '$load_typed'(Module, Depth),
        '$load_all',
        '$load_end'(Depth)),
    '$run_after_load'(user).

%% prolog_load_context(?Key, ?Value)
%
%  What is known of the text being loaded; fails if there is none: module; source, the file
%  that is loaded; file, which differs in files that it includes; directory, that of the
%  source; term_position, with the line of the present clause; dialect, the one that the file
%  declares, else swi.

prolog_load_context(Key, Value) :-
    '$load_context'(Module, File, Line),
    '$load_context'(Key, Value, Module, File, Line).

'$load_context'(module, Module, Module, _, _).
'$load_context'(source, Source, _, _, _) :- '$load_source'(_, Source).
'$load_context'(file, File, _, File, _).
'$load_context'(directory, Directory, _, _, _) :-
    '$load_source'(_, Path),
    file_directory_name(Path, Directory).
'$load_context'(dialect, Dialect, _, _, _) :- '$present_dialect'(Dialect).
'$load_context'(term_position, '$stream_position'(0, Line, 0, 0), _, _, Line).

%% expects_dialect(+Dialect)
%  As a directive: the file is written for Dialect, wherever the directive stands: the loader looks for it
%  before it reads the first clause. What is in double quotes is a string for swi and eclipse, a list of
%  one-character atoms for scryer and trealla, and a list of codes for iso, dec10, quintus, sicstus, sicstus4, yap,
%  gprolog, xsb, ciao, ifprolog, hprolog, bprolog and swi3. Other names change nothing. Where library(dialect/Dialect)
%  is a file of the program, it is loaded, and setup_dialect/0 of it runs.
%
%  :- expects_dialect(sicstus).
expects_dialect(Dialect) :- var(Dialect), !, throw(error(instantiation_error, _)).
expects_dialect(Dialect) :- \+ atom(Dialect), !, throw(error(type_error(atom, Dialect), _)).
expects_dialect(Dialect) :-
    '$file_dialect'(Dialect),
    (   catch('$resolve_source'(library(dialect/Dialect), Kind, Name), error(_, _), fail)
    ->  '$source_module'(Module),
        '$load'(Kind, Name, Module, use(all)),
        (   '$file_module'(Name, Home), '$has_clauses'(Home, setup_dialect, 0)
        ->  call(Home:setup_dialect)
        ;   true
        )
    ;   true
    ).

% Grammars.

:- meta_predicate(phrase(//, ?)).
:- meta_predicate(phrase(//, ?, ?)).

%% phrase(:Body, ?List)
%  True when the grammar body accepts the list.
%
%  ?- use_module(library(dcg/basics)), phrase(integer(N), `42`).
%  N = 42.
phrase(Body, List) :- phrase(Body, List, []).

%% phrase(:Body, ?List, ?Rest)
%  True when the grammar body accepts the list up to Rest.
%
%  ?- phrase(([a], [b]), [a,b,c], Rest).
%  Rest = [c].
phrase(Body, List, Rest) :-
    '$phrase_body'(Body, Module, Plain),
    '$check_list_or_partial'(List),
    '$check_list_or_partial'(Rest),
    '$dcg_body'(Plain, S0, S, Goal),
    S0 = List,
    S = Rest,
    call(Module:Goal).

'$phrase_body'(Body, _, _) :- var(Body), !, throw(error(instantiation_error, _)).
'$phrase_body'(_:Body, _, _) :- var(Body), !, throw(error(instantiation_error, _)).
'$phrase_body'(Module:Body, Module, Plain) :- atom(Module), !, Plain = Body.
'$phrase_body'(Body, user, Body).

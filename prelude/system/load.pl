% Loading of files: predicates that drive the primitives for reading and adding clauses. Long because it has a
% clause for each directive.

:- module(system, []).

% A directive of images.
:- public('$file_dialect'/1).

:- meta_predicate('$own_goal'(0, -)).
:- meta_predicate('$catch_directive'(0)).
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
%  Loads a file or a list of files and replaces clauses from an earlier load of the same file. Names may be in
%  double quotes. A file whose name ends in .ll is a module of Lolli: use its clauses with Module --o Goal. A
%  file is the same file if another path or a symbolic link leads to it. Messages use the first name of the
%  file.
%
%  ?- consult(no_such_file).
%  error: file `no_such_file' does not exist [existence_error(source_sink, no_such_file)]
consult(Files) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, consult).

%% []
%  Loads no file: the end of a list of files.
[].

%% '.'(:File, :Files)
%  Loads the files of the list [File|Files], like consult/1. [user] reads clauses that the user types.
[First|Files] :-
    (   nonvar(First), First = Module:File
    ->  consult(Module:[File|Files])
    ;   consult(user:[First|Files])
    ).

%% ensure_loaded(:Files)
%  Loads a file unless it is already loaded.
ensure_loaded(Files) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, ensure).

%% use_module(:Files)
%  Loads a file that defines a module unless it is already loaded, and imports its exports.
%
%  ?- use_module(library(dcg/basics)).
%  true.
%
%  ?- use_module(library(no_such)).
%  error: file `library(no_such)' does not exist [existence_error(source_sink, library(no_such))]
use_module(Files) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, use(all)).

%% use_module(:File, +Imports)
%  Loads File like use_module/1. Imports only a list of predicates, or all except a list: except(List).
%
%  ?- use_module(library(dcg/basics), [integer//1]).
%  true.
use_module(Files, Imports) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, use(Imports)).

%% reexport(:Files)
%  Loads and imports like use_module/1, and exports the imports again.
reexport(Files) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, reexport(all)).

%% reexport(:File, +Imports)
%  Loads and imports like use_module/2, and exports the imports again.
reexport(Files, Imports) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, reexport(Imports)).

%% load_files(:Files, +Options)
%  Loads files like consult/1. Options: if(not_loaded) skips files that are already loaded. if(exists) skips
%  files that do not exist. must_be_module(true) accepts only files of modules. imports(List) and reexport(true)
%  select the imports, as in use_module/2 and reexport/1,2. encoding(Encoding) is the encoding of the files, as
%  in open/4. stream(Stream) reads the text from an open stream; the file is only its name. Other options are
%  ignored.
load_files(Files, Options) :-
    '$files'(Files, Module, Plain),
    (   '$option_member'(stream(Stream), Options)
    ->  '$load_stream'(Plain, Stream, Module)
    ;   '$each_file'(Plain, Module, files(Options))
    ).

'$load_stream'(File, Stream, Module) :-
    '$spec_text'(File, Text),
    atomic_list_concat([Text], Name),
    '$check_not_loading'(Name),
    read_string(Stream, _, Clauses),
    '$load_given'(Name, Clauses, Module, anew(ensure)).

'$load_given'(Path, Text, Module, How) :-
    '$give_text'(Path, Text),
    '$load'(file, Path, Module, How).

% '$load_one'(+File, +Module, +Options): loads one of the files of load_files/2.

'$load_one'(File, Module, Options) :-
    '$load_hooked'(File, Module, files(Options)), !.
'$load_one'(File, _, Options) :-
    '$option_member'(if(exists), Options),
    \+ exists_source(File), !.
'$load_one'(File, Module, Options) :-
    '$resolve_source'(File, Kind, Name),
    '$imports_of'(Options, Imports),
    (   '$option_member'(if(not_loaded), Options)
    ->  How = Imports
    ;   How = anew(Imports)
    ),
    '$load_one'(Kind, Name, Module, How, Options).

'$load_one'(file, Path, Module, How, Options) :-
    \+ ( '$member'(Extension, ['.ll', '.wam']), sub_atom(Path, _, _, 0, Extension) ),
    \+ ( How \= anew(_), '$is_loaded'(Path) ),
    !,
    '$check_not_loading'(Path),
    (   '$option_member'(encoding(Encoding), Options)
    ->  '$check_encoding'(Encoding),
        Reading = [encoding(Encoding)]
    ;   Reading = []
    ),
    (   '$option_member'(must_be_module(true), Options)
    ->  '$check_header'(Path, Reading)
    ;   true
    ),
    (   Reading == []
    ->  '$load'(file, Path, Module, How)
    ;   setup_call_cleanup(
            open(Path, read, Stream, Reading),
            read_string(Stream, _, Text),
            close(Stream)),
        '$load_given'(Path, Text, Module, How)
    ).
'$load_one'(file, Path, Module, How, _) :- !,
    '$load'(file, Path, Module, How).
'$load_one'(library, Name, Module, How, _) :-
    ( How = anew(Imports) -> true ; Imports = How ),
    '$load'(library, Name, Module, Imports).

'$imports_of'(Options, Imports) :-
    (   '$option_member'(imports(Wanted), Options) -> true ; Wanted = all ),
    (   '$option_member'(reexport(true), Options)
    ->  Imports = reexport(Wanted)
    ;   Wanted == all
    ->  Imports = ensure
    ;   Imports = use(Wanted)
    ).

% '$check_header'(+Path, +Reading): checks that the file begins with a module/2. Syntax errors are reported when
% the file is loaded.

'$check_header'(Path, Reading) :-
    setup_call_cleanup(
        open(Path, read, Stream, Reading),
        '$first_clause'(Stream, Clause),
        close(Stream)),
    (   '$is_header'(Clause)
    ->  true
    ;   throw(error(domain_error(module_header, Clause), _))
    ).

'$first_clause'(Stream, Clause) :-
    (   peek_string(Stream, 2, "#!") -> read_line_to_string(Stream, _) ; true ),
    repeat,
    catch(read_term(Stream, Clause, []), error(syntax_error(_), _), Clause = (:- module(_, _))),
    \+ '$precedes_header'(Clause),
    !.

'$precedes_header'(Clause) :-
    nonvar(Clause),
    Clause = (:- Directive),
    nonvar(Directive),
    ( Directive = encoding(_) ; Directive = expects_dialect(_) ), !.

'$is_header'(Clause) :-
    nonvar(Clause),
    Clause = (:- Directive),
    nonvar(Directive),
    ( Directive = module(_, _) ; Directive = module(_, _, _) ), !.

'$option_member'(Option, Options) :- '$member'(Option, Options), !.

'$files'(Files, _, _) :- var(Files), !, throw(error(instantiation_error, _)).
'$files'(Files, _, _) :- cyclic_term(Files), !, throw(error(type_error(acyclic_term, Files), _)).
'$files'(Module:Files, Module, Plain) :- atom(Module), !, '$plain_files'(Files, Plain).
'$files'(Files, Module, Files) :- '$source_module'(Module).

'$plain_files'(Files, Files) :- var(Files), !.
'$plain_files'(_:Files, Plain) :- !, '$plain_files'(Files, Plain).
'$plain_files'(Files, Files).

% A text in double quotes, a string or a list of codes, names the same file as an atom.
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
'$each_file'(user, Module, How) :-
    ( How == consult ; How = files(_) ),
    !,
    '$load_user'(Module).
'$each_file'(File, Module, files(Options)) :- !, '$load_one'(File, Module, Options).
'$each_file'(File, Module, How) :-
    '$load_hooked'(File, Module, How), !.
'$each_file'(File, Module, How) :-
    '$resolve_source'(File, Kind, Name),
    '$warn_of_library'(Kind, How, File, Name),
    '$load'(Kind, Name, Module, How).

% '$load_hooked'(+File, +Module, +How): succeeds if the program has loaded File by user:prolog_load_file/2.

'$load_hooked'(File, Module, How) :-
    '$has_clauses'(user, prolog_load_file, 2),
    '$load_options'(How, Options),
    user:prolog_load_file(Module:File, Options), !.

'$load_options'(files(Options), Options).
'$load_options'(consult, []).
'$load_options'(ensure, [if(not_loaded)]).
'$load_options'(use(all), [if(not_loaded), must_be_module(true)]) :- !.
'$load_options'(use(Imports), [if(not_loaded), must_be_module(true), imports(Imports)]).
'$load_options'(reexport(all), [if(not_loaded), must_be_module(true), reexport(true)]) :- !.
'$load_options'(reexport(Imports), [if(not_loaded), must_be_module(true), imports(Imports), reexport(true)]).

% Warns if no file of that name exists and a library is loaded instead. Other systems long allowed this form.

'$warn_of_library'(library, use(_), File, Name) :-
    \+ '$is_alias'(File),
    atomic_list_concat(['there is no file `', Name, '`: library(', Name, ') is used; write library(', Name, ')'], Text),
    '$load_message'(warning, Text, import), !.
'$warn_of_library'(_, _, _, _).

'$load'(library, Name, Module, How) :- !,
    '$load_library'(Name, Library),
    '$import_from'(Library, How, Module).
'$load'(file, Path, _, _) :- sub_atom(Path, _, _, 0, '.ll'), !, '$load_lolli'(Path).
'$load'(file, Path, Module, How) :-
    sub_atom(Path, _, _, 0, '.wam'), !,
    setup_call_cleanup(
        '$open_image'(Path, Program),
        '$load'(file, Program, Module, How),
        '$close_image').
'$load'(file, Path, Module, How) :-
    '$loads_anew'(How, Imports), !,
    '$check_not_loading'(Path),
    '$load_file'(Path, Module),
    '$import_file'(Path, Imports, Module).
'$load'(file, Path, Module, How) :-
    (   '$is_loaded'(Path) -> true ; '$load_file'(Path, Module) ),
    '$import_file'(Path, How, Module).

'$loads_anew'(consult, consult).
'$loads_anew'(anew(Imports), Imports).

% A file that loads or includes itself, perhaps through other files, would do so without end.

'$check_not_loading'(Path) :-
    (   '$is_loading'(Path)
    ->  throw(error(permission_error(load, source_sink, Path),
                    context(_, 'the file is already being loaded')))
    ;   true
    ).

'$import_file'(Path, How, Module) :-
    (   '$file_module'(Path, Source), Source \== Module
    ->  '$import_from'(Source, How, Module)
    ;   true
    ).

% Reports the errors of single imports and makes the other imports.

'$import_from'(Source, lazily(Imports), Module) :- !, '$import_lazily'(Source, Imports, Module).
'$import_from'(Source, How, Module) :-
    '$wanted_imports'(How, Imports),
    '$import'(Source, Imports, Module, Problems),
    '$report_problems'(Problems),
    (   How = reexport(_)
    ->  '$reexport'(Source, Imports, Module)
    ;   true
    ).

'$wanted_imports'(use(Imports), Imports) :- !.
'$wanted_imports'(reexport(Imports), Imports) :- !.
'$wanted_imports'(_, all).

'$report_problems'([]).
'$report_problems'([Problem|Problems]) :-
    '$report_problem'(Problem),
    '$report_problems'(Problems).

'$report_problem'(warning(Text)) :- !,
    (   '$load_message'(warning, Text, import)
    ->  true
    ;   print_message(warning, format('~w', [Text]))
    ).
'$report_problem'(Error) :- '$directive_error'(Error).

% '$import'(+Source, +Imports, +Module): raises the first error.

'$import'(Source, Imports, Module) :-
    '$import'(Source, Imports, Module, Problems),
    (   '$member'(error(Formal, Context), Problems)
    ->  throw(error(Formal, Context))
    ;   true
    ).

'$load_file'(Path, Module) :-
    % An interrupted load may have left its own goals.
    '$retractall'('$after_load'(Path, _, _)),
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
'$load_item'(directive(Goal, Names)) :-
    b_setval('$variable_names', Names),
    b_setval('$term', []),
    '$directive'(Goal),
    fail.
'$load_item'(expand(Term, Names)) :-
    b_setval('$variable_names', Names),
    '$expand'(Term, Clauses),
    '$load_clauses'(Clauses),
    fail.
'$load_item'(clause(Term)) :-
    '$load_clauses'(Term),
    fail.

'$load_clauses'(Clauses) :- var(Clauses), !, '$load_clause'(Clauses).
'$load_clauses'([]) :- !.
'$load_clauses'([Clause|Clauses]) :- !,
    '$load_clauses'(Clause),
    (   '$load_stopped' -> true ; '$load_clauses'(Clauses) ).
'$load_clauses'(begin_of_file) :- !.
'$load_clauses'(end_of_file) :- !, '$load_stop'.
'$load_clauses'((:- Goal)) :- !, '$directive'(Goal).
'$load_clauses'((?- Goal)) :- !, '$directive'(Goal).
'$load_clauses'(Clause) :-
    '$has_lambda'(Clause),
    '$with_lambdas'(Clause, Plain, Compiled), !,
    '$load_compiled'(Plain, Compiled).
'$load_clauses'(Clause) :- '$load_clause'(Clause).

% Directives.

%% module(+Name, +Exports)
%  Begins a module, as the first directive of a file. If Name is unbound, the module has the name of the file
%  without directory and extension. Exports is the list of predicates, Name/Arity or Name//Arity, and operators,
%  op(Priority, Type, Name). use_module/1 imports them.
%
%  :- module(shapes, [area/2]).

%% encoding(+Encoding)
%  Sets, as a directive, the encoding of the file from the next line on. Encoding is utf8, iso_latin_1, ascii,
%  octet, text (which means utf8), utf16le, utf16be, unicode_le, unicode_be or utf16. Without this directive a
%  file is in UTF-8. A byte order mark of UTF-16 at the beginning of the file overrides the directive. A file
%  may change its encoding 16 times.
%
%  :- encoding(iso_latin_1).

%% include(+File)
%  Includes, as a directive, the text of File in place of the directive. ISO 7.4.2.7.

%% if(:Condition)
%% elif(:Condition)
%% else
%% endif
%  Selects text for loading; all of these are directives. The text after if(Condition) is loaded if Condition is
%  true. The text after elif(Condition) is loaded if its condition is the first true one. The text after else is
%  loaded if no condition was true. endif ends the selection.
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

% Notes the goals of a conjunction when they are reached: the last noted goal is the one that fails.

'$watched'(Module:Goal, Module:Watched) :- nonvar(Goal), Goal = (A, B), acyclic_term(Goal), !,
    Watched = (A, Rest),
    '$watched_from'(B, 2, Rest).
'$watched'(Goal, Goal).

'$watched_from'(Goal, Number, (Reached, A, Rest)) :- nonvar(Goal), Goal = (A, B), !,
    '$own_goal'('$reached'(Number), Reached),
    Next is Number + 1,
    '$watched_from'(B, Next, Rest).
'$watched_from'(Goal, Number, (Reached, Goal)) :- '$own_goal'('$reached'(Number), Reached).

% '$own_goal'(:Goal, -Goal): marks a goal of the system among the goals of a program.

'$own_goal'(Goal, Goal).

% '$goal_reached'(+Places, +Place, -Reached): unifies Reached with the place of the goal that was reached.

'$goal_reached'(Places, _, Reached) :-
    '$reached_goal'(Number),
    '$nth'(Number, Places, Reached), !.
'$goal_reached'(_, Place, Place).

'$nth'(1, [Item|_], Found) :- !, Found = Item.
'$nth'(Number, [_|Items], Found) :- Before is Number - 1, '$nth'(Before, Items, Found).

% Reports the error at the clause that raised it, if there is one, or at the goal of the directive.

'$directive_raised'(_, Error) :- '$taken_by_hook'(error, Error), !.
'$directive_raised'(Goal, Error) :-
    '$load_place'(Directive),
    '$report_where_raised'(Goal, Error, Directive), !.
'$directive_raised'(Goal, Error) :-
    '$raised_in_directive'(Goal, Place), !,
    '$error_text'(Error, Text),
    '$place_message'(error, Text, Place, Error, []).
'$directive_raised'(_, Error) :- '$directive_error'(Error).

'$report_where_raised'(Goal, Error, '$place'(File, Line, _, _, _, _)) :-
    '$raised_place'(Goal, Place, Callers),
    '$error_text'(Error, Text),
    Place = '$place'(InFile, _, _, _, _, _),
    (   InFile == File
    ->  atomic_list_concat([Text, ' (raised by the directive in line ', Line, ')'], Message)
    ;   atomic_list_concat([Text, ' (raised by the directive at ', File, ':', Line, ')'], Message)
    ),
    '$place_message'(error, Message, Place, Error, Callers).

'$goal_failed'(Goal) :- '$taken_by_hook'(warning, goal_failed(directive, Goal)), !.
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

% '$taken_by_hook'(+Kind, +Message): true if the program handles the message in user:message_hook/3.

'$taken_by_hook'(Kind, Message) :-
    '$has_clauses'(user, message_hook, 3),
    '$message_taken'(Kind, Message).

% Writes a goal of the present directive, with the names of its variables.

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
                    context(_, 'the module declaration must be before the first clause')))
    ;   true
    ),
    '$load_module'(Name),
    '$export_operators'(Exports, Name),
    '$set_exports'(Name, Exports).

% A module without a name has the name of its file.

'$module_name'(Name0, Name) :-
    (   var(Name0), '$load_source'(File, _)
    ->  file_base_name(File, Base),
        file_name_extension(Name, _, Base)
    ;   Name = Name0
    ).

'$export_operators'([], _).
'$export_operators'([op(Priority, Type, Names)|Exports], Module) :- !,
    op(Priority, Type, Module:Names),
    '$export_op'(Module, Priority, Type, Names),
    '$export_operators'(Exports, Module).
'$export_operators'([_|Exports], Module) :-
    '$export_operators'(Exports, Module).

'$include'(File) :-
    '$resolve_source'(File, file, Path),
    '$check_not_loading'(Path),
    '$source_module'(Module),
    setup_call_cleanup('$load_begin'(Path, Module, true, Depth), '$load_all', '$load_end'(Depth)).

%% initialization(:Goal)
%  Runs Goal after the current file is loaded, or now if no file is being loaded.
initialization(Goal) :-
    strip_module(Goal, Module, Plain),
    (   '$loading' -> '$after'(Module:Plain) ; call(Module:Plain) ).

%% initialization(:Goal, +When)
%  Runs Goal at the time When. now runs it now, and after_load after the file. program runs it when all files
%  are loaded and the goals of the command have run. main makes Goal the main program, which ends when Goal
%  ends.
initialization(Goal, When) :-
    strip_module(Goal, Module, Plain),
    '$initialization'(When, Module:Plain).

'$initialization'(When, _) :- var(When), !, throw(error(instantiation_error, _)).
'$initialization'(now, Goal) :- !, call(Goal).
'$initialization'(after_load, Goal) :- !, '$after'(Goal).
'$initialization'(main, Goal) :- !,
    (   '$load_place'(Place) -> true ; Place = none ),
    '$retractall'('$main'(_, _)),
    '$assertz'('$main'(Goal, Place)).
'$initialization'(program, Goal) :- !,
    (   '$load_place'(Place) -> true ; Place = none ),
    findall(Number, '$program'(Number, _, _), Numbers),
    length(Numbers, Number0),
    '$assertz'('$program'(Number0, Goal, Place)).
'$initialization'(When, _) :- throw(error(domain_error(initialization_type, When), _)).

% Runs goals of included files after the file that includes them.

'$after'(Goal) :-
    '$load_source'(File, _),
    '$load_place'(Place),
    ( '$goal_places'(Places, Goal) -> true ; Places = [] ),
    '$shown_goal'(Goal, Text),
    '$assertz'('$after_load'(File, Goal, '$after'(Place, Places, Text))).

% Does not run a program when an image of it is made.

'$run_after_load'(File) :-
    '$makes_image'(File), !,
    '$retractall'('$after_load'(File, _, _)).
'$run_after_load'(File) :-
    '$retract'('$after_load'(File, Goal, '$after'(Place, Places, Text))),
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
    ;   '$after_line'(Place, At),
        '$taken_by_hook'(warning, initialization_failure(Goal, At))
    ->  true
    ;   atom_concat('initialization goal failed: ', Text, Message),
        '$goal_reached'(Places, Place, Here),
        '$place_message'(warning, Message, Here, directive, [])
    ),
    '$reached'(Outer).

'$initialization_error'(Goal, Error, Place, _) :-
    '$after_line'(Place, At),
    '$taken_by_hook'(error, initialization_error(Goal, Error, At)), !.
'$initialization_error'(Goal, Error, Place, _) :-
    '$report_where_raised'(Goal, Error, Place), !.
'$initialization_error'(_, Error, Place, Places) :-
    '$error_text'(Error, Text),
    '$goal_reached'(Places, Place, Here),
    '$place_message'(error, Text, Here, Error, []).

'$after_line'('$place'(File, Line, _, _, _, _), File:Line).

% Loads clauses typed at the prompt: `[user].`

'$load_user'(Module) :-
    '$retractall'('$after_load'(user, _, _)),
    setup_call_cleanup(
        '$load_typed'(Module, Depth),
        '$load_all',
        '$load_end'(Depth)),
    '$run_after_load'(user).

%% prolog_load_context(?Key, ?Value)
%
%  True if Value is the value of Key in the context of the current load. Enumerates the keys on backtracking.
%  module is the module. source is the file that is loaded. file is the file of the text; it differs from source
%  in included files. directory is the directory of source. dialect is the dialect that the file declares, else
%  swi. term_position is the position of the present clause. variable_names is a list of Name = Variable for the
%  present term. term is the present term during its expansion, else []. stream is the stream of the text; text
%  that a directive reads from it is not loaded. reloading is true if the file was loaded before. script is
%  false. Outside of loading, only module, dialect, variable_names and script exist.
%
%  ?- prolog_load_context(module, M).
%  M = user.

prolog_load_context(Key, Value) :- '$load_context_of'(Key, Value).

'$load_context_of'(module, Module) :- '$source_module'(Module).
'$load_context_of'(source, Source) :- '$load_source'(_, Source).
'$load_context_of'(file, File) :- '$load_context'(_, File, _).
'$load_context_of'(stream, Stream) :- '$load_stream'(Stream).
'$load_context_of'(directory, Directory) :-
    '$load_source'(_, Path),
    file_directory_name(Path, Directory).
'$load_context_of'(dialect, Dialect) :-
    (   '$loading'
    ->  '$present_dialect'(Dialect)
    ;   Dialect = swi
    ).
'$load_context_of'(term_position, Position) :- '$load_position'(Position).
'$load_context_of'(script, false).
'$load_context_of'(variable_names, Names) :-
    (   '$loading',
        '$global_value'('$variable_names', Names0)
    ->  Names = Names0
    ;   Names = []
    ).
'$load_context_of'(term, Term) :-
    '$loading',
    '$global_value'('$term', Term).
'$load_context_of'(reloading, true) :- '$load_again'.

%% expects_dialect(+Dialect)
%  Declares, as a directive anywhere in the file, that the file is written for Dialect. The loader looks for the
%  directive before it reads the first clause. The dialect determines the meaning of double quotes: a string for
%  swi and eclipse; a list of one-character atoms for scryer and trealla; a list of codes for iso, dec10,
%  quintus, sicstus, sicstus4, yap, gprolog, xsb, ciao, ifprolog, hprolog, bprolog and swi3. Other names change
%  nothing. If library(dialect/Dialect) is a file of the program, the loader loads it and runs its
%  setup_dialect/0.
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
%  True if the grammar body Body accepts List.
%
%  ?- use_module(library(dcg/basics)), phrase(integer(N), `42`).
%  N = 42.
phrase(Body, List) :- phrase(Body, List, []).

%% phrase(:Body, ?List, ?Rest)
%  True if the grammar body Body accepts List up to Rest.
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

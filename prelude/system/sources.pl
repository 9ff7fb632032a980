% Loaded files, and actions when they change or the program ends.

:- module(system, []).

:- meta_predicate(source_file(:, ?)).
:- meta_predicate(at_halt(0)).

:- dynamic('$at_halt'/1).
:- dynamic(file_search_path/2).
:- dynamic(library_directory/1).

%% file_search_path(?Alias, ?Directory)
%  True if files named Alias(File) are searched in Directory. Enumerates the directories in search order on
%  backtracking. Programs add clauses to user:file_search_path/2, which they declare multifile and dynamic.
%  Directory may itself use an alias.

%% library_directory(?Directory)
%  True if library(File) is searched in Directory. These directories come after the libraries of the system and
%  the directories of file_search_path(library, Directory). Enumerates the directories on backtracking. Programs
%  add clauses to user:library_directory/1.

% '$search_directory'(+Alias, -Directory)

'$search_directory'(Alias, Directory) :-
    user:file_search_path(Alias, Directory).
'$search_directory'(library, Directory) :-
    user:library_directory(Directory).

'$is_alias'(Spec) :-
    compound(Spec),
    functor(Spec, Name, 1),
    atom(Name).

% '$spec_path'(+Spec, +Depth, -Path): enumerates the paths of a file specification. Depth limits the nesting of
% aliases.

'$spec_path'(Spec, _, _) :- var(Spec), !, throw(error(instantiation_error, _)).
'$spec_path'(Spec, Depth, Path) :-
    '$is_alias'(Spec), !,
    Depth > 0,
    Depth1 is Depth - 1,
    Spec =.. [Alias,Sub],
    '$spec_text'(Sub, Text),
    '$search_directory'(Alias, Directory0),
    '$spec_path'(Directory0, Depth1, Directory),
    directory_file_path(Directory, Text, Path).
'$spec_path'(Spec, _, Path) :- '$spec_text'(Spec, Path).

'$spec_text'(Spec, Text) :-
    (   nonvar(Spec),
        Spec = First0/Rest0
    ->  '$spec_text'(First0, First),
        '$spec_text'(Rest0, Rest),
        atomic_list_concat([First,/,Rest], Text)
    ;   var(Spec)
    ->  throw(error(instantiation_error, _))
    ;   Text = Spec
    ).

% '$resolve_source'(+Spec, -Kind, -Name): finds the library of the system, or the file, to load.

'$resolve_source'(Spec, Kind, Name) :-
    (   '$is_alias'(Spec)
    ->  '$resolve_alias'(Spec, Kind, Name)
    ;   '$has_clauses'(user, prolog_file_type, 2),
        \+ catch('$find_source'(Spec, _, _), error(existence_error(_, _), _), fail),
        '$typed_source'(Spec, Name0)
    ->  Kind = file,
        Name = Name0
    ;   '$find_source'(Spec, Kind, Name)
    ).

% '$typed_source'(+Spec, -Name): finds the file with an extension for Prolog files from user:prolog_file_type/2
% of the program.

'$typed_source'(Spec, Name) :-
    '$has_clauses'(user, prolog_file_type, 2),
    '$spec_text'(Spec, Text),
    user:prolog_file_type(Extension, prolog),
    atomic_list_concat([Text, '.', Extension], File),
    '$source_path'(File, Name).

'$resolve_alias'(library(Spec), Kind, Name) :-
    '$system_library'(Spec, Name0), !,
    Kind = library,
    Name = Name0.
'$resolve_alias'(Spec, Kind, Name) :-
    '$spec_path'(Spec, 16, Path),
    (   '$source_path'(Path, Name0)
    ->  true
    ;   '$typed_source'(Path, Name0)
    ),
    !,
    Kind = file,
    Name = Name0.
'$resolve_alias'(Spec, _, _) :-
    throw(error(existence_error(source_sink, Spec), _)).

%% exists_source(+Spec)
%  True if Spec names a file or a library of the system that can be loaded.
%
%  ?- exists_source(library(lists)).
%  true.
exists_source(Spec) :- exists_source(Spec, _).

%% exists_source(+Spec, -Source)
%  True if Spec can be loaded, like exists_source/1. Unifies Source with the absolute name of the file, or with
%  library(Name).
exists_source(Spec, Source) :-
    catch('$resolve_source'(Spec, Kind, Name), error(existence_error(_, _), _), fail),
    '$source_named'(Kind, Name, Source).

'$source_named'(library, Name, library(Name)).
'$source_named'(file, Name, Path) :- absolute_file_name(Name, Path).

%% absolute_file_name(+Spec, -Path)
%  Unifies Path with the absolute name of a file. Alias(File) names a file in one of the directories of
%  file_search_path(Alias, Directory). First/Rest names the file Rest in First.
%
%  ?- absolute_file_name('/home/ann/../bob/./notes.txt', Path).
%  Path = '/home/bob/notes.txt'.
absolute_file_name(Spec, Path) :-
    (   '$library_place'(Spec, Place)
    ->  Path = Place
    ;   '$is_alias'(Spec)
    ->  '$absolute_file_name'(Spec, Path, [], [])
    ;   '$spec_text'(Spec, File),
        '$absolute_file_name'(File, Path)
    ).

%% absolute_file_name(+Spec, -Path, +Options)
%  Unifies Path with the absolute name of a file that matches Options. The options include extensions(List) and
%  access(Mode). file_type(Type) selects a type; directory accepts only directories. relative_to(Place) is a
%  directory, or a file in the directory. file_errors(fail) fails if there is no such file. solutions(all)
%  enumerates all files on backtracking. expand(true) replaces a leading ~ and $NAME like expand_file_name/2. A
%  library of the system has the name library:/NAME.pl, which loads it.
%
%  ?- absolute_file_name(no_such, Path, [extensions(['.txt']), access(read), file_errors(fail)]).
%  false.
absolute_file_name(Spec, Path0, Options0) :-
    % Older systems have the options before the result.
    (   is_list(Path0),
        \+ is_list(Options0)
    ->  Path = Options0,
        Options1 = Path0
    ;   Path = Path0,
        Options1 = Options0
    ),
    (   '$option_member'(solutions(all), Options1)
    ->  '$append'(Options1, [file_errors(fail)], Options)
    ;   Options = Options1
    ),
    (   '$library_place'(Spec, Place)
    ->  Path = Place
    ;   '$is_alias'(Spec)
    ->  '$absolute_file_name'(Spec, Path, Options, Options)
    ;   '$spec_text'(Spec, File),
        (   '$option_member'(expand(true), Options)
        ->  expand_file_name(File, [Expanded])
        ;   Expanded = File
        ),
        '$absolute_file_name'(Expanded, Path, Options)
    ).

% '$library_place'(+Spec, -Place): unifies Place with a file name under which a library of the system can be
% loaded.

'$library_place'(Spec, Place) :-
    nonvar(Spec),
    Spec = library(Name0),
    nonvar(Name0),
    '$system_library'(Name0, Name),
    atomic_list_concat(['library:/', Name, '.pl'], Place).

%% expand_file_search_path(+Spec, -Path)
%  Unifies Path with a name that Spec can denote by file_search_path/2. Enumerates all such names on
%  backtracking, whether the files exist or not.
%
%  ?- assertz(file_search_path(notes, '/home/ann')), expand_file_search_path(notes(today), Path).
%  Path = '/home/ann/today'.
expand_file_search_path(Spec, Path) :-
    (   '$is_alias'(Spec)
    ->  '$spec_path'(Spec, 16, Path)
    ;   '$spec_text'(Spec, Path)
    ).
% With an alias, prefers a file with the wanted access, then an existing file, then the first path.

'$absolute_file_name'(Spec, Path, Options0, Given) :-
    '$append'(Options0, [file_errors(fail)], Options),
    (   '$option_member'(solutions(all), Options),
        \+ \+ '$alias_file'(Spec, Options, _)
    ->  '$alias_file'(Spec, Options, Path)
    ;   '$wanted_alias_file'(Spec, Options, Path0)
    ->  Path = Path0
    ;   '$option_member'(file_errors(fail), Given)
    ->  fail
    ;   throw(error(existence_error(source_sink, Spec), _))
    ).

'$wanted_alias_file'(Spec, Options, Path) :-
    \+ ( '$member'(access(Mode), Options), Mode \== none ),
    '$append'(Options, [access(exist)], Existing),
    '$alias_file'(Spec, Existing, Path).
'$wanted_alias_file'(Spec, Options, Path) :-
    '$alias_file'(Spec, Options, Path).

'$alias_file'(Spec, Options, Path) :-
    '$spec_path'(Spec, 16, File),
    '$absolute_file_name'(File, Path, Options).

%% source_file(?File)
%  True if the file with the absolute name File was loaded. Enumerates the files on backtracking, without those
%  of the system's library.
source_file(File) :-
    '$source_files'(Files),
    (   nonvar(File)
    ->  '$memberchk_of'(File, Files)
    ;   '$member'(File, Files)
    ).

'$memberchk_of'(X, List) :- '$member'(Y, List), X == Y, !.

%% source_file(:Head, ?File)
%  True if the predicate of Head is defined in File, or in a file that File includes.
source_file(Head, File) :-
    strip_module(Head, _, Plain),
    (   nonvar(Plain)
    ->  '$predicate_file'(Head, File)
    ;   nonvar(File)
    ->  '$file_predicates'(File, Heads),
        '$member'(Found, Heads),
        '$seen_head'(Head, Found)
    ;   source_file(File),
        '$file_predicates'(File, Heads),
        '$member'(Found, Heads),
        '$seen_head'(Head, Found)
    ).

'$seen_head'(Head, Home:Found) :-
    strip_module(Head, Module, Plain),
    ( Module == Home -> Plain = Found ; Plain = Home:Found ).

%% unload_file(+File)
%  Removes the clauses that File defined, and the exports of its module.
unload_file(File0) :-
    (   var(File0) -> throw(error(instantiation_error, _)) ; true ),
    (   catch('$resolve_source'(File0, file, File), _, fail) -> true ; File = File0 ),
    '$unload_file'(File).

%% at_halt(:Goal)
%  Calls Goal when the program ends, in the order of the calls of at_halt/1. Failures and exceptions of Goal are
%  reported.
at_halt(Goal) :- '$assertz'('$at_halt'(Goal)).

'$run_at_halt' :-
    '$retract'('$at_halt'(Goal)),
    (   catch(Goal, Error, print_message(error, Error))
    ->  true
    ;   print_message(warning, goal_failed(at_halt, Goal))
    ),
    fail.
'$run_at_halt'.

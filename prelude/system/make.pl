% Reloading and editing of changed files.

:- module(make, [
    make/0,
    edit/0,
    edit/1
]).

:- use_module(library(assoc), [get_assoc/3, list_to_assoc/2]).
:- use_module(library(lists), [member/2]).

:- meta_predicate(edit(:)).

%% make
%
%  Reloads the files that have changed since they were loaded, including modules of Lolli. Reports for each file
%  the predicates that were added, changed or removed. Also reports goals in any file whose predicates were
%  removed. Reports a deleted file once and keeps its predicates. In a session of Lolli, the outermost prompt
%  then has the new modules.

make :-
    '$source_files'(Files),
    make_each(Files),
    '$check_undefined',
    '$lolli_outdated'(Modules),
    make_modules(Modules, Loaded, Whole),
    make_session(Loaded, Whole).

make_each([]).
make_each([File|Files]) :-
    (   '$source_changed'(File)
    ->  make_file(File)
    ;   '$source_file'(File, Name, _),
        '$sources_gone'(File, Gone),
        make_gone(Gone, Name)
    ),
    make_each(Files).

make_gone([], _).
make_gone([File|Files], Name) :-
    (   File == Name
    ->  print_message(warning, format('~w no longer exists; its clauses stay loaded', [Name]))
    ;   print_message(warning, format('~w, which ~w includes, no longer exists; its clauses stay loaded',
                                      [File,Name]))
    ),
    make_gone(Files, Name).

make_file(File) :-
    '$source_file'(File, Name, Module),
    '$file_fingerprints'(File, Before),
    make_dialect(File, Dialect0),
    '$load'(file, Name, Module, consult),
    make_dialect(File, Dialect),
    (   Dialect == Dialect0
    ->  true
    ;   print_message(informational, format('~w: its dialect is ~w now; it was ~w', [Name,Dialect,Dialect0]))
    ),
    '$file_fingerprints'(File, After),
    make_report_differences(Before, After, Name).

make_dialect(File, Dialect) :- ( '$dialect_of_file'(File, Dialect0) -> Dialect = Dialect0 ; Dialect = swi ).

% Reloads modules of Lolli, with their names. Loaded lists the new modules. Whole is false if a module is
% refused; its errors have then already been reported.

make_modules([], [], true).
make_modules([Path-Name-What|Modules], Loaded, Whole) :-
    (   What == gone
    ->  Loaded = Loaded1,
        Whole = Whole1,
        print_message(warning, format('~w no longer exists; the module ~w cannot be entered', [Path,Name]))
    ;   '$lolli_fingerprints'(Path, Before),
        catch('$lolli_reload'(Path), error(Error, _), true),
        (   var(Error)
        ->  '$lolli_fingerprints'(Path, After),
            make_report_differences(Before, After, Path),
            Loaded = [Path|Loaded1],
            Whole = Whole1
        ;   make_refused(Error, Path),
            Loaded = Loaded1,
            Whole = false
        )
    ),
    make_modules(Modules, Loaded1, Whole1).

make_refused(syntax_error(module_refused), Path) :-
    !,
    print_message(warning, format('~w is not loaded; correct it before you enter the module', [Path])).
make_refused(Error, _) :-
    print_message(error, error(Error, _)).

% Makes a session of Lolli with modules enter them again before its next query. Nested prompts keep the clauses
% from the time when they were opened.

make_session(Loaded, Whole) :-
    (   Loaded \== [],
        Whole == true,
        nb_current('$lolli_modules', [_|_])
    ->  nb_setval('$lolli_renew', true),
        (   nb_current('$lolli_depth', Depth),
            Depth > 0
        ->  print_message(informational, format('prompts that were opened earlier keep the old clauses', []))
        ;   true
        )
    ;   true
    ).

% Reports the differences between the predicates before and after.

make_report_differences(Before0, After0, Name) :-
    list_to_assoc(Before0, Before),
    list_to_assoc(After0, After),
    make_only(After0, Before, Added),
    make_only(Before0, After, Removed),
    make_changed(After0, Before, Changed),
    make_lines([added-Added, changed-Changed, removed-Removed], Lines),
    make_report(Lines, Name).

% Selects the predicates of a list that the other list does not have.

make_only([], _, []).
make_only([Predicate-_|Marks], Others, Only) :-
    (   get_assoc(Predicate, Others, _)
    ->  Only = Only1
    ;   Only = [Predicate|Only1]
    ),
    make_only(Marks, Others, Only1).

make_changed([], _, []).
make_changed([Predicate-Mark|Marks], Before, Changed) :-
    (   get_assoc(Predicate, Before, Old),
        Old \== Mark
    ->  Changed = [Predicate|Changed1]
    ;   Changed = Changed1
    ),
    make_changed(Marks, Before, Changed1).

make_lines([], []).
make_lines([_-[]|Parts], Lines) :-
    !,
    make_lines(Parts, Lines).
make_lines([What-Predicates|Parts], [nl,'  ~w: ~w'-[What,Text]|Lines]) :-
    findall(Shown, ( member(Predicate, Predicates), make_shown(Predicate, Shown) ), Shown),
    atomic_list_concat(Shown, ', ', Text),
    make_lines(Parts, Lines).

make_shown(Module:Predicate0, Shown) :-
    make_named(Predicate0, Predicate),
    (   Module == user
    ->  format(atom(Shown), '~q', [Predicate])
    ;   format(atom(Shown), '~q', [Module:Predicate])
    ).

% Maps the predicate with the clauses of a tabled predicate to the tabled predicate.

make_named(Name0/Arity, Name/Arity) :-
    (   sub_atom(Name0, Before, _, 0, ' tabled')
    ->  sub_atom(Name0, 0, Before, _, Name)
    ;   Name = Name0
    ).

make_report([], Name) :-
    !,
    print_message(informational, format('~w: reloaded, with the same predicates', [Name])).
make_report(Lines, Name) :-
    print_message(informational, make(Name, Lines)).

%% edit
%
%  Opens the program, the file that was loaded first, in an editor, like edit/1.

edit :-
    (   ( '$source_files'([File|_]) ; '$lolli_clauses'(_, _, [clause(_, File, _, _)|_]) )
    ->  make_edit(File, 0)
    ;   throw(error(existence_error(source, program),
                    context(edit/0, 'no file is loaded')))
    ).

%% edit(:What)
%
%  Opens What in an editor and then runs make/0. What names a file that can be loaded, a predicate (Name/Arity
%  or Name), or any other file. The editor is the value of the environment variable VISUAL or EDITOR, else vi.
%  Editors that are known to accept +Line open at the predicate. Raises a permission_error if the host collects
%  the output, as in tests, because nobody would see the editor.

edit(What0) :-
    strip_module(What0, Module, What1),
    '$plain_name'(What1, What),
    (   var(What)
    ->  throw(error(instantiation_error, _))
    ;   make_places(What, Module, [Place|Places])
    ->  Place = place(File, Line),
        make_others(Places),
        make_edit(File, Line)
    ;   make_file_of(What, File)
    ->  make_edit(File, 0)
    ;   ( make_hint(What, Hint) -> true ; true ),
        throw(error(existence_error(source, What), context(edit/1, Hint)))
    ).

% Explains why there is nothing to edit.

make_hint(Name/Arity, Hint) :-
    atom(Name),
    integer(Arity),
    !,
    functor(Head, Name, Arity),
    (   predicate_property(user:Head, defined)
    ->  Hint = 'part of the system'
    ;   '$meant'(Name, Arity, Hint)
    ).
make_hint(Name, Hint) :- atom(Name), '$meant'(Name, _, Hint).

make_file_of(What, File) :-
    (   atom(What) ; string(What) ; What = library(_) ),
    !,
    (   catch('$resolve_source'(What, file, Name), _, fail)
    ->  true
    ;   exists_file(What),
        Name = What
    ),
    absolute_file_name(Name, File).

% Finds the places of predicates, in order of their files and lines.

make_places(What, Module, Places) :-
    (   What = Name/Arity
    ->  true
    ;   What = Name
    ),
    atom(Name),
    (   var(Arity) -> true ; integer(Arity) ),
    findall(place(File, Line), make_place(Module, Name, Arity, File, Line), Places0),
    (   Places0 == [],
        Module == user
    ->  findall(place(File, Line),
                ( '$modules_with'(Name, Arity, Homes),
                  member(Home, Homes),
                  make_place(Home, Name, Arity, File, Line)
                ),
                Places1)
    ;   Places1 = Places0
    ),
    sort(Places1, Places).

make_place(Module, Name, Arity, File, Line) :-
    current_predicate(Module:Name/Arity),
    functor(Head, Name, Arity),
    predicate_property(Module:Head, file(File0)),
    predicate_property(Module:Head, line_count(Line)),
    absolute_file_name(File0, File).
make_place(Module, Name, Arity, File, Line) :-
    ( Module == user ; Module == lolli ),
    '$lolli_clauses'(Name, Arity, Clauses),
    findall(Indicator-File0, member(clause(Indicator, File0, _, _), Clauses), Found0),
    sort(Found0, Found),
    member(Indicator-File0, Found),
    exists_file(File0),
    memberchk(clause(Indicator, File0, Line, _), Clauses),
    absolute_file_name(File0, File).

make_others([]).
make_others([place(File, Line)|Places]) :-
    print_message(informational, format('also at ~w:~w', [File,Line])),
    make_others(Places).

make_edit(File, Line) :-
    (   '$output_collected'
    ->  throw(error(permission_error(open, editor, File),
                    context(edit/1, 'the output is collected: nobody would see the editor')))
    ;   true
    ),
    make_editor(Editor),
    make_quoted(File, Quoted),
    (   Line > 0,
        make_takes_line(Editor)
    ->  atomic_list_concat([Editor, ' +', Line, ' ', Quoted], Command)
    ;   atomic_list_concat([Editor, ' ', Quoted], Command)
    ),
    flush_output(user_output),
    shell(Command, Status),
    (   Status =:= 0
    ->  true
    ;   print_message(warning, format('the editor ended with status ~w: ~w', [Status,Command]))
    ),
    make.

make_editor(Editor) :-
    (   member(Variable, ['VISUAL', 'EDITOR']),
        getenv(Variable, Editor),
        Editor \== ''
    ->  true
    ;   current_prolog_flag(windows, true)
    ->  Editor = notepad
    ;   Editor = vi
    ).

% The editor's name is the first word of the command, without its directory.

make_takes_line(Command) :-
    atomic_list_concat([Program|_], ' ', Command),
    file_base_name(Program, Base),
    file_name_extension(Name, _, Base),
    make_line_editor(Name),
    !.

make_line_editor(vi).
make_line_editor(vim).
make_line_editor(nvim).
make_line_editor(gvim).
make_line_editor(view).
make_line_editor(elvis).
make_line_editor(nvi).
make_line_editor(vis).
make_line_editor(nano).
make_line_editor(pico).
make_line_editor(emacs).
make_line_editor(emacsclient).
make_line_editor(xemacs).
make_line_editor(mg).
make_line_editor(zile).
make_line_editor(joe).
make_line_editor(jed).
make_line_editor(ne).
make_line_editor(kak).
make_line_editor(micro).
make_line_editor(gedit).

% Quotes a name as one word of the shell.

make_quoted(File, Quoted) :-
    (   current_prolog_flag(windows, true)
    ->  atomic_list_concat(['"', File, '"'], Quoted)
    ;   atomic_list_concat(Parts, '\'', File),
        atomic_list_concat(Parts, '\'\\\'\'', Inner),
        atomic_list_concat(['\'', Inner, '\''], Quoted)
    ).

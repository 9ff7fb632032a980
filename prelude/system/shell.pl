% Directories at the prompt: predicates on directories that SWI-Prolog's library(shell) documents.

:- module(shell, [ls/0, ls/1, cd/0, cd/1, pwd/0]).

:- use_module(library(lists), [max_list/2, member/2]).

%% pwd
%
%  Prints the working directory.

pwd :-
    working_directory(Directory, Directory),
    write(Directory),
    nl.

%% cd
%
%  Changes the working directory to the home directory.

cd :-
    cd(~).

%% cd(+Directory)
%
%  Changes the working directory to Directory, a name or a pattern of expand_file_name/2. If the pattern matches
%  several directories, raises domain_error(directory, Directory).

cd(Pattern0) :-
    '$plain_name'(Pattern0, Pattern),
    shell_files(Pattern, Files),
    (   Files = [Directory]
    ->  working_directory(_, Directory)
    ;   throw(error(domain_error(directory, Pattern), _))
    ).

%% ls
%
%  Prints the names in the working directory, except those that begin with a dot. Names of directories end in a
%  slash.

ls :-
    ls('.').

%% ls(+Files)
%
%  Prints Files, a name, a pattern of expand_file_name/2, or a list of these. For a single directory, prints its
%  contents. Warns about missing files.

ls(Pattern0) :-
    '$plain_name'(Pattern0, Pattern),
    shell_files(Pattern, Files0),
    shell_existing(Files0, Files),
    (   Files = [Directory],
        exists_directory(Directory)
    ->  directory_files(Directory, Names0),
        msort(Names0, Names),
        findall(Shown, shell_visible(Names, Directory, Shown), Row)
    ;   findall(Shown, shell_listed(Files, Shown), Row)
    ),
    shell_columns(Row).

shell_files(Pattern, _) :-
    var(Pattern),
    !,
    throw(error(instantiation_error, _)).
shell_files(Patterns, Files) :-
    is_list(Patterns),
    !,
    findall(File, shell_file(Patterns, File), Files).
shell_files(Pattern, Files) :-
    expand_file_name(Pattern, Files).

shell_file(Patterns, File) :-
    member(Pattern, Patterns),
    shell_files(Pattern, Files),
    member(File, Files).

shell_existing([], []).
shell_existing([File|Files], Existing) :-
    (   ( exists_directory(File) ; exists_file(File) )
    ->  Existing = [File|Existing1]
    ;   print_message(warning, format('~q does not exist', [File])),
        Existing = Existing1
    ),
    shell_existing(Files, Existing1).

shell_visible(Names, Directory, Shown) :-
    member(Name, Names),
    \+ sub_atom(Name, 0, 1, _, '.'),
    atomic_list_concat([Directory, /, Name], Path),
    shell_shown(Path, Name, Shown).

shell_listed(Files, Shown) :-
    member(File, Files),
    shell_shown(File, File, Shown).

shell_shown(Path, Name, Shown) :-
    (   exists_directory(Path)
    ->  atom_concat(Name, /, Shown)
    ;   Shown = Name
    ).

% Prints as many columns as fit on a line of 80 characters. Each column is read downwards.
shell_columns(Row) :-
    findall(Length, ( member(Name, Row), atom_length(Name, Length) ), Lengths),
    (   Lengths == []
    ->  true
    ;   max_list(Lengths, Longest),
        Width is Longest + 2,
        length(Row, Count),
        Columns is max(1, 80 // Width),
        Lines is (Count + Columns - 1) // Columns,
        Names =.. [names|Row],
        forall(between(1, Lines, Line), shell_line(Line, Lines, Count, Width, Names))
    ).

shell_line(Line, Lines, Count, Width, Names) :-
    forall(shell_index(Line, Lines, Count, Index, Last),
           ( arg(Index, Names, Name),
             write(Name),
             ( Last == true -> true ; atom_length(Name, Length), tab(Width - Length) )
           )),
    nl.

shell_index(Index0, Lines, Count, Index, Last) :-
    Next is Index0 + Lines,
    (   Next > Count
    ->  Index = Index0,
        Last = true
    ;   (   Index = Index0,
            Last = false
        ;   shell_index(Next, Lines, Count, Index, Last)
        )
    ).

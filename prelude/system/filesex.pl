% Operations on whole files and directories: the predicates of SWI-Prolog's library(filesex).

:- module(files_ex, [
    directory_file_path/3,
    relative_file_name/3,
    make_directory_path/1,
    ensure_directory/1,
    directory_member/3,
    copy_file/2,
    copy_directory/2,
    link_file/3,
    delete_directory_and_contents/1,
    delete_directory_contents/1
]).

%% ensure_directory(+Directory)
%
%  Creates Directory unless it exists.

ensure_directory(Directory) :-
    (   exists_directory(Directory)
    ->  true
    ;   make_directory(Directory)
    ).

%% directory_member(+Directory, -Member, +Options)
%
%  True if Member is the path of a file in Directory. Enumerates the files in order of their names on
%  backtracking. Options: recursive(true) also searches subdirectories. follow_links(true), the default, also
%  follows symbolic links. extensions(List) and matches(Pattern) select by name. file_type(Type) selects by
%  type: directory, txt, prolog, regular or any. exclude(Pattern) and exclude_directory(Pattern) omit matching
%  names. access(Mode) selects files that allow this access. hidden(true) also returns names that begin with a
%  dot.

directory_member(Directory, Member, Options) :-
    must_be(list, Options),
    filesex_members(Directory, [], Member, Options).

filesex_members(Directory, Seen, Member, Options) :-
    directory_files(Directory, Names0),
    sort(Names0, Names),
    member(Name, Names),
    \+ filesex_special(Name),
    \+ ( sub_atom(Name, 0, _, _, '.'), \+ option(hidden(true), Options) ),
    directory_file_path(Directory, Name, Path),
    filesex_member(Path, Name, Seen, Member, Options).

filesex_special('.').
filesex_special('..').

filesex_member(Path, Name, _, Path, Options) :-
    \+ ( option(exclude(Pattern), Options), wildcard_match(Pattern, Name) ),
    filesex_extension(Options, Name),
    \+ ( option(matches(Pattern), Options), \+ wildcard_match(Pattern, Name) ),
    option(file_type(Type), Options, any),
    filesex_type(Type, Path),
    \+ ( option(access(Mode), Options), \+ access_file(Path, Mode) ).
filesex_member(Path, Name, Seen, Member, Options) :-
    option(recursive(true), Options),
    exists_directory(Path),
    \+ ( option(follow_links(false), Options), read_link(Path, _, _) ),
    \+ ( option(exclude_directory(Pattern), Options), wildcard_match(Pattern, Name) ),
    filesex_real(Path, Real),
    \+ memberchk(Real, Seen),
    filesex_members(Path, [Real|Seen], Member, Options).

filesex_real(Path, Real) :-
    (   read_link(Path, _, Target) -> Real0 = Target ; Real0 = Path ),
    absolute_file_name(Real0, Real).

filesex_extension(Options, Name) :-
    (   option(extensions(Extensions), Options)
    ->  file_name_extension(_, Extension, Name),
        member(Wanted, Extensions),
        ( atom_concat('.', Extension, Wanted) -> true ; Extension == Wanted ), !
    ;   true
    ).

filesex_type(Type, Path) :-
    (   Type == any
    ->  true
    ;   Type == directory
    ->  exists_directory(Path)
    ;   Type == prolog
    ->  exists_file(Path),
        file_name_extension(_, Extension, Path),
        memberchk(Extension, [pl,pro,prolog])
    ;   memberchk(Type, [txt,regular,source])
    ->  exists_file(Path)
    ;   throw(error(domain_error(file_type, Type), _))
    ).

%% copy_file(+From, +To)
%
%  Copies the file From to To. If To is a directory, the copy is in To, with the same name.

copy_file(From, To0) :-
    (   exists_directory(To0)
    ->  file_base_name(From, Name),
        directory_file_path(To0, Name, To)
    ;   To = To0
    ),
    (   same_file(From, To)
    ->  throw(error(permission_error(copy, file, From), context(copy_file/2, 'a file cannot be copied to itself')))
    ;   true
    ),
    setup_call_cleanup(
        open(From, read, In, [type(binary)]),
        setup_call_cleanup(
            open(To, write, Out, [type(binary)]),
            copy_stream_data(In, Out),
            close(Out)),
        close(In)).

%% copy_directory(+From, +To)
%
%  Copies the contents of the directory From to To. Creates To if needed.

copy_directory(From, To) :-
    directory_files(From, Names),
    ensure_directory(To),
    forall(( member(Name, Names), \+ filesex_special(Name) ), filesex_copy(From, To, Name)).

filesex_copy(From0, To0, Name) :-
    directory_file_path(From0, Name, From),
    directory_file_path(To0, Name, To),
    (   exists_directory(From)
    ->  copy_directory(From, To)
    ;   copy_file(From, To)
    ).

%% delete_directory_and_contents(+Directory)
%
%  Deletes Directory with all its contents. Deletes symbolic links, but not their targets.

delete_directory_and_contents(Directory) :-
    delete_directory_contents(Directory),
    delete_directory(Directory).

%% delete_directory_contents(+Directory)
%
%  Deletes the contents of Directory.

delete_directory_contents(Directory) :-
    directory_files(Directory, Names),
    forall(( member(Name, Names), \+ filesex_special(Name) ), filesex_delete(Directory, Name)).

filesex_delete(Directory, Name) :-
    directory_file_path(Directory, Name, Path),
    (   read_link(Path, _, _)
    ->  delete_file(Path)
    ;   exists_directory(Path)
    ->  delete_directory_and_contents(Path)
    ;   delete_file(Path)
    ).

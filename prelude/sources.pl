% The files that were loaded, and what is done again when they change or the program ends.

:- module(system, []).

:- meta_predicate(source_file(:, ?)).
:- meta_predicate(at_halt(0)).

:- dynamic('$at_halt'/1).

%% source_file(?File)
%  File, an absolute name, was loaded. Gives all, those of the system's library not.
source_file(File) :-
    '$source_files'(Files),
    (   nonvar(File)
    ->  '$memberchk_of'(File, Files)
    ;   '$member'(File, Files)
    ).

'$memberchk_of'(X, List) :- '$member'(Y, List), X == Y, !.

%% source_file(:Head, ?File)
%  The predicate of Head is defined in File, or in a file that File includes.
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
%  Removes the clauses that File defined, and its module's exports.
unload_file(File0) :-
    (   var(File0) -> throw(error(instantiation_error, _)) ; true ),
    (   catch('$resolve_source'(File0, file, File), _, fail) -> true ; File = File0 ),
    '$unload_file'(File).

%% make
%  Loads anew the files that have changed since they were loaded.
make :-
    '$source_files'(Files),
    '$make_each'(Files).

'$make_each'([]).
'$make_each'([File|Files]) :-
    (   '$source_changed'(File)
    ->  '$source_file'(File, Name, Module),
        '$load'(file, Name, Module, consult)
    ;   true
    ),
    '$make_each'(Files).

%% at_halt(:Goal)
%  Calls Goal when the program ends: goals given first are called first. What they throw is told.
at_halt(Goal) :- assertz('$at_halt'(Goal)).

'$run_at_halt' :-
    retract('$at_halt'(Goal)),
    catch(ignore(Goal), Error, print_message(error, Error)),
    fail.
'$run_at_halt'.

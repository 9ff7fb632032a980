% Loading files: what drives the primitives that read and add clauses.

:- module(system, []).

:- meta_predicate(consult(:)).
:- meta_predicate(ensure_loaded(:)).
:- meta_predicate(use_module(:)).
:- meta_predicate(use_module(:, +)).
:- meta_predicate(load_files(:, +)).
:- meta_predicate(initialization(0)).
:- meta_predicate(initialization(0, +)).

:- dynamic('$after_load'/1).
:- dynamic('$main'/1).

%% consult(:Files)
%  Loads a file or a list of files; clauses that an earlier load of a file defined are replaced. A
%  file whose name ends in .ll is a module of Lolli: its clauses are there for Module --o Goal.
consult(Files) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, consult).

[].
[File|Files] :- consult([File|Files]).

%% ensure_loaded(:Files)
%  Loads a file unless it was loaded already.
ensure_loaded(Files) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, ensure).

%% use_module(:Files)
%  Loads a file that defines a module unless it was loaded already, and imports what it exports.
use_module(Files) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, use(all)).

%% use_module(:File, +Imports)
%  Imports a list of predicates, or all but some: except(List).
use_module(Files, Imports) :-
    '$files'(Files, Module, Plain),
    '$each_file'(Plain, Module, use(Imports)).

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

'$each_file'(Files, _, _) :- var(Files), !, throw(error(instantiation_error, _)).
'$each_file'([], _, _) :- !.
'$each_file'([File|Files], Module, How) :- !,
    '$each_file'(File, Module, How),
    '$each_file'(Files, Module, How).
'$each_file'(user, Module, consult) :- !, '$load_user'(Module).
'$each_file'(File, Module, How) :-
    '$resolve_source'(File, Kind, Name),
    '$load'(Kind, Name, Module, How).

'$load'(library, Name, Module, How) :- !,
    '$load_library'(Name),
    ( How = use(Imports) -> true ; Imports = all ),
    '$import'(Name, Imports, Module).
'$load'(file, Path, _, _) :- sub_atom(Path, _, _, 0, '.ll'), !, '$load_lolli'(Path).
'$load'(file, Path, Module, consult) :- !,
    '$check_not_loading'(Path),
    '$load_file'(Path, Module),
    '$import_file'(Path, all, Module).
'$load'(file, Path, Module, How) :-
    (   '$is_loaded'(Path) -> true ; '$load_file'(Path, Module) ),
    ( How = use(Imports) -> true ; Imports = all ),
    '$import_file'(Path, Imports, Module).

% A file that loads or includes itself, perhaps by way of others, would do so without end.

'$check_not_loading'(Path) :-
    (   '$is_loading'(Path)
    ->  throw(error(permission_error(load, source_sink, Path),
                    context(_, 'the file is being loaded')))
    ;   true
    ).

'$import_file'(Path, Imports, Module) :-
    (   '$file_module'(Path, Source), Source \== Module
    ->  '$import'(Source, Imports, Module)
    ;   true
    ).

'$load_file'(Path, Module) :-
    setup_call_cleanup(
        '$load_begin'(Path, Module, false),
        '$load_all',
        '$load_end'),
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
'$load_clauses'(Clause) :- '$load_clause'(Clause).

'$expand'(Term, Clauses) :-
    '$source_module'(Module),
    (   '$expansion'(Module, Term, Clauses0)
    ->  Clauses = Clauses0
    ;   Clauses = Term
    ).

'$expansion'(Module, Term, Clauses) :-
    '$has_clauses'(Module, term_expansion, 2),
    catch(Module:term_expansion(Term, Clauses), Error, '$directive_error'(Error)),
    nonvar(Clauses), !.
'$expansion'(Module, Term, Clauses) :-
    Module \== user,
    '$has_clauses'(user, term_expansion, 2),
    catch(user:term_expansion(Term, Clauses), Error, '$directive_error'(Error)),
    nonvar(Clauses).

'$has_clauses'(Module, Name, Arity) :-
    functor(Head, Name, Arity),
    \+ \+ catch(clause(Module:Head, _), _, fail).

%% expand_term(+Term, -Clauses)
%  What loading makes of a term: user's expansions, then grammar rules.
expand_term(Term, Term) :- var(Term), !.
expand_term(Term, Clauses) :-
    '$source_module'(Module),
    '$expansion'(Module, Term, Clauses), !.
expand_term(Rule, Clause) :-
    nonvar(Rule),
    Rule = (_ --> _), !,
    dcg_translate_rule(Rule, Clause).
expand_term(Term, Term).

% Directives.

'$directive'(Goal) :- var(Goal), !, '$directive_error'(error(instantiation_error, _)).
'$directive'(module(Name, Exports)) :- !, '$catch_directive'('$begin_module'(Name, Exports)).
'$directive'(include(File)) :- !, '$catch_directive'('$include'(File)).
'$directive'(if(Condition)) :- !, '$condition'(if, Condition).
'$directive'(elif(Condition)) :- !, '$condition'(elif, Condition).
'$directive'(else) :- !, '$load_condition'(else, true).
'$directive'(endif) :- !, '$load_condition'(endif, true).
'$directive'(initialization(Goal)) :- !, '$source_module'(Module), '$after'(Module:Goal).
'$directive'(initialization(Goal, When)) :- !,
    '$source_module'(Module),
    '$catch_directive'('$initialization'(When, Module:Goal)).
'$directive'(Goal) :-
    '$source_module'(Module),
    '$catch_directive'(Module:Goal).

'$catch_directive'(Goal) :-
    (   catch(('$assume_declared', Goal), Error, '$directive_error'(Error))
    ->  true
    ;   '$goal_failed'(Goal)
    ).

'$goal_failed'(Goal0) :-
    '$shown_goal'(Goal0, Goal),
    term_to_atom(Goal, Text),
    atom_concat('the directive failed: ', Text, Message),
    '$load_message'(warning, Message).

'$shown_goal'(user:Goal, Shown) :- !, Shown = Goal.
'$shown_goal'(Goal, Goal).

'$directive_error'(Error) :-
    (   '$error_text'(Error, Text) -> true ; term_to_atom(Error, Text) ),
    (   '$load_message'(error, Text) -> true ; '$print_error_text'(Text) ).

'$error_text'(Error, Text) :-
    catch(message_text(Error, Text), _, fail).

'$print_error_text'(Text) :-
    nl(user_error), write(user_error, Text), nl(user_error).

'$condition'(Word, Condition) :-
    (   '$load_condition_matters'(Word)
    ->  '$source_module'(Module),
        (   catch(Module:Condition, Error, ('$directive_error'(Error), fail))
        ->  Truth = true
        ;   Truth = false
        )
    ;   Truth = false
    ),
    '$load_condition'(Word, Truth).

'$begin_module'(Name, Exports) :-
    '$load_module'(Name),
    '$export_operators'(Exports, Plain),
    '$set_exports'(Name, Plain).

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
    setup_call_cleanup('$load_begin'(Path, Module, true), '$load_all', '$load_end').

%% initialization(:Goal)
%  Runs Goal after the file that is being loaded, or at once.
initialization(Goal) :-
    (   '$loading' -> '$after'(Goal) ; call(Goal) ).

%% initialization(:Goal, +When)
%  When is now, after_load, or main: the goal is the main program.
initialization(Goal, When) :- '$initialization'(When, Goal).

'$initialization'(When, _) :- var(When), !, throw(error(instantiation_error, _)).
'$initialization'(now, Goal) :- !, call(Goal).
'$initialization'(after_load, Goal) :- !, '$after'(Goal).
'$initialization'(main, Goal) :- !,
    retractall('$main'(_)),
    assertz('$main'(Goal)).
'$initialization'(program, Goal) :- !, '$initialization'(main, Goal).
'$initialization'(When, _) :- throw(error(domain_error(initialization_type, When), _)).

'$after'(Goal) :-
    '$load_context'(_, File, _),
    assertz('$after_load'(File-Goal)).

'$run_after_load'(File) :-
    retract('$after_load'(File-Goal)),
    '$catch_initialization'(Goal),
    fail.
'$run_after_load'(_).

'$catch_initialization'(Goal) :-
    (   catch(('$assume_declared', Goal), Error, '$directive_error'(Error))
    ->  true
    ;   '$shown_goal'(Goal, Shown),
        term_to_atom(Shown, Text),
        atom_concat('initialization goal failed: ', Text, Message),
        '$print_error_text'(Message)
    ).

% Clauses typed at the prompt: `[user].`

'$load_user'(Module) :-
    repeat,
    catch(read_term(user_input, Term, []), Error, ('$directive_error'(Error), fail)),
    '$user_term'(Term, Module),
    !.

'$user_term'(end_of_file, _) :- !.
'$user_term'((:- Goal), Module) :- !,
    '$catch_directive'(Module:Goal),
    fail.
'$user_term'((?- Goal), Module) :- !,
    '$catch_directive'(Module:Goal),
    fail.
'$user_term'(Term, Module) :-
    catch(( expand_term(Term, Clause), '$add_user_clause'(Module:Clause) ), Error,
          '$directive_error'(Error)),
    fail.

'$add_user_clause'(Clause) :- assertz(Clause).

%% prolog_load_context(?Key, ?Value)
%
%  What is known of the text being loaded; fails if there is none: module; source, the file
%  that is loaded; file, which differs in files that it includes; directory, that of the
%  source; term_position, with the line of the present clause.

prolog_load_context(Key, Value) :-
    '$load_context'(Module, File, Line),
    '$load_context'(Key, Value, Module, File, Line).

'$load_context'(module, Module, Module, _, _).
'$load_context'(source, Source, _, _, _) :-
    '$load_source'(File),
    absolute_file_name(File, Source).
'$load_context'(file, Path, _, File, _) :- absolute_file_name(File, Path).
'$load_context'(directory, Directory, _, _, _) :-
    '$load_source'(File),
    absolute_file_name(File, Path),
    file_directory_name(Path, Directory).
'$load_context'(term_position, '$stream_position'(0, Line, 0, 0), _, _, Line).

% Grammars.

:- meta_predicate(phrase(//, ?)).
:- meta_predicate(phrase(//, ?, ?)).

%% phrase(:Body, ?List)
%  True when the grammar body accepts the list.
phrase(Body, List) :- phrase(Body, List, []).

%% phrase(:Body, ?List, ?Rest)
%  True when the grammar body accepts the list up to Rest.
phrase(Body, List, Rest) :-
    '$phrase_body'(Body, Module, Plain),
    '$check_list_or_partial'(List),
    '$check_list_or_partial'(Rest),
    '$dcg_body'(Plain, S0, S, Goal),
    S0 = List,
    S = Rest,
    call(Module:Goal).

'$phrase_body'(Body, _, _) :- var(Body), !, throw(error(instantiation_error, _)).
'$phrase_body'(Module:Body, Module, Plain) :- atom(Module), nonvar(Body), !, Plain = Body.
'$phrase_body'(Body, user, Body).

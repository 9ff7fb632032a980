% Data that the source has and the stored clauses have not: the names of variables, and the text.

:- module(listing_source, [clause_names/2, clause_text/2]).

%% clause_names(+Clauses, -Named)
%
%  Adds the source names of variables to Clauses, a list of clause(Reference, Head, Body). Unifies Named with a
%  list of the same clauses as named(Head, Body, Names). Names has Name=Variable for the variables that the
%  source names. Names is empty for clauses without variables, clauses that do not come from a file, and clauses
%  that are no longer in the file.

clause_names(Clauses, Named) :-
    findall(File-Line, clause_with_variables(Clauses, File, Line), Places0),
    sort(Places0, Places),
    terms_at(Places, Terms),
    name_clauses(Clauses, Terms, Named).

clause_with_variables(Clauses, File, Line) :-
    one_of(clause(Reference, Head, Body), Clauses),
    \+ ground(Head-Body),
    clause_at(Reference, File, Line).

one_of(X, [X|_]).
one_of(X, [_|Xs]) :- one_of(X, Xs).

clause_at(Reference, File, Line) :-
    clause_property(Reference, file(File)),
    clause_property(Reference, line_count(Line)),
    !.

name_clauses([], _, []).
name_clauses([clause(Reference, Head, Body)|Clauses], Terms, [named(Head, Body, Names)|Named]) :-
    (   \+ ground(Head-Body),
        clause_at(Reference, File, Line),
        get_assoc(File-Line, Terms, read(Term, Found)),
        copy_term(Term-Found, Read-Names),
        Read =@= (Head :- Body)
    ->  Read = (Head :- Body)
    ;   Names = []
    ),
    name_clauses(Clauses, Terms, Named).

% Reads the terms that begin on these lines, by file and line: for each file, in order, in one pass.

terms_at(Places, Terms) :-
    empty_assoc(None),
    terms_at(Places, None, Terms).

terms_at([], Terms, Terms).
terms_at([File-Line|Places], Terms0, Terms) :-
    lines_of(Places, File, Lines, Others),
    (   catch(terms_of(File, [Line|Lines], Found), error(_, _), fail)
    ->  known(Found, File, Terms0, Terms1)
    ;   Terms1 = Terms0
    ),
    terms_at(Others, Terms1, Terms).

lines_of([File-Line|Places], File, [Line|Lines], Others) :-
    !,
    lines_of(Places, File, Lines, Others).
lines_of(Places, _, [], Places).

known([], _, Terms, Terms).
known([Line-Read|Found], File, Terms0, Terms) :-
    put_assoc(File-Line, Terms0, Read, Terms1),
    known(Found, File, Terms1, Terms).

terms_of(File, Lines, Found) :-
    exists_file(File),
    setup_call_cleanup(
        open(File, read, Stream),
        terms_on(Lines, Stream, Found),
        close(Stream)).

terms_on([], _, []).
terms_on([Line|Lines], Stream, Found) :-
    to_line(Line, Stream),
    (   line_count(Stream, Line),
        catch(read_term(Stream, Term0, [variable_names(Names)]), error(_, _), fail),
        clause_of(Term0, Term)
    ->  Found = [Line-read(Term, Names)|Found1]
    ;   Found = Found1
    ),
    terms_on(Lines, Stream, Found1).

to_line(Line, Stream) :-
    (   line_count(Stream, Present),
        Present < Line,
        \+ at_end_of_stream(Stream)
    ->  skip(Stream, 0'\n),
        to_line(Line, Stream)
    ;   true
    ).

% Converts a term to a clause in the form of clause/2.

clause_of(Var, _) :-
    var(Var),
    !,
    fail.
clause_of((_ --> _), _) :-
    !,
    fail.
clause_of(_:Clause, Term) :-
    !,
    clause_of(Clause, Term).
clause_of((Head0 :- Body0), (Head :- Body)) :-
    !,
    plain_head(Head0, Head),
    body_of(Body0, Body).
clause_of(Head0, (Head :- true)) :-
    plain_head(Head0, Head).

plain_head(Head0, Head) :-
    (   nonvar(Head0), Head0 = _:Head1
    ->  plain_head(Head1, Head)
    ;   Head = Head0
    ).

body_of(Var, call(Var)) :-
    var(Var),
    !.
body_of((A , B), (C , D)) :-
    !,
    body_of(A, C),
    body_of(B, D).
body_of((A ; B), (C ; D)) :-
    !,
    body_of(A, C),
    body_of(B, D).
body_of((A -> B), (C -> D)) :-
    !,
    body_of(A, C),
    body_of(B, D).
body_of((A *-> B), (C *-> D)) :-
    !,
    body_of(A, C),
    body_of(B, D).
body_of(Goal, Goal).

%% clause_text(+Reference, -Text)
%
%  Unifies Text with text(File, Line, Text): the text of the clause in its file, an atom without the end of the
%  last line, and its position. Fails if the file no longer contains the clause.

clause_text(Reference, text(File, Line, Text)) :-
    clause_at(Reference, File, Line),
    catch(text_at(File, Line, Text), error(_, _), fail).

text_at(File, Line, Text) :-
    exists_file(File),
    setup_call_cleanup(
        open(File, read, Stream),
        ( to_line(Line, Stream),
          read_term(Stream, _, [term_position(Position)]),
          line_count(Stream, Last)
        ),
        close(Stream)),
    stream_position_data(line_count, Position, Line),
    read_file_lines(File, Line, Last, Lines),
    atomic_list_concat(Lines, '\n', Text).

read_file_lines(File, First, Last, Lines) :-
    setup_call_cleanup(
        open(File, read, Stream),
        ( to_line(First, Stream),
          lines_to(Stream, Last, Lines)
        ),
        close(Stream)).

lines_to(Stream, Last, Lines) :-
    line_count(Stream, Present),
    (   Present =< Last,
        read_line_to_codes(Stream, Codes),
        Codes \== end_of_file
    ->  atom_codes(Line, Codes),
        Lines = [Line|Lines1],
        lines_to(Stream, Last, Lines1)
    ;   Lines = []
    ).

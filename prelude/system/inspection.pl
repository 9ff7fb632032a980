% Clauses by number, properties of clauses, and names known to the system.

:- module(system, []).

:- meta_predicate('$call_cleanup'(0, 0)).
:- meta_predicate(nth_clause(:, ?, ?)).

%% nth_clause(:Head, ?Index, ?Reference)
%  True if Reference refers to clause number Index, counted from 1, of the predicate of Head. Head may be
%  unbound if Reference is bound. Enumerates the clauses on backtracking.
%
%  ?- assertz(color(red)), assertz(color(blue)), nth_clause(color(_), 2, _Ref), clause(Head, true, _Ref).
%  Head = color(blue).
nth_clause(Head, Index, Reference) :-
    nonvar(Reference), !,
    '$clause_place'(Reference, Home, General, Index),
    strip_module(Head, Module, Plain),
    (   var(Plain), Module \== Home
    ->  Plain = Home:General
    ;   Plain = General
    ).
nth_clause(Head, Index, Reference) :-
    strip_module(Head, _, Plain),
    (   nonvar(Plain) -> true
    ;   throw(error(instantiation_error, _))
    ),
    (   var(Index) -> true
    ;   integer(Index) -> true
    ;   throw(error(type_error(integer, Index), _))
    ),
    '$clause_references'(Head, References),
    (   integer(Index)
    ->  Skipped is Index - 1,
        '$skipped'(Skipped, References, [Reference|_])
    ;   '$numbered'(References, 1, Index, Reference)
    ).

'$skipped'(0, List, Rest) :- !, Rest = List.
'$skipped'(Count, [_|List], Rest) :-
    Count > 0,
    Less is Count - 1,
    '$skipped'(Less, List, Rest).

'$numbered'([First|Rest], Number, Index, Element) :-
    '$numbered'(Rest, First, Number, Index, Element).

'$numbered'([], Element, Index, Index, Element) :- !.
'$numbered'(_, Element, Index, Index, Element).
'$numbered'([First|Rest], _, Number, Index, Element) :-
    Next is Number + 1,
    '$numbered'(Rest, First, Next, Index, Element).

%% clause_property(+Reference, ?Property)
%  True if the clause has Property: fact, erased, line_count(L), file(F), source(F), size(Bytes),
%  predicate(Module:Name/Arity) or module(M).
%
%  ?- assertz(( big(X) :- X > 100 )), clause(big(_), _, _Ref), clause_property(_Ref, predicate(P)).
%  P = user:big/1.
clause_property(Reference, Property) :-
    '$clause_properties'(Reference, Properties),
    (   nonvar(Property)
    ->  '$member'(Property, Properties), !
    ;   '$member'(Property, Properties)
    ).

%% current_functor(?Name, ?Arity)
%  True if the system knows compound terms with this name and arity. Enumerates them on backtracking.
%
%  ?- current_functor(append, 3).
%  true.
current_functor(Name, Arity) :-
    (   var(Arity) -> true
    ;   integer(Arity) -> true
    ;   throw(error(type_error(integer, Arity), _))
    ),
    (   atom(Name)
    ->  true
    ;   var(Name)
    ->  current_atom(Name)
    ;   throw(error(type_error(atom, Name), _))
    ),
    '$arities'(Name, Arities),
    '$member'(Arity, Arities).

%% format_time(+Sink, +Format, +Time)
%  Writes Time to Sink, a sink of format/3. Time is a number of seconds since 1970 or a date of
%  stamp_date_time/3. Format has the directives of strftime in C. It may also have %f, with %3f for three
%  digits, for the fraction of the second.
%
%  ?- format_time(atom(A), '%Y-%m-%d', 0).
%  A = '1970-01-01'.
format_time(Sink, Format, Time) :-
    '$time_text'(Format, Time, Text),
    format(Sink, '~s', [Text]).

%% format_time(+Sink, +Format, +Time, +Locale)
%  Writes like format_time/3. Names of days and months are English, as in the locale posix.
format_time(Sink, Format, Time, _) :-
    format_time(Sink, Format, Time).

% Cleanup that receives the reason.

%% setup_call_catcher_cleanup(:Setup, :Goal, ?Catcher, :Cleanup)
%  Calls like setup_call_cleanup/3, but calls Cleanup only if Catcher unifies with the way Goal ended. This is
%  exit, fail, ! or exception(Ball). It is external_exception(Ball) if Goal had already succeeded with choice
%  points left.
%
%  ?- setup_call_catcher_cleanup(true, member(X, [1,2]), How, (print(How), nl)), !.
%  !
%  X = 1,
%  How = !.
%
%  ?- setup_call_catcher_cleanup(true, fail, How, (print(How), nl)).
%  fail
%  false.
setup_call_catcher_cleanup(Setup, Goal, Catcher, Cleanup) :-
    '$set_up'(Setup),
    '$must_be_callable'(Cleanup),
    State = state(_),
    '$call_cleanup'(
        '$noting_end'(Goal, State),
        '$run_if_caught'(State, Catcher, Cleanup)).

'$noting_end'(Goal, State) :-
    nb_setarg(1, State, fail),
    '$begin_setup',
    '$call_cleanup'(
        catch(Goal, Ball, ( nb_setarg(1, State, exception(Ball)), throw(Ball) )),
        Last = true),
    (   Last == true
    ->  nb_setarg(1, State, exit)
    ;   nb_setarg(1, State, !)
    ;   nb_setarg(1, State, fail),
        fail
    ).

'$run_if_caught'(State, Catcher, Cleanup) :-
    arg(1, State, Reason0),
    (   '$exception_under_way'(Ball)
    ->  ( Reason0 == ! -> Reason = external_exception(Ball) ; Reason = exception(Ball) )
    ;   Reason = Reason0
    ),
    ( Catcher = Reason -> call(Cleanup) ; true ).

:- meta_predicate(setup_call_catcher_cleanup(0, 0, ?, 0)).
:- meta_predicate(call_cleanup(0, ?, 0)).

%% call_cleanup(:Goal, ?Catcher, :Cleanup)
%  Calls like setup_call_catcher_cleanup/4, without a setup.
call_cleanup(Goal, Catcher, Cleanup) :-
    setup_call_catcher_cleanup(true, Goal, Catcher, Cleanup).

% Clauses as text, in the layout of SWI-Prolog's listing/1 and portray_clause/1. Long because each construct has a layout.

:- module(listing, [
    portray_clause/1,
    portray_clause/2,
    portray_clause/3,
    listing/0,
    listing/1,
    listing/2
]).

:- use_module(library(error), [must_be/2]).
:- use_module(library(lists), [append/3]).
:- use_module(library(listing_source), [clause_names/2, clause_text/2]).

:- meta_predicate(listing(:)).
:- meta_predicate(listing(:, +)).

%% portray_clause(+Clause)
%
%  Writes Clause to the current output in the layout of a program. Variables are named A, B, ...; variables that
%  occur once are _.
%
%  ?- portray_clause((a(X, Y) :- b(X), \+ c(Y))).
%  a(A, B) :-
%      b(A),
%      \+ c(B).
%  true.

portray_clause(Clause) :-
    current_output(Stream),
    portray_clause(Stream, Clause, []).

%% portray_clause(+Stream, +Clause)
%
%  Writes Clause to Stream like portray_clause/1.

portray_clause(Stream, Clause) :-
    portray_clause(Stream, Clause, []).

%% portray_clause(+Stream, +Clause, +Options)
%
%  Writes Clause like portray_clause/2, with Options. variable_names(List) names variables, and indent(N) means
%  that the text begins at column N. Other options are those of write_term/2.

portray_clause(Stream, Clause, Options) :-
    must_be(list, Options),
    (   cyclic_term(Clause)
    ->  % No clause is cyclic: there is no layout for it.
        Out = out(Stream, []),
        listing_head(Clause, Out),
        listing_end(Out)
    ;   \+ \+ listing_named_clause(Stream, Clause, Options)
    ).

listing_named_clause(Stream, Clause0, Options) :-
    copy_term_nat(Clause0-Options, Clause-Options1),
    (   listing_option(Options1, indent(Column), Options2)
    ->  true
    ;   Column = 0,
        Options2 = Options1
    ),
    (   listing_option(Options2, variable_names(Given), Options3)
    ->  true
    ;   Given = [],
        Options3 = Options2
    ),
    listing_names(Clause, Given, Names),
    Out = out(Stream, [variable_names(Names)|Options3]),
    listing_clause(Clause, Out, Column),
    listing_end(Out).

listing_option([Option1|Options], Option, Rest) :-
    (   Option1 = Option
    ->  Rest = Options
    ;   Rest = [Option1|Rest1],
        listing_option(Options, Option, Rest1)
    ).

% listing_names(+Clause, +Given, -Names): Names are Name=Var for the variables of Clause, those of Given first.

listing_names(Clause, Given, Names) :-
    term_variables(Clause, Vars),
    listing_singletons(Clause, Singletons),
    listing_new_names(Vars, Given, Singletons, 0, New),
    append(Given, New, Names).

listing_new_names([], _, _, _, []).
listing_new_names([Var|Vars], Given, Singletons, N, Names) :-
    (   listing_named(Given, Var)
    ->  Names = Names1,
        N1 = N,
        listing_without(Singletons, Var, Singletons1)
    ;   Singletons = [Single|Singletons1],
        Single == Var
    ->  Names = ['_'=Var|Names1],
        N1 = N
    ;   listing_free_name(N, Given, Name, N1),
        Names = [Name=Var|Names1],
        Singletons1 = Singletons
    ),
    listing_new_names(Vars, Given, Singletons1, N1, Names1).

listing_without(Singletons, Var, Rest) :-
    (   Singletons = [Single|Singletons1],
        Single == Var
    ->  Rest = Singletons1
    ;   Rest = Singletons
    ).

listing_named([_=Var1|Given], Var) :-
    (   Var1 == Var
    ->  true
    ;   listing_named(Given, Var)
    ).

listing_free_name(N, Given, Name, Next) :-
    listing_name(N, Name0),
    N1 is N + 1,
    (   memberchk(Name0=_, Given)
    ->  listing_free_name(N1, Given, Name, Next)
    ;   Name = Name0,
        Next = N1
    ).

listing_name(N, Name) :-
    Code is 0'A + N mod 26,
    char_code(Letter, Code),
    (   N < 26
    ->  Name = Letter
    ;   Number is N // 26,
        atom_concat(Letter, Number, Name)
    ).

% listing_singletons(+Term, -Singletons): Singletons are the variables that occur once, in order. In a copy of
% the term, each variable is bound at its first occurrence to a mark. Another occurrence binds the argument of
% the mark.

listing_singletons(Term, Singletons) :-
    term_variables(Term, Vars),
    copy_term(Term-Vars, Term1-Vars1),
    listing_seen(Term1),
    listing_once(Vars1, Vars, Singletons).

listing_seen(Term) :-
    (   var(Term)
    ->  Term = '$listing_seen'(_)
    ;   Term = '$listing_seen'(Again)
    ->  Again = yes
    ;   compound(Term)
    ->  compound_name_arity(Term, _, Arity),
        listing_seen(1, Arity, Term)
    ;   true
    ).

listing_seen(I, Arity, Term) :-
    (   I > Arity
    ->  true
    ;   arg(I, Term, Arg),
        I =:= Arity
    ->  listing_seen(Arg)
    ;   arg(I, Term, Arg),
        listing_seen(Arg),
        I1 is I + 1,
        listing_seen(I1, Arity, Term)
    ).

listing_once([], [], []).
listing_once(['$listing_seen'(Again)|Seen], [Var|Vars], Singletons) :-
    (   var(Again)
    ->  Singletons = [Var|Singletons1]
    ;   Singletons = Singletons1
    ),
    listing_once(Seen, Vars, Singletons1).

% listing_clause(+Clause, +Out, +Column): lays out a clause. Out is out(Stream, Options), and Column is the
% column where the text begins. The layout follows the present operators. write_term/3 writes all other terms.

listing_clause(Clause, Out, Column) :-
    (   listing_infix(Clause, _, Head, Body, _, Left, Right),
        listing_neck(Clause, Neck)
    ->  (   Neck == ' :-',
            Body == true,
            listing_is_fact(Head)
        ->  listing_head(Head, Out)
        ;   listing_operand(Head, Left, Out),
            listing_write(Neck, Out),
            Column1 is Column + 4,
            listing_newline(Out, Column1),
            listing_body(Body, Right, Out, Column1)
        )
    ;   listing_prefix(Clause, _, Goal, _, Right),
        listing_sign(Clause, Sign)
    ->  listing_write(Sign, Out),
        Column1 is Column + 3,
        (   listing_layout(Goal)
        ->  listing_body(Goal, Right, Out, Column1)
        ;   listing_operand(Goal, Right, Out)
        )
    ;   listing_layout(Clause)
    ->  listing_body(Clause, 1200, Out, Column)
    ;   listing_head(Clause, Out)
    ).

listing_layout(Goal) :-
    ( listing_control(Goal) -> true ; listing_prefix(Goal, \+, _, _, _) ).

listing_neck((_ :- _), ' :-').
listing_neck((_ --> _), ' -->').
listing_neck('=>'(_, _), ' =>').

listing_sign((:- _), ':- ').
listing_sign((?- _), '?- ').

% A head alone is read as a fact. An operator alone is no clause in the standard.
listing_is_fact(Head) :-
    nonvar(Head),
    \+ ( atom(Head), current_op(_, _, Head) ),
    \+ listing_neck(Head, _),
    \+ listing_sign(Head, _).

listing_head(Head, Out) :-
    listing_term(Head, 1200, Out).

% listing_infix(+Term, ?Name, -A, -B, -Priority, -Left, -Right): Term is A Name B with an infix operator of this
% priority. Left and Right are the highest priorities of its operands. An operand on the non-associative side
% must have a lower priority.

listing_infix(Term, Name, A, B, Priority, Left, Right) :-
    compound(Term),
    compound_name_arity(Term, Name, 2),
    current_op(Priority, Type, Name),
    listing_right(Type, Priority, Right),
    !,
    Left is Priority - 1,
    arg(1, Term, A),
    arg(2, Term, B).

listing_right(xfx, Priority, Right) :- Right is Priority - 1.
listing_right(yfx, Priority, Right) :- Right is Priority - 1.
listing_right(xfy, Priority, Priority).

% listing_prefix(+Term, ?Name, -A, -Priority, -Right): does the same for a term Name A.

listing_prefix(Term, Name, A, Priority, Right) :-
    compound(Term),
    compound_name_arity(Term, Name, 1),
    current_op(Priority, Type, Name),
    (   Type = fy
    ->  Right = Priority
    ;   Type = fx,
        Right is Priority - 1
    ),
    !,
    arg(1, Term, A).

% listing_body(+Goal, +Priority, +Out, +Column): writes the text of Goal. The text and its further lines begin
% at Column.

listing_body(Var, Priority, Out, _) :-
    var(Var),
    !,
    listing_term(Var, Priority, Out).
listing_body((A, B), Priority, Out, Column) :-
    !,
    (   Priority >= 1000
    ->  listing_conjunction(A, B, Out, Column)
    ;   listing_bracketed((A, B), Out, Column)
    ).
listing_body(Goal, _, Out, Column) :-
    listing_alternative(Goal),
    !,
    listing_write('(   ', Out),
    listing_alternatives(Goal, 1200, Out, Column),
    listing_newline(Out, Column),
    listing_write(')', Out).
listing_body({Goal}, _, Out, Column) :-
    !,
    listing_write('{ ', Out),
    Column1 is Column + 2,
    listing_body(Goal, 1200, Out, Column1),
    listing_newline(Out, Column),
    listing_write('}', Out).
listing_body(Goal, Priority, Out, Column) :-
    listing_prefix(Goal, \+, Goal1, GoalPriority, Right),
    !,
    (   GoalPriority > Priority
    ->  listing_bracketed(Goal, Out, Column)
    ;   listing_write('\\+ ', Out),
        Column1 is Column + 3,
        listing_body(Goal1, Right, Out, Column1)
    ).
listing_body(Goal, Priority, Out, Column) :-
    listing_infix(Goal, :, Module, Goal1, GoalPriority, Left, _),
    listing_control(Goal1),
    !,
    (   GoalPriority > Priority
    ->  listing_bracketed(Goal, Out, Column)
    ;   listing_operand(Module, Left, Out),
        listing_token(':', Out),
        listing_newline(Out, Column),
        (   Goal1 = (A, B)
        ->  listing_write('(   ', Out),
            Column1 is Column + 4,
            listing_conjunction(A, B, Out, Column1),
            listing_newline(Out, Column),
            listing_write(')', Out)
        ;   listing_body(Goal1, 999, Out, Column)
        )
    ).
listing_body(Goal, Priority, Out, Column) :-
    (   listing_spread(Goal, Out, Column, Priority)
    ->  compound_name_arguments(Goal, Name, Args),
        listing_text(Name, 0, Out, NameText),
        listing_write(NameText, Out),
        listing_write('(', Out),
        atom_length(NameText, Length),
        Column1 is Column + Length + 1,
        listing_arguments(Args, 1, Goal, Out, Column1),
        listing_write(')', Out)
    ;   listing_goal_priority(Priority, GoalPriority),
        listing_goal(Goal, GoalPriority, Out, Column)
    ).

% Writes the closing bracket on its own line.
listing_bracketed(Goal, Out, Column) :-
    listing_write('( ', Out),
    Column1 is Column + 2,
    listing_body(Goal, 1200, Out, Column1),
    listing_newline(Out, Column),
    listing_write(')', Out).

% Writes operators that bind less strongly in brackets.
listing_goal(Goal, Priority, Out, Column) :-
    (   compound(Goal),
        compound_name_arity(Goal, Name, Arity),
        listing_operator(Name, Arity, GoalPriority),
        GoalPriority > Priority
    ->  listing_write('( ', Out),
        listing_term(Goal, 1200, Out),
        listing_newline(Out, Column),
        listing_write(')', Out)
    ;   listing_operand(Goal, Priority, Out)
    ).

listing_goal_priority(Priority, GoalPriority) :-
    (   Priority >= 999
    ->  GoalPriority = 999
    ;   GoalPriority = Priority
    ).

listing_conjunction(A, B, Out, Column) :-
    listing_body(A, 999, Out, Column),
    listing_write(',', Out),
    listing_newline(Out, Column),
    listing_body(B, 1000, Out, Column).

% Writes alternatives after the opening bracket at Column. An alternative on the right continues in the same
% brackets if this priority allows it.

listing_alternatives(Goal, Priority, Out, Column) :-
    (   listing_infix(Goal, ;, A, B, GoalPriority, Left, Right),
        GoalPriority =< Priority
    ->  listing_condition(A, Left, Out, Column),
        listing_newline(Out, Column),
        listing_write(';   ', Out),
        listing_alternatives(B, Right, Out, Column)
    ;   listing_condition(Goal, Priority, Out, Column)
    ).

listing_condition(Goal, Priority, Out, Column) :-
    Column1 is Column + 4,
    (   listing_infix(Goal, Name, Condition, Then, GoalPriority, Left, Right),
        GoalPriority =< Priority,
        listing_arrow(Name, Arrow)
    ->  listing_body(Condition, Left, Out, Column1),
        listing_newline(Out, Column),
        listing_write(Arrow, Out),
        listing_body(Then, Right, Out, Column1)
    ;   listing_body(Goal, Priority, Out, Column1)
    ).

listing_arrow(->, '->  ').
listing_arrow(*->, '*-> ').

listing_alternative(Goal) :-
    listing_infix(Goal, Name, _, _, _, _, _),
    ( Name == (;) -> true ; listing_arrow(Name, _) ).

listing_control(Goal) :-
    nonvar(Goal),
    (   Goal = (_, _)
    ->  true
    ;   listing_alternative(Goal)
    ->  true
    ;   Goal = {_}
    ).

% listing_spread(+Goal, +Out, +Column, +Priority): true if each argument of Goal gets its own line. This is so
% if one of its goals is a control construct, or if Goal is too long for a line.

listing_spread(Goal, _, _, _) :-
    compound(Goal),
    listing_goal_argument(Goal, Arg),
    listing_control(Arg),
    \+ Arg = {_},
    !.
listing_spread(Goal, Out, Column, Priority) :-
    compound(Goal),
    Goal \= [_|_],
    compound_name_arity(Goal, Name, Arity),
    \+ listing_operator(Name, Arity, _),
    listing_text(Goal, Priority, Out, Text),
    atom_length(Text, Length),
    Column + Length > 78.

% An operator with one argument counts as prefix if it is both prefix and postfix.
listing_operator(Name, 1, Priority) :-
    (   current_op(Priority, Type, Name),
        ( Type = fy ; Type = fx )
    ;   current_op(Priority, Type, Name),
        ( Type = xf ; Type = yf )
    ),
    !.
listing_operator(Name, 2, Priority) :-
    current_op(Priority, Type, Name),
    listing_right(Type, Priority, _),
    !.

% Enumerates the arguments of Goal that are goals themselves.

listing_goal_argument(Goal, Arg) :-
    listing_meta(Goal, Spec),
    compound_name_arity(Goal, _, Arity),
    between(1, Arity, I),
    arg(I, Spec, Meta),
    listing_meta_spec(Meta),
    arg(I, Goal, Arg).

listing_meta_spec(Meta) :-
    (   integer(Meta)
    ->  true
    ;   Meta == (^)
    ->  true
    ;   Meta == (//)
    ).

listing_meta(Goal, Spec) :-
    catch(predicate_property(Goal, meta_predicate(Spec)), _, fail),
    !.
listing_meta(Goal, Spec) :-
    listing_builtin_meta(Goal, Spec).

listing_builtin_meta(call(_), call(0)).
listing_builtin_meta(once(_), once(0)).
listing_builtin_meta(ignore(_), ignore(0)).
listing_builtin_meta(not(_), not(0)).
listing_builtin_meta(findall(_, _, _), findall(?, 0, ?)).
listing_builtin_meta(findall(_, _, _, _), findall(?, 0, ?, ?)).
listing_builtin_meta(forall(_, _), forall(0, 0)).
listing_builtin_meta(bagof(_, _, _), bagof(?, ^, ?)).
listing_builtin_meta(setof(_, _, _), setof(?, ^, ?)).
listing_builtin_meta(catch(_, _, _), catch(0, ?, 0)).

listing_arguments([Arg|Args], I, Goal, Out, Column) :-
    (   listing_is_goal(I, Goal),
        listing_control(Arg)
    ->  listing_body(Arg, 999, Out, Column)
    ;   listing_term(Arg, 999, Out)
    ),
    (   Args == []
    ->  true
    ;   listing_write(',', Out),
        listing_newline(Out, Column),
        I1 is I + 1,
        listing_arguments(Args, I1, Goal, Out, Column)
    ).

listing_is_goal(I, Goal) :-
    listing_meta(Goal, Spec),
    arg(I, Spec, Meta),
    listing_meta_spec(Meta).

% Writing

% Writes the operand of an operator. An atom that is an operator gets brackets.
listing_operand(Term, Priority, Out) :-
    (   atom(Term),
        current_op(_, _, Term)
    ->  listing_write('(', Out),
        listing_term(Term, 1200, Out),
        listing_write(')', Out)
    ;   listing_term(Term, Priority, Out)
    ).

listing_term(Term, Priority, out(Stream, Options)) :-
    write_term(Stream, Term,
               [quoted(true),numbervars(true),portray(true),
                spacing(next_argument),priority(Priority)|Options]).

listing_text(Term, Priority, out(_, Options), Text) :-
    with_output_to(atom(Text),
                   write_term(Term,
                              [quoted(true),numbervars(true),portray(true),
                               spacing(next_argument),priority(Priority)|Options])).

listing_write(Text, out(Stream, _)) :-
    write(Stream, Text).

% Writes a space first if the previous text and the token would be read as one token.
listing_token(Token, out(Stream, _)) :-
    '$put_token'(Stream, Token).

listing_end(Out) :-
    listing_token('.', Out),
    listing_newline(Out, 0).

listing_newline(out(Stream, _), Column) :-
    nl(Stream),
    tab(Stream, Column).

%% listing
%
%  Lists all predicates of the program: those of user, then those of each module of the program below a line
%  `% module NAME`.

listing :-
    forall(listing_own(user, Name, Arity),
           listing_predicate(user, user, names, Name, Arity)),
    forall(( current_module(Module), Module \== user, module_property(Module, class(user)) ),
           listing_module(Module)),
    '$lolli_clauses'(_, _, Clauses),
    listing_texts(Clauses).

% Lists the predicates of a module of the program, below its name.

listing_module(Module) :-
    listing_own_predicates(Module, Found),
    (   Found == []
    ->  true
    ;   format("% module ~q~n~n", [Module]),
        forall(listing_member(Name/Arity, Found),
               listing_predicate(Module, Module, names, Name, Arity))
    ).

listing_own_predicates(Module, Found) :-
    findall(Name/Arity,
            ( listing_own(Module, Name, Arity), \+ sub_atom(Name, _, _, 0, ' tabled') ),
            Found).

listing_own(Module, Name, Arity) :-
    current_predicate(Module:Name/Arity),
    functor(Head, Name, Arity),
    \+ predicate_property(Module:Head, imported_from(_)).

%% listing(:Spec)
%
%  Lists the predicates that match Spec: Name, Name/Arity, Name//Arity, or a list of these. If the module user
%  has no such predicate, Spec means those of the program's other modules. A variable, alone or as in Module:_,
%  means all predicates that the module defines. Variables have the names of the source, if it is a file that
%  still contains the clause.

listing(Spec) :-
    listing(Spec, []).

%% listing(:Spec, +Options)
%
%  Lists predicates like listing/1, with Options. variable_names(false) does not use the names of the source.
%  source(true) shows clauses as they are in the source, with file and line. Other options have no effect.

listing(Spec, Options) :-
    must_be(list, Options),
    (   cyclic_term(Spec)
    ->  throw(error(type_error(acyclic_term, Spec), _))
    ;   memberchk(source(true), Options)
    ->  listing_spec(Spec, user, source)
    ;   memberchk(variable_names(false), Options)
    ->  listing_spec(Spec, user, letters)
    ;   listing_spec(Spec, user, names)
    ).

listing_spec(Spec, Module, Way) :-
    var(Spec),
    !,
    listing_own_predicates(Module, Found),
    forall(listing_member(Name/Arity, Found),
           listing_predicate(Module, Module, Way, Name, Arity)).
listing_spec(Module:Spec, _, Way) :-
    !,
    (   atom(Module)
    ->  true
    ;   var(Module)
    ->  throw(error(instantiation_error, context(listing/1, _)))
    ;   throw(error(type_error(module, Module), context(listing/1, _)))
    ),
    listing_spec(Spec, Module, Way).
listing_spec([], _, _) :-
    !.
listing_spec([Spec|Specs], Module, Way) :-
    !,
    listing_spec(Spec, Module, Way),
    listing_spec(Specs, Module, Way).
listing_spec(Name//Arity0, Module, Way) :-
    !,
    (   integer(Arity0)
    ->  Arity is Arity0 + 2
    ;   Arity = _
    ),
    listing_spec(Name/Arity, Module, Way).
listing_spec(Name/Arity, Module, Way) :-
    !,
    listing_found(Module, Name, Arity, Name/Arity, Way).
listing_spec(Name, Module, Way) :-
    (   atom(Name)
    ->  listing_found(Module, Name, _, Name, Way)
    ;   throw(error(type_error(predicate_indicator, Name), _))
    ).

listing_found(Module, Name, Arity, Spec, Way) :-
    findall(Module1-Name/Arity,
            listing_predicate_of(Module, Name, Arity, Module1),
            Found0),
    sort(Found0, Found1),
    listing_of_lolli(Module, Name, Arity, Clauses),
    (   Clauses == []
    ->  Found = Found1
    ;   % Predicates that are only assumed have no clauses to list.
        findall(Home-Indicator,
                ( listing_member(Home-Indicator, Found1), Home \== lolli ),
                Found)
    ),
    (   Found == [],
        Clauses == [],
        Module == user,
        atom(Name),
        findall(Home-Name/Arity,
                ( '$modules_with'(Name, Arity, Modules),
                  listing_member(Home, Modules),
                  listing_own(Home, Name, Arity)
                ),
                Kept0),
        sort(Kept0, Kept),
        Kept \== []
    ->  listing_predicates(Kept, Module, Way)
    ;   Found == [],
        Clauses == []
    ->  throw(error(existence_error(procedure, Spec), _))
    ;   listing_predicates(Found, Module, Way),
        listing_texts(Clauses)
    ).

% Finds clauses of modules of Lolli, as they are in their text.

listing_of_lolli(Module, Name, Arity, Clauses) :-
    (   ( Module == user ; Module == lolli )
    ->  '$lolli_clauses'(Name, Arity, Clauses)
    ;   Clauses = []
    ).

listing_texts([]) :-
    !.
listing_texts(Clauses) :-
    forall(listing_member(clause(_, _, _, Text), Clauses),
           ( write(Text), nl )),
    nl.

listing_predicate_of(Module, Name, Arity, Home) :-
    (   current_predicate(Module:Name/Arity)
    ;   nonvar(Name),
        ( nonvar(Arity) -> true ; between(0, 8, Arity) ),
        functor(Head, Name, Arity),
        (   predicate_property(Module:Head, dynamic)
        ;   predicate_property(Module:Head, number_of_clauses(_))
        )
    ),
    functor(Head, Name, Arity),
    (   predicate_property(Module:Head, imported_from(Home0))
    ->  Home = Home0
    ;   Home = Module
    ).

% Names of the requested module need no qualification.

listing_predicates([], _, _).
listing_predicates([Module-Name/Arity|Found], Asked, Way) :-
    listing_predicate(Module, Asked, Way, Name, Arity),
    listing_predicates(Found, Asked, Way).

listing_predicate(Module, Asked, Way, Name, Arity) :-
    (   '$coloured_output'
    ->  with_output_to(string(Text), listing_plain(Module, Asked, Way, Name, Arity)),
        '$coloured'(Text, Coloured),
        write(Coloured)
    ;   listing_plain(Module, Asked, Way, Name, Arity)
    ).

listing_plain(Module, Asked, Way, Name, Arity) :-
    functor(Head, Name, Arity),
    listing_declarations(Module, Asked, Head, Name/Arity),
    findall(clause(Reference, Head, Body),
            listing_clause_of(Module, Head, Body, Reference),
            Clauses),
    listing_clauses(Way, Clauses, Module, Asked),
    nl.

listing_clauses(letters, Clauses, Module, Asked) :-
    forall(listing_member(clause(_, Head, Body), Clauses),
           listing_shown(Head, Body, [], Module, Asked)).
listing_clauses(names, Clauses, Module, Asked) :-
    clause_names(Clauses, Named),
    forall(listing_member(named(Head, Body, Names), Named),
           listing_shown(Head, Body, Names, Module, Asked)).
listing_clauses(source, Clauses, Module, Asked) :-
    forall(listing_member(clause(Reference, Head, Body), Clauses),
           (   clause_text(Reference, text(File, Line, Text))
           ->  format('% From ~w:~d~n~w~n', [File, Line, Text])
           ;   listing_shown(Head, Body, [], Module, Asked)
           )).

listing_member(X, [X|_]).
listing_member(X, [_|Xs]) :- listing_member(X, Xs).

listing_shown(Head, Body, Names, Module, Asked) :-
    listing_qualified(Module, Asked, Head, Shown),
    current_output(Stream),
    % A term '$VAR'(1) in the program is no variable.
    portray_clause(Stream, (Shown :- Body), [variable_names(Names), numbervars(false)]).

listing_qualified(Module, Asked, Term, Qualified) :-
    (   Module == Asked
    ->  Qualified = Term
    ;   Module == user
    ->  Qualified = Term
    ;   Qualified = Module:Term
    ).

% Finds the clauses of a predicate. Those of a tabled or determinate predicate belong to another predicate.
listing_clause_of(Module, Head, Body, Reference) :-
    (   ( predicate_property(Module:Head, tabled) ; predicate_property(Module:Head, det) )
    ->  Head =.. [Name|Args],
        atom_concat(Name, ' tabled', Other),
        Clause =.. [Other|Args]
    ;   Clause = Head
    ),
    catch(clause(Module:Clause, Body, Reference), error(permission_error(_, _, _), _), fail).

listing_declarations(Module, Asked, Head, Indicator) :-
    findall(Declaration, listing_declared(Module, Head, Declaration), Declarations),
    (   Declarations == []
    ->  true
    ;   listing_qualified(Module, Asked, Indicator, Term),
        listing_declare(Declarations, Term),
        nl
    ).

listing_declared(Module, Head, Declaration) :-
    listing_declaration(Declaration),
    predicate_property(Module:Head, Declaration).

listing_declaration(dynamic).
listing_declaration(multifile).
listing_declaration(discontiguous).
listing_declaration(tabled).
listing_declaration(det).

listing_declare([], _).
listing_declare([Declaration|Declarations], Term) :-
    (   Declaration == tabled
    ->  Directive = table(Term)
    ;   Directive =.. [Declaration, Term]
    ),
    current_output(Stream),
    portray_clause(Stream, (:- Directive)),
    listing_declare(Declarations, Term).

% Search trees of goals in programs of library(linear), drawn while the goals run. The machine reports
% assumptions and their uses. The predicates here run goals through the clauses of the program and through
% control constructs. So the tree also shows actions that clauses compile in place. For program goals known only
% at run time, the machine calls '$tree_part'/2, '$tree_closure'/2 and others. Such goals are the parts of
% `Formula -<> Goal` and of findall/3.

:- module(linear_tree, []).

% The machine calls these in place of goals of the program.
:- public(('$tree_part'/2, '$tree_closure'/3, '$tree_closure'/4, '$tree_closure'/5, '$tree_closure'/6,
    '$tree_closure'/7, '$tree_closure'/8, '$tree_closure'/9, '$tree_clauses'/2)).

'$tree_part'(Module, Goal) :-
    solved(Goal, Module).

'$tree_closure'(M, G, A) :- closure(G, M, [A]).
'$tree_closure'(M, G, A, B) :- closure(G, M, [A,B]).
'$tree_closure'(M, G, A, B, C) :- closure(G, M, [A,B,C]).
'$tree_closure'(M, G, A, B, C, D) :- closure(G, M, [A,B,C,D]).
'$tree_closure'(M, G, A, B, C, D, E) :- closure(G, M, [A,B,C,D,E]).
'$tree_closure'(M, G, A, B, C, D, E, F) :- closure(G, M, [A,B,C,D,E,F]).
'$tree_closure'(M, G, A, B, C, D, E, F, H) :- closure(G, M, [A,B,C,D,E,F,H]).

closure(Closure, Module, More) :-
    proof_tree:proof_extended(Closure, More, Goal),
    solved(Goal, Module).

% Runs a goal whose cuts are local to it.

solved(Goal, Module) :-
    step(Goal, Module, Way),
    ( Way == cut -> !, fail ; true ).

% step(+Goal, +Module, -Way): Way is cut when the search backtracks over a cut, as in proof_tree.

step(Goal, Module, go) :-
    var(Goal),
    !,
    called(call(Goal), Module).
step(true, _, Way) :- !, Way = go.
step(!, _, Way) :-
    !,
    '$tree_step'(cut),
    ( Way = go ; Way = cut ).
step((A, B), Module, Way) :-
    !,
    step(A, Module, Way1),
    ( Way1 == cut -> Way = cut ; step(B, Module, Way) ).
step(Module:Goal, _, Way) :-
    atom(Module),
    !,
    step(Goal, Module, Way).
step(Goal, Module, Way) :-
    control(Goal, Module),
    !,
    '$tree_goal'(Module:Goal),
    '$tree_here'(Here),
    chosen(Goal, Module, Here, Way).
step(Goal, Module, go) :-
    ( proof_tree:proof_linear(Goal) -> true ; Goal == erase ),
    predicate_property(Module:Goal, imported_from(linear)),
    !,
    connective(Goal, Module).
step(Goal, Module, go) :-
    (   proof_tree:proof_called(Goal, Called)
    ->  '$tree_goal'(Module:Goal),
        solved(Called, Module)
    ;   is_followed(Goal, Module)
    ->  '$tree_goal'(Module:Goal),
        '$tree_clauses'(Module, Goal)
    ;   called(Goal, Module)
    ).

is_followed(Goal, Module) :-
    search_tree:tree_is_followed(Module, Goal),
    \+ predicate_property(Module:Goal, tabled),
    \+ predicate_property(Module:Goal, det),
    \+ proof_tree:proof_is_assumed(Goal).

called(Goal, Module) :-
    '$tree_call'(Module:Goal),
    % The goal may be in a clause of the system itself.
    '$inner_module'(Module, Inner),
    call(Inner:Goal),
    '$tree_step'(exited).

% Runs the clauses of a goal that was reported.

'$tree_clauses'(Module0, Goal0) :-
    '$tree_here'(Here),
    search_tree:tree_home(Goal0, Module0, Goal, Module),
    findall(Reference, clause(Module:Goal, _, Reference), References),
    one_of(References, Goal, Module, Here).

one_of([Reference|References], Goal, Module, Here) :-
    search_tree:tree_place(Reference, Place),
    '$tree_clause'(Place),
    clause(Module:Goal, Body0, Reference),
    renamed(Body0, Body),
    step(Body, Module, Way),
    (   Way == cut
    ->  !,
        References = [_|_],
        '$tree_leaf'(cut_off, Here),
        fail
    ;   '$tree_step'(exited)
    ).
one_of([_|References], Goal, Module, Here) :-
    one_of(References, Goal, Module, Here).

% renamed(+Term0, -Term): renames the variables of quantifiers, which bind the names of a clause again.

renamed(Term, Term) :- \+ compound(Term), !.
renamed(forall(Abstraction0), forall(Abstraction)) :- binds(Abstraction0, Abstraction), !.
renamed(exists(Abstraction0), exists(Abstraction)) :- binds(Abstraction0, Abstraction), !.
renamed(Term0, Term) :-
    Term0 =.. [Name|Args0],
    all_renamed(Args0, Args),
    Term =.. [Name|Args].

all_renamed([], []).
all_renamed([Term0|Terms0], [Term|Terms]) :-
    renamed(Term0, Term),
    all_renamed(Terms0, Terms).

binds('\\'(X0, Term0), '\\'(X, Term)) :-
    var(X0),
    term_variables(Term0, Variables),
    others(Variables, X0, Others),
    copy_term(X0-Others-Term0, X-Others1-Term1),
    Others1 = Others,
    renamed(Term1, Term).

others([], _, []).
others([Variable|Variables], X, Others) :-
    ( Variable == X -> Others = Others1 ; Others = [Variable|Others1] ),
    others(Variables, X, Others1).

% Control constructs: chooses their branches.

control((_ ; _), _).
control((_ -> _), _).
control((_ *-> _), _).
control(\+ _, _).
control(once(_), _).
control(ignore(_), _).
control(forall(_, _), _).
control(guard(_, _, _), Module) :- predicate_property(Module:guard(_, _, _), imported_from(linear)).

chosen((C -> T ; E), Module, Here, Way) :-
    !,
    (   branch(then, C, Module)
    ->  taken(T, Module, Here, Way)
    ;   branch(else, E, Module, Way)
    ).
chosen((C *-> T ; E), Module, Here, Way) :-
    !,
    (   each(C, Module, Here)
    *-> step(T, Module, Way)
    ;   branch(else, E, Module, Way)
    ).
chosen((A ; B), Module, _, Way) :-
    !,
    ( branch(either, A, Module, Way) ; branch(or, B, Module, Way) ).
chosen((C -> T), Module, _, Way) :-
    branch(then, C, Module),
    !,
    step(T, Module, Way).
chosen((C *-> T), Module, _, Way) :-
    branch(then, C, Module),
    step(T, Module, Way).
chosen(\+ Goal, Module, _, go) :-
    \+ ( branch('not', Goal, Module), called(fail, Module) ).
chosen(once(Goal), Module, _, go) :-
    branch(once, Goal, Module),
    !.
chosen(ignore(Goal), Module, _, go) :-
    ( solved(Goal, Module) -> true ; true ).
chosen(forall(Condition, Goal), Module, _, go) :-
    \+ ( solved(Condition, Module), \+ holding(Goal, Module) ).
chosen(guard(C, T, E), Module, Here, Way) :-
    chosen((C -> T ; E), Module, Here, Way).

branch(Name, Goal, Module, Way) :-
    '$tree_step'(Name),
    step(Goal, Module, Way).

branch(Name, Goal, Module) :-
    '$tree_step'(Name),
    solved(Goal, Module).

holding(Goal, Module) :-
    solved(Goal, Module),
    '$tree_here'(End),
    '$tree_leaf'(holds, End).

% Runs the branch of a condition that holds. The other branch is then not tried.

taken(Goal, Module, _, Way) :- step(Goal, Module, Way).
taken(_, _, Here, _) :-
    '$tree_leaf'(cut_off, Here),
    fail.

each(Condition, Module, Here) :-
    Held = held(no),
    (   branch(then, Condition, Module),
        nb_setarg(1, Held, yes)
    ;   arg(1, Held, yes),
        '$tree_leaf'(cut_off, Here),
        fail
    ).

% Runs connectives of library(linear) as they are; the machine calls this module for their parts.

connective('-<>'(Formula, Goal), Module) :- linear:'-o'(Module:Formula, Module:Goal).
connective('-o'(Formula, Goal), Module) :- linear:'-o'(Module:Formula, Module:Goal).
connective('⊸'(Formula, Goal), Module) :- linear:'-o'(Module:Formula, Module:Goal).
connective('=>'(Formula, Goal), Module) :- linear:'=>'(Module:Formula, Module:Goal).
connective('&'(A, B), Module) :- linear:'&'(Module:A, Module:B).
connective({Goal}, Module) :- linear:{Module:Goal}.
connective(erase, _) :- linear:erase.
connective(forall(Quantified), Module) :-
    '$open_universal'(Module:Quantified, First, Last, Outer, Goal),
    solved(Goal, Module),
    '$eigenvariables_free'(First, Last, Outer).
connective(exists(Quantified), Module) :-
    '$open_existential'(Module:Quantified, Goal),
    solved(Goal, Module).
connective(exactly(Goal), Module) :- linear:exactly(Module:Goal).

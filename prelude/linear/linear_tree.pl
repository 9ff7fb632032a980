% Goals whose search tree is drawn while they are run, in programs of library(linear). The machine tells what is
% assumed and used; here goals go through the clauses of the program and through control constructs, so that what
% clauses do in place is told of as well. The machine calls '$tree_part'/2 and '$tree_closure'/2 and more for goals
% of the program that are known at run time only, such as the parts of `Formula -<> Goal` and of findall/3.

:- module(linear_tree, []).

% What the machine calls in the place of goals of the program.
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

% A cut in the goal is for the goal alone.

solved(Goal, Module) :-
    step(Goal, Module, Way),
    ( Way == cut -> !, fail ; true ).

% step(+Goal, +Module, -Way): Way is cut where a cut is gone back over, as in proof_tree.

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
    % It may stand in a clause of the system's own.
    '$inner_module'(Module, Inner),
    call(Inner:Goal),
    '$tree_step'(exited).

% The clauses of a goal that was told of.

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

% renamed(+Term0, -Term): with variables of their own for quantifiers, which bind the names of a clause anew.

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

% Control constructs: which of their branches are taken.

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

% The branch of a condition that holds, after which the other is not tried.

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

% Connectives of library(linear) run as such; the machine has their parts come here.

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

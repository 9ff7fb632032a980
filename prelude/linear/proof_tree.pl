% Proofs of the answers of a small query. A proof shows every goal, the clause that proves it, the bindings of
% that step, and below it the goals of the body.

:- module(proof_tree, [
    proof_tree/4
]).

% The command, goals of Lolli and clauses of programs call these.
:- public((tree_of_proofs/5, proofs/3, proof_apart/5, proof_assumed/2)).

:- use_module(library(lists), [append/3, member/2]).

%% proof_tree(+Text, +Form, +Limit, -Tree)
%
%  Unifies Tree with the proofs of all answers of the query Text. Form is text, svg or html. A node is a goal in
%  its final form. It shows the file and line of the clause that proves it, and the bindings of that step. Below
%  it are the goals of the body. Builtins, predicates of libraries and tabled predicates have nothing below
%  them. Goals of library(linear) have their parts below them. A goal proved by an assumption also shows the
%  linear assumptions that it takes. The tree ends at Limit nodes, and at an exception.

proof_tree(Text, Form, Limit, Tree) :-
    tree_of_proofs(Text, Form, Limit, Tree, _).

% Whole has the same meaning as in the search tree.

tree_of_proofs(Text, Form, Limit, Tree, Whole) :-
    search_tree:tree_check(Form, Limit),
    term_string(Goal, Text, [variable_names(Names)]),
    search_tree:tree_drawn(proof_tree:proofs(Goal, Names, Limit), Form, Text, Tree, Whole).

proofs(Goal, Names, Limit) :-
    State = state(Names, Limit),
    term_variables(Goal, Variables),
    search_tree:tree_named(Variables, Names, Names1),
    search_tree:tree_goals_text([goal(Goal, user, 0)], Names1, Text),
    search_tree:tree_add(0-0, '', goal, Text, State, Root),
    catch(proof_each(Goal, Names1, State, Root-1), Ball, proof_ended(Ball, Root-1, State)),
    (   search_tree:tree_node(_, Root, _, _, _, _)
    ->  true
    ;   search_tree:tree_fails(State, Root-1)
    ).

proof_each(Goal, Names0, State, Place) :-
    State = state(Query, _),
    Place = _-Depth,
    proof_apart(Goal, user, Names0, Names, Proofs),
    search_tree:tree_answer(Query, Names, Answer),
    search_tree:tree_add(Place, '', solution, Answer, State, Number),
    Depth1 is Depth + 1,
    proof_nodes(Proofs, Names, Number-Depth1, State),
    fail.
proof_each(_, _, _, _).

proof_nodes([], _, _, _).
proof_nodes([proof(Goal, Edge, Proofs)|More], Names, Parent-Depth, State) :-
    search_tree:tree_text(Goal, Names, 1000, Text),
    search_tree:tree_add(Parent-Depth, Edge, goal, Text, State, Number),
    Depth1 is Depth + 1,
    proof_nodes(Proofs, Names, Number-Depth1, State),
    proof_nodes(More, Names, Parent-Depth, State).

proof_ended(Ball, Place, State) :-
    (   Ball == '$tree_end'
    ->  throw(Ball)
    ;   nb_setval('$tree_raised', Ball),
        search_tree:tree_raised(Ball, Text),
        search_tree:tree_add(Place, '', exception, Text, State, _)
    ).

% proof(+Goal, +Module, +Names0, -Names, -Proofs, -Way): Way is cut when the search backtracks over a cut. The
% goal to which the cut belongs then fails, whatever alternatives it has.

proof(Goal, Module, Names0, Names, Proofs, go) :-
    var(Goal),
    !,
    proof_call(call(Goal), Module, Names0, Names, Proofs).
proof(true, _, Names, Names, [], Way) :- !, Way = go.
proof(!, _, Names, Names, [], Way) :- !, ( Way = go ; Way = cut ).
proof((A, B), Module, Names0, Names, Proofs, Way) :-
    !,
    proof(A, Module, Names0, Names1, First, Way1),
    proof_then(Way1, B, Module, Names1, Names, First, Proofs, Way).
proof(Module:Goal, _, Names0, Names, Proofs, Way) :-
    atom(Module),
    !,
    proof(Goal, Module, Names0, Names, Proofs, Way).
proof((C -> T ; E), Module, Names0, Names, Proofs, Way) :-
    !,
    (   proof_apart(C, Module, Names0, Names1, First)
    ->  proof_then(go, T, Module, Names1, Names, First, Proofs, Way)
    ;   proof(E, Module, Names0, Names, Proofs, Way)
    ).
proof((C *-> T ; E), Module, Names0, Names, Proofs, Way) :-
    !,
    (   proof_apart(C, Module, Names0, Names1, First)
    *-> proof_then(go, T, Module, Names1, Names, First, Proofs, Way)
    ;   proof(E, Module, Names0, Names, Proofs, Way)
    ).
proof((A ; B), Module, Names0, Names, Proofs, Way) :-
    !,
    (   proof(A, Module, Names0, Names, Proofs, Way)
    ;   proof(B, Module, Names0, Names, Proofs, Way)
    ).
proof((C -> T), Module, Names0, Names, Proofs, Way) :-
    !,
    proof((C -> T ; fail), Module, Names0, Names, Proofs, Way).
proof((C *-> T), Module, Names0, Names, Proofs, Way) :-
    !,
    proof((C *-> T ; fail), Module, Names0, Names, Proofs, Way).
proof(\+ Goal, Module, Names0, Names, Proofs, Way) :-
    !,
    \+ proof_apart(Goal, Module, Names0, _, _),
    Way = go,
    proof_names(Goal, Names0, Names),
    Proofs = [proof(\+ Goal, '', [])].
proof(once(Goal), Module, Names0, Names, Proofs, Way) :-
    !,
    Way = go,
    once(proof_apart(Goal, Module, Names0, Names, Proofs)).
proof(ignore(Goal), Module, Names0, Names, Proofs, Way) :-
    !,
    Way = go,
    ( proof_apart(Goal, Module, Names0, Names, Proofs) -> true ; Names = Names0, Proofs = [] ).
proof(Goal, Module, Names0, Names, Proofs, Way) :-
    proof_linear(Goal),
    predicate_property(Module:Goal, imported_from(linear)),
    !,
    Way = go,
    Proofs = [proof(Goal, '', Below)],
    proof_of_linear(Goal, Module, Names0, Names, Below).
proof(Goal, Module, Names0, Names, Proofs, go) :-
    (   proof_called(Goal, Called)
    ->  proof_apart(Called, Module, Names0, Names, Proofs)
    ;   proof_is_assumed(Goal)
    ->  proof_by_assumption(Goal, Module, Names0, Names, Proofs)
    ;   predicate_property(Module:Goal, tabled)
    ->  proof_call(Goal, Module, Names0, Names, [proof(_, Edge0, _)]),
        ( Edge0 == '' -> Edge = tabled ; atom_concat('tabled, ', Edge0, Edge) ),
        Proofs = [proof(Goal, Edge, [])]
    ;   search_tree:tree_is_followed(Module, Goal)
    ->  proof_by_clauses(Goal, Module, Names0, Names, Proofs)
    ;   proof_call(Goal, Module, Names0, Names, Proofs)
    ).

% Proves the second of two goals.

proof_then(cut, _, _, Names, Names, _, [], cut).
proof_then(go, Goal, Module, Names0, Names, First, Proofs, Way) :-
    proof(Goal, Module, Names0, Names, Rest, Way),
    append(First, Rest, Proofs).

% Proves a goal whose cuts are local to it.

proof_apart(Goal, Module, Names0, Names, Proofs) :-
    proof(Goal, Module, Names0, Names, Proofs, Way),
    ( Way == cut -> !, fail ; true ).

% Unifies Called with the goal that call/N calls, if it is known.

proof_called(Goal, Called) :-
    Goal =.. [call,Closure|More],
    callable(Closure),
    proof_extended(Closure, More, Called).

proof_extended(Module:Closure, More, Module:Called) :-
    !,
    callable(Closure),
    proof_extended(Closure, More, Called).
proof_extended(Closure, More, Called) :-
    Closure =.. Parts0,
    append(Parts0, More, Parts),
    Called =.. Parts.

proof_by_clauses(Goal, Module, Names0, Names, [proof(Goal, Edge, Proofs)]) :-
    search_tree:tree_unbound(Names0, Unbound),
    search_tree:tree_home(Goal, Module, Goal1, Home),
    findall(Reference, clause(Home:Goal1, _, Reference), References),
    member(Reference, References),
    clause(Home:Goal1, Body0, Reference),
    linear_tree:renamed(Body0, Body),
    search_tree:tree_place(Reference, Place),
    proof_names(Goal-Body, Names0, Names1),
    search_tree:tree_bindings(Unbound, Names1, Bindings),
    atomic_list_concat([Place|Bindings], ', ', Edge),
    proof(Body, Home, Names1, Names, Proofs, Way),
    ( Way == cut -> !, fail ; true ).

proof_call(Goal, Module, Names0, Names, [proof(Goal, Edge, [])]) :-
    search_tree:tree_unbound(Names0, Unbound),
    call(Module:Goal),
    proof_names(Goal, Names0, Names),
    search_tree:tree_bindings(Unbound, Names, Bindings),
    atomic_list_concat(Bindings, ', ', Edge).

proof_names(Term, Names0, Names) :-
    term_variables(Term, Variables),
    search_tree:tree_named(Variables, Names0, Names).

% Runs goals of library(linear) as they are, with inner goals that prove their parts. So assumptions are made
% and used up as usual.

proof_linear('-<>'(_, _)).
proof_linear('-o'(_, _)).
proof_linear('⊸'(_, _)).
proof_linear('=>'(_, _)).
proof_linear('&'(_, _)).
proof_linear({_}).
proof_linear(forall(_)).
proof_linear(exists(_)).
proof_linear(guard(_, _, _)).
proof_linear(exactly(_)).

proof_of_linear('-<>'(Formula, Goal), Module, Names0, Names, Below) :-
    proof_assuming(Formula, Goal, Module, Names0, Names, Below, '-o').
proof_of_linear('-o'(Formula, Goal), Module, Names0, Names, Below) :-
    proof_assuming(Formula, Goal, Module, Names0, Names, Below, '-o').
proof_of_linear('⊸'(Formula, Goal), Module, Names0, Names, Below) :-
    proof_assuming(Formula, Goal, Module, Names0, Names, Below, '-o').
proof_of_linear('=>'(Formula, Goal), Module, Names0, Names, Below) :-
    proof_assuming(Formula, Goal, Module, Names0, Names, Below, '=>').
proof_of_linear('&'(A, B), Module, Names0, Names, Below) :-
    linear:'&'(proof_tree:proof_apart(A, Module, Names0, Names1, First),
               proof_tree:proof_apart(B, Module, Names1, Names, Rest)),
    append(First, Rest, Below).
proof_of_linear({Goal}, Module, Names0, Names, Below) :-
    linear:{proof_tree:proof_apart(Goal, Module, Names0, Names, Below)}.
proof_of_linear(forall(Quantified), Module, Names0, Names, Below) :-
    '$open_universal'(Module:Quantified, First, Last, Outer, Goal),
    proof_apart(Goal, Module, Names0, Names, Below),
    '$eigenvariables_free'(First, Last, Outer).
proof_of_linear(exists(Quantified), Module, Names0, Names, Below) :-
    '$open_existential'(Module:Quantified, Goal),
    proof_apart(Goal, Module, Names0, Names, Below).
proof_of_linear(guard(C, T, E), Module, Names0, Names, Below) :-
    proof((C -> T ; E), Module, Names0, Names, Below, Way),
    ( Way == cut -> !, fail ; true ).
proof_of_linear(exactly(Goal), Module, Names0, Names, Below) :-
    proof_apart(Goal, Module, Names0, Names, Below),
    '$all_used'.

proof_assuming(Formula0, Goal, Module, Names0, Names, Below, Connective) :-
    proof_names(Formula0, Names0, Names1),
    proof_assumable(Formula0, Module, Formula),
    Assuming =.. [Connective,Module:Formula,proof_tree:proof_apart(Goal, Module, Names1, Names, Below)],
    call(linear:Assuming).

% Makes bodies of assumed clauses run here, too.

proof_assumable(Formula, _, Formula) :- var(Formula), !.
proof_assumable((A, B), Module, (C, D)) :-
    !,
    proof_assumable(A, Module, C),
    proof_assumable(B, Module, D).
proof_assumable('&'(A, B), Module, '&'(C, D)) :-
    !,
    proof_assumable(A, Module, C),
    proof_assumable(B, Module, D).
proof_assumable(forall('\\'(X, A)), Module, forall('\\'(X, B))) :- !, proof_assumable(A, Module, B).
proof_assumable((Head :- Body), Module, (Head :- proof_tree:proof_assumed(Body, Module))) :- !.
proof_assumable(Formula, _, Formula).

proof_assumed(Body, Module) :-
    b_getval('$proof_within', Names0-Newest),
    '$unused'(Newest, Left),
    proof_apart(Body, Module, Names0, Names, Below),
    b_setval('$proof_below', below(Names, Below, Left)).

% True if an assumption may prove the goal.

proof_is_assumed(Goal) :-
    functor(Goal, Name, Arity),
    '$live_context'(1000, Items, _),
    member(Assumption-_-_, Items),
    arg(1, Assumption, Formula),
    proof_is_about(Formula, Name, Arity),
    !.

proof_is_about(Formula, _, _) :- var(Formula), !, fail.
proof_is_about(_:Formula, Name, Arity) :- !, proof_is_about(Formula, Name, Arity).
proof_is_about((A, B), Name, Arity) :- !, ( proof_is_about(A, Name, Arity) ; proof_is_about(B, Name, Arity) ).
proof_is_about('&'(A, B), Name, Arity) :- !, ( proof_is_about(A, Name, Arity) ; proof_is_about(B, Name, Arity) ).
proof_is_about(forall('\\'(_, A)), Name, Arity) :- !, proof_is_about(A, Name, Arity).
proof_is_about((Head :- _), Name, Arity) :- !, proof_is_about(Head, Name, Arity).
proof_is_about('<='(Head, _), Name, Arity) :- !, proof_is_about(Head, Name, Arity).
proof_is_about('-<>'(_, Head), Name, Arity) :- !, proof_is_about(Head, Name, Arity).
proof_is_about('=>'(_, Head), Name, Arity) :- !, proof_is_about(Head, Name, Arity).
proof_is_about('$clauses'(_, Head), Name, Arity) :- !, proof_is_about(Head, Name, Arity).
proof_is_about(Head, Name, Arity) :- functor(Head, Name, Arity).

proof_by_assumption(Goal, Module, Names0, Names, [proof(Goal, Edge, Below)]) :-
    search_tree:tree_unbound(Names0, Unbound),
    '$newest_assumption'(Newest),
    '$unused'(Newest, Before),
    b_setval('$proof_within', Names0-Newest),
    b_setval('$proof_below', none),
    call(Module:Goal),
    b_getval('$proof_below', Found),
    (   Found = below(Names1, Below, Left)
    ->  true
    ;   Names1 = Names0,
        Below = [],
        '$unused'(Newest, Left)
    ),
    proof_names(Goal, Names1, Names),
    proof_taken(Before, Left, Taken),
    proof_takes(Taken, Names, Takes),
    search_tree:tree_bindings(Unbound, Names, Bindings),
    append(Takes, Bindings, Parts),
    atomic_list_concat(Parts, ', ', Edge).

% Unifies Taken with the formulas that are no longer left.

proof_taken([], _, []).
proof_taken([Formula|Before], Left, Taken) :-
    (   append(First, [Same|Last], Left),
        Same == Formula
    ->  append(First, Last, Left1),
        Taken = Taken1
    ;   Left1 = Left,
        Taken = [Formula|Taken1]
    ),
    proof_taken(Before, Left1, Taken1).

proof_takes([], _, []).
proof_takes([_:Formula0|Taken], Names, [Take|Takes]) :-
    proof_plain(Formula0, Formula),
    search_tree:tree_text(Formula, Names, 999, Text),
    atom_concat('takes ', Text, Take),
    proof_takes(Taken, Names, Takes).

% Restores a formula as it was assumed.

proof_plain(Formula, Formula) :- var(Formula), !.
proof_plain((Head :- Body0), (Head :- Body)) :-
    nonvar(Body0),
    Body0 = proof_tree:proof_assumed(Body, _),
    !.
proof_plain('&'(A, B), '&'(C, D)) :- !, proof_plain(A, C), proof_plain(B, D).
proof_plain(forall('\\'(X, A)), forall('\\'(X, B))) :- !, proof_plain(A, B).
proof_plain(Formula, Formula).

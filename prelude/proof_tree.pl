% The proofs of the answers of a small query: every goal, the clause that proves it, what that has bound, and below
% it the goals of its body.

:- module(proof_tree, [
    proof_tree/4
]).

:- use_module(library(lists), [append/3, member/2]).

%% proof_tree(+Text, +Form, +Limit, -Tree)
%
%  Tree tells of each answer of the query that Text is how it is proved, as text, svg or html (Form): a node is
%  a goal as it is in the end, with the clause that proves it, by file and line, and what that has bound; below
%  it are the goals of the body. Builtins and predicates of libraries have nothing below them. The tree ends at
%  Limit nodes, and where an exception is raised.

proof_tree(Text, Form, Limit, Tree) :-
    tree_of_proofs(Text, Form, Limit, Tree, _).

% Whole is as that of the search tree.

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

% proof(+Goal, +Module, +Names0, -Names, -Proofs, -Way): Way is cut where a cut is gone back over: whoever it was
% for then fails, whatever else there is.

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
proof(Goal, Module, Names0, Names, Proofs, go) :-
    (   proof_called(Goal, Called)
    ->  proof_apart(Called, Module, Names0, Names, Proofs)
    ;   search_tree:tree_is_followed(Module, Goal)
    ->  proof_by_clauses(Goal, Module, Names0, Names, Proofs)
    ;   proof_call(Goal, Module, Names0, Names, Proofs)
    ).

% What comes after the first of two goals.

proof_then(cut, _, _, Names, Names, _, [], cut).
proof_then(go, Goal, Module, Names0, Names, First, Proofs, Way) :-
    proof(Goal, Module, Names0, Names, Rest, Way),
    append(First, Rest, Proofs).

% A cut in the goal is for the goal alone.

proof_apart(Goal, Module, Names0, Names, Proofs) :-
    proof(Goal, Module, Names0, Names, Proofs, Way),
    ( Way == cut -> !, fail ; true ).

% The goal that call/N calls, if it is known.

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
    clause(Home:Goal1, Body, Reference),
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

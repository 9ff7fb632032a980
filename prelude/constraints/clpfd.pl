% Constraints over integers, with the interface of SWI-Prolog's library of this name. Domains, propagation and
% labeling are builtins of the system ('$fd_…'); this file has the predicates that programs call. Long because a
% module has all names.

:- module(clpfd, [
    op(760, yfx, #<==>), op(750, xfy, #==>), op(750, yfx, #<==), op(740, yfx, #\/),
    op(730, yfx, #\), op(720, yfx, #/\), op(710, fy, #\),
    op(700, xfx, #>), op(700, xfx, #<), op(700, xfx, #>=), op(700, xfx, #=<),
    op(700, xfx, #=), op(700, xfx, #\=), op(700, xfx, in), op(700, xfx, ins),
    op(700, xfx, in_set), op(450, xfx, ..),
    (#=)/2, (#\=)/2, (#<)/2, (#>)/2, (#=<)/2, (#>=)/2,
    (#\)/1, (#<==>)/2, (#==>)/2, (#<==)/2, (#\/)/2, (#\)/2, (#/\)/2,
    (in)/2, (ins)/2,
    all_different/1, all_distinct/1, sum/3, scalar_product/4, chain/2,
    element/3, tuples_in/2, automaton/3, automaton/8, global_cardinality/2, global_cardinality/3,
    circuit/1, cumulative/1, cumulative/2, serialized/2, disjoint2/1, lex_chain/1, zcompare/3,
    label/1, labeling/2, indomain/1,
    fd_var/1, fd_inf/2, fd_sup/2, fd_size/2, fd_dom/2, fd_degree/2,
    fd_set/2, in_set/2, is_fdset/1, empty_fdset/1, empty_interval/2, fdset_parts/4, fdset_interval/3,
    fdset_singleton/2, fdset_min/2, fdset_max/2, fdset_size/2, list_to_fdset/2, fdset_to_list/2,
    range_to_fdset/2, fdset_to_range/2, fdset_add_element/3, fdset_del_element/3, fdset_disjoint/2,
    fdset_intersect/2, fdset_intersection/3, fdset_member/2, fdset_eq/2, fdset_subset/2,
    fdset_subtract/3, fdset_union/2, fdset_union/3, fdset_complement/2,
    transpose/2
]).

:- public((attribute_goals/3)).

% The compiler translates the goals in the bodies of these relations to instructions, so they are no calls.

%% #=(?Left, ?Right)
%
%  Constrains the expressions to the same value. Expressions are integers, variables, #(Variable), and + - * //
%  div mod rem rdiv abs min max ^ of expressions. Goals with << >> /\ \/ xor \ msb lsb popcount wait until the
%  arguments of these are known. library(clpz) also has / and sign.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- 3 #= X + 2.
%  X = 1.

'#='(Left, Right) :- '#='(Left, Right).

%% #\=(?Left, ?Right)
%
%  Constrains the expressions to different values.

'#\\='(Left, Right) :- '#\\='(Left, Right).

%% #<(?Left, ?Right)
%
%  Constrains the value of Left to be less than the value of Right.

'#<'(Left, Right) :- '#<'(Left, Right).

%% #>(?Left, ?Right)
%
%  Constrains the value of Left to be greater than the value of Right.

'#>'(Left, Right) :- '#>'(Left, Right).

%% #=<(?Left, ?Right)
%
%  Constrains the value of Left to be at most the value of Right.

'#=<'(Left, Right) :- '#=<'(Left, Right).

%% #>=(?Left, ?Right)
%
%  Constrains the value of Left to be at least the value of Right.

'#>='(Left, Right) :- '#>='(Left, Right).

%% #\(?P)
%
%  True if the constraint P does not hold.

'#\\'(P) :- '$fd_formula'('#\\'(P)).

%% #<==>(?P, ?Q)
%
%  True if P and Q are equivalent. Both are constraints, or variables that are 1 for true and 0 for false.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- X #> 3 #<==> B, X = 5.
%  X = 5,
%  B = 1.

'#<==>'(P, Q) :- '$fd_formula'('#<==>'(P, Q)).

%% #==>(?P, ?Q)
%
%  True if P implies Q.

'#==>'(P, Q) :- '$fd_formula'('#==>'(P, Q)).

%% #<==(?P, ?Q)
%
%  True if Q implies P.

'#<=='(P, Q) :- '$fd_formula'('#<=='(P, Q)).

%% #\/(?P, ?Q)
%
%  True if P or Q holds.

'#\\/'(P, Q) :- '$fd_formula'('#\\/'(P, Q)).

%% #\(?P, ?Q)
%
%  True if exactly one of P and Q holds.

'#\\'(P, Q) :- '$fd_formula'('#\\'(P, Q)).

%% #/\(?P, ?Q)
%
%  True if P and Q hold.

'#/\\'(P, Q) :- '$fd_formula'('#/\\'(P, Q)).

%% in(?X, +Domain)
%
%  Constrains X to the integers of Domain: an integer, Low..High, or Domain \/ Domain. Low may be inf, High sup.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- X in 1..5 \/ 9, X #> 4.
%  X in 5\/9.

in(X, Domain) :- '$fd_in'(X, Domain).

%% ins(+Xs, +Domain)
%
%  Constrains all elements of the list Xs to Domain.

ins(Xs, Domain) :- '$fd_ins'(Xs, Domain).

%% all_different(+Xs)
%
%  Constrains the elements of the list Xs to be pairwise different. Propagation removes known values from the
%  other domains.

all_different(Xs) :- '$fd_all_different'(Xs).

%% all_distinct(+Xs)
%
%  Constrains the elements of the list Xs to be pairwise different, with the strongest propagation: every
%  remaining value is part of a solution of this constraint.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- X in 1..2, Y in 1..2, Z in 1..3, all_distinct([X,Y,Z]).
%  Z = 3,
%  X in 1..2,
%  all_distinct([X, Y, 3]),
%  Y in 1..2.

all_distinct(Xs) :- '$fd_all_distinct'(Xs).

%% sum(+Xs, +Relation, ?Value)
%
%  Constrains the sum of the list Xs to be in Relation to Value: #=, #\=, #<, #>, #=< or #>=.

sum(Xs, Relation, Value) :- '$fd_sum'(Xs, Relation, Value).

%% scalar_product(+Cs, +Xs, +Relation, ?Value)
%
%  Constrains the sum of the products of the integers Cs and the elements of Xs to be in Relation to Value.

scalar_product(Cs, Xs, Relation, Value) :- '$fd_scalar_product'(Cs, Xs, Relation, Value).

%% chain(+Xs, +Relation)
%
%  Constrains each element of the list Xs to be in Relation to the next: #=, #<, #=<, #> or #>=.

chain(Xs, Relation) :-
    fd_list(Xs),
    (   var(Relation)
    ->  throw(error(instantiation_error, _))
    ;   fd_chain_relation(Relation)
    ->  '$fd_ins'(Xs, '..'(inf, sup)),
        fd_chain(Xs, Relation)
    ;   throw(error(domain_error(chain_relation, Relation), _))
    ).

fd_chain_relation(#=).
fd_chain_relation(#<).
fd_chain_relation(#=<).
fd_chain_relation(#>).
fd_chain_relation(#>=).

fd_chain([], _).
fd_chain([X|Xs], Relation) :-
    fd_chain(Xs, X, Relation).

fd_chain([], _, _).
fd_chain([Y|Ys], X, Relation) :-
    '$fd_relation'(Relation, X, Y),
    fd_chain(Ys, Y, Relation).

%% element(?N, +Xs, ?V)
%
%  Constrains element number N of the list Xs, counted from 1, to be V.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- element(I, [10,20,30], 20).
%  I = 2.

element(N, Xs, V) :- '$fd_element'(N, Xs, V).

%% tuples_in(+Tuples, +Relation)
%
%  Constrains every element of Tuples, a list of lists, to be an element of Relation, a list of lists of
%  integers. Every remaining value is part of a solution for its tuple. The constraint can be reified.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- tuples_in([[X,Y]], [[1,2],[2,4],[3,2]]), Y #< 4.
%  Y = 2,
%  X in 1\/3.

tuples_in(Tuples, Relation) :-
    fd_matrix(Tuples, list(list)),
    fd_matrix(Relation, list(list(integer))),
    '$fd_tuples'(Tuples, Relation).

% Raises a type error of this type if the argument is no list of lists.

fd_matrix(Matrix, Type) :-
    (   is_list(Matrix),
        \+ ( member(Row, Matrix), \+ is_list(Row) )
    ->  true
    ;   must_be(Type, Matrix)
    ).

%% automaton(+Xs, +Nodes, +Arcs)
%
%  True if a finite automaton accepts the list Xs. Nodes is a list of source(Node) and sink(Node). Arcs is a
%  list of arc(Node, Integer, Node). Every remaining value is part of a solution of this constraint.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- length(Xs, 3), automaton(Xs, [source(a),sink(b)], [arc(a,0,a),arc(a,1,b),arc(b,0,b)]), label(Xs).
%  Xs = [0, 0, 1] ;
%  Xs = [0, 1, 0] ;
%  Xs = [1, 0, 0].

automaton(Xs, Nodes, Arcs) :- automaton(_, _, Xs, Nodes, Arcs, [], [], _).

%% automaton(+Sequence, ?Template, +Signature, +Nodes, +Arcs, +Counters, +Initials, ?Finals)
%
%  True if the automaton accepts the list Signature. Counters is a list of variables. Initials has their values
%  at the beginning, Finals their values at the end. arc(Node, Integer, Node, Expressions) gives the next values
%  of the counters; arc/3 does not change them. Expressions contain counters and variables of Template, which is
%  an element of the list Sequence.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- Xs = [A,B,C], automaton(Xs, _, Xs, [source(s),sink(s)], [arc(s,0,s),arc(s,1,s,[N+1])], [N], [0], [3]).
%  Xs = [1, 1, 1],
%  A = B, B = C, C = 1.

automaton(Sequence, Template, Signature, Nodes, Arcs, Counters, Initials, Finals) :-
    fd_lists([Signature, Nodes, Arcs, Counters, Initials]),
    (   var(Sequence)
    ->  Sequence = Signature
    ;   fd_list(Sequence)
    ),
    '$fd_ins'(Signature, '..'(inf, sup)),
    fd_arcs(Arcs, Counters, Full, Numbers, Numbers1),
    fd_ends(Nodes, Sources, Sinks, Numbers1),
    keysort(Numbers, Sorted),
    fd_number(Sorted, 0),
    (   Counters == []
    ->  (   Signature == []
        ->  Finals = Initials
        ;   Finals = []
        ),
        same_length(Sequence, Signature),
        fd_plain(Full, Plain),
        '$fd_automaton'(Signature, Plain, Sources, Sinks, automaton(Nodes, Arcs))
    ;   fd_same_expressions(Counters, Expressions0),
        fd_rows(Full, Rows, Expressions0, Expressions),
        Step = step(Template, Counters, Expressions),
        fd_steps(Signature, Sequence, Step, Start, End, Initials, Finals, Tuples),
        fd_one_of(Sources, Start),
        fd_one_of(Sinks, End),
        '$fd_tuples'(Tuples, Rows)
    ).

% Replaces the nodes of arcs by numbers. fd_number numbers them when all nodes are known.

fd_arcs([], _, [], Numbers, Numbers).
fd_arcs([Arc|Arcs], Counters, [arc(From, Label, To, Es)|Rest], [A-From, B-To|Numbers0], Numbers) :-
    fd_arc(Arc, Counters, A, Label, B, Es),
    fd_arcs(Arcs, Counters, Rest, Numbers0, Numbers).

fd_arc(arc(A, Label, B), Counters, A, Label, B, Counters).
fd_arc(arc(A, Label, B, Es), _, A, Label, B, Es).

fd_ends([], [], [], []).
fd_ends([Node|Nodes], Sources0, Sinks0, Numbers0) :-
    (   nonvar(Node),
        Node = source(Name)
    ->  Sources0 = [Number|Sources],
        Sinks0 = Sinks,
        Numbers0 = [Name-Number|Numbers]
    ;   nonvar(Node),
        Node = sink(Name)
    ->  Sources0 = Sources,
        Sinks0 = [Number|Sinks],
        Numbers0 = [Name-Number|Numbers]
    ;   Sources0 = Sources,
        Sinks0 = Sinks,
        Numbers0 = Numbers
    ),
    fd_ends(Nodes, Sources, Sinks, Numbers).

fd_number([], _).
fd_number([Node-Number|Rest], Number) :- fd_number(Rest, Node, Number).

fd_number([], _, _).
fd_number([Node-Number|Rest], Before, Last) :-
    (   Node == Before
    ->  Number = Last
    ;   Number is Last + 1
    ),
    fd_number(Rest, Node, Number).

fd_plain([], []).
fd_plain([arc(From, Label, To, [])|Arcs], [From, Label, To|Plain]) :- fd_plain(Arcs, Plain).

fd_one_of(Numbers, X) :-
    findall([Number], member(Number, Numbers), Rows),
    '$fd_tuples'([[X]], Rows).

% Represents every arc with counters as a row. The row has the nodes, the label and, for each counter, the
% number of the expression of its next value. A list for each counter collects its different expressions.

fd_same_expressions([], []).
fd_same_expressions([_|Counters], [[]|Expressions]) :- fd_same_expressions(Counters, Expressions).

fd_rows([], [], Expressions, Expressions).
fd_rows([arc(From, Label, To, Es)|Arcs], [[From, Label, To|Numbers]|Rows], Expressions0, Expressions) :-
    fd_choices(Es, Numbers, Expressions0, Expressions1),
    fd_rows(Arcs, Rows, Expressions1, Expressions).

fd_choices([], [], [], []).
fd_choices([E|Es], [Number|Numbers], [Known0|Rest0], [Known|Rest]) :-
    fd_choice(Known0, E, 1, Number, Known),
    fd_choices(Es, Numbers, Rest0, Rest).

fd_choice([], E, Number, Number, [E]).
fd_choice([K|Ks], E, Number0, Number, [K|Rest]) :-
    (   K == E
    ->  Number = Number0,
        Rest = Ks
    ;   Number1 is Number0 + 1,
        fd_choice(Ks, E, Number1, Number, Rest)
    ).

fd_steps([], [], _, Node, Node, Counters, Counters, []).
fd_steps([X|Xs], [Element|Elements], Step, Node0, Node, Counters0, Counters, [[Node0, X, Node1|Choices]|Tuples]) :-
    Step = step(Template, Names, Expressions),
    term_variables(Template-Names, Known),
    copy_term(Template-Names-Expressions, Element-Counters0-Choosable),
    fd_check_known(Expressions, Known),
    fd_next(Choosable, Choices, Counters1),
    fd_steps(Xs, Elements, Step, Node1, Node, Counters1, Counters, Tuples).

fd_check_known(Expressions, Known) :-
    term_variables(Expressions, Variables),
    (   member(Variable, Variables),
        \+ ( member(Other, Known), Other == Variable )
    ->  throw(error(domain_error(variable_from_template_or_counters, Variable), _))
    ;   true
    ).

fd_next([], [], []).
fd_next([Expressions|Rest], [Choice|Choices], [Counter|Counters]) :-
    fd_values(Expressions, Values),
    '$fd_element'(Choice, Values, Counter),
    fd_next(Rest, Choices, Counters).

fd_values([], []).
fd_values([E|Es], [V|Vs]) :-
    (   var(E)
    ->  V = E
    ;   '$fd_relation'(#=, V, E)
    ),
    fd_values(Es, Vs).

fd_lists([]).
fd_lists([List|Lists]) :-
    fd_list(List),
    fd_lists(Lists).

%% global_cardinality(+Xs, +Pairs)
%
%  Counts like global_cardinality(Xs, Pairs, []).

global_cardinality(Xs, Pairs) :- global_cardinality(Xs, Pairs, []).

%% global_cardinality(+Xs, +Pairs, +Options)
%
%  Constrains how often integers occur in the list Xs. Pairs is a list of Key-Count with different integers as
%  keys. Every element of Xs is a key, and each key occurs Count times. Options: consistency(value) propagates
%  less, but faster. cost(Cost, Matrix) makes Cost the sum of the costs of all elements. Matrix has a row for
%  every element, with an integer for every key.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- Xs = [X,Y,Z], global_cardinality(Xs, [1-2,3-N]), X = 3.
%  Xs = [3, 1, 1],
%  X = 3,
%  Y = Z, Z = N, N = 1.

global_cardinality(Xs, Pairs, Options) :-
    fd_lists([Xs, Pairs, Options]),
    '$fd_ins'(Xs, '..'(inf, sup)),
    fd_pairs(Pairs, Keys, Counts),
    sort(Keys, Different),
    (   same_length(Keys, Different)
    ->  true
    ;   throw(error(domain_error(gcc_unique_key_pairs, Pairs), _))
    ),
    (   member(Option, Options),
        Option == consistency(value)
    ->  Flow = 0,
        Shown = options(Pairs, [consistency(value)])
    ;   Flow = 1,
        Shown = Pairs
    ),
    '$fd_cardinality'(Xs, Keys, Counts, Shown, Flow),
    (   member(Cost, Options),
        nonvar(Cost),
        Cost = cost(Total, Matrix)
    ->  must_be(list(list(integer)), Matrix),
        fd_costs(Xs, Matrix, Keys, Costs),
        '$fd_sum'(Costs, #=, Total)
    ;   true
    ).

fd_pairs([], [], []).
fd_pairs([Pair|Pairs], [Key|Keys], [Count|Counts]) :-
    (   Pair = Key-Count
    ->  must_be(integer, Key),
        '$fd_in'(Count, '..'(inf, sup))
    ;   throw(error(domain_error(gcc_pair, Pair), _))
    ),
    fd_pairs(Pairs, Keys, Counts).

fd_costs([], [], _, []).
fd_costs([X|Xs], [Row|Rows], Keys, [Cost|Costs]) :-
    fd_priced(Keys, Row, Relation),
    '$fd_tuples'([[X, Cost]], Relation),
    fd_costs(Xs, Rows, Keys, Costs).

fd_priced([], _, []).
fd_priced([Key|Keys], Row, Relation) :-
    (   Row = [Cost|Costs]
    ->  Relation = [[Key, Cost]|Rest],
        fd_priced(Keys, Costs, Rest)
    ;   Relation = []
    ).

%% circuit(+Xs)
%
%  Constrains the list Xs to describe a circuit. Element number N of Xs is the number of the node after node N.
%  The path from a node leads through all others back to it.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- circuit([X,Y,Z]), X = 3.
%  X = 3,
%  Y = 1,
%  Z = 2.

circuit(Xs) :- '$fd_circuit'(Xs).

%% cumulative(+Tasks)
%
%  Constrains Tasks like cumulative(Tasks, [limit(1)]).

cumulative(Tasks) :- cumulative(Tasks, []).

%% cumulative(+Tasks, +Options)
%
%  Constrains tasks that share a resource: tasks that run at the same time together need at most the limit. The
%  limit is 1, or L with the option limit(L). Each task is task(Start, Duration, End, Need, Name) and runs from
%  Start up to, but not including, End. Durations are positive, needs are not negative, and Name is any term.
%  Starts, durations, ends and a variable limit must have bounds before the call.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- [A,B] ins 0..3, cumulative([task(A,2,_,2,a), task(B,3,_,1,b)], [limit(2)]), A #< B, label([A,B]).
%  A = 0,
%  B = 2 ;
%  A = 0,
%  B = 3 ;
%  A = 1,
%  B = 3.

cumulative(Tasks, Options) :-
    fd_list(Tasks),
    fd_list(Options),
    fd_limit(Options, Limit),
    (   Tasks == []
    ->  true
    ;   fd_tasks(Tasks, Starts, Durations, Ends, Needs, Names),
        '$fd_cumulative'(Starts, Durations, Ends, Needs, Limit, Names)
    ).

fd_limit([], 1) :- !.
fd_limit([Option], Limit) :-
    nonvar(Option),
    Option = limit(Limit),
    !,
    '$fd_sup'(Limit, High),
    fd_bounded(High).
fd_limit(Options, _) :- throw(error(domain_error(cumulative_options_empty_or_limit, Options), _)).

fd_tasks([], [], [], [], [], []).
fd_tasks([Task|Tasks], [S|Ss], [D|Ds], [E|Es], [C|Cs], [Name|Names]) :-
    Task = task(S, D, E, C, Name),
    '$fd_in'(D, '..'(1, sup)),
    '$fd_in'(C, '..'(0, sup)),
    '$fd_ins'([S,E], '..'(inf, sup)),
    '$fd_relation'('#=', E, S + D),
    '$fd_inf'(S, Low),
    '$fd_sup'(E, High),
    '$fd_sup'(D, Longest),
    '$fd_inf'(E, First),
    '$fd_sup'(S, Last),
    fd_bounded(Low),
    fd_bounded(High),
    fd_bounded(Longest),
    fd_bounded(First),
    fd_bounded(Last),
    fd_tasks(Tasks, Ss, Ds, Es, Cs, Names).

fd_bounded(Bound) :-
    (   integer(Bound)
    ->  true
    ;   throw(error(instantiation_error, _))
    ).

%% serialized(+Starts, +Durations)
%
%  Constrains tasks so that no two run at the same time. Starts is the list of their starts, Durations the list
%  of their durations, integers that are not negative.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- [A,B] ins 0..3, serialized([A,B], [2,3]).
%  A in 0..3,
%  serialized([A, B], [2, 3]),
%  B in 0..3.

serialized(Starts, Durations) :-
    must_be(list(integer), Durations),
    fd_starts(Durations, Starts),
    '$fd_serialized'(Starts, Durations).

fd_starts([], []).
fd_starts([Duration|Durations], [_|Starts]) :-
    Duration >= 0,
    fd_starts(Durations, Starts).

%% disjoint2(+Rectangles)
%
%  Constrains rectangles so that no two overlap. Each rectangle is a compound term F(X, Width, Y, Height) with
%  any name F.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- X in 0..3, disjoint2([r(X,2,0,2), r(1,2,1,2)]).
%  X = 3.

disjoint2(Rectangles) :-
    fd_list(Rectangles),
    fd_rectangles(Rectangles, Xs, Widths, Ys, Heights, Names),
    '$fd_disjoint'(Xs, Widths, Ys, Heights, Names).

fd_rectangles([], [], [], [], [], []).
fd_rectangles([Rectangle|Rectangles], [X|Xs], [W|Ws], [Y|Ys], [H|Hs], [Name|Names]) :-
    Rectangle =.. [Name, X, W, Y, H],
    fd_rectangles(Rectangles, Xs, Ws, Ys, Hs, Names).

%% lex_chain(+Lists)
%
%  Constrains each list to be not greater than the next in lexicographic order: the first elements that differ
%  decide.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- [A,B] ins 0..1, lex_chain([[A,B], [0,0]]).
%  A = B, B = 0.

lex_chain(Lists) :-
    must_be(list(list), Lists),
    fd_variables(Lists),
    fd_lex_chain(Lists).

fd_variables([]).
fd_variables([Xs|Lists]) :-
    '$fd_ins'(Xs, '..'(inf, sup)),
    fd_variables(Lists).

fd_lex_chain([]).
fd_lex_chain([Xs|Lists]) :- fd_lex_chain(Lists, Xs).

fd_lex_chain([], _).
fd_lex_chain([Ys|Lists], Xs) :-
    '$fd_lexicographic'(Xs, Ys),
    fd_lex_chain(Lists, Ys).

%% zcompare(?Order, ?A, ?B)
%
%  True if Order is <, = or >, the order of the integer A relative to the integer B. Clauses with Order as first
%  argument are indexed by it.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- A in 0..3, zcompare(Order, A, 5).
%  Order = (<),
%  A in 0..3.

zcompare(Order, A, B) :-
    (   nonvar(Order)
    ->  fd_compared(Order, A, B)
    ;   fd_order(Order, [compared(A, B)]),
        '$fd_ins'([A,B], '..'(inf, sup)),
        '$fd_compared'(Order, A, B)
    ).

fd_compared(Order, A, B) :-
    fd_order_relation(Order, Relation),
    '$fd_ins'([A,B], '..'(inf, sup)),
    '$fd_relation'(Relation, A, B).

fd_order_relation(=, #=).
fd_order_relation(<, #<).
fd_order_relation(>, #>).

% Stores the compared integers as an attribute of the unbound Order.

fd_order(Order, Compared) :-
    (   get_attr(Order, '$fd_order', Before)
    ->  '$append'(Before, Compared, All)
    ;   All = Compared
    ),
    put_attr(Order, '$fd_order', All).

'$fd_order':attr_unify_hook(Compared, Order) :- clpfd:fd_ordered(Order, Compared).

'$fd_order':attribute_goals(Order, Goals0, Goals) :-
    get_attr(Order, '$fd_order', Compared),
    clpfd:fd_order_goals(Compared, Order, Goals0, Goals).

fd_ordered(Order, Compared) :-
    (   var(Order)
    ->  fd_order(Order, Compared)
    ;   fd_all_compared(Compared, Order)
    ).

fd_all_compared([], _).
fd_all_compared([compared(A, B)|Compared], Order) :-
    fd_compared(Order, A, B),
    fd_all_compared(Compared, Order).

fd_order_goals([], _, Goals, Goals).
fd_order_goals([compared(A, B)|Compared], Order, [clpfd:zcompare(Order, A, B)|Goals0], Goals) :-
    fd_order_goals(Compared, Order, Goals0, Goals).

fd_list(List) :-
    (   is_list(List)
    ->  true
    ;   '$skip_list'(List, End),
        (   var(End)
        ->  throw(error(instantiation_error, _))
        ;   throw(error(type_error(list, List), _))
        )
    ).

%% indomain(?X)
%
%  Binds X to a value of its finite domain. Enumerates the values in ascending order on backtracking.

indomain(X) :- label([X]).

%% label(+Xs)
%
%  Assigns values like labeling([], Xs).
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- X in 1..3, X #\= 2, label([X]).
%  X = 1 ;
%  X = 3.

label(Xs) :- labeling([], Xs).

%% labeling(+Options, +Xs)
%
%  Assigns values of their finite domains to the elements of the list Xs until all are integers. Enumerates all
%  solutions on backtracking. Options for the next variable: leftmost, ff, ffc, min, max, random_variable(Seed).
%  Options for the order of values: up, down, random_value(Seed). Options for the kind of decision: step, enum,
%  bisect. min(Expression) and max(Expression) order the solutions by the expressions; several of them are
%  allowed.
%
%  failures(N) stops the search at failure number N + 1. With min or max, the best solution so far is then the
%  last one. failures(N, Outcome) also reports the outcome. Outcome is solution with every solution. If the
%  search stopped early, the last answer has best_so_far. If there is no such solution, it has limit and leaves
%  Xs unchanged.
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- [X,Y] ins 0..3, X + Y #= 3, labeling([min(X * Y)], [X,Y]).
%  X = 0,
%  Y = 3 ;
%  X = 3,
%  Y = 0 ;
%  X = 1,
%  Y = 2 ;
%  X = 2,
%  Y = 1 .
%
%  ?- [X,Y] ins 0..9, X * X #= Y * Y + 17, labeling([failures(9, Outcome)], [X,Y]).
%  X = 9,
%  Y = 8,
%  Outcome = solution .

labeling(Options, Xs) :-
    fd_labeling(Options, Xs, Vector, How, Optima, Limit),
    (   var(Limit)
    ->  fd_label(Optima, How, Vector, none)
    ;   fd_label_within(Limit, Optima, How, Vector, Xs)
    ).

% fd_labeling(+Options, +Xs, -Vector, -How, -Optima, -Limit): reads the options, for the search and for its
% tree.

fd_labeling(Options, Xs, Vector, How, Optima, Limit) :-
    fd_list(Options),
    '$fd_labels'(Xs, Vector),
    fd_options(Options, Options, how(Selection, Order, Branching, Seed, Limit), Optima),
    fd_default(Selection, 0),
    fd_default(Order, 0),
    fd_default(Branching, 0),
    fd_default(Seed, 0),
    (   Branching-Order == 2-2
    ->  throw(error(domain_error(bisect_up_or_down, random_value(Seed)), _))
    ;   true
    ),
    '$fd_labeling'(Selection, Order, Branching, Seed, How).

% The search stops when `left(Failures)` reaches -1. Then the last answer is the best solution that was kept,
% unless it was returned before.

fd_label_within(Option, Optima, How, Vector, Xs) :-
    (   '$search_inside'
    ->  throw(error(permission_error(use, effect, search), context(labeling/2, _)))
    ;   true
    ),
    fd_limit(Option, Failures, Outcome),
    Left = left(Failures),
    Kept = kept(none),
    (   fd_label(Optima, How, Vector, within(Left, Kept, Xs)),
        nb_setarg(1, Kept, none),
        Outcome = solution
    ;   fd_within(Left)
    ->  fail
    ;   arg(1, Kept, Values),
        (   Values == none
        ->  Option = failures(_, _),
            Outcome = limit
        ;   Xs = Values,
            Outcome = best_so_far
        )
    ).

fd_limit(failures(N), Failures, _) :- fd_failures(N, Failures).
fd_limit(failures(N, Outcome), Failures, Outcome) :- fd_failures(N, Failures).

fd_failures(N, Failures) :-
    must_be(nonneg, N),
    Failures is min(N, 1 << 58).

fd_within(left(Failures)) :- Failures >= 0.

fd_default(Option, Default) :-
    (   var(Option)
    ->  Option = Default
    ;   true
    ).

fd_options([], _, _, []).
fd_options([Option|Options], All, How, Optima) :-
    (   var(Option)
    ->  throw(error(instantiation_error, _))
    ;   fd_option(Option, How, Number, Place, Seed)
    ->  (   var(Place)
        ->  Place = Number,
            fd_seed(Seed, How)
        ;   Place == Number
        ->  throw(error(domain_error(nonrepeating_labeling_options, All), _))
        ;   throw(error(domain_error(consistent_labeling_options, All), _))
        ),
        Optima = Rest
    ;   fd_optimum(Option)
    ->  Optima = [Option|Rest]
    ;   throw(error(domain_error(labeling_option, Option), _))
    ),
    fd_options(Options, All, How, Rest).

fd_option(leftmost, how(S, _, _, _, _), 0, S, none).
fd_option(ff, how(S, _, _, _, _), 1, S, none).
fd_option(ffc, how(S, _, _, _, _), 2, S, none).
fd_option(min, how(S, _, _, _, _), 3, S, none).
fd_option(max, how(S, _, _, _, _), 4, S, none).
fd_option(random_variable(Seed), how(S, _, _, _, _), 5, S, Seed).
fd_option(up, how(_, O, _, _, _), 0, O, none).
fd_option(down, how(_, O, _, _, _), 1, O, none).
fd_option(random_value(Seed), how(_, O, _, _, _), 2, O, Seed).
fd_option(step, how(_, _, B, _, _), 0, B, none).
fd_option(enum, how(_, _, B, _, _), 1, B, none).
fd_option(bisect, how(_, _, B, _, _), 2, B, none).
fd_option(failures(N), how(_, _, _, _, L), failures(N), L, none).
fd_option(failures(N, Outcome), how(_, _, _, _, L), failures(N, Outcome), L, none).

fd_seed(Seed, How) :-
    (   Seed == none
    ->  true
    ;   must_be(integer, Seed),
        arg(4, How, Seed)
    ->  true
    ;   true
    ).

fd_optimum(min(_)).
fd_optimum(max(_)).

% Search is `none` or `within(Left, Kept, Xs)`. Left holds the number of remaining failures, Kept the best
% solution.

fd_label([], How, Vector, Search) :-
    fd_end(Search, Left),
    '$fd_search'(Vector, How, Left).
fd_label([Optimum|Optima], How, Vector, Search) :-
    fd_goal(Optimum, Value, Sign),
    fd_label_best(Value, Sign, Optima, How, Vector, Search).

fd_end(none, none).
fd_end(within(Left, _, _), Left).

fd_goal(min(Expression), Value, 1) :- '$fd_relation'(#=, Value, Expression).
fd_goal(max(Expression), Value, -1) :- '$fd_relation'(#=, Value, Expression).

% Finds the best value by a search in which every solution must be better than the one before. Then returns all
% solutions with this value, then the others.

fd_label_best(Value, Sign, Optima, How, Vector, Search) :-
    fd_best(Value, Sign, How, Vector, Search, Best),
    (   Value = Best,
        fd_label(Optima, How, Vector, Search)
    ;   '$fd_relation'('#\\=', Value, Best),
        fd_label_best(Value, Sign, Optima, How, Vector, Search)
    ).

fd_best(Value, Sign, How, Vector, none, Best) :-
    '$search_inside', !,
    '$threads_best'(Value, Sign, Vector, How, Best).
fd_best(Value, Sign, How, Vector, Search, Best) :-
    Found = found(none),
    fd_end(Search, Left),
    (   '$fd_search'(Vector, How, better(Value, Sign, Found, Left)),
        fd_best_value(Value),
        nb_setarg(1, Found, Value),
        fd_keep(Search),
        fail
    ;   Left \== none,
        \+ fd_within(Left)
    ->  fail
    ;   arg(1, Found, Best),
        integer(Best)
    ).

% Checks that the variables determine the value of the expression.

fd_best_value(Value) :-
    (   integer(Value)
    ->  true
    ;   throw(error(instantiation_error, _))
    ).

fd_keep(none).
fd_keep(within(_, Kept, Xs)) :- nb_setarg(1, Kept, Xs).

%% fd_var(?X)
%
%  True if X is a variable that has a domain.

fd_var(X) :- '$fd_var'(X).

%% fd_inf(?X, -Low)
%
%  Unifies Low with the least value of X, or with inf.

fd_inf(X, Low) :- '$fd_inf'(X, Low).

%% fd_sup(?X, -High)
%
%  Unifies High with the greatest value of X, or with sup.

fd_sup(X, High) :- '$fd_sup'(X, High).

%% fd_size(?X, -Size)
%
%  Unifies Size with the number of values of X, or with sup.

fd_size(X, Size) :- '$fd_size'(X, Size).

%% fd_dom(?X, -Domain)
%
%  Unifies Domain with the domain of X, in the form that in/2 takes.

fd_dom(X, Domain) :- '$fd_dom'(X, Domain).

%% fd_degree(?X, -Degree)
%
%  Unifies Degree with the number of constraints that wait for X.

fd_degree(X, Degree) :- '$fd_degree'(X, Degree).

%% fd_set(?X, -Set)
%
%  Unifies Set with the domain of X, as a set of library(clpfd_sets).
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- X in 1..3, fd_set(X, _Set), fdset_size(_Set, N).
%  N = 3,
%  X in 1..3.

fd_set(X, Set) :-
    '$fd_dom'(X, Domain),
    range_to_fdset(Domain, Set).

%% in_set(?X, +Set)
%
%  Constrains X to Set, a set of library(clpfd_sets).
%
%  ?- use_module(library(clpfd)).
%  true.
%
%  ?- list_to_fdset([1,5,2], _Set), X in_set _Set.
%  X in 1..2\/5.

in_set(X, Set) :-
    fdset_to_range(Set, Domain),
    '$fd_in'(X, Domain).

% Lists the goals shown for a variable: its domain, and the constraints that wait for it.

attribute_goals(X, Goals0, Goals) :-
    '$fd_var'(X),
    '$fd_dom'(X, Domain),
    '$fd_degree'(X, Degree),
    (   Domain == '..'(inf, sup),
        Degree > 0
    ->  Goals0 = Goals1
    ;   Goals0 = [clpfd:in(X, Domain)|Goals1]
    ),
    '$fd_waiting'(X, Waiting),
    fd_goals(Waiting, Goals1, Goals).

fd_goals([], Goals, Goals).
fd_goals([Waiting|Rest], Goals0, Goals) :-
    (   fd_shown(Waiting, Goal0)
    ->  fd_marked(Goal0, Goal1),
        ( Goal1 = _:_ -> Goal = Goal1 ; Goal = clpfd:Goal1 ),
        Goals0 = [Goal|Goals1]
    ;   Goals0 = Goals1
    ),
    fd_goals(Rest, Goals1, Goals).

% Marks variables in expressions if the flag clpfd_monotonic requires it.

fd_marked(Goal0, Goal) :-
    (   '$fd_monotonic',
        compound(Goal0)
    ->  fd_marked_formula(Goal0, Goal)
    ;   Goal = Goal0
    ).

fd_marked_formula(Goal0, Goal) :-
    (   compound(Goal0),
        compound_name_arguments(Goal0, Name, Args0),
        fd_marks(Name, Args0, Args)
    ->  compound_name_arguments(Goal, Name, Args)
    ;   Goal = Goal0
    ).

fd_marks(Name, Args0, Args) :-
    (   memberchk(Name, ['#=', '#\\=', '#<', '#>', '#=<', '#>='])
    ->  fd_marked_expressions(Args0, Args)
    ;   memberchk(Name, ['#<==>', '#==>', '#\\/', '#/\\', '#\\'])
    ->  fd_marked_formulas(Args0, Args)
    ).

fd_marked_formulas([], []).
fd_marked_formulas([P0|Ps0], [P|Ps]) :-
    fd_marked_formula(P0, P),
    fd_marked_formulas(Ps0, Ps).

fd_marked_expressions([], []).
fd_marked_expressions([E0|Es0], [E|Es]) :-
    (   var(E0)
    ->  E = '#'(E0)
    ;   compound(E0)
    ->  compound_name_arguments(E0, Name, Args0),
        fd_marked_expressions(Args0, Args),
        compound_name_arguments(E, Name, Args)
    ;   E = E0
    ),
    fd_marked_expressions(Es0, Es).
% Orders the waiting goals so that they can be called in this order: cumulative/2 needs bounds. A relation that
% may have no value is shown as written, without the variables and constraints of its decomposition.

fd_arranged(Goals0, Goals) :-
    fd_parts(Goals0, Own, Parts),
    (   Parts == []
    ->  Goals1 = Goals0
    ;   term_variables(Own, Kept0),
        term_variables(Parts, Hidden0),
        sort(Kept0, Kept),
        sort(Hidden0, Hidden1),
        ord_subtract(Hidden1, Kept, Hidden2),
        fd_hidden(Goals0, Kept, Hidden2, Hidden),
        fd_without(Goals0, Hidden, Goals1)
    ),
    fd_last(Goals1, Goals, Last, Last).

% Collects the decomposed relations and the truth values that they consist of.

fd_parts([], [], []).
fd_parts([Goal|Goals], Own0, Parts0) :-
    (   Goal = clpfd:relation(Relation, Conditions)
    ->  Own0 = [Relation|Own],
        Parts0 = [Conditions|Parts]
    ;   Own0 = Own,
        Parts0 = Parts
    ),
    fd_parts(Goals, Own, Parts).

% Hides the variables that occur in a goal with a hidden variable and in none of the relations.

fd_hidden(Goals, Kept, Hidden0, Hidden) :-
    fd_beside(Goals, Kept, Hidden0, Hidden1),
    (   Hidden1 == Hidden0
    ->  Hidden = Hidden0
    ;   fd_hidden(Goals, Kept, Hidden1, Hidden)
    ).

fd_beside([], _, Hidden, Hidden).
fd_beside([Goal|Goals], Kept, Hidden0, Hidden) :-
    (   Goal \= clpfd:relation(_, _),
        fd_mentions(Goal, Hidden0, Variables)
    ->  ord_subtract(Variables, Kept, Beside),
        ord_union(Hidden0, Beside, Hidden1)
    ;   Hidden1 = Hidden0
    ),
    fd_beside(Goals, Kept, Hidden1, Hidden).

fd_mentions(Goal, Hidden, Variables) :-
    term_variables(Goal, Variables0),
    sort(Variables0, Variables),
    ord_intersect(Variables, Hidden).

fd_without([], _, []).
fd_without([Goal|Goals0], Hidden, Goals) :-
    (   Goal = clpfd:relation(Relation, _)
    ->  fd_marked(Relation, Marked),
        Goals = [clpfd:Marked|Goals1]
    ;   fd_mentions(Goal, Hidden, _)
    ->  Goals = Goals1
    ;   Goals = [Goal|Goals1]
    ),
    fd_without(Goals0, Hidden, Goals1).

fd_last([], Last, Last, []).
fd_last([Goal|Goals0], Goals, Last, End) :-
    (   Goal = clpfd:cumulative(_, _)
    ->  End = [Goal|End1],
        fd_last(Goals0, Goals, Last, End1)
    ;   Goals = [Goal|Goals1],
        fd_last(Goals0, Goals1, Last, End)
    ).

% The functions that wait for their arguments, by their numbers.

fd_function(0, X, _, \ X).
fd_function(1, X, _, msb(X)).
fd_function(2, X, _, lsb(X)).
fd_function(3, X, _, popcount(X)).
fd_function(4, X, Y, X << Y).
fd_function(5, X, Y, X >> Y).
fd_function(6, X, Y, X /\ Y).
fd_function(7, X, Y, X \/ Y).
fd_function(8, X, Y, xor(X, Y)).

fd_shown(different(X, Y, C), '#\\='(X, Sum)) :- fd_sum(Y, C, Sum).
fd_shown(at_most(X, Y, C), Goal) :-
    (   C =:= 0
    ->  Goal = '#>='(Y, X)
    ;   Goal = '#=<'(X, Y + C)
    ).
fd_shown(shift(X, Y, C), Goal) :-
    (   C > 0
    ->  Goal = '#='(Y + C, X)
    ;   D is -C,
        Goal = '#='(X + D, Y)
    ).
fd_shown(plus(X, Y, Z), '#='(X + Y, Z)).
fd_shown(mirror(X, Y, C), '#='(X + Y, C)).
fd_shown(linear_equal(Cs, Xs, [Count, C]), Goal) :-
    fd_sides(Count, Cs, Xs, C, Left, Right),
    Goal = '#='(Left, Right).
fd_shown(linear_at_most(Cs, Xs, [Count, C]), '#=<'(Left, Right)) :-
    fd_sides(Count, Cs, Xs, C, Left, Right).
fd_shown(linear_different(Cs, Xs, [Count, C]), '#\\='(Left, Right)) :-
    fd_sides(Count, Cs, Xs, C, Left, Right).
fd_shown(times(X, Y, Z), '#='(X * Y, Z)).
fd_shown(power(X, Y, Z), '#='(X ^ Y, Z)).
fd_shown(abs(X, Z), '#='(Z, abs(X))).
fd_shown(min(X, Y, Z), '#='(Z, min(X, Y))).
fd_shown(max(X, Y, Z), '#='(Z, max(X, Y))).
fd_shown(//(X, Y, Z), '#='(X // Y, Z)).
fd_shown(div(X, Y, Z), '#='(X div Y, Z)).
fd_shown(mod(X, Y, Z), '#='(X mod Y, Z)).
fd_shown(rem(X, Y, Z), '#='(X rem Y, Z)).
fd_shown(/(X, Y, Z), '#='(Quotient, Z)) :-
    (   '$fd_clpz'
    ->  Quotient = X / Y
    ;   Quotient = X rdiv Y
    ).
fd_shown(function(Number, X, Y, Z), '#='(Function, Z)) :-
    fd_function(Number, X, Y, Function).
fd_shown(reified(B, Constraint, _), '#<==>'(Goal, B)) :- fd_shown_part(Constraint, Goal).
fd_shown(element(N, V, Xs), element(N, Xs, V)).
fd_shown(implied(B, Constraint), '#==>'(B, Goal)) :- fd_shown(Constraint, Goal).
fd_shown(tuple(Xs, State, _, _, Relation, _, _, _, _), tuples_in([Xs], Rows)) :-
    length(Xs, Length),
    length(Sizes, Length),
    append(Sizes, Words, State),
    include(same_length(Xs), Relation, Fitting),
    fd_left(Fitting, Words, 0, Rows).
fd_shown(is_tuple(B, Xs, _, Relation), '#<==>'(tuples_in([Xs], Relation), B)).
fd_shown(automaton(Xs, _, _, _, _, _, _, automaton(Nodes, Arcs)), automaton(Xs, Nodes, Arcs)).
fd_shown(occurrences(Xs, _, _, _, _, options(Pairs, Options)), global_cardinality(Xs, Pairs, Options)).
fd_shown(cardinality(Xs, _, _, _, Pairs), global_cardinality(Xs, Pairs)).
fd_shown(nvalue(N, Xs), clpz:nvalue(N, Xs)).
fd_shown(all_different(_, _, Xs), all_different(Xs)).
fd_shown(all_distinct(_, _, Xs), all_distinct(Xs)).
fd_shown(circuit(Xs), circuit(Xs)).
fd_shown(cumulative(Ss, Ds, Es, Cs, Limit, Names), cumulative(Tasks, [limit(Limit)])) :-
    fd_told_tasks(Ss, Ds, Es, Cs, Names, Tasks).
fd_shown(serialized(Starts, Durations), serialized(Starts, Durations)).
fd_shown(disjoint(Xs, Ws, Ys, Hs, Names), disjoint2(Rectangles)) :-
    fd_rectangles(Rectangles, Xs, Ws, Ys, Hs, Names).
fd_shown(lexicographic(Xs, Ys, _), lex_chain([Xs, Ys])).
fd_shown(and(B, Bs), '#<==>'(Goal, B)) :- fd_junction(Bs, #/\, Goal).
fd_shown(defined(B, Conditions, Relation), relation('#<==>'(Relation, B), Conditions)).
fd_shown(or(B, Bs), Goal) :-
    fd_junction(Bs, #\/, Junction),
    (   B == 1
    ->  Goal = Junction
    ;   Goal = '#<==>'(Junction, B)
    ).
fd_shown(implies(P, Q, B), Goal) :-
    (   B == 1
    ->  Goal = '#==>'(P, Q)
    ;   Goal = '#<==>'('#==>'(P, Q), B)
    ).
fd_shown(xor(P, Q, B), '#<==>'('#\\'(P, Q), B)).

fd_told_tasks([], [], [], [], [], []).
fd_told_tasks([S|Ss], [D|Ds], [E|Es], [C|Cs], [Name|Names], [task(S, D, E, C, Name)|Tasks]) :-
    fd_told_tasks(Ss, Ds, Es, Cs, Names, Tasks).

fd_shown_part(in(X, [Low, High]), Goal) :-
    !,
    (   Low == inf
    ->  Goal = '#=<'(X, High)
    ;   High == sup
    ->  Goal = '#>='(X, Low)
    ;   Low == High
    ->  Goal = '#='(X, Low)
    ;   Goal = in(X, '..'(Low, High))
    ).
fd_shown_part(in(X, [inf, Low, High, sup]), Goal) :-
    High =:= Low + 2,
    !,
    V is Low + 1,
    Goal = '#\\='(X, V).
fd_shown_part(in(X, Bounds), in(X, Domain)) :-
    !,
    fd_bounds(Bounds, Domain).
fd_shown_part(Constraint, Goal) :- fd_shown(Constraint, Goal).

% Selects the rows whose bits are set.

fd_left([], _, _, []).
fd_left([Row|Rows], [Word|Words], Bit, Left0) :-
    (   Word /\ (1 << Bit) =:= 0
    ->  Left0 = Left
    ;   Left0 = [Row|Left]
    ),
    (   Bit =:= 59
    ->  fd_left(Rows, Words, 0, Left)
    ;   More is Bit + 1,
        fd_left(Rows, [Word|Words], More, Left)
    ).

fd_bounds([Low, High|Bounds], Domain) :-
    fd_interval(Low, High, Interval),
    fd_bounds(Bounds, Interval, Domain).

fd_bounds([], Domain, Domain).
fd_bounds([Low, High|Bounds], Domain0, Domain) :-
    fd_interval(Low, High, Interval),
    fd_bounds(Bounds, Domain0 \/ Interval, Domain).

fd_interval(Low, High, Interval) :-
    (   Low == High
    ->  Interval = Low
    ;   Interval = '..'(Low, High)
    ).

fd_junction([B|Bs], Name, Goal) :- fd_junction(Bs, B, Name, Goal).

fd_junction([], Goal, _, Goal).
fd_junction([B|Bs], Goal0, Name, Goal) :-
    Goal1 =.. [Name, Goal0, B],
    fd_junction(Bs, Goal1, Name, Goal).

fd_sum(X, C, Sum) :-
    (   C =:= 0
    ->  Sum = X
    ;   Sum = X + C
    ).

% Splits the first Count products: the positive ones go to the left, the others to the right.

fd_sides(Count, Cs, Xs, C, Left, Right) :-
    fd_sides(Count, Cs, Xs, none, none, Left0, Right0),
    (   C < 0
    ->  D is -C,
        fd_plus(Left0, D, Left),
        fd_side(Right0, Right)
    ;   fd_side(Left0, Left),
        (   C > 0
        ->  fd_plus(Right0, C, Right)
        ;   fd_side(Right0, Right)
        )
    ).

% Compares with ==, since unifying a constrained variable with `none` would raise an error.

fd_side(Side0, Side) :-
    (   Side0 == none
    ->  Side = 0
    ;   Side = Side0
    ).

fd_plus(Side, X, Sum) :-
    (   Side == none
    ->  Sum = X
    ;   Sum = Side + X
    ).

fd_sides(0, _, _, Left, Right, Left, Right) :- !.
fd_sides(Count, [C|Cs], [X|Xs], Left0, Right0, Left, Right) :-
    More is Count - 1,
    (   C > 0
    ->  fd_product(C, X, Product),
        fd_plus(Left0, Product, Left1),
        fd_sides(More, Cs, Xs, Left1, Right0, Left, Right)
    ;   D is -C,
        fd_product(D, X, Product),
        fd_plus(Right0, Product, Right1),
        fd_sides(More, Cs, Xs, Left0, Right1, Left, Right)
    ).

fd_product(C, X, Product) :-
    (   C =:= 1
    ->  Product = X
    ;   Product = C * X
    ).

%% transpose(+Matrix, ?Transposed)
%
%  Unifies Transposed with the transposed Matrix, a list of lists of the same length: the rows of Transposed are
%  the columns of Matrix.
%
%  ?- transpose([[1,2,3],[4,5,6]], Columns).
%  Columns = [[1, 4], [2, 5], [3, 6]].

transpose(Matrix, Transposed) :-
    must_be(list(list), Matrix),
    clpfd_transpose(Matrix, Transposed).

clpfd_transpose([], []).
clpfd_transpose([Row|Rows], Columns) :-
    clpfd_columns(Row, [Row|Rows], Columns).

clpfd_columns([], Rows, []) :-
    clpfd_empty(Rows).
clpfd_columns([_|Row], Rows, [Column|Columns]) :-
    clpfd_column(Rows, Column, Rests),
    clpfd_columns(Row, Rests, Columns).

clpfd_empty([]).
clpfd_empty([[]|Rows]) :-
    clpfd_empty(Rows).

clpfd_column([], [], []).
clpfd_column([[X|Xs]|Rows], [X|Column], [Xs|Rests]) :-
    clpfd_column(Rows, Column, Rests).

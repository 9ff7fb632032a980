% Constraints over integers, with the interface of SWI-Prolog's library of this name. Domains, propagation
% and labeling are builtins of the system ('$fd_…'); here is what programs call.

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
    element/3, circuit/1, cumulative/1, cumulative/2, serialized/2, disjoint2/1, lex_chain/1, zcompare/3,
    label/1, labeling/2, indomain/1,
    fd_var/1, fd_inf/2, fd_sup/2, fd_size/2, fd_dom/2, fd_degree/2,
    transpose/2
]).

:- public((attribute_goals/3)).

%% ?Left #= ?Right
%
%  The expressions have the same value. Expressions are integers, variables and + - * // div mod rem
%  abs min max ^ of expressions.
%
%  ?- 3 #= X + 2.
%  X = 1.

'#='(Left, Right) :- '$fd_relation'('#=', Left, Right).

%% ?Left #\= ?Right
%
%  The expressions have different values.

'#\\='(Left, Right) :- '$fd_relation'('#\\=', Left, Right).

%% ?Left #< ?Right
%
%  The value of Left is less than that of Right.

'#<'(Left, Right) :- '$fd_relation'('#<', Left, Right).

%% ?Left #> ?Right
%
%  The value of Left is greater than that of Right.

'#>'(Left, Right) :- '$fd_relation'('#>', Left, Right).

%% ?Left #=< ?Right
%
%  The value of Left is at most that of Right.

'#=<'(Left, Right) :- '$fd_relation'('#=<', Left, Right).

%% ?Left #>= ?Right
%
%  The value of Left is at least that of Right.

'#>='(Left, Right) :- '$fd_relation'('#>=', Left, Right).

%% #\ ?P
%
%  The constraint P does not hold.

'#\\'(P) :- '$fd_formula'('#\\'(P)).

%% ?P #<==> ?Q
%
%  P and Q are equivalent. Both are constraints, or variables that are 1 for true and 0 for false.
%
%  ?- X #> 3 #<==> B, X = 5.
%  X = 5,
%  B = 1.

'#<==>'(P, Q) :- '$fd_formula'('#<==>'(P, Q)).

%% ?P #==> ?Q
%
%  P implies Q.

'#==>'(P, Q) :- '$fd_formula'('#==>'(P, Q)).

%% ?P #<== ?Q
%
%  Q implies P.

'#<=='(P, Q) :- '$fd_formula'('#<=='(P, Q)).

%% ?P #\/ ?Q
%
%  P or Q holds.

'#\\/'(P, Q) :- '$fd_formula'('#\\/'(P, Q)).

%% ?P #\ ?Q
%
%  One of P and Q holds and the other does not.

'#\\'(P, Q) :- '$fd_formula'('#\\'(P, Q)).

%% ?P #/\ ?Q
%
%  P and Q hold.

'#/\\'(P, Q) :- '$fd_formula'('#/\\'(P, Q)).

%% ?X in +Domain
%
%  X is an integer of Domain: an integer, Low..High, or Domain \/ Domain. Low may be inf, High sup.
%
%  ?- X in 1..5 \/ 9, X #> 4.
%  X in 5\/9.

in(X, Domain) :- '$fd_in'(X, Domain).

%% +Xs ins +Domain
%
%  All elements of the list Xs are in Domain.

ins(Xs, Domain) :- '$fd_ins'(Xs, Domain).

%% all_different(+Xs)
%
%  No two elements of the list Xs are equal. Known values are taken from the other domains.

all_different(Xs) :- '$fd_all_different'(Xs).

%% all_distinct(+Xs)
%
%  The same with the strongest propagation: every value that is left is part of a solution of this constraint.
%
%  ?- X in 1..2, Y in 1..2, Z in 1..3, all_distinct([X,Y,Z]).
%  Z = 3,
%  X in 1..2,
%  all_distinct([X, Y, 3]),
%  Y in 1..2.

all_distinct(Xs) :- '$fd_all_distinct'(Xs).

%% sum(+Xs, +Relation, ?Value)
%
%  The sum of the list Xs is in Relation to Value: #=, #\=, #<, #>, #=< or #>=.

sum(Xs, Relation, Value) :- '$fd_sum'(Xs, Relation, Value).

%% scalar_product(+Cs, +Xs, +Relation, ?Value)
%
%  The sum of the products of the integers Cs and the elements of Xs is in Relation to Value.

scalar_product(Cs, Xs, Relation, Value) :- '$fd_scalar_product'(Cs, Xs, Relation, Value).

%% chain(+Xs, +Relation)
%
%  Each element of the list Xs is in Relation to the next: #=, #<, #=<, #> or #>=.

chain(Xs, Relation) :-
    fd_list(Xs),
    (   var(Relation)
    ->  throw(error(instantiation_error, _))
    ;   fd_chain_relation(Relation)
    ->  fd_chain(Xs, Relation)
    ;   throw(error(domain_error(chain_relation, Relation), _))
    ).

fd_chain_relation(#=).
fd_chain_relation(#<).
fd_chain_relation(#=<).
fd_chain_relation(#>).
fd_chain_relation(#>=).

fd_chain([], _).
fd_chain([X|Xs], Relation) :-
    '$fd_in'(X, '..'(inf, sup)),
    fd_chain(Xs, X, Relation).

fd_chain([], _, _).
fd_chain([Y|Ys], X, Relation) :-
    '$fd_relation'(Relation, X, Y),
    fd_chain(Ys, Y, Relation).

%% element(?N, +Xs, ?V)
%
%  The element number N of the list Xs, counted from 1, is V.
%
%  ?- element(I, [10,20,30], 20).
%  I = 2.

element(N, Xs, V) :- '$fd_element'(N, Xs, V).

%% circuit(+Xs)
%
%  The element number N of the list Xs is the number of the node that comes after node N, and the way
%  from a node leads through all others back to it.
%
%  ?- circuit([X,Y,Z]), X = 3.
%  X = 3,
%  Y = 1,
%  Z = 2.

circuit(Xs) :- '$fd_circuit'(Xs).

%% cumulative(+Tasks)
%
%  As cumulative(Tasks, [limit(1)]).

cumulative(Tasks) :- cumulative(Tasks, []).

%% cumulative(+Tasks, +Options)
%
%  Tasks share a resource: those that run at the same time need no more of it than the limit, 1 or L of the
%  option limit(L). Each task is task(Start, Duration, End, Need, Name) and runs from Start up to before End;
%  durations are positive, needs not negative. Starts, durations, ends and a limit that is a variable have bounds
%  before the call; Name is any term.
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
%  Tasks with the starts of one list and the durations of the other, integers that are not negative: no two run
%  at the same time.
%
%  ?- [A,B] ins 0..3, serialized([A,B], [2,3]).
%  A = 0,
%  B in 2..3,
%  serialized([0, B], [2, 3]).

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
%  No two rectangles overlap. Each is a compound F(X, Width, Y, Height) of any name.
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
%  Each list is not greater than the next in the order of lists: the first elements that differ decide.
%
%  ?- [A,B] ins 0..1, lex_chain([[A,B], [0,0]]).
%  A = 0,
%  B = 0.

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
%  Order is <, = or >, as the integer A is less than the integer B, equal to it or greater. Clauses whose first
%  argument is Order are told apart by it.
%
%  ?- A in 0..3, zcompare(Order, A, 5).
%  Order = (<),
%  A in 0..3.

zcompare(Order, A, B) :-
    (   nonvar(Order)
    ->  fd_compared(Order, A, B)
    ;   '$fd_ins'([A,B], '..'(inf, sup)),
        fd_order(Order, [compared(A, B)]),
        '$fd_compared'(Order, A, B)
    ).

fd_compared(=, A, B) :- '$fd_relation'('#=', A, B).
fd_compared(<, A, B) :- '$fd_relation'('#<', A, B).
fd_compared(>, A, B) :- '$fd_relation'('#>', A, B).

% What an order that is unknown compares is an attribute of it.

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
    ;   '$skip_list'(_, List, End),
        (   var(End)
        ->  throw(error(instantiation_error, _))
        ;   throw(error(type_error(list, List), _))
        )
    ).

%% indomain(?X)
%
%  X is one of the values of its domain, which is finite: gives them in ascending order.

indomain(X) :- label([X]).

%% label(+Xs)
%
%  As labeling([], Xs).
%
%  ?- X in 1..3, X #\= 2, label([X]).
%  X = 1 ;
%  X = 3.

label(Xs) :- labeling([], Xs).

%% labeling(+Options, +Xs)
%
%  Gives the elements of the list Xs values of their domains, which are finite, until all are integers.
%  Options: which variable is next (leftmost, ff, ffc, min, max, random_variable(Seed)), the order of its
%  values (up, down, random_value(Seed)), how it is decided (step, enum, bisect), and min(Expression) or
%  max(Expression), several of them too: all solutions in the order of the expressions.
%
%  ?- [X,Y] ins 0..3, X + Y #= 3, labeling([min(X * Y)], [X,Y]).
%  X = 0,
%  Y = 3 ;
%  X = 3,
%  Y = 0 ;
%  X = 1,
%  Y = 2 ;
%  X = 2,
%  Y = 1.

labeling(Options, Xs) :-
    fd_list(Options),
    '$fd_labels'(Xs, Vector),
    fd_options(Options, Options, how(Selection, Order, Branching, Seed), Optima),
    fd_default(Selection, 0),
    fd_default(Order, 0),
    fd_default(Branching, 0),
    fd_default(Seed, 0),
    (   Branching-Order == 2-2
    ->  throw(error(domain_error(bisect_up_or_down, random_value(Seed)), _))
    ;   true
    ),
    '$fd_labeling'(Selection, Order, Branching, Seed, How),
    fd_label(Optima, How, Vector).

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

fd_option(leftmost, how(S, _, _, _), 0, S, none).
fd_option(ff, how(S, _, _, _), 1, S, none).
fd_option(ffc, how(S, _, _, _), 2, S, none).
fd_option(min, how(S, _, _, _), 3, S, none).
fd_option(max, how(S, _, _, _), 4, S, none).
fd_option(random_variable(Seed), how(S, _, _, _), 5, S, Seed).
fd_option(up, how(_, O, _, _), 0, O, none).
fd_option(down, how(_, O, _, _), 1, O, none).
fd_option(random_value(Seed), how(_, O, _, _), 2, O, Seed).
fd_option(step, how(_, _, B, _), 0, B, none).
fd_option(enum, how(_, _, B, _), 1, B, none).
fd_option(bisect, how(_, _, B, _), 2, B, none).

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

fd_label([], How, Vector) :-
    '$fd_search'(Vector, How, none).
fd_label([Optimum|Optima], How, Vector) :-
    fd_goal(Optimum, Value, Sign),
    fd_label_best(Value, Sign, Optima, How, Vector).

fd_goal(min(Expression), Value, 1) :- '$fd_relation'(#=, Value, Expression).
fd_goal(max(Expression), Value, -1) :- '$fd_relation'(#=, Value, Expression).

% The best value is found by a search in which every solution has to be better than the one before;
% then come all solutions that have it, then the others.

fd_label_best(Value, Sign, Optima, How, Vector) :-
    fd_best(Value, Sign, How, Vector, Best),
    (   Value = Best,
        fd_label(Optima, How, Vector)
    ;   '$fd_relation'('#\\=', Value, Best),
        fd_label_best(Value, Sign, Optima, How, Vector)
    ).

fd_best(Value, Sign, How, Vector, Best) :-
    Found = found(none),
    (   '$fd_search'(Vector, How, better(Value, Sign, Found)),
        (   integer(Value)
        ->  true
        ;   Sign =:= 1
        ->  once(labeling([], [Value]))
        ;   once(labeling([down], [Value]))
        ),
        nb_setarg(1, Found, Value),
        fail
    ;   arg(1, Found, Best),
        integer(Best)
    ).

%% fd_var(?X)
%
%  X is a variable that has a domain.

fd_var(X) :- '$fd_var'(X).

%% fd_inf(?X, -Low)
%
%  Low is the least value of X, or inf.

fd_inf(X, Low) :- '$fd_inf'(X, Low).

%% fd_sup(?X, -High)
%
%  High is the greatest value of X, or sup.

fd_sup(X, High) :- '$fd_sup'(X, High).

%% fd_size(?X, -Size)
%
%  Size is the number of values of X, or sup.

fd_size(X, Size) :- '$fd_size'(X, Size).

%% fd_dom(?X, -Domain)
%
%  Domain is the domain of X, as in/2 takes it.

fd_dom(X, Domain) :- '$fd_dom'(X, Domain).

%% fd_degree(?X, -Degree)
%
%  Degree is the number of constraints that wait for X.

fd_degree(X, Degree) :- '$fd_degree'(X, Degree).

% What is shown of a variable: its domain, and the constraints that wait for it.

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
    (   fd_shown(Waiting, Goal)
    ->  Goals0 = [clpfd:Goal|Goals1]
    ;   Goals0 = Goals1
    ),
    fd_goals(Rest, Goals1, Goals).

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
fd_shown(reified(B, Constraint), '#<==>'(Goal, B)) :- fd_shown_part(Constraint, Goal).
fd_shown(element(N, V, Xs), element(N, Xs, V)).
fd_shown(circuit(Xs), circuit(Xs)).
fd_shown(cumulative(Ss, Ds, Es, Cs, Limit, Names), cumulative(Tasks, [limit(Limit)])) :-
    fd_told_tasks(Ss, Ds, Es, Cs, Names, Tasks).
fd_shown(serialized(Starts, Durations), serialized(Starts, Durations)).
fd_shown(disjoint(Xs, Ws, Ys, Hs, Names), disjoint2(Rectangles)) :-
    fd_rectangles(Rectangles, Xs, Ws, Ys, Hs, Names).
fd_shown(lexicographic(Xs, Ys, _), lex_chain([Xs, Ys])).
fd_shown(all_different(Xs, _), all_different(Xs)).
fd_shown(all_distinct(Xs, _), all_distinct(Xs)).
fd_shown(and(B, Bs), '#<==>'(Goal, B)) :- fd_junction(Bs, #/\, Goal).
fd_shown(or(B, Bs), Goal) :-
    fd_junction(Bs, #\/, Junction),
    (   B == 1
    ->  Goal = Junction
    ;   Goal = '#<==>'(Junction, B)
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

% The first Count products, the positive ones on the left and the others on the right.

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

fd_side(none, 0) :- !.
fd_side(Side, Side).

fd_plus(none, X, X) :- !.
fd_plus(Side, X, Side + X).

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
%  The rows of Transposed are the columns of Matrix, a list of lists of the same
%  length.
%
%  ?- transpose([[1,2,3],[4,5,6]], Columns).
%  Columns = [[1, 4], [2, 5], [3, 6]].

transpose(Matrix, Transposed) :-
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

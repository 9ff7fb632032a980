% Predicates on terms, lists and variables that call goals and are therefore written in Prolog.

:- module(system, []).

%% memberchk(?X, ?List)
%
%  True if X unifies with an element of List. Takes only the first one, like once(member(X, List)). Extends a
%  partial list. If List contains no X and is no list, raises type_error(list, List).
%
%  ?- memberchk(b, [a,b,c]).
%  true.
%
%  ?- memberchk(X, [a,b,c]).
%  X = a.

memberchk(X, List) :-
    '$memberchk'(X, List, Rest),
    '$memberchk'(Rest, X).

'$memberchk'(Rest, X) :- var(Rest), !, Rest = [Y|Ys], '$memberchk'([Y|Ys], X).
'$memberchk'([], _).
'$memberchk'([Y|Ys], X) :- ( X = Y -> true ; memberchk(X, Ys) ).

%% predsort(:Compare, +List, -Sorted)
%
%  Sorts List by calling Compare with an order and two elements. Keeps only the first of elements with the order
%  =.
%
%  ?- predsort([O,A-_,B-_]>>compare(O, A, B), [2-b,1-a,2-c], L).
%  L = [1-a, 2-b].

:- meta_predicate(predsort(3, +, -)).

predsort(Compare, List, Sorted) :-
    '$must_be_list'(List),
    length(List, Length),
    '$predsort'(Length, Compare, List, [], Result),
    !,
    Sorted = Result.

'$predsort'(0, _, Rest, Rest, []) :- !.
'$predsort'(1, _, [X|Rest], Rest, [X]) :- !.
'$predsort'(2, Compare, [X, Y|Rest], Rest, Sorted) :- !,
    call(Compare, Order, X, Y), !,
    '$predsort_two'(Order, X, Y, Sorted).
'$predsort'(Length, Compare, List, Rest, Sorted) :-
    Half is Length // 2,
    Others is Length - Half,
    '$predsort'(Half, Compare, List, Middle, Left),
    '$predsort'(Others, Compare, Middle, Rest, Right),
    '$predmerge'(Left, Right, Compare, Sorted).

'$predsort_two'(<, X, Y, [X, Y]).
'$predsort_two'(=, X, _, [X]).
'$predsort_two'(>, X, Y, [Y, X]).

'$predmerge'([], Right, _, Right) :- !.
'$predmerge'([X|Xs], Right, Compare, Sorted) :-
    '$predmerge'(Right, X, Xs, Compare, Sorted).

'$predmerge'([], X, Xs, _, [X|Xs]) :- !.
'$predmerge'([Y|Ys], X, Xs, Compare, Sorted) :-
    call(Compare, Order, X, Y), !,
    '$predmerge'(Order, X, Xs, Y, Ys, Compare, Sorted).

'$predmerge'(<, X, Xs, Y, Ys, Compare, [X|Sorted]) :-
    '$predmerge'(Xs, [Y|Ys], Compare, Sorted).
'$predmerge'(=, X, Xs, _, Ys, Compare, Sorted) :-
    '$predmerge'([X|Xs], Ys, Compare, Sorted).
'$predmerge'(>, X, Xs, Y, Ys, Compare, [Y|Sorted]) :-
    '$predmerge'(Ys, X, Xs, Compare, Sorted).

%% copy_term(+Term, -Copy, -Goals)
%
%  Unifies Copy with Term with fresh variables without attributes. Unifies Goals with the goals that restore the
%  attributes.
%
%  ?- freeze(X, writeln(X)), copy_term(X, Y, Goals).
%  Goals = [freeze(Y, user:writeln(Y))],
%  freeze(X, writeln(X)).

copy_term(Term, Copy, Goals) :-
    term_attvars(Term, Variables),
    (   Variables == []
    ->  Goals = [],
        copy_term(Term, Copy)
    ;   '$waiting_goals'(Variables, Goals0),
        '$copy_terms_nat'([Term, Goals0], [Copy, Goals])
    ).

% Collects the goals of all variables, those of the oldest first. The library of constraints orders its own
% goals.

'$waiting_goals'(Variables, Goals) :-
    sort(Variables, Ordered),
    '$fd_report_again',
    '$attribute_goals'(Ordered, Goals0, []),
    (   '$member'(clpfd:_, Goals0)
    ->  clpfd:fd_arranged(Goals0, Goals)
    ;   Goals = Goals0
    ).

'$attribute_goals'([], Goals, Goals).
'$attribute_goals'([Variable|Variables], Goals0, Goals) :-
    (   get_attrs(Variable, Attributes)
    ->  '$attribute_goals'(Attributes, Variable, Goals0, Goals1)
    ;   Goals0 = Goals1
    ),
    '$attribute_goals'(Variables, Goals1, Goals).

'$attribute_goals'([], _, Goals, Goals).
'$attribute_goals'(att(Module, Value, Rest), Variable, Goals0, Goals) :-
    (   catch(Module:attribute_goals(Variable, Goals0, Goals1), error(existence_error(_, _), _), fail)
    ->  true
    ;   Goals0 = [put_attr(Variable, Module, Value)|Goals1]
    ),
    '$attribute_goals'(Rest, Variable, Goals1, Goals).

%% nb_current(?Name, ?Value)
%
%  True if the global variable Name has Value. Enumerates the global variables on backtracking.
%
%  ?- nb_setval(color, red), nb_current(color, X).
%  X = red.
%
%  ?- nb_current(no_such_key, X).
%  false.

nb_current(Name, Value) :-
    (   var(Name)
    ->  '$global_variables'(Names),
        '$member'(Name, Names)
    ;   '$is_global_variable'(Name)
    ),
    nb_getval(Name, Value).

% Clauses whose environments have more slots than a word at a call can describe.

:- style_check(-singleton).

foo(_).

use(_, _).

make(N, f(a(N), b(N), c(N))).

% Slots of variables of goals that failed, which got new values within another such goal.
collected(S) :-
    \+ \+ foo(R0),
    \+ \+ foo(R1),
    \+ \+ ignore(foo(1)),
    make(7, S),
    garbage_collect,
    foo([R0, R1]),
    use(1, f(V0, V1, V2, V3, V4, V5, V6, V7, V8, V9, V10, V11, V12, V13, V14, V15, V16, V17, V18, V19, V20, V21, V22, V23, V24, V25, V26, V27, V28, V29, V30, V31, V32, V33, V34, V35, V36, V37, V38, V39, V40, V41, V42, V43, V44, V45)),
    use(1, f(V0, V1, V2, V3, V4, V5, V6, V7, V8, V9, V10, V11, V12, V13, V14, V15, V16, V17, V18, V19, V20, V21, V22, V23, V24, V25, V26, V27, V28, V29, V30, V31, V32, V33, V34, V35, V36, V37, V38, V39, V40, V41, V42, V43, V44, V45)).

collected_after_branches(S) :-
    \+ \+ foo(R0),
    \+ \+ foo(R1),
    ( \+ \+ ( foo(1) -> true ; true ) ; true ),
    make(8, S),
    garbage_collect,
    foo([R0, R1]),
    use(1, f(V0, V1, V2, V3, V4, V5, V6, V7, V8, V9, V10, V11, V12, V13, V14, V15, V16, V17, V18, V19, V20, V21, V22, V23, V24, V25, V26, V27, V28, V29, V30, V31, V32, V33, V34, V35, V36, V37, V38, V39, V40, V41, V42, V43, V44, V45)),
    use(1, f(V0, V1, V2, V3, V4, V5, V6, V7, V8, V9, V10, V11, V12, V13, V14, V15, V16, V17, V18, V19, V20, V21, V22, V23, V24, V25, V26, V27, V28, V29, V30, V31, V32, V33, V34, V35, V36, V37, V38, V39, V40, V41, V42, V43, V44, V45)).

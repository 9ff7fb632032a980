% What goes wrong in lambda expressions is shown where the clause has them.

main :-
    catch_with_backtrace(bad([1]), E, ( print_message(error, E) )),
    und([1]).

bad(L) :-
    maplist([X]>>(foo(X), _ is X + a), L), foo(done).

und(L) :-
    foo(L),
    maplist([X]>>(foo(X),
        nope(X)), L).

foo(_).

:- initialization(main).

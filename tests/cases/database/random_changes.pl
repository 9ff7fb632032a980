% Random changes of a dynamic predicate beside the same changes of a list, while enumerations of
% earlier states are under way.

:- dynamic p/2.

% run(+Seed, +Steps, +Keys, -Left): makes Steps steps, with Keys different keys.
run(Seed, Steps, Keys, Left) :-
    retractall(p(_, _)),
    steps(Steps, Keys, Seed, []),
    aggregate_all(count, p(_, _), Left).

steps(0, _, _, Model) :- !, same(Model).
steps(N, Keys, Seed0, Model0) :-
    next(Seed0, Seed1),
    Kind is Seed1 // 7 mod 16,
    next(Seed1, Seed2),
    Key is Seed2 // 11 mod Keys,
    change(Kind, Key, N, Model0, Model1),
    N1 is N - 1,
    (   N mod 64 =:= 0
    ->  same(Model1), look_up(Key, Model1)
    ;   true
    ),
    (   N mod 512 =:= 0
    ->  % The clauses of now are seen by this enumeration, whatever becomes of them.
        nb_setval(seen, []),
        forall(( p(K, V), nb_getval(seen, Seen), nb_setval(seen, [K-V|Seen]) ), nudge(K)),
        nb_getval(seen, Reversed),
        reverse(Reversed, Seen),
        Seen == Model1,
        findall(K-V, p(K, V), Model2)
    ;   Model2 = Model1
    ),
    steps(N1, Keys, Seed2, Model2).

next(Seed0, Seed) :- Seed is (Seed0 * 1103515245 + 12345) mod 2147483648.

nudge(K) :-
    Case is K mod 4,
    (   Case =:= 0 -> ( retract(p(K, _)) -> true ; true )
    ;   Case =:= 1 -> assertz(p(K, again))
    ;   Case =:= 2 -> asserta(p(K, before))
    ;   true
    ).

change(Kind, Key, N, Model, [Key-N|Model]) :- Kind < 2, !, asserta(p(Key, N)).
change(Kind, Key, N, Model0, Model) :- Kind < 8, !,
    assertz(p(Key, N)),
    append(Model0, [Key-N], Model).
change(Kind, Key, _, Model0, Model) :- Kind < 13, !,
    (   retract(p(Key, V))
    ->  once(select(Key-V0, Model0, Model)), V == V0
    ;   \+ memberchk(Key-_, Model0), Model = Model0
    ).
change(13, _, _, Model0, Model) :- !,
    (   retract(p(K, V))
    ->  Model0 = [K0-V0|Model], K-V == K0-V0
    ;   Model = Model0, Model == []
    ).
change(14, Key, _, Model0, Model) :- !,
    retractall(p(Key, _)),
    exclude([K-_]>>(K == Key), Model0, Model).
change(15, _, _, Model0, Model) :-
    % The last one, by its value.
    (   last(Model0, K-V), integer(V)
    ->  retract(p(K0, V)), !, K0 == K,
        once(append(Model, [_], Model0))
    ;   Model = Model0
    ).

same(Model) :- findall(K-V, p(K, V), Found), Found == Model.

look_up(Key, Model) :-
    findall(V, p(Key, V), Found),
    findall(V, member(Key-V, Model), Wanted),
    Found == Wanted.

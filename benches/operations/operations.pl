% Times of single operations, for Wamlet and SWI-Prolog. Long because each operation has a row.
%
% operation(Theme, Name, Goal) times Goal. operation(Theme, Name, Setup, Goal) runs Setup once before. Goal is part of
% the body of a clause, so it is compiled. A failure-driven loop repeats it: the loop undoes its bindings and finds all
% of its solutions.
%
% main/0 writes a line for each operation: theme, name and nanoseconds. The first line is the time of the loop around
% true/0. Subtract it from the others. Arguments of the command are themes and parts of names. They select the
% operations to time. `cargo bench --bench operations` compares the two systems.

:- use_module(library(lists)).
:- use_module(library(apply)).
:- use_module(library(assoc)).
:- use_module(library(rbtrees)).
:- use_module(library(pairs)).
:- use_module(library(ordsets)).
:- use_module(library(ugraphs)).
:- use_module(library(aggregate)).
:- use_module(library(yall)).
:- use_module(library(option)).
:- use_module(library(nb_set)).
:- use_module(library(gensym)).
:- use_module(library(terms)).
:- use_module(library(readutil)).
:- use_module(library(solution_sequences)).
:- use_module(library(dcg/basics)).
:- use_module(library(error)).
:- use_module(library(random)).
:- use_module(library(heaps)).
:- use_module(library(occurs)).
:- use_module(library(strings)).
:- use_module(library(when)).

:- discontiguous(operation/2).
:- discontiguous(timed/3).
:- dynamic(operation/2).

:- dynamic(fact/2).
:- dynamic(item/1).
:- dynamic(counter/1).
:- dynamic(rule/1).

% timed(+Name, +Count, -Seconds): the time of Count repetitions.

term_expansion(operation(Theme, Name, Goal), Clauses) :-
    timed_clauses(Theme, Name, true, Goal, Clauses).
term_expansion(operation(Theme, Name, Setup, Goal), Clauses) :-
    timed_clauses(Theme, Name, Setup, Goal, Clauses).

timed_clauses(Theme, Name, Setup, Goal,
              [ operation(Theme, Name),
                ( timed(Name, Count, Seconds) :-
                      Setup,
                      statistics(cputime, Start),
                      (   between(1, Count, _),
                          Goal,
                          fail
                      ;   statistics(cputime, End),
                          Seconds is End - Start
                      )
                )
              ]).

timed('', Count, Seconds) :-
    statistics(cputime, Start),
    (   between(1, Count, _),
        true,
        fail
    ;   statistics(cputime, End),
        Seconds is End - Start
    ).

main :-
    current_prolog_flag(argv, Arguments),
    report(loop, ''),
    forall(( operation(Theme, Name), wanted(Arguments, Theme, Name) ),
           report(Theme, Name)).

wanted(Arguments, Theme, Name) :-
    (   Arguments == []
    ->  true
    ;   member(Argument, Arguments),
        (   Argument == Theme
        ;   sub_atom(Name, _, _, _, Argument)
        )
    ->  true
    ).

report(Theme, Name) :-
    (   catch(measured(Name, 1, Each), Error, true)
    ->  true
    ;   Error = failed
    ),
    (   var(Error)
    ->  Nanoseconds is Each * 1.0e9,
        format("~w\t~w\t~2f~n", [Theme, Name, Nanoseconds])
    ;   format("~w\t~w\t~q~n", [Theme, Name, Error])
    ).

% Increases the number of repetitions until a run takes 10 milliseconds. The last run counts.

measured(Name, Count, Each) :-
    timed(Name, Count, Seconds),
    (   Seconds >= 0.01
    ->  Each is Seconds / Count
    ;   Seconds >= 0.0005
    ->  More is ceiling(Count * 0.012 / Seconds),
        measured(Name, More, Each)
    ;   More is Count * 10,
        measured(Name, More, Each)
    ).

% Predicates and data that the operations use.

nrev([], []).
nrev([X|Xs], Ys) :-
    nrev(Xs, Zs),
    append(Zs, [X], Ys).

count_to(N, N) :- !.
count_to(I, N) :-
    I1 is I + 1,
    count_to(I1, N).

three(1).
three(2).
three(3).

color(red, 1).
color(green, 2).
color(blue, 3).
color(yellow, 4).

state(s(1), a).
state(s(2), b).
state(s(3), c).

until(N) :-
    nb_setval(repeated, 0),
    repeat,
    nb_getval(repeated, I),
    I1 is I + 1,
    nb_setval(repeated, I1),
    I1 >= N,
    !.

classify(X, Kind) :-
    (   X < 0 -> Kind = negative
    ;   X =:= 0 -> Kind = zero
    ;   X < 100 -> Kind = small
    ;   Kind = large
    ).

plus_one(X, Y) :- Y is X + 1.
add(X, Y, Z) :- Z is X + Y.
positive(X) :- X > 0.
even(X) :- X mod 2 =:= 0.
succ_throw(0, B) :- !, throw(B).
succ_throw(N, B) :- N1 is N - 1, succ_throw(N1, B), true.

list(N, L) :- numlist(1, N, L).

atoms(N, As) :-
    findall(A, (between(1, N, I), J is I * 7919 mod 10007, atom_concat(key, J, A)), As).

scattered(N, L) :- findall(J, (between(1, N, I), J is I * 7919 mod 10007), L).

tree(0, leaf) :- !.
tree(N, node(L, N, R)) :-
    M is N - 1,
    tree(M, L),
    tree(M, R).

pairs(N, Ps) :- findall(J-I, (between(1, N, I), J is I * 7919 mod 10007), Ps).

facts(N) :-
    retractall(fact(_, _)),
    forall(between(1, N, I), (J is I mod 100, assertz(fact(I, J)))).

items(N) :-
    retractall(item(_)),
    forall(between(1, N, I), assertz(item(I))).

frozen_list(0, []) :- !.
frozen_list(N, [X|Xs]) :-
    freeze(X, true),
    N1 is N - 1,
    frozen_list(N1, Xs).

freeze_chain(0, _) :- !.
freeze_chain(N, X) :-
    freeze(X, Y = 1),
    N1 is N - 1,
    freeze_chain(N1, Y).

digits_of([D|Ds]) --> [D], { code_type(D, digit) }, !, digits_of(Ds).
digits_of([]) --> [].

greeting --> [hello], name, [!].
name --> [world].
name --> [prolog].

expression(X) --> term_of(X0), rest_of(X0, X).
rest_of(X0, X) --> "+", !, term_of(Y), { X1 is X0 + Y }, rest_of(X1, X).
rest_of(X, X) --> [].
term_of(X) --> integer(X).

:- table fibonacci/2.
fibonacci(0, 0).
fibonacci(1, 1).
fibonacci(N, F) :-
    N > 1,
    A is N - 1,
    B is N - 2,
    fibonacci(A, FA),
    fibonacci(B, FB),
    F is FA + FB.

:- table connected/2.
connected(X, Y) :- edge(X, Y).
connected(X, Y) :- connected(X, Z), edge(Z, Y).

edge(1, 2).
edge(2, 3).
edge(3, 4).
edge(4, 5).
edge(5, 1).

text("The quick brown fox jumps over the lazy dog, and then it does the same once more.").

domain_hook:attr_unify_hook(_, _).

output(S) :- open_null_stream(S).

% Control.

operation(control, call_0, call(true)).
operation(control, call_1_known, (G = three(2)), call(G)).
operation(control, call_conjunction, (G = (three(X), X > 2)), call(G)).
operation(control, call_3, call(plus_one, 1, _)).
operation(control, call_5, call(add(1), 2, _)).
operation(control, call_user_predicate, plus_one(1, _)).
operation(control, if_then_else_chain, classify(500, _)).
operation(control, negation, \+ three(4)).
operation(control, negation_of_success, (\+ \+ three(3))).
operation(control, once, once(three(_))).
operation(control, ignore, ignore(three(5))).
operation(control, forall, forall(three(X), X > 0)).
operation(control, soft_cut, (three(X) *-> X > 0 ; true)).
operation(control, disjunction, (_ = 1 ; _ = 2 ; _ = 3)).
operation(control, between_10, between(1, 10, _)).
operation(control, between_infinite, once((between(1, inf, X), X >= 10))).
operation(control, repeat_until, until(5)).
operation(control, count_100, count_to(0, 100)).
operation(control, first_argument_atom, color(yellow, _)).
operation(control, second_argument, color(_, 3)).
operation(control, first_argument_structure, state(s(2), _)).
operation(control, all_clauses, color(_, _)).
operation(control, nrev_30, list(30, L), nrev(L, _)).
operation(control, setup_call_cleanup, setup_call_cleanup(true, true, true)).
operation(control, call_cleanup_with_choice, call_cleanup(three(_), true)).
operation(control, limit_2, limit(2, three(_))).
operation(control, offset_1, offset(1, three(_))).
operation(control, call_nth, call_nth(three(_), 2)).
operation(control, findnsols_10, findnsols(10, X, between(1, 100, X), _)).
operation(control, order_by, order_by([desc(X)], three(X))).
operation(control, distinct, distinct(X, member(X, [a, b, a, c, b]))).
operation(control, not_unifiable, f(a, _) \= f(b, _)).
operation(control, apply_module, lists:append([1], [2], _)).
operation(control, univ_call, (G =.. [add, 1, 2, _], call(G))).
operation(control, first_solution, (member(X, [1, 2, 3]), X >= 2 -> true)).

% Arithmetic.

operation(arithmetic, add, (X = 5), _ is X + 7).
operation(arithmetic, polynomial, (X = 5), _ is 3 * X * X + 2 * X - 1).
operation(arithmetic, divide_integers, (X = 1234567), (_ is X // 7, _ is X mod 7)).
operation(arithmetic, divmod, divmod(1234567, 89, _, _)).
operation(arithmetic, rational_slash, (X = 84), _ is X / 7).
operation(arithmetic, float_operations, (X = 1.5), _ is X * 2.5 + X / 3.0 - 1.0).
operation(arithmetic, sqrt_sin, (X = 1.5), _ is sqrt(X) + sin(X)).
operation(arithmetic, power_integer, (X = 3), _ is X ** 20).
operation(arithmetic, power_caret, (X = 3), _ is X ^ 20).
operation(arithmetic, power_float, (X = 3.1), _ is X ** 2.5).
operation(arithmetic, bits, (X = 12345), _ is (X << 3) /\ 0xffff xor (X >> 2) \/ 1).
operation(arithmetic, min_max, (X = 5, Y = 8), _ is min(X, Y) + max(X, Y)).
operation(arithmetic, abs_sign, (X = -5), _ is abs(X) * sign(X)).
operation(arithmetic, gcd, (X = 462, Y = 1071), _ is gcd(X, Y)).
operation(arithmetic, truncate, (X = 7.8), _ is truncate(X) + round(X) + ceiling(X)).
operation(arithmetic, compare_numbers, (X = 5, Y = 7), (X < Y, X =< Y, X =\= Y)).
operation(arithmetic, compare_mixed, (X = 5, Y = 5.5), X < Y).
operation(arithmetic, run_time_expression, (E = 1 + 2 * 3 - 4), _ is E).
operation(arithmetic, msb_popcount, (X = 123456), _ is msb(X) + popcount(X)).
operation(arithmetic, big_add, (X is 2 ** 200), _ is X + 1).
operation(arithmetic, big_multiply, (X is 3 ** 150), _ is X * X).
operation(arithmetic, big_divide, (X is 7 ** 150, Y is 3 ** 100), _ is X // Y).
operation(arithmetic, big_mod, (X is 7 ** 150, Y is 3 ** 100), _ is X mod Y).
operation(arithmetic, factorial_50, numlist(1, 50, L), foldl([X, P0, P]>>(P is P0 * X), L, 1, _)).
operation(arithmetic, powm, _ is powm(1234567, 7654321, 1000000007)).
operation(arithmetic, succ, succ(_, 8)).
operation(arithmetic, plus, plus(3, _, 8)).
operation(arithmetic, sum_list_100, list(100, L), sum_list(L, _)).
operation(arithmetic, max_list_100, list(100, L), max_list(L, _)).
operation(arithmetic, random, _ is random(1000)).
operation(arithmetic, random_float, _ is random_float).
operation(arithmetic, random_between, random_between(1, 6, _)).
operation(arithmetic, char_constant, _ is "a" + 0'b).
operation(arithmetic, float_to_integer, (X = 1.0e10), _ is integer(X)).

% Atoms.

operation(atoms, atom_length, atom_length(abcdefghij, _)).
operation(atoms, atom_concat, atom_concat(abc, def, _)).
operation(atoms, atom_concat_split, atom_concat(_, _, abcdefgh)).
operation(atoms, atom_concat_prefix, atom_concat(abc, _, abcdefgh)).
operation(atoms, atom_concat_suffix, atom_concat(_, fgh, abcdefgh)).
operation(atoms, sub_atom_part, sub_atom(abcdefghij, 2, 3, _, _)).
operation(atoms, sub_atom_enumerate, sub_atom(abcdef, _, _, _, _)).
operation(atoms, sub_atom_of_length, sub_atom(abcdefghij, _, 2, _, _)).
operation(atoms, sub_atom_search, sub_atom(abcdefghij, _, _, _, hi)).
operation(atoms, sub_atom_check, sub_atom(abcdefghij, 0, _, _, abc)).
operation(atoms, sub_atom_icasechk, sub_atom_icasechk('Hello World', _, world)).
operation(atoms, atom_chars, atom_chars(abcdefghij, _)).
operation(atoms, atom_chars_make, (L = [h, e, l, l, o]), atom_chars(_, L)).
operation(atoms, atom_codes, atom_codes(abcdefghij, _)).
operation(atoms, atom_codes_make, atom_codes(hello, L), atom_codes(_, L)).
operation(atoms, char_code, (char_code(X, 0'a), char_code(X, _))).
operation(atoms, upcase_atom, upcase_atom('hello world', _)).
operation(atoms, atomic_list_concat_join, atomic_list_concat([a, b, c, 1, 2], _)).
operation(atoms, atomic_list_concat_separator, atomic_list_concat([alpha, beta, gamma], ',', _)).
operation(atoms, atomic_list_concat_split, atomic_list_concat(_, ',', 'alpha,beta,gamma,delta')).
operation(atoms, atomic_concat, atomic_concat_of(a, 12)).
operation(atoms, atom_number, (atom_number('12345', _), atom_number(_, 12345))).
operation(atoms, term_to_atom_write, (T = f(X, 'A', [1, 2, 3], "str", X)), term_to_atom(T, _)).
operation(atoms, term_to_atom_read, term_to_atom(_, 'foo(X, bar, [1,2,3], X)')).
operation(atoms, normalize_space, normalize_space(atom(_), '  a  b   c ')).
operation(atoms, gensym, gensym(g, _)).
operation(atoms, new_atoms, (flag(new_atom, N, N + 1), atom_concat(fresh_, N, _))).
operation(atoms, growing_atom_1000, growing_atom(1000, a)).
operation(atoms, char_type_check, char_type(a, alpha)).
operation(atoms, char_type_digit, char_type('7', digit(_))).
operation(atoms, char_type_types, char_type(x, _)).
operation(atoms, char_type_enumerate, char_type(_, digit(_))).
operation(atoms, code_type_check, code_type(0'a, alnum)).
operation(atoms, code_type_types, code_type(0'x, _)).
operation(atoms, code_type_enumerate, code_type(_, digit(_))).
operation(atoms, code_type_upper, code_type(_, upper(0'a))).
operation(atoms, atom_to_term, atom_to_term('p(X, Y, X)', _, _)).
operation(atoms, format_to_atom, format(atom(_), "~w-~w", [a, 1])).
operation(atoms, atom_compare, (compare(_, abcdefg, abcdefh), abc @< abd)).

atomic_concat_of(A, B) :- atomic_list_concat([A, B], _).

growing_atom(0, _) :- !.
growing_atom(N, A0) :-
    atom_concat(A0, x, A),
    N1 is N - 1,
    growing_atom(N1, A).

% Strings.

operation(strings, string_concat, string_concat("abc", "def", _)).
operation(strings, string_concat_split, string_concat(_, _, "abcdef")).
operation(strings, string_length, string_length("abcdefghij", _)).
operation(strings, string_chars, string_chars("abcdefghij", _)).
operation(strings, string_chars_make, (L = [h, e, l, l, o]), string_chars(_, L)).
operation(strings, string_codes, string_codes("abcdefghij", _)).
operation(strings, string_to_atom, string_to_atom("abcdefghij", _)).
operation(strings, string_code, string_code(3, "abcdef", _)).
operation(strings, sub_string, sub_string("abcdefghij", 2, 3, _, _)).
operation(strings, sub_string_search, sub_string("hello world", _, _, _, "wor")).
operation(strings, sub_string_enumerate, sub_string("abcdef", _, _, _, _)).
operation(strings, split_string_words, text(T), split_string(T, " ", ",.", _)).
operation(strings, split_string_strip, split_string("   hello  ", "", " ", _)).
operation(strings, string_lower_upper, (string_lower("Hello", _), string_upper("Hello", _))).
operation(strings, number_string, number_string(_, "12345")).
operation(strings, term_string_read, term_string(_, "foo(X, bar, [1,2,3], X)")).
operation(strings, term_string_write, (T = foo(bar, [1, 2, 3])), term_string(T, _)).
operation(strings, string_number, number_string(12345, _)).
operation(strings, text_to_string, text_to_string(hello, _)).
operation(strings, string_code_list, string_codes(_, [0'a, 0'b, 0'c])).
operation(strings, atomics_to_string, atomics_to_string([a, 1, "b"], _)).
operation(strings, read_term_from_atom, read_term_from_atom('p(X, Y)', _, [])).
operation(strings, format_to_string, format(string(_), "~a and ~d", [abc, 12])).
operation(strings, string_compare, ("abc" @< "abd", "abc" == "abc")).
operation(strings, text_lines, split_string("one\ntwo\nthree\nfour", "\n", "", _)).
operation(strings, codes_sum, (string_codes("hello world", Cs), sum_list(Cs, _))).

% Lists.

operation(lists, append_100, list(100, L), append(L, [x], _)).
operation(lists, append_split_20, list(20, L), append(_, _, L)).
operation(lists, append_lists, append([[1, 2], [3], [4, 5, 6]], _)).
operation(lists, member_enumerate_20, list(20, L), member(_, L)).
operation(lists, memberchk_100, list(100, L), memberchk(99, L)).
operation(lists, length_100, list(100, L), length(L, _)).
operation(lists, length_make_20, length(_, 20)).
operation(lists, nth0_50, list(100, L), nth0(50, L, _)).
operation(lists, nth1_enumerate, list(20, L), nth1(_, L, _)).
operation(lists, nth0_rest, list(20, L), nth0(10, L, _, _)).
operation(lists, last, list(50, L), last(L, _)).
operation(lists, reverse_100, list(100, L), reverse(L, _)).
operation(lists, msort_100, scattered(100, L), msort(L, _)).
operation(lists, permutation_5, permutation([1, 2, 3, 4, 5], _)).
operation(lists, select_20, list(20, L), select(_, L, _)).
operation(lists, selectchk, list(20, L), selectchk(15, L, _)).
operation(lists, select_4, list(20, L), select(15, L, x, _)).
operation(lists, subtract, (list(30, L), list(10, M)), subtract(L, M, _)).
operation(lists, intersection, (list(30, L), list(10, M)), intersection(L, M, _)).
operation(lists, union, (list(30, L), list(10, M)), union(L, M, _)).
operation(lists, delete, list(30, L), delete(L, 10, _)).
operation(lists, exclude_50, list(50, L), exclude(even, L, _)).
operation(lists, include_50, list(50, L), include(even, L, _)).
operation(lists, partition_50, list(50, L), partition(even, L, _, _)).
operation(lists, partition_6, list(50, L), partition([X, C]>>compare(C, X, 25), L, _, _, _)).
operation(lists, maplist_2_50, list(50, L), maplist(positive, L)).
operation(lists, maplist_3_50, list(50, L), maplist(plus_one, L, _)).
operation(lists, maplist_4_50, list(50, L), maplist(add, L, L, _)).
operation(lists, foldl_4_50, list(50, L), foldl(add, L, 0, _)).
operation(lists, foldl_6_50, list(50, L), foldl([X, Y, S0, S]>>(S is S0 + X * Y), L, L, 0, _)).
operation(lists, aggregate_all_count_list, list(50, L), aggregate_all(count, member(_, L), _)).
operation(lists, numlist_sum, (numlist(1, 50, L), sum_list(L, _))).
operation(lists, list_to_set_50, (list(25, L), append(L, L, M)), list_to_set(M, _)).
operation(lists, sort_0_duplicates, (list(25, L), append(L, L, M)), sort(0, @>=, M, _)).
operation(lists, exclude_one, list(20, L), exclude(==(10), L, _)).
operation(lists, flatten, flatten([1, [2, [3, 4], 5], [[6]], 7], _)).
operation(lists, pairs_keys, (pairs_keys_values(P, [a, b, c], [1, 2, 3])), (pairs_keys(P, _), pairs_values(P, _))).
operation(lists, pairs_keys_values, list(20, L), pairs_keys_values(_, L, L)).
operation(lists, transpose_pairs, pairs(30, P), transpose_pairs(P, _)).
operation(lists, max_member, list(50, L), max_member(_, L)).
operation(lists, lambda_sum, list(20, L), (maplist([X, Y]>>(Y is X * X), L, M), sum_list(M, _))).
operation(lists, same_length, list(20, L), same_length(L, _)).
operation(lists, phrase_digits, (atom_codes('12345abc', L)), phrase(digits_of(_), L, _)).
operation(lists, pairs_sort, pairs(50, P), (keysort(P, S), pairs_values(S, _))).
operation(lists, clumped, clumped([a-1, a-2, b-3], _)).
operation(lists, foldl_lambda_sum, list(50, L), foldl([X, S0, S]>>(S is S0 + X), L, 0, _)).
operation(lists, ord_union, (list(30, L), numlist(20, 50, M)), ord_union(L, M, _)).
operation(lists, ord_subtract, (list(30, L), numlist(20, 50, M)), ord_subtract(L, M, _)).
operation(lists, ord_intersection, (list(30, L), numlist(20, 50, M)), ord_intersection(L, M, _)).
operation(lists, ord_memberchk, list(30, L), ord_memberchk(25, L)).
operation(lists, ord_insert, list(30, L), ord_add_element(L, 25, _)).
operation(lists, findall_sum, list(20, L), (findall(Y, (member(X, L), Y is X * X), Ys), sum_list(Ys, _))).
operation(lists, is_list_100, list(100, L), is_list(L)).
operation(lists, sort_4_key, pairs(50, P), sort(1, @>=, P, _)).
operation(lists, nextto, list(20, L), (nextto(10, X, L), X > 0)).
operation(lists, max_min_list, list(50, L), (max_list(L, _), min_list(L, _))).

% Sorting.

operation(sorting, sort_integers_1000, scattered(1000, L), sort(L, _)).
operation(sorting, msort_atoms_300, atoms(300, L), msort(L, _)).
operation(sorting, sort_terms_300, (findall(f(X, Y), (between(1, 300, I), X is I mod 7, Y is I * 7919 mod 10007), L)), sort(L, _)).
operation(sorting, keysort_300, pairs(300, L), keysort(L, _)).
operation(sorting, predsort_100, scattered(100, L), predsort([O, A, B]>>compare(O, A, B), L, _)).
operation(sorting, predsort_named_100, scattered(100, L), predsort(compare, L, _)).
operation(sorting, sort_descending_300, scattered(300, L), sort(0, @>=, L, _)).
operation(sorting, list_to_ord_set_300, scattered(300, L), list_to_ord_set(L, _)).
operation(sorting, sorted_already_300, list(300, L), sort(L, _)).
operation(sorting, sort_floats_300, (findall(F, (between(1, 300, I), F is sin(I)), L)), sort(L, _)).
operation(sorting, sort_strings_100, (findall(S, (between(1, 100, I), J is I * 7919 mod 10007, number_string(J, S)), L)), sort(L, _)).
operation(sorting, compare_terms, (T = f(a, [1, 2, 3], g(x)), copy_term(T, U)), compare(_, T, U)).

% Databases.

operation(database, assertz_retract_fact, (assertz(counter(1)), retract(counter(1)))).
operation(database, asserta_retract_fact, (asserta(counter(1)), retract(counter(_)))).
operation(database, assertz_erase, (assertz(counter(1), R), erase(R))).
operation(database, assertz_rule, (assertz((rule(X) :- X > 1, three(X), \+ X = 2), R), erase(R))).
operation(database, lookup_first, facts(1000), fact(500, _)).
operation(database, lookup_second, facts(1000), fact(_, 50)).
operation(database, lookup_both, facts(1000), fact(550, 50)).
operation(database, lookup_fail, facts(1000), \+ fact(5000, _)).
operation(database, all_facts_1000, facts(1000), fact(_, _)).
operation(database, count_update, (retractall(counter(_)), assertz(counter(0))),
          (retract(counter(N)), N1 is N + 1, assertz(counter(N1)))).
operation(database, retractall_keyed, items(500), (retractall(item(250)), assertz(item(250)))).
operation(database, clause_of_fact, facts(1000), clause(fact(500, _), true)).
operation(database, clause_of_rule, (retractall(rule(_)), assertz((rule(Y) :- Y > 1, three(Y)))), clause(rule(_), _)).
operation(database, predicate_property, predicate_property(fact(_, _), dynamic)).
operation(database, current_predicate, current_predicate(nrev/2)).
operation(database, recorda_erase, (recorda(key, value(1, 2), R), erase(R))).
operation(database, recorded, (\+ recorded(place, _) -> recordz(place, x(1)), recordz(place, x(2)) ; true), recorded(place, _)).
operation(database, flag, flag(my_counter, N, N + 1)).
operation(database, assert_100_abolish, (forall(between(1, 100, I), assertz(item(I))), retractall(item(_)))).
operation(database, number_of_clauses, facts(100), predicate_property(fact(_, _), number_of_clauses(_))).
operation(database, lookup_compound, (retractall(rule(_)), forall(between(1, 100, I), assertz(rule(k(I, x))))), rule(k(50, _))).

% Collecting solutions.

operation(findall, findall_3, findall(X, three(X), _)).
operation(findall, findall_between_100, findall(X, between(1, 100, X), _)).
operation(findall, findall_4, findall(X, three(X), _, [])).
operation(findall, findall_terms_100, findall(f(X, g(X), [X]), between(1, 100, X), _)).
operation(findall, findall_empty, findall(X, fail_with(X), _)).
operation(findall, bagof, bagof(X, three(X), _)).
operation(findall, bagof_free, bagof(X, member(X-_, [1-a, 2-b, 3-a]), _)).
operation(findall, bagof_caret, bagof(X, Y^member(X-Y, [1-a, 2-b, 3-a]), _)).
operation(findall, setof, setof(X, member(X, [c, a, b, a]), _)).
operation(findall, setof_free, setof(X-Y, member(X-Y, [2-b, 1-a]), _)).
operation(findall, aggregate_all_sum, aggregate_all(sum(X), three(X), _)).
operation(findall, aggregate_all_max, aggregate_all(max(X), between(1, 50, X), _)).
operation(findall, aggregate_all_max_witness, aggregate_all(max(X, Y), (three(Y), X is -Y), _)).
operation(findall, aggregate_all_bag, aggregate_all(bag(X), three(X), _)).
operation(findall, aggregate_all_set, aggregate_all(set(X), member(X, [c, a, b, a]), _)).
operation(findall, aggregate_all_count, aggregate_all(count, between(1, 50, _), _)).
operation(findall, aggregate_count, aggregate(count, X^three(X), _)).
operation(findall, foreach, foreach(three(X), dif(X, _))).
operation(findall, forall_member, list(50, L), forall(member(X, L), X > 0)).
operation(findall, findnsols_5, findnsols(5, X, three(X), _)).

fail_with(_) :- fail.

% Trees, tables and sets.

operation(assoc, list_to_assoc_50, pairs(50, P), list_to_assoc(P, _)).
operation(assoc, get_assoc_100, (pairs(100, P), list_to_assoc(P, A), P = [K-_|_]), get_assoc(K, A, _)).
operation(assoc, put_assoc_100, (pairs(100, P), list_to_assoc(P, A)), put_assoc(5000, A, x, _)).
operation(assoc, replace_assoc_100, (pairs(100, P), list_to_assoc(P, A), P = [K-_|_]), put_assoc(K, A, x, _)).
operation(assoc, del_assoc_100, (pairs(100, P), list_to_assoc(P, A), P = [K-_|_]), del_assoc(K, A, _, _)).
operation(assoc, gen_assoc_50, (pairs(50, P), list_to_assoc(P, A)), gen_assoc(_, A, _)).
operation(assoc, assoc_to_list_50, (pairs(50, P), list_to_assoc(P, A)), assoc_to_list(A, _)).
operation(assoc, assoc_to_keys_50, (pairs(50, P), list_to_assoc(P, A)), assoc_to_keys(A, _)).
operation(assoc, assoc_to_values_50, (pairs(50, P), list_to_assoc(P, A)), assoc_to_values(A, _)).
operation(assoc, max_assoc, (pairs(100, P), list_to_assoc(P, A)), max_assoc(A, _, _)).
operation(assoc, map_assoc_50, (pairs(50, P), list_to_assoc(P, A)), map_assoc(plus_one, A, _)).
operation(assoc, get_assoc_atoms, (atoms(100, As), pairs_keys_values(P, As, As), list_to_assoc(P, A), As = [K|_]), get_assoc(K, A, _)).
operation(assoc, rb_insert_100, (pairs(100, P), list_to_rbtree(P, T)), rb_insert(T, 5000, x, _)).
operation(assoc, rb_lookup_100, (pairs(100, P), list_to_rbtree(P, T), P = [K-_|_]), rb_lookup(K, _, T)).
operation(assoc, rb_update_100, (pairs(100, P), list_to_rbtree(P, T), P = [K-_|_]), rb_update(T, K, x, _)).
operation(assoc, rb_update_5, (pairs(100, P), list_to_rbtree(P, T), P = [K-_|_]), rb_update(T, K, _, x, _)).
operation(assoc, rb_apply, (pairs(100, P), list_to_rbtree(P, T), P = [K-_|_]), rb_apply(T, K, plus_one, _)).
operation(assoc, rb_delete_100, (pairs(100, P), list_to_rbtree(P, T), P = [K-_|_]), rb_delete(T, K, _)).
operation(assoc, rb_in_50, (pairs(50, P), list_to_rbtree(P, T)), rb_in(_, _, T)).
operation(assoc, rb_visit_50, (pairs(50, P), list_to_rbtree(P, T)), rb_visit(T, _)).
operation(assoc, rb_keys_50, (pairs(50, P), list_to_rbtree(P, T)), rb_keys(T, _)).
operation(assoc, list_to_rbtree_50, pairs(50, P), list_to_rbtree(P, _)).
operation(assoc, heap_add, (pairs(50, P), list_to_heap(P, H)), add_to_heap(H, 25, x, _)).
operation(assoc, heap_get, (pairs(50, P), list_to_heap(P, H)), get_from_heap(H, _, _, _)).
operation(assoc, keysort_ord_set, pairs(50, P), (keysort(P, S), list_to_ord_set(S, _))).
operation(assoc, nb_set_add, (empty_nb_set(S), forall(between(1, 50, I), add_nb_set(I, S))), add_nb_set(25, S, _)).
operation(assoc, nb_set_enumerate, (empty_nb_set(S), forall(between(1, 20, I), add_nb_set(I, S))), gen_nb_set(S, _)).
operation(assoc, ugraph_vertices_edges, vertices_edges_to_ugraph([1, 2, 3], [1-2, 2-3, 3-1], _)).
operation(assoc, ugraph_reachable, vertices_edges_to_ugraph([], [1-2, 2-3, 3-1, 3-4], G), reachable(1, G, _)).
operation(assoc, top_sort, vertices_edges_to_ugraph([], [1-2, 2-3, 1-4, 4-3], G), top_sort(G, _)).
operation(assoc, transitive_closure, vertices_edges_to_ugraph([], [1-2, 2-3, 3-4, 4-5], G), transitive_closure(G, _)).
operation(assoc, option_2, option(b(_), [a(1), b(2), c(3)])).
operation(assoc, option_3, option(d(_), [a(1), b(2), c(3)], 4)).
operation(assoc, select_option, select_option(b(_), [a(1), b(2), c(3)], _)).
operation(assoc, merge_options, merge_options([a(1), b(2)], [c(3), b(1)], _)).

% Exceptions.

operation(exceptions, catch_no_throw, catch(true, _, true)).
operation(exceptions, catch_throw, catch(throw(ball), ball, true)).
operation(exceptions, catch_throw_deep_100, catch(succ_throw(100, ball), ball, true)).
operation(exceptions, catch_type_error, catch(atom_length(1, a), error(type_error(_, _), _), true)).
operation(exceptions, catch_evaluation_error, (X = 0), catch(_ is 1 / X, error(evaluation_error(_), _), true)).
operation(exceptions, catch_existence_error, catch(no_such_predicate, error(existence_error(_, _), _), true)).
operation(exceptions, catch_rethrow, catch(catch(throw(a), b, true), a, true)).
operation(exceptions, must_be_integer, must_be(integer, 5)).
operation(exceptions, must_be_list, list(20, L), must_be(list, L)).
operation(exceptions, must_be_error, catch(must_be(integer, a), _, true)).
operation(exceptions, is_of_type, is_of_type(positive_integer, 5)).
operation(exceptions, catch_with_choice, catch(three(_), _, true)).
operation(exceptions, catch_large_ball, list(50, L), catch(throw(ball(L)), ball(_), true)).

% Global variables and destructive assignment.

operation(globals, nb_setval_getval, (nb_setval(v, 1), nb_getval(v, _))).
operation(globals, b_setval_getval, (b_setval(v, 1), b_getval(v, _))).
operation(globals, nb_setval_term, (T = f(a, [1, 2, 3], g(x))), nb_setval(t, T)).
operation(globals, nb_getval_term, nb_setval(t, f(a, [1, 2, 3], g(x))), nb_getval(t, _)).
operation(globals, setarg, (T = f(1, 2, 3)), setarg(2, T, x)).
operation(globals, nb_setarg, (T = f(1, 2, 3)), nb_setarg(2, T, x)).
operation(globals, nb_setarg_counter, (T = count(0)), (arg(1, T, N), N1 is N + 1, nb_setarg(1, T, N1))).
operation(globals, arg_known, (T = f(1, 2, 3)), arg(2, T, _)).
operation(globals, arg_enumerate, (T = f(1, 2, 3, 4, 5)), arg(_, T, _)).
operation(globals, nb_current, nb_setval(v, 1), nb_current(v, _)).

% Attributed variables and suspended goals.

operation(attributes, put_get_attr, (put_attr(X, domain_hook, 1), get_attr(X, domain_hook, _))).
operation(attributes, put_attr_bind, (put_attr(X, domain_hook, 1), X = 1)).
operation(attributes, put_attr_twice, (put_attr(X, domain_hook, 1), put_attr(X, domain_hook, 2))).
operation(attributes, freeze, freeze(_, true)).
operation(attributes, freeze_wake, (freeze(X, true), X = 1)).
operation(attributes, freeze_two, (freeze(X, true), freeze(X, true), X = 1)).
operation(attributes, freeze_chain_100, (freeze_chain(100, X), X = 1)).
operation(attributes, freeze_list_50, (frozen_list(50, L), maplist(=(1), L))).
operation(attributes, frozen, frozen_list(1, [X]), frozen(X, _)).
operation(attributes, dif_atoms, dif(a, b)).
operation(attributes, dif_variable, dif(_, a)).
operation(attributes, dif_wake, (dif(X, a), X = b)).
operation(attributes, dif_terms, (dif(f(X, Y), f(1, 2)), X = 1, Y = 3)).
operation(attributes, when_nonvar, (when(nonvar(X), true), X = 1)).
operation(attributes, when_ground, (when(ground(f(X, Y)), true), X = 1, Y = 2)).
operation(attributes, when_condition, (when((nonvar(X) ; nonvar(Y)), true), Y = 2, X = 1)).
operation(attributes, when_equal, (when(?=(X, Y), true), X = Y)).
operation(attributes, copy_term_3, frozen_list(5, L), copy_term(L, _, _)).
operation(attributes, copy_term_attributed, frozen_list(5, L), copy_term(L, _)).
operation(attributes, copy_term_nat, frozen_list(5, L), copy_term_nat(L, _)).
operation(attributes, copy_term_3_one, put_attr(X, domain_hook, 1), copy_term(X, _, _)).
operation(attributes, copy_term_3_dif, dif(X, a), copy_term(X, _, _)).
operation(attributes, term_attvars, frozen_list(20, L), term_attvars(L, _)).
operation(attributes, unify_attributed, (freeze(X, true), freeze(Y, true), X = Y)).
operation(attributes, del_attr, (put_attr(X, domain_hook, 1), del_attr(X, domain_hook))).

% Text and terms.

operation(conversion, number_codes, (number_codes(X, [0'1, 0'2, 0'3]), number_codes(X, _))).
operation(conversion, number_codes_make, number_codes(12345, _)).
operation(conversion, number_codes_read, number_codes(_, [0'1, 0'2, 0'3, 0'4])).
operation(conversion, atom_number_float, atom_number('3.14159', _)).
operation(conversion, number_chars, number_chars(_, ['4', '2'])).
operation(conversion, float_text, (X = 3.14159), atom_number(_, X)).
operation(conversion, float_codes, (X is 1.0 / 3), number_codes(X, _)).
operation(conversion, atom_string, atom_string(_, "abc")).
operation(conversion, number_vars_write, (T = f(_, g(_))), \+ \+ (numbervars(T, 0, _), format(atom(_), "~p", [T]))).
operation(conversion, term_to_atom_small, term_to_atom(foo(bar, 1), _)).
operation(conversion, term_to_atom_list_100, list(100, L), term_to_atom(L, _)).
operation(conversion, term_to_atom_operators, (T = (a :- b, c ; d -> e)), term_to_atom(T, _)).
operation(conversion, term_from_codes, (atom_codes('foo(X, Y, [1,2,3])', Cs)), read_term_from_codes(Cs)).
operation(conversion, format_to_codes, format(codes(_), "~w ~q", [a, 'B'])).
operation(conversion, with_output_to_string, with_output_to(string(_), write(hello))).
operation(conversion, with_output_to_atom, with_output_to(atom(_), (write(a), write(b)))).
operation(conversion, with_output_to_codes, with_output_to(codes(_), write(hello))).
operation(conversion, text_to_codes, atom_codes('hello world', _)).
operation(conversion, big_number_text, (X is 7 ** 150), atom_number(_, X)).
operation(conversion, format_radix_atom, format(atom(_), "~16r", [255])).
operation(conversion, parse_number_dcg, atom_codes('12345 rest', L), phrase(integer(_), L, _)).
operation(conversion, parse_expression_dcg, atom_codes('1+2+3+4', L), phrase(expression(_), L)).
operation(conversion, phrase_greeting, phrase(greeting, [hello, prolog, !])).

read_term_from_codes(Cs) :- atom_codes(A, Cs), term_to_atom(_, A).

% Formatted output.

operation(format, format_w, output(S), format(S, "~w", [hello])).
operation(format, format_no_arguments, output(S), format(S, "hello world~n", [])).
operation(format, format_many, output(S), format(S, "~a ~d ~q ~p~n", [abc, 42, 'X y', f(x)])).
operation(format, format_float, output(S), format(S, "~4f ~e ~g", [3.14159, 2.5, 1.5])).
operation(format, format_d_group, output(S), format(S, "~D", [1234567])).
operation(format, format_columns, output(S), format(S, "~w~t~20|~w~t~10+~w~n", [abc, def, ghi])).
operation(format, format_string_argument, output(S), format(S, "~s", [[0'a, 0'b]])).
operation(format, format_repeat, output(S), format(S, "~`-t~40|~n", [])).
operation(format, format_atom, format(atom(_), "~w is ~w", [x, 1])).
operation(format, format_i_star, output(S), format(S, "~i~w~*c", [a, b, 3, 0'x])).
operation(format, format_r, output(S), format(S, "~8r ~16R", [1000, 255])).
operation(format, format_c, output(S), format(S, "~c", [65])).

% Streams.

operation(streams, put_char, output(S), put_char(S, a)).
operation(streams, nl, output(S), nl(S)).
operation(streams, write_atom, output(S), write(S, hello)).
operation(streams, writeq_atom, output(S), writeq(S, 'Hello World')).
operation(streams, write_integer, output(S), write(S, 12345)).
operation(streams, write_float, output(S), write(S, 3.14159)).
operation(streams, write_list_20, (output(S), list(20, L)), write(S, L)).
operation(streams, writeq_term, output(S), writeq(S, f(X, 'A b', [1, 2|X], "s", - 1, 1 - 2))).
operation(streams, print, output(S), print(S, f(x, y))).
operation(streams, write_canonical, output(S), write_canonical(S, f(X, 'A', [X]))).
operation(streams, write_term_options, output(S), write_term(S, f(x, 'A'), [quoted(true), max_depth(5)])).
operation(streams, write_operators, (output(S), T = (a :- b, c ; d -> e, \+ f)), writeq(S, T)).
operation(streams, write_tree_6, (output(S), tree(6, T)), write(S, T)).
operation(streams, tab, output(S), tab(S, 5)).
operation(streams, open_string_read, (open_string("hello(world). foo(bar).", S), read(S, _), close(S))).
operation(streams, get_char_string, (open_string("abc", S), get_char(S, _), get_char(S, _), close(S))).
operation(streams, read_term_string, (open_string("foo(X, Y, [1, 2, 3], \"text\").", S), read_term(S, _, [variable_names(_)]), close(S))).
operation(streams, read_line_to_string, (open_string("first line\nsecond line\n", S), read_line_to_string(S, _), close(S))).
operation(streams, read_line_to_codes, (open_string("first line\nsecond line\n", S), read_line_to_codes(S, _), close(S))).
operation(streams, read_stream_to_codes, (open_string("first line\nsecond line\n", S), read_stream_to_codes(S, _), close(S))).
operation(streams, peek_char, (open_string("abc", S), peek_char(S, _), close(S))).
operation(streams, stream_property, output(S), stream_property(S, mode(_))).
operation(streams, current_output, (current_output(S), S = S)).
operation(streams, set_output, (current_output(S), set_output(S))).
operation(streams, at_end_of_stream, open_string("abc", S), at_end_of_stream_not(S)).
operation(streams, line_count, output(S), line_count(S, _)).

at_end_of_stream_not(S) :- \+ at_end_of_stream(S).

% Operators and flags.

operation(system, current_op_enumerate, current_op(_, _, _)).
operation(system, current_op_known, current_op(_, _, +)).
operation(system, current_op_type, current_op(_, xfx, _)).
operation(system, op_define, op(700, xfx, =@@=)).
operation(system, current_prolog_flag, current_prolog_flag(bounded, _)).
operation(system, set_prolog_flag, set_prolog_flag(double_quotes, codes)).
operation(system, statistics_cputime, statistics(cputime, _)).
operation(system, get_time, get_time(_)).
operation(system, ground_tree, tree(6, T), ground(T)).
operation(system, current_predicate_check, current_predicate(append/3)).
operation(system, flag_of_integers, current_prolog_flag(max_tagged_integer, _)).
operation(system, tabled_call, fibonacci(20, _)).
operation(system, tabled_fresh, (abolish_all_tables, fibonacci(20, _))).
operation(system, tabled_left_recursion, (abolish_all_tables, connected(1, _))).
operation(system, tabled_answers, connected(1, _)).
operation(system, format_time, format_time(atom(_), '%Y-%m-%d', 0)).
operation(system, stamp_date_time, stamp_date_time(0, _, 'UTC')).
operation(system, file_base_name, file_base_name('/a/b/c.pl', _)).
operation(system, file_name_extension, file_name_extension(_, _, 'abc.pl')).
operation(system, exists_file, exists_file('/etc/passwd')).

% Lambda expressions.

operation(yall, maplist_lambda_50, list(50, L), maplist([X, Y]>>(Y is X * 2), L, _)).
operation(yall, maplist_lambda_context, list(50, L), scaled(L, 3, _)).
operation(yall, maplist_lambda_shared, list(50, L), scaled_shared(L, 3, _)).
operation(yall, include_lambda_50, list(50, L), include([X]>>(X > 25), L, _)).
operation(yall, foldl_lambda_50, list(50, L), foldl([X, A, B]>>(B is A + X), L, 0, _)).
operation(yall, maplist_lambda_body, list(50, L), maplist([X, Y]>>(X > 25 -> Y = big ; Y = small), L, _)).
operation(yall, maplist_lambda_unify, list(50, L), maplist([X, X-1]>>true, L, _)).
operation(yall, lambda_run_time, (list(50, L), G = [X, Y]>>(Y is X * 2)), maplist(G, L, _)).
operation(yall, call_lambda, call([X]>>(X > 1), 2)).
operation(yall, lambda_structure_context, (list(50, L), numlist(1, 20, M)), maplist([X, Y]>>(Y = X-M), L, _)).

scaled(L, F, M) :- maplist([X, Y]>>(Y is X * F), L, M).

scaled_shared(L, F, M) :- maplist({F}/[X, Y]>>(Y is X * F), L, M).

% Terms.

operation(terms, functor, (functor(f(a, b), _, _), functor(_, g, 3))).
operation(terms, univ, f(a, b, c) =.. _).
operation(terms, univ_make, (L = [f, a, b, c]), _ =.. L).
operation(terms, compound_name_arguments, compound_name_arguments(f(a, b), _, _)).
operation(terms, compound_name_arity, compound_name_arity(_, f, 5)).
operation(terms, copy_term, (T = f(X, Y, g(X, [Y]))), copy_term(T, _)).
operation(terms, copy_term_tree, tree(6, T), copy_term(T, _)).
operation(terms, copy_term_ground_list, list(100, L), copy_term(L, _)).
operation(terms, duplicate_term, list(100, L), duplicate_term(L, _)).
operation(terms, term_variables, (T = f(X, Y, g(X, [Y, _]))), term_variables(T, _)).
operation(terms, term_variables_tree, tree(6, T), term_variables(T, _)).
operation(terms, unify_trees, (tree(6, T), tree(6, U)), T = U).
operation(terms, unify_occurs_check, unify_with_occurs_check(f(X, _), f(_, g(X)))).
operation(terms, unifiable, unifiable(f(_, 1), f(2, _), _)).
operation(terms, subsumes_term, subsumes_term(f(_, _), f(1, 2))).
operation(terms, not_variant, variant_of(f(X, _, X), f(_, _, _))).
operation(terms, variant, (T = f(X, _, X), copy_term(T, U)), T =@= U).
operation(terms, structural_equality, (tree(6, T), tree(6, U)), T == U).
operation(terms, compare_tree, (tree(6, T), tree(6, U)), compare(_, T, U)).
operation(terms, numbervars, (T = f(_, g(_, _))), \+ \+ numbervars(T, 0, _)).
operation(terms, type_tests, (X = foo, Y = 1), (atom(X), integer(Y), atomic(X), nonvar(Y), \+ compound(X))).
operation(terms, callable_is_list, (T = f(x), L = [1, 2]), (callable(T), is_list(L))).
operation(terms, acyclic_term, tree(6, T), acyclic_term(T)).
operation(terms, term_hash, (T = f(a, [1, 2, 3], "s")), term_hash(T, _)).
operation(terms, term_size, tree(6, T), term_size(T, _)).
operation(terms, sub_term, (T = f(a, g(b, c), [d])), sub_term(_, T)).
operation(terms, occurrences_of_term, (T = f(a, g(a, c), [a])), occurrences_of_term(a, T, _)).
operation(terms, mapargs, (T = f(1, 2, 3)), mapargs(plus_one, T, _)).
operation(terms, mapsubterms, (T = f(1, g(2), 3)), mapsubterms([1, 9]>>true, T, _)).
operation(terms, variables_sorted, (T = f(X, Y, X)), (term_variables(T, Vs), sort(Vs, _), Y = Y)).
operation(terms, term_factorized, (T = f(g(a), g(a))), term_factorized(T, _, _)).
operation(terms, not_identical, (T = f(a)), T \== f(b)).
operation(terms, ground_list_100, list(100, L), ground(L)).

variant_of(A, B) :- A \=@= B.

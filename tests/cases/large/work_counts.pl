% Goals on large values for work_counts.queries, each one call of a builtin or a few.

% unbounded(+Kind, -Name): a goal of this name is made over and over again without coming soon to a limit of
% inferences.
unbounded(Kind, Name) :-
    values(Kind, Values), goals(Kind, Values, Goals), member(Goal, Goals),
    \+ catch(call_with_time_limit(5, ends(Goal)), time_limit_exceeded, fail),
    functor(Goal, Name, _).

ends(Goal) :-
    call_with_inference_limit((repeat, catch(Goal, _, true), fail), 10000, Result),
    Result == inference_limit_exceeded.

values(lists, v(Ints, Back, Vars, Others, Pairs)) :-
    numlist(1, 1000000, Ints), reverse(Ints, Back), length(Vars, 1000000), length(Others, 1000000),
    findall(N-N, member(N, Ints), Pairs).
values(terms, v(Long, Same, Vars, Others, Deep, Wide)) :-
    numlist(1, 1000000, Long), numlist(1, 1000000, Same), length(Vars, 1000000), length(Others, 1000000),
    deep(1000000, a, Deep), functor(Wide, w, 1000000).
values(texts, v(Atom, String, Codes, Chars, Text)) :-
    length(Codes, 1000000), maplist(=(0'a), Codes), atom_codes(Atom, Codes), atom_chars(Atom, Chars),
    atom_string(Atom, String), findall(x, between(1, 300000, _), Xs), term_to_atom(Xs, Text).
values(numbers, v(Big, Same, Codes, Sum)) :-
    Big is 7 ** 300000, Same is 7 ** 300000, number_codes(Big, Codes),
    numlist(1, 300000, Ints), foldl([X, S, S + X]>>true, Ints, 0, Sum).

% above(+Count, :Goal): calls Goal above Count choice points.
above(0, Goal) :- !, call(Goal).
above(N, Goal) :- (true ; fail), N1 is N - 1, above(N1, Goal).

deep(0, T, T) :- !.
deep(N, T0, T) :- N1 is N - 1, deep(N1, s(T0), T).

goals(lists, v(Ints, Back, Vars, Others, Pairs), [
    length(Ints, _), length(_, 1000000), msort(Ints, _), msort(Vars, _), sort(Back, _), sort(0, @>=, Ints, _),
    sort(1, @<, Pairs, _), keysort(Pairs, _), predsort(compare, Ints, _), list_to_set(Ints, _), numlist(1, 1000000, _),
    sum_list(Ints, _), max_list(Ints, _), min_list(Ints, _), max_member(_, Ints), nth1(900000, Ints, _),
    last(Ints, _), reverse(Ints, _), append(Ints, [], _), memberchk(a, Ints), is_list(Ints), is_set(Ints),
    list_to_ord_set(Back, _), ord_union(Ints, Ints, _), list_to_assoc(Pairs, _), pairs_keys(Pairs, _),
    findall(Ints, true, _), findall(Vars, true, _), bagof(Vars, true, _), setof(X, member(X, Ints), _),
    aggregate_all(count, member(_, Ints), _), atomic_list_concat(Ints, _), Vars = Others, Ints =.. _,
    _ =.. Ints, _ =.. [f|Vars], phrase(([_], [_]), Ints, _), forall(member(_, Ints), true)
]).
goals(terms, v(Long, Same, Vars, Others, Deep, Wide), [
    copy_term(Vars, _), copy_term(Deep, _), copy_term(Wide, _), duplicate_term(Long, _), copy_term(Vars, _, _),
    term_variables(Vars, _), term_variables(Long, _), term_variables(Wide, _), term_attvars(Vars, _),
    ground(Long), ground(Deep), nonground(Long, _), acyclic_term(Long), acyclic_term(Deep), cyclic_term(Long),
    Long == Same, Long = Same, Vars = Others, Vars == Others, Vars =@= Others, Long =@= Same, Long \== Same,
    Long \= Same, Long @< Same, compare(_, Long, Same), ?=(Long, Same), unifiable(Vars, Others, _),
    dif(Long, Same), dif(Vars, Others), unify_with_occurs_check(Vars, Others), subsumes_term(Vars, Long),
    numbervars(Vars, 0, _), numbervars(Wide, 0, _), term_size(Long, _), term_hash(Long, _),
    functor(_, f, 1000000), Wide =.. _, setarg(1, Wide, Long), arg(_, Wide, none), b_setval(v, Long),
    nb_setval(v, Long), nb_setval(v, Deep), (nb_setval(v, Vars), nb_getval(v, _)),
    (assertz(kept(Long)), retract(kept(_))), (asserta(kept(Deep)), retractall(kept(_))),
    (recordz(k, Vars, R), erase(R)), (assertz(kept(Wide)), retractall(kept(_))), (recorda(k, Wide, S), erase(S)),
    (assertz((kept(X) :- kept(X, Wide))), retractall(kept(_))), catch(throw(Long), _, true), catch(throw(Deep), _, true),
    term_to_atom(Long, _), with_output_to(string(_), print(Long)), with_output_to(string(_), writeq(Vars)),
    with_output_to(string(_), write_canonical(Long)), format(atom(_), "~w", [Deep]),
    with_output_to(string(_), portray_clause(Vars))
]).
goals(texts, v(Atom, String, Codes, Chars, Text), [
    atom_codes(Atom, _), atom_codes(_, Codes), atom_chars(Atom, _), atom_chars(_, Chars), atom_length(Atom, _),
    string_codes(String, _), string_codes(_, Codes), string_chars(String, _), string_length(String, _),
    string_to_atom(String, _), atom_string(Atom, _), atom_concat(Atom, b, _), atom_concat(_, _, Atom),
    string_concat(String, b, _), sub_atom(Atom, _, 1, 0, _), sub_atom(Atom, _, _, 0, b), sub_atom(Atom, 5, _, 0, _),
    sub_string(String, 5, _, 0, _), upcase_atom(Atom, _), string_upper(String, _), split_string(String, "", "", _),
    split_string(String, "a", "", _), atomic_list_concat(Chars, _), atomic_list_concat(Chars, ',', _),
    atomic_list_concat(_, a, Atom), atom_number(Atom, _), normalize_space(atom(_), Atom), text_concat(Atom, b, _),
    text_to_string(Codes, _), term_to_atom(_, Text), term_string(_, Text), atom_to_term(Text, _, _),
    format(atom(_), "~a", [Atom]), format(atom(_), "~s", [Codes]), format(codes(_), "~q", [Atom]),
    wildcard_match("*b", Atom), string_code(1, String, _), sub_atom_icasechk(Atom, _, b)
]).
goals(numbers, v(Big, Same, Codes, Sum), [
    number_codes(_, Codes), number_codes(Big, _), atom_length(Big, _), atom_number(_, Big), format(atom(_), "~d", [Big]),
    _ is Sum, Sum =:= Sum, _ is Big * Big, _ is Big + 1, _ is -Big, _ is Big mod 17, _ is Big // (Same - 1),
    _ is Big ** 3, _ is Big >> 1, _ is 1 << 10000000, _ is gcd(Big, Same - 1), _ is powm(3, Big, 1000007),
    _ is msb(Big), _ is popcount(Big), _ is float(Big), _ is Big / 3, Big =:= Same, Big < Same, Big == Same,
    Big = Same, compare(_, Big, Same), succ(Big, _), plus(1, Big, _)
]).

:- dynamic(kept/1).

% Writes a text of facts, of Lolli if it has a head.
many_clauses(File, Head, Count) :-
    (   Head == '' -> Format = 'many(~d).~n' ; Format = 'many ~d.~n' ),
    open(File, write, Stream),
    write(Stream, Head),
    forall(between(1, Count, N), format(Stream, Format, [N])),
    close(Stream).

% Goals that wait for a growing list bind variables again and again, without a call.
size([], 0).
size([_|Xs], N) :-
    size(Xs, M),
    N is M + 1.

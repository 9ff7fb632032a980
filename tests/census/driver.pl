% Runs the cases of a file, case(Number, Setup, Goal), and writes the outcome of each on its own line.
% Both systems load this; `limited/1` is defined before it.


run :- case(Number, Setup, Goal), prepared, once(asked(Number, Setup, Goal)), fail.
run.

% No case sees changes of the case before.
prepared :-
    retractall(fact(_)), retractall(fact(_, _)),
    forall(member(Fact, [fact(1), fact(2), fact(a), fact(1, a), fact(2, b), fact(2, c)]), assertz(Fact)),
    abolish(no_such_procedure/0),
    forall(catch(clause([], _, Clause), _, fail), erase(Clause)),
    forall(recorded(_, _, Record), erase(Record)),
    forall(member(Key-Term, [k-a, k-f(_), f(_)-b, 1-[a], k-f(x)]), recordz(Key, Term)),
    flag(fl, _, 0).

asked(Number, Setup, Goal) :-
    write(Number), put_char('\t'), flush_output,
    Found = found([]),
    with_output_to(string(Output), catch(limited(solutions(Setup, Goal, Found)), Ball, true)),
    arg(1, Found, Texts0),
    reverse(Texts0, Texts),
    forall(member(Text, Texts), ( write(Text), write('; ') )),
    ended(Ball, Texts),
    (   Output == ""
    ->  true
    ;   atom_length(Output, 0)
    ->  true
    ;   write(' writes '), atom_codes(Output, Codes), escaped(Codes)
    ),
    nl, flush_output.

solutions(Setup, Goal, Found) :-
    call(Setup),
    term_variables(Goal, Variables),
    call(Goal),
    with_output_to(atom(Text), shown(Variables)),
    arg(1, Found, Texts),
    nb_setarg(1, Found, [Text|Texts]),
    length(Texts, 4),
    !.
solutions(_, _, _).

% Five solutions at most.
ended(Ball, Texts) :- var(Ball), !, ( length(Texts, 5) -> write('...') ; write(no) ).
ended(Ball, _) :- endless(Ball), !, write(endless).
ended(error(Formal0, _), _) :- !, formal(Formal0, Formal), write('error '), shown(Formal).
ended(Ball, _) :- write('throws '), shown(Ball).

endless(Ball) :- Ball == endless.
endless(Ball) :- Ball == time_limit_exceeded.
endless(Ball) :- nonvar(Ball), Ball = error(Formal, _), nonvar(Formal), Formal = resource_error(_).

formal(Formal, Formal) :- var(Formal), !.
formal(existence_error(procedure, _:Indicator), existence_error(procedure, Indicator)) :- !.
formal(existence_error(matching_rule, _), existence_error(matching_rule)) :- !.
formal(Formal, Formal).

shown(Term) :-
    (   term_attvars(Term, [_|_])
    ->  copy_term(Term, Copy, Goals), \+ \+ ( numbered(Copy), canonical(Copy, 7), write(' where '), canonical(Goals, 7) )
    ;   \+ \+ ( numbered(Term), canonical(Term, 7) )
    ).

numbered(Term) :- term_variables(Term, Variables), numbered(Variables, 0).

numbered([], _).
numbered(['$V'(N)|Variables], N) :- M is N + 1, numbered(Variables, M).

% Cut at a depth, and after the first elements of lists, so that cyclic terms end.

canonical(Term, _) :- var(Term), !, put_char('_').
canonical('$V'(N), _) :- integer(N), !, put_char('_'), write(N).
canonical(Term, _) :- integer(Term), !, write(Term).
canonical(Term, _) :- float(Term), !, canonical_float(Term).
canonical(Term, _) :- string(Term), !, put_char('"'), atom_codes(Term, Codes), escaped(Codes), put_char('"').
canonical([], _) :- !, write([]).
canonical(Term, _) :- catch(is_stream(Term), _, fail), !, write('<stream>').
canonical('$stream'(_), _) :- !, write('<blob>').
canonical('$clause'(_, _, _), _) :- !, write('<blob>').
canonical('$record'(_, _), _) :- !, write('<blob>').
canonical(Term, _) :- atom(Term), !, canonical_atom(Term).
canonical(_, 0) :- !, write('..').
canonical([Head|Tail], D0) :- !, D is D0 - 1, put_char('['), canonical(Head, D), canonical_tail(Tail, 12, D).
canonical(Term, D0) :-
    compound(Term), !,
    D is D0 - 1,
    compound_name_arguments(Term, Name, Arguments),
    canonical(Name, D), put_char('('), canonical_arguments(Arguments, 12, D), put_char(')').
canonical(_, _) :- write('<blob>').

canonical_tail([], _, _) :- !, put_char(']').
canonical_tail(_, 0, _) :- !, write('|..]').
canonical_tail([Head|Tail], N0, D) :- !, N is N0 - 1, put_char(','), canonical(Head, D), canonical_tail(Tail, N, D).
canonical_tail(Tail, _, D) :- put_char('|'), canonical(Tail, D), put_char(']').

canonical_arguments([], _, _).
canonical_arguments([_|_], 0, _) :- !, write('..').
canonical_arguments([Argument|Arguments], N0, D) :-
    canonical(Argument, D),
    N is N0 - 1,
    ( Arguments == [] -> true ; put_char(','), canonical_arguments(Arguments, N, D) ).

canonical_float(Float) :- catch(( Float =:= Float, Float - Float =:= 0.0 ), _, fail), !, format('~11e', [Float]).
canonical_float(Float) :- write(Float).

canonical_atom(Atom) :- catch(blob(Atom, Type), _, fail), Type \== text, Type \== reserved_symbol, !, write('<blob>').
canonical_atom(Atom) :-
    atom_codes(Atom, Codes),
    (   Codes = [Code|Rest], Code >= 0'a, Code =< 0'z, plain(Rest)
    ->  write(Atom)
    ;   put_char(''''), escaped(Codes), put_char('''')
    ).

plain([]).
plain([Code|Codes]) :- plain_code(Code), !, plain(Codes).

plain_code(Code) :- Code >= 0'a, Code =< 0'z, !.
plain_code(Code) :- Code >= 0'A, Code =< 0'Z, !.
plain_code(Code) :- Code >= 0'0, Code =< 0'9, !.
plain_code(0'_).

% The names that systems give to variables differ: of _123 only the _ is written.
escaped([]).
escaped([0'_, Code|Codes0]) :- digit(Code), !, put_char('_'), digits(Codes0, Codes), escaped(Codes).
escaped([Code|Codes]) :-
    (   Code >= 32, Code =< 126, Code =\= 39, Code =\= 92
    ->  char_code(Char, Code), put_char(Char)
    ;   put_char(\), write(Code), put_char(\)
    ),
    escaped(Codes).

digits([Code|Codes0], Codes) :- digit(Code), !, digits(Codes0, Codes).
digits(Codes, Codes).

digit(Code) :- Code >= 0'0, Code =< 0'9.

% What cases call: closures of any number of arguments, with no solution, one, several, or an error.

det.
det(X) :- atomic(X).
det(X, s(X)).
det(X, Y, [X|Y]).
det(X, Y, Z, [X, Y|Z]).
det(X, Y, Z, V, [X, Y, Z|V]).
det(X, Y, Z, V, W, [X, Y, Z, V|W]).
det(X, Y, Z, V, W, U, [X, Y, Z, V, W|U]).

two.
two.
two(_).
two(_).
two(X, X).
two(X, s(X)).
two(X, Y, X-Y).
two(X, Y, Y-X).
two(X, Y, Z, X-Y-Z).
two(X, Y, Z, Z-Y-X).
two(X, Y, Z, V, X-Y-Z-V).
two(X, Y, Z, V, V-Z-Y-X).
two(X, Y, Z, V, W, X-Y-Z-V-W).
two(X, Y, Z, V, W, W-V-Z-Y-X).

some(X) :- X == a.
some(X) :- X == c.
some(a, 1).
some(c, 2).
some(c, 3).
some(a, X, X).
some(c, X, s(X)).

bad :- throw(bad).
bad(_) :- throw(bad).
bad(_, _) :- throw(bad).
bad(_, _, _) :- throw(bad).
bad(_, _, _, _) :- throw(bad).

order(<, X, Y) :- X @< Y.
order(=, X, Y) :- X == Y.
order(>, X, Y) :- X @> Y.

item(X) --> [X].
item(X-Y) --> [X, Y].

comma --> ",".
semicolon --> ";".
semicolon --> ";;".

:- dynamic(fact/1).
:- dynamic(fact/2).
fact(1).
fact(2).
fact(a).
fact(1, a).
fact(2, b).
fact(2, c).

fail_item(_) --> { fail }.
fail_one(_) :- fail.
sequence_of_none --> [].

% A small language read from its text: characters to tokens, tokens to a tree, both by grammar rules.

main :-
    source(Codes),
    rounds(3500, Codes, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, Codes, Sum0, Sum) :-
    phrase(tokens(Tokens), Codes),
    phrase(statements(Tree), Tokens),
    size(Tree, 0, Size),
    Sum1 is Sum0 + Size,
    N1 is N - 1,
    rounds(N1, Codes, Sum1, Sum).

source(Codes) :-
    atom_codes('let total = 0; let n = 100; while n > 0 do begin total = total + n * (n - 1) / 2; \
if n = 50 then print total else total = total - 1; n = n - 1 end; print total; \
call swap(total, n + 3, 42); while total < 1000000 do begin total = total * 2 + 1; \
if total > 5000 then begin print total; let k = total / 7 end else print n end; \
print (total + n) * (total - n) * ((n + 2) - (3 * total)) ', Codes).

tokens(Ts) --> [C], { C =< 0' }, !, tokens(Ts).
tokens([T|Ts]) --> [C], { letter(C) }, !, letters(Cs), { atom_codes(A, [C|Cs]), word(A, T) }, tokens(Ts).
tokens([number(N)|Ts]) --> [C], { digit(C) }, !, digits(Cs), { number_codes(N, [C|Cs]) }, tokens(Ts).
tokens([sign(A)|Ts]) --> [C], !, { char_code(A, C) }, tokens(Ts).
tokens([]) --> [].

letters([C|Cs]) --> [C], { letter(C) }, !, letters(Cs).
letters([]) --> [].

digits([C|Cs]) --> [C], { digit(C) }, !, digits(Cs).
digits([]) --> [].

letter(C) :- C >= 0'a, C =< 0'z.

digit(C) :- C >= 0'0, C =< 0'9.

word(A, key(A)) :- keyword(A), !.
word(A, name(A)).

keyword(let). keyword(while). keyword(do). keyword(begin). keyword(end). keyword(if).
keyword(then). keyword(else). keyword(print). keyword(call).

statements([S|Ss]) --> statement(S), more_statements(Ss).

more_statements([S|Ss]) --> [sign(;)], !, statement(S), more_statements(Ss).
more_statements([]) --> [].

statement(let(X, E)) --> [key(let)], !, [name(X), sign(=)], expression(E).
statement(while(C, S)) --> [key(while)], !, condition(C), [key(do)], statement(S).
statement(block(Ss)) --> [key(begin)], !, statements(Ss), [key(end)].
statement(if(C, S1, S2)) --> [key(if)], !,
    condition(C), [key(then)], statement(S1), [key(else)], statement(S2).
statement(print(E)) --> [key(print)], !, expression(E).
statement(call(F, Es)) --> [key(call)], !, [name(F), sign('(')], arguments(Es), [sign(')')].
statement(set(X, E)) --> [name(X), sign(=)], expression(E).

condition(compare(Op, A, B)) --> expression(A), [sign(Op)], { comparison(Op) }, expression(B).

comparison(=).
comparison(<).
comparison(>).

arguments([E|Es]) --> expression(E), more_arguments(Es).

more_arguments([E|Es]) --> [sign(',')], !, expression(E), more_arguments(Es).
more_arguments([]) --> [].

expression(E) --> term(T), sum(T, E).

sum(A, E) --> [sign(+)], !, term(B), sum(plus(A, B), E).
sum(A, E) --> [sign(-)], !, term(B), sum(minus(A, B), E).
sum(E, E) --> [].

term(E) --> factor(F), product(F, E).

product(A, E) --> [sign(*)], !, factor(B), product(times(A, B), E).
product(A, E) --> [sign(/)], !, factor(B), product(over(A, B), E).
product(E, E) --> [].

factor(number(N)) --> [number(N)], !.
factor(name(X)) --> [name(X)], !.
factor(E) --> [sign('(')], expression(E), [sign(')')].

size(T, N, N) :- atomic(T), !.
size(T, N0, N) :-
    T =.. [_|Ts],
    N1 is N0 + 1,
    sizes(Ts, N1, N).

sizes([], N, N).
sizes([T|Ts], N0, N) :-
    size(T, N0, N1),
    sizes(Ts, N1, N).

% The warning `nonstandard` acts from its directive on.
before(1 000).
:- style_check(+nonstandard).
p(_).
p(_, _).
line :- p('a
b').
tab :- p('a	b').
escape :- p("a\e"), p('\x41 b').
skipped :- p('a\c
   b').
octal :- p('\101 b').
quote :- p(0'').
tab_code :- p(0'	).
grouped(1 000 000).
spread(1_ 000).
radix(16'FF).
exponent(1E10, 1e10).
argument(:- b).
argument((a :- b)).
element([a :- b]).
bar(a|b).
none() :- p(p()).
name(- = x).
list([= = a, \+]).
assigned(x := 1).
thread_local(thread_local a).
% This is all within the standard, with what is more lexical than that.
within([+, -, 0xff, 0'a, 1.0e10, "text", `codes`, 1_000, (:-), - 1, {a}, 'it''s', 'a\
b']).
both --> "text", \+ p, { p(1), ! ; p(2) }.
:- style_check(-nonstandard).
after(1 000).
:- style_check(+nonstandard).
:- if(fail).
left_out(1 000).
:- endif.
:- p(1 000).

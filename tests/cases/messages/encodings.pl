:- encoding(no_such).
:- encoding(_).
:- encoding(7).
:- encoding(iso_latin_1).
p('יי') :- no_such_goal('י').
:- p('יי').
:- initialization(encoding(utf8)).

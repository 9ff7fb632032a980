% Strings where lists, atoms and numbers are taken.
first(X) :- append("a", "b", X).
each :- maplist(print, "abc").
sum(X) :- X is "ab" + 1.
one(X) :- X is "a" + 1.
fine(X) :- append(`a`, "b", X), member("a", [X]).
greeting --> "hello".
:- phrase(greeting, "hello").
:- functor(_, "point", 2).
:- op(700, xfx, "likes").
:- call("first").
:- char_code("a", _).
:- atom_length("abc", 3), string_concat("a", b, "ab"), exists_file("strings.pl").

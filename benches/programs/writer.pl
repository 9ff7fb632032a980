% A tree written as text by grammar rules: codes made from names and numbers, indented by depth.

main :-
    tree(6, 1, Tree),
    rounds(250, Tree, 0, Sum),
    write(checksum(Sum)), nl.

rounds(0, _, Sum, Sum) :- !.
rounds(N, Tree, Sum0, Sum) :-
    phrase(element(Tree, 0), Codes),
    weighed(Codes, N, Weight),
    Sum1 is (Sum0 + Weight) mod 1000003,
    N1 is N - 1,
    rounds(N1, Tree, Sum1, Sum).

weighed([], Weight, Weight).
weighed([C|Cs], Weight0, Weight) :-
    Weight1 is (Weight0 * 31 + C) mod 65521,
    weighed(Cs, Weight1, Weight).

tree(0, Seed, text(Seed)) :- !.
tree(Depth, Seed, element(Name, [depth = Depth, seed = Seed], [A, B, C])) :-
    Kind is Seed mod 4,
    name_of(Kind, Name),
    D1 is Depth - 1,
    S1 is (Seed * 3 + 1) mod 1009,
    S2 is (Seed * 5 + 2) mod 1009,
    S3 is (Seed * 7 + 3) mod 1009,
    tree(D1, S1, A),
    tree(D1, S2, B),
    tree(D1, S3, C).

name_of(0, section).
name_of(1, paragraph).
name_of(2, table).
name_of(3, item).

element(text(N), Depth) --> indent(Depth), number(N), newline.
element(element(Name, Attributes, Content), Depth) -->
    indent(Depth), [0'<], name(Name), attributes(Attributes), [0'>], newline,
    { Depth1 is Depth + 1 },
    content(Content, Depth1),
    indent(Depth), [0'<, 0'/], name(Name), [0'>], newline.

content([], _) --> [].
content([E|Es], Depth) --> element(E, Depth), content(Es, Depth).

attributes([]) --> [].
attributes([Name = Value|Rest]) -->
    [0' ], name(Name), [0'=, 0'"], number(Value), [0'"],
    attributes(Rest).

indent(0) --> !.
indent(N) --> [0' , 0' ], { N1 is N - 1 }, indent(N1).

newline --> [10].

name(Name) --> { atom_codes(Name, Codes) }, text(Codes).

number(N) --> { number_codes(N, Codes) }, text(Codes).

text([]) --> [].
text([C|Cs]) --> [C], text(Cs).

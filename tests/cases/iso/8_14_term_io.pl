% Operators and clauses for 8_14_term_io.queries.

text_term(Text, Term) :-
    open('$TMP/term.txt', write, Out),
    write(Out, Text),
    close(Out),
    open('$TMP/term.txt', read, In),
    read(In, Term0),
    close(In),
    Term = Term0.

text_terms(Text, Options, Terms) :-
    open('$TMP/term.txt', write, Out),
    write(Out, Text),
    close(Out),
    open('$TMP/term.txt', read, In),
    read_all(In, Options, Terms),
    close(In).

read_all(In, Options, Terms) :-
    read_term(In, Term, Options),
    ( Term == end_of_file -> Terms = [] ; Terms = [Term|Rest], read_all(In, [], Rest) ).

% Texts of several lines.
:- multifile(prolog:message//1).
prolog:message(mine) --> [ first, nl, second, nl, '  third' ].
:- initialization(( print_message(error, mine), print_message(warning, mine) )).
:- initialization(print_message(informational, mine)).
:- initialization(catch(open('nofile.pl', read, _), E, print_message(error, E))).

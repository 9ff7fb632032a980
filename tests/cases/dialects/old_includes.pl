% An included file is read in the dialect of this one, which is declared below.

:- include(included_swi).
after("a").
:- expects_dialect(sicstus).

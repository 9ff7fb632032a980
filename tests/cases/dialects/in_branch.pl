% A directive within a condition does not count for the whole file: it acts from its place on.

before("a").

:- if(true).
:- expects_dialect(scryer).
:- endif.

after("a").

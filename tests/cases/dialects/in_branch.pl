% A directive within a condition is not looked for: it acts from where it stands.

before("a").

:- if(true).
:- expects_dialect(scryer).
:- endif.

after("a").

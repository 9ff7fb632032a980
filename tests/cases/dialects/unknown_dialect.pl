% A name that is no dialect's changes nothing.

:- expects_dialect(no_such_prolog).

text("a").

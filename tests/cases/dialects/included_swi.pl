% Included: the file that includes it has a dialect.

:- expects_dialect(swi).
within("w").

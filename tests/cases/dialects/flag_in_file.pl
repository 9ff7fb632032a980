% The flag acts from its directive to the end of the file, over the dialect.

:- expects_dialect(sicstus).

first("a").

:- set_prolog_flag(double_quotes, atom).

second("a").

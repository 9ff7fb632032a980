% A directive of format/2, for from_swi_prolog.queries.

boxed(Count, Term) :- write(Count), write(<), print(Term), write(>).

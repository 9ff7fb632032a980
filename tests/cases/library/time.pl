% Goals without end, for time.queries.
loop :- loop_too.
loop_too :- loop.

none(_) :- fail.

sorting :- numlist(1, 100000, L), sort(0, @>=, L, _), sorting.

% What tests/cases/library/counted_lists_own.queries is about: predicates that the program defines for itself, after their use.

number_of(G, N) :- findall(x, G, L), length(L, N).
sum_of(X, G, S) :- findall(X, G, L), sum_list(L, S).

length(List, long(List)).
sum_list([X|_], first(X)).

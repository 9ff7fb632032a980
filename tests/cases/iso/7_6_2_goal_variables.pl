% Clauses for 7_6_2_goal_variables.queries.

m(1).
m(2).
m(3).

cut_after_goal(X) :- G = !, call((m(X), G)).
cut_before(X) :- G = !, call((G, fail ; X = 1)).
cut_before(2).
outside_goes_on(X-Y) :- G = !, call((m(X), G)), ( Y = a ; Y = b ).
if_then(X) :- G = (X = 1 -> true), call((G ; X = 2)).
soft_if_then(X) :- G = (m(X) *-> true), call((G ; X = other)).
of_head(G, X) :- call((m(X), G ; X = last)).
in_condition(G, X) :- call(((m(X), G -> true) ; X = last)).
bound_within(X) :- call((G = !, m(X), G)).
bound_by_outer(X) :- call((G = !, call((m(X), G)))).
inner_and_outer(X) :- G = !, call((call(((X = in ; X = lost), G)) ; X = out)).
collected(L) :- G = !, findall(X, (m(X), G), L).
template(L) :- findall(G, (m(X), G = X, G), L).
collected_goals(L) :- findall(G, (member(G, [true, fail, m(1)]), G), L).
counted(N) :- G = !, aggregate_all(count, (m(_), G), N).
first_of(X) :- G = (true -> fail), once((G ; X = 2)).
ignored(X) :- G = (true -> fail), ignore((G ; X = 2)).
negated :- G = (true -> fail), \+ (G ; true).
negated_not :- G = (true -> fail), not((G ; true)).
for_all :- G = !, forall((m(X), G), X == 1).
for_all_action :- G = (true -> fail), forall(m(_), (G ; true)).
for_all_bound :- forall(member(G, [true, (fail -> true)]), (G ; true)).
qualified(X) :- G = !, user:call((m(X), G)).
qualified_part(X) :- G = !, call((m(X), user:G)).
qualified_whole(X) :- G = !, call(user:(m(X), G)).
module_known_later(X) :- M = user, call((m(X), M:(!))).
in_body(X) :- G = !, m(X), G.
disjunct_of_body(X) :- G = (m(X) -> true), ( G ; X = last ).
no_goal :- G = 1, call((write(never), G)).
part_no_goal :- G = (fail, 1), findall(x, (G ; true), _).
unbound(G) :- call((true, G)).

% For modules.queries.
MODULE stock.
made X :- X = F b , F = h.
item one. item two.
LINEAR only x.
LINEAR too y.

MODULE own_builtins.
pp 1. pp 2. pp 3.
not G :- G -> fail | true.
once G :- G -> true | fail.

% For modules.queries.
MODULE value A.
LOCAL inner.
val A.
inner A.
secret X :- X = inner.

MODULE fuel.
LOCAL secret.
LINEAR fuel 1.
LINEAR fuel 2.
rule X :- fuel X , (secret X -o secret X).
go N :- rule N , rule M , needs M.
needs 7.

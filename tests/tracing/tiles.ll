MODULE tiles.
LINEAR tile 1 2.
row A (A - B :: Row) :- tile A B , row B Row.
row A nil.
some X :- tile A B -o tile X 3.

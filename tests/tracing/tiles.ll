MODULE tiles.
LINEAR tile 1 2.
row A (A - B :: Row) :- tile A B , row B Row.
row _ nil.
some X :- tile _A _B -o tile X 3.

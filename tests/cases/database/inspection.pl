:- dynamic(colour/1).

colour(red).
colour(green) :- light(on).
colour(blue).

light(on).

:- use_module(library(linear)).
:- linear fruit/1.
eat(X) :- fruit(X), chew(X).
chew(_).
lunch :- (fruit(apple) -<> fruit(pear) -<> (eat(_), eat(_))).
hungry :- (fruit(apple) -<> true).
share(X) :- (fruit(X) -<> fruit(Y)), chew(Y).

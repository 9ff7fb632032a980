MODULE a.
LINEAR coin one.
LINEAR coin two.
buy X :- coin X.
all :- coin X , coin Y.
wish :- coin three -o buy three.
app nil L L.
app (X :: Xs) Ys (X :: Zs) :- app Xs Ys Zs.
LINEAR (foo X :- X > 1) & (bar X :- X > 2).
lemma :- (forall x \ small x :- x < 3) => small 1.
no_lemma :- (forall x \ large x :- x > 3) => true.
?- buy X , erase.
   X <- one ;
   X <- two.
?- erase , app (a :: nil) nil X.
   X <- a :: nil.
?- foo 3 , erase.
   solved.
?- erase , lemma.
   solved.
?- erase , no_lemma.
   solved.

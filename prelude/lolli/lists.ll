% Lists: a :: b :: nil.

MODULE lists.

% append L M N: N is L, and M after it.
append nil M M.
append (X :: L) M (X :: N) :- append L M N.

% member X L: X is in L; for each place where it is.
member X (X :: _L).
member X (_Y :: L) :- member X L.

% memberchk X L: the same, once.
memberchk X L :- member X L -> true | fail.

% length L N: L has N members.
length L N :- lists_length L 0 N.
lists_length nil N N.
lists_length (_X :: L) M N :- K is M + 1 , lists_length L K N.

% reverse L M: M is L from its end on.
reverse L M :- lists_reverse L nil M.
lists_reverse nil M M.
lists_reverse (X :: L) K M :- lists_reverse L (X :: K) M.

% select X L M: X is in L; M is the rest.
select X (X :: L) L.
select X (Y :: L) (Y :: M) :- select X L M.

% permute L M: M has the members of L, in any order.
permute nil nil.
permute (X :: L) M :- permute L N , select X M N.

% last L X: X is the last member of L.
last (X :: nil) X.
last (_X :: Y :: L) Z :- last (Y :: L) Z.

% nth N L X: X is member number N of L, the first one being number 0.
nth N L X :- lists_nth L 0 N X.
lists_nth (X :: _L) N N X.
lists_nth (_X :: L) M N Y :- K is M + 1 , lists_nth L K N Y.

% map P L M: P X Y for each member X of L and the one of M at its place.
map _P nil nil.
map P (X :: L) (Y :: M) :- P X Y , map P L M.

% all P L: P X for each member X of L.
all _P nil.
all P (X :: L) :- P X , all P L.

% some P L: P X for a member X of L.
some P L :- member X L , P X.

% filter P L M: M has the members X of L for which P X is, once.
filter _P nil nil.
filter P (X :: L) M :- P X -> (M = (X :: N) , filter P L N) | (filter P L M).

% fold P L A B: from A by P X A1 A2 for each member X of L in turn to B.
fold _P nil A A.
fold P (X :: L) A B :- P X A C , fold P L C B.

% zip L M N: N has pair X Y for members X of L and Y of M at the same place.
zip nil nil nil.
zip (X :: L) (Y :: M) (pair X Y :: N) :- zip L M N.

% sorted L M: M has the members of L in the standard order of Prolog.
sorted L M :- lolli_list L K , msort K N , lolli_list M N.

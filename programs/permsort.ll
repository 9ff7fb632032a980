% Permutation sort. The elements of a list become linear assumptions. A permutation is the order in
% which they are consumed. After Hodas and Miller, "Logic Programming in a Fragment of
% Intuitionistic Linear Logic" (1994), section 4.

MODULE permsort.

permute nil K :- unload K.
permute (X :: L) K :- item X -o permute L K.

unload nil.
unload (X :: K) :- item X , unload K.

ordered nil.
ordered (_X :: nil).
ordered (X :: Y :: L) :- X =< Y , ordered (Y :: L).

sort L K :- permute L K , ordered K.

% A faster sort: the next element must not be less than the one before, so a wrong start fails at
% once. The least element comes first.
insert nil Least K :- ascend Least K.
insert (X :: L) Least K :- item X -o insert L Least K.

ascend _Least nil.
ascend Least (X :: K) :- item X , Least =< X , ascend X K.

quick L K :- insert L 0 K.

% Integers.

MODULE arith.

% modulo X Y Z: Z is what X / Y leaves; it has the sign of Y.
modulo X Y Z :- Z is X - (X / Y * Y).

% even X, odd X.
even X :- modulo X 2 0.
odd X :- modulo X 2 1.

% absolute X Y, negated X Y.
absolute X Y :- (X < 0) -> (Y is 0 - X) | (Y is X).
negated X Y :- Y is 0 - X.

% least X Y Z, greatest X Y Z: Z is the one or the other of X and Y.
least X Y Z :- (X < Y) -> (Z is X) | (Z is Y).
greatest X Y Z :- (X > Y) -> (Z is X) | (Z is Y).

% power X N Z: Z is X times itself, N times in all; N is not negative.
power _X 0 1.
power X N Z :- N > 0 , H is N / 2 , power X H R , modulo N 2 O , arith_power O X R Z.
arith_power 0 _X R Z :- Z is R * R.
arith_power 1 X R Z :- Z is R * R * X.

% divisor X Y Z: Z is the greatest integer that divides both.
divisor X 0 Z :- absolute X Z.
divisor X Y Z :- Y =\= 0 , modulo X Y R , divisor Y R Z.

% from_to L H M: M is the list of the integers from L to H.
from_to L H nil :- L > H.
from_to L H (L :: M) :- L =< H , K is L + 1 , from_to K H M.

% sum L N, product L N: of the members of a list.
sum L N :- arith_sum L 0 N.
arith_sum nil N N.
arith_sum (X :: L) M N :- K is M + X , arith_sum L K N.
product L N :- arith_product L 1 N.
arith_product nil N N.
arith_product (X :: L) M N :- K is M * X , arith_product L K N.

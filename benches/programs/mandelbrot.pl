% The Mandelbrot set on a grid: arithmetic and comparison of floats, no data kept.
% note: both systems keep floats on the heap, but GNU Prolog compiles to machine code

main :-
    row(0, 290, 0, Sum),
    write(checksum(Sum)), nl.

row(Y, Size, Sum, Sum) :- Y >= Size, !.
row(Y, Size, Sum0, Sum) :-
    point(0, Y, Size, Sum0, Sum1),
    Y1 is Y + 1,
    row(Y1, Size, Sum1, Sum).

point(X, _, Size, Sum, Sum) :- X >= Size, !.
point(X, Y, Size, Sum0, Sum) :-
    Cr is X * 2.5 / Size - 2.0,
    Ci is Y * 2.0 / Size - 1.0,
    escape(60, 0.0, 0.0, Cr, Ci, Left),
    Sum1 is Sum0 + Left,
    X1 is X + 1,
    point(X1, Y, Size, Sum1, Sum).

escape(0, _, _, _, _, 0) :- !.
escape(N, Zr, Zi, Cr, Ci, Left) :-
    R2 is Zr * Zr,
    I2 is Zi * Zi,
    ( R2 + I2 > 4.0 -> Left = N
    ; Zr1 is R2 - I2 + Cr,
      Zi1 is 2.0 * Zr * Zi + Ci,
      N1 is N - 1,
      escape(N1, Zr1, Zi1, Cr, Ci, Left)
    ).

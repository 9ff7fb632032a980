% Reading and writing.

MODULE io.

% write_line X: X, and the end of the line.
write_line X :- write_sans X , nl.

% fmt T L: the text T, in which each ~ stands for the next member of the list L, as write_sans writes
% it, and ! for the end of the line.
fmt T L :- explode T C , io_fmt C L.
io_fmt nil nil.
io_fmt (X :: C) L :- io_sign X S , io_fmt_sign S X C L.
io_sign X S :- (X = '~') -> (S = next) | (io_end X S).
io_end X S :- (X = '!') -> (S = end) | (S = plain).
io_fmt_sign next _X C (Y :: L) :- write_sans Y , io_fmt C L.
io_fmt_sign end _X C L :- nl , io_fmt C L.
io_fmt_sign plain X C L :- write_sans X , io_fmt C L.

% write_list L S: the members of a list, with the text S between them.
write_list nil _S.
write_list (X :: L) S :- write_sans X , io_rest L S.
io_rest nil _S.
io_rest (X :: L) S :- write_sans S , write_sans X , io_rest L S.

% ask T X: writes the text T and reads the term X.
ask T X :- write_sans T , read X.

MODULE hiding.
LOCAL hid.
go X :- closure hid --o (reach a X).
go2 X :- closure hid --o (hid a X, erase).
both & either.
LINEAR (one X :- q X) & (two X :- q X).
q 5.

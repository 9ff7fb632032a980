% Declares nothing.

inner("i").

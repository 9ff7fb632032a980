MODULE circle.

% A module that enters itself, for the case of memory that ends.
again :- circle --o again.

?- true.
   true.

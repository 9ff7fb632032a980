MODULE nested.

% Implications on the left of each other: provable for odd numbers of them.
odd :- (((((((((((((((((((((((((((((((((((((((((a -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a).
even :- ((((((((((((((((((((((((((((((((((((((((((a -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a) -o a).

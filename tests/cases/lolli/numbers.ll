MODULE numbers.
p 1. p 2. p 3. p 4. p 5. p 6.

MODULE empty.

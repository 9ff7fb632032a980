part(1).

MODULE other.
a.

MODULE tensor.
a, b.

MODULE linear.
LINEAR a, b.
LINEAR p X, q X.

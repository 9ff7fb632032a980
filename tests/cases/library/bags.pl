% Facts for the queries beside.

class(1, a, x).
class(2, b, y).
class(3, a, x).
class(4, b, z).

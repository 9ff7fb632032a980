% Who asks for a name that is no name is told what wants one.
:- listing(bakery:_).
:- bakery:help(_).

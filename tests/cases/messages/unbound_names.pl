% Who asks for a name that is no name is told what wants one.
:- listing(_:bread/1).
:- bakery:help(_).

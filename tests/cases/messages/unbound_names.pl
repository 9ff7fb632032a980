% Who asks for a name that is no name is told what wants one.
:- listing(_).
:- bakery:help(_).

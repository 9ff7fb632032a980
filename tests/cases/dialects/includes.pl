% An included file is read in the dialect of this one.

before("b").
:- include(included_old).
after("a").

:- use_module(through).
:- use_module(first, [shared/1]).

local(1).

% Loaded by load_hooks.queries.
other(in).
:- include('load_hooks_part.pl').

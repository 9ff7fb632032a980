% Loads the libraries for the queries beside.

:- use_module(library(clpfd)).
:- use_module(library(clpfd_sets)).

% The set of a domain, as a domain.
same(Domain, Range) :- range_to_fdset(Domain, Set), is_fdset(Set), fdset_to_range(Set, Range).

% Included: what it declares changes neither this file nor the one that includes it.

:- use_module(library(misc)).
:- expects_dialect(scryer).
within("w").

# A first line like this is skipped, as SWI-Prolog does.
first(1).

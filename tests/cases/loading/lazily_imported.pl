:- module(lazily_imported, [both/1, only_there/1]).
both(there).
only_there(1).

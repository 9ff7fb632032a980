% Files in other encodings than UTF-8, which they declare.
:- ensure_loaded(in_pieces).
:- use_module(unnamed).

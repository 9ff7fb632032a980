% Files: the predicates of SWI-Prolog's library(files).

:- module(files, [
    can_open_file/2,
    chdir/1
]).

%% can_open_file(+File, +Mode)
%
%  True if the program could open File in Mode: read, write, append or update, or both for reading and writing.

can_open_file(File, Mode) :-
    must_be(oneof([read,write,append,update,both]), Mode),
    files_can_open(Mode, File).

files_can_open(read, File) :-
    access_file(File, read).
files_can_open(write, File) :-
    access_file(File, write).
files_can_open(append, File) :-
    access_file(File, append).
files_can_open(update, File) :-
    access_file(File, write).
files_can_open(both, File) :-
    access_file(File, read),
    access_file(File, write).

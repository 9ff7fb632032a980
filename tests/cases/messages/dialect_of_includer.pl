% An included file is read in the dialect of the file that includes it.
:- include('../dialects/included_old').

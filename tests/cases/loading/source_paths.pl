% Where files are looked for: file_search_path/2 and what rests on it.

:- multifile user:file_search_path/2, user:library_directory/1.
:- dynamic user:file_search_path/2, user:library_directory/1.

user:file_search_path(top, '$TMP').
user:file_search_path(inner, top(sub)).
user:file_search_path(both, top(.)).
user:file_search_path(both, inner(.)).
user:file_search_path(circle, circle(x)).
user:library_directory('$TMP/sub').

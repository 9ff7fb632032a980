% Long texts: of one byte a character, and of several.

text(Length, Char, String) :-
    length(Chars, Length),
    maplist(=(Char), Chars),
    string_chars(String, [x|Chars]).

% The counted work on the solutions of a goal.
work(Goal, Steps) :-
    call_with_inference_limit(forall(Goal, true), 20_000_000, Result),
    ( Result == inference_limit_exceeded -> Steps = too_many ; Steps = few ).

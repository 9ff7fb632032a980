% 26 letters have the values 1 to 26; the sums of 28 words are known. First-fail search, all solutions.
% gnu: benches/constraints/gnu.pl
% uses: benches/constraints/rounds.pl
% rounds: 600, swipl 40
:- use_module(library(clpfd)).

answer(Solutions) :- findall(Letters, ( alphabet(Letters), labeling([ff], Letters) ), Solutions).

alphabet(Letters) :-
    length(Letters, 26),
    Letters ins 1..26,
    all_different(Letters),
    Alphabet =.. [letters|Letters],
    words(Words),
    sums(Words, Alphabet).

sums([], _).
sums([Word|Words], Alphabet) :-
    values(letters(14,10,12,11,13,25,4,20,1,9,23,3,5,8,2,21,16,22,6,7,19,17,24,26,18,15), Word, Values),
    add(Values, 0, Sum),
    values(Alphabet, Word, Letters),
    sum(Letters, #=, Sum),
    sums(Words, Alphabet).

values(_, [], []).
values(Alphabet, [N|Ns], [X|Xs]) :- arg(N, Alphabet, X), values(Alphabet, Ns, Xs).

add([], Sum, Sum).
add([X|Xs], Sum0, Sum) :- Sum1 is Sum0 + X, add(Xs, Sum1, Sum).

words([[17,3],[2,7],[8,20],[1,25],[15,11],[15,19,7],[17,8,21],[10,16,1],[22,3,15],[21,9,14],[18,3,23],
       [9,11,25],[8,17,10],[1,3,19],[25,4,13,10],[13,3,1,22],[1,7,2,16],[13,23,14,3],[19,21,7,25],
       [22,9,11,3],[10,11,1,14],[25,4,5,8,23],[4,1,2,15,26],[16,6,22,18,7],[15,17,7,5,14,21],
       [13,4,26,14,7,1],[24,9,26],[12,19,10]]).

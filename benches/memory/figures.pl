% Programs that show the use of memory: see docs/memory.md. Run each one in a separate process:
%
%     wamlet -g "figure(lists),halt" benches/memory/figures.pl
%     swipl -q -g "figure(lists),halt" benches/memory/figures.pl
%
% The program prints the processor time, the share of collections of terms in it, the number of collections, and the peak
% memory of the process. For growing, swipl needs --stack-limit=8g: its default limit is too low.

:- use_module(library(assoc)).
:- use_module(library(lists)).
:- use_module(library(readutil)).

figure(Name) :-
    program(Name, Goal),
    statistics(cputime, T0),
    call(Goal), !,
    statistics(cputime, T1),
    statistics(garbage_collection, [Count, _, Milliseconds|_]),
    peak(Peak),
    Seconds is T1 - T0,
    Share is Milliseconds / 10 / Seconds,
    format("~w: ~2f s, ~1f % of it in ~d collections, ~w kB at most~n", [Name, Seconds, Share, Count, Peak]).

% peak(-Peak): the peak resident memory of the process so far, in kB.
peak(Peak) :-
    open('/proc/self/status', read, Stream),
    repeat,
    read_line_to_codes(Stream, Codes),
    (   Codes == -1
    ->  Peak = unknown
    ;   atom_codes(Line, Codes),
        sub_atom(Line, 0, _, _, 'VmHWM:'),
        atomic_list_concat(Words, ' ', Line),
        append(_, [Number, kB], Words),
        atom_number(Number, Peak)
    ), !,
    close(Stream).

% Loops of 5 million steps that make garbage.
program(lists, lists(5000000, [])).
program(terms, terms(5000000, s(0, []))).
program(floats, floats(5000000, 0.0, 1)).
program(bags, bags(5000000, [])).
program(texts, texts(5000000, 0)).
program(choices, ( member(_, [1,2,3]), choices(5000000, []) )).
program(nrev, ( numlist(1, 600, L), reverses(1000, L) )).
program(long_nrev, ( numlist(1, 600, L), reverses(10000, L) )).
program(asserting, asserting(10000000)).
% The same loops with large live data: a term of 5 MB, a million frames, a million choice points, a trail
% of a million entries.
program(above_term, ( pairs(50000, Ps), list_to_assoc(Ps, A), terms(5000000, s(0, [])), get_assoc(7, A, _) )).
program(above_frames, above_frames(1000000)).
program(above_choices, above_choices(1000000)).
program(above_trail, ( length(L, 1000000), ( fail ; true ), member(_, [1,2]), maplist(=(a), L), terms(5000000, s(0, [])) )).
% Live structures that grow: 100 million cells, and a tree of 250,000 nodes.
program(growing, ( growing(50000000, [], L), L = [_|_] )).
program(growing_tree, ( empty_assoc(A0), growing_tree(250000, A0, A), max_assoc(A, _, _) )).
% Garbage atoms: 100 million, made by a failing loop and by a recursive one.
program(atoms, ( between(1, 100000000, I), atom_number(A, I), \+ atom(A) ; true )).
program(counted_atoms, counted_atoms(0, 100000000)).
program(functors, ( between(1, 5000000, I), atom_concat(f, I, F), functor(T, F, 3), \+ compound(T) ; true )).

lists(0, _) :- !.
lists(N, _) :- numlist(1, 10, L), msort(L, M), length(M, _), N1 is N-1, lists(N1, M).

terms(0, _) :- !.
terms(N, s(A, _)) :- B is A+N, X = f(B, g(N), [N,A]), arg(1, X, C), N1 is N-1, terms(N1, s(C, X)).

floats(0, _, _) :- !.
floats(N, A, _) :- B is A*1.5+N, C is min(B, 1.0e10), D is N<<70, N1 is N-1, floats(N1, C, D).

bags(0, _) :- !.
bags(N, _) :- findall(X-N, member(X, [a,b,c]), L), N1 is N-1, bags(N1, L).

texts(0, _) :- !.
texts(N, _) :-
    number_codes(N, Codes), atom_codes(Atom, Codes), atom_chars(Atom, Chars), length(Chars, Length),
    N1 is N-1, texts(N1, Length).

choices(0, _) :- !.
choices(N, _) :- member(X, [N,a]), length(L, 5), L = [X|_], !, N1 is N-1, choices(N1, L).

reverses(0, _) :- !.
reverses(N, L) :- nrev(L, _), N1 is N-1, reverses(N1, L).

nrev([], []).
nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).

app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).

:- dynamic(q/1).
asserting(0) :- !.
asserting(N) :- assertz(q(N)), retract(q(_)), N1 is N-1, asserting(N1).

pairs(N, Ps) :- numlist(1, N, Ks), findall(K-v(K), member(K, Ks), Ps).

above_frames(0) :- !, terms(5000000, s(0, [])).
above_frames(D) :- D1 is D-1, above_frames(D1), atom(x).

above_choices(0) :- terms(5000000, s(0, [])).
above_choices(D) :- D > 0, D1 is D-1, above_choices(D1).
above_choices(_).

growing(0, L, L) :- !.
growing(N, L0, L) :- N1 is N-1, growing(N1, [N|L0], L).

growing_tree(0, A, A) :- !.
growing_tree(N, A0, A) :- put_assoc(N, A0, v(N), A1), N1 is N-1, growing_tree(N1, A1, A).

counted_atoms(N, N) :- !.
counted_atoms(I, N) :- atom_number(A, I), atom_length(A, _), I1 is I+1, counted_atoms(I1, N).

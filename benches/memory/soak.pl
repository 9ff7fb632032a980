% A server's day in ten minutes: one engine that answers small queries of many kinds, one after the other.
%
%     wamlet -g "soak(600, 'soak.csv'),halt" benches/memory/soak.pl
%     wamlet -g "plot('soak.csv', 'docs/soak.svg'),halt" benches/memory/soak.pl
%
% The first command writes a line each second: seconds, resident kB, answered queries. The second draws them.

:- use_module(library(assoc)).
:- use_module(library(linear)).
:- use_module(library(lists)).
:- use_module(library(readutil)).
:- use_module('../../programs/tomnjerry.ll').

:- set_prolog_flag(double_quotes, string).

:- dynamic session/3.

soak(Seconds, File) :-
    open(File, write, Out),
    get_time(Start),
    numlist(1, 600, L),
    nb_setval(soak_list, L),
    serve(0, 0, s(Start, Seconds, Out)),
    close(Out).

serve(N, Next, S) :-
    S = s(Start, Seconds, Out),
    get_time(Now),
    Elapsed is Now - Start,
    (   Elapsed < Seconds
    ->  (   Elapsed >= Next
        ->  resident(Memory),
            format(Out, "~d,~d,~d~n", [Next, Memory, N]),
            flush_output(Out),
            Next1 is Next + 1
        ;   Next1 = Next
        ),
        Kind is N mod 6,
        \+ \+ answered(Kind, N),
        N1 is N + 1,
        serve(N1, Next1, S)
    ;   resident(Memory),
        format(Out, "~d,~d,~d~n", [Next, Memory, N])
    ).

% answered(+Kind, +N): the work of query N, which must succeed.
answered(0, _) :- nb_getval(soak_list, L), nrev(L, [Last|_]), Last == 600.
answered(1, N) :-
    forall(between(1, 200, I), assertz(session(N, I, data(I, [N])))),
    aggregate_all(count, session(N, _, _), Count),
    Count == 200,
    retractall(session(N, _, _)).
answered(2, N) :-
    forall(between(1, 500, I),
           ( atomic_list_concat([user, N, I], '_', Name), atom_length(Name, Length), Length > 6,
             functor(T, Name, 3), arg(3, T, Name) )).
answered(3, N) :-
    forall(between(1, 200, I), caught(I)),
    call_with_inference_limit(deep(N), 5000, R),
    R == inference_limit_exceeded.
answered(4, N) :-
    findall(K-v(K, N), ( between(1, 500, I), K is I * 7919 mod 503 ), Pairs),
    msort(Pairs, Sorted),
    length(Sorted, 500),
    setof(K, V^member(K-V, Pairs), Keys),
    foldl([K,A0,A]>>put_assoc(K, A0, N, A), Keys, t, Assoc),
    assoc_to_keys(Assoc, Keys).
answered(5, N) :-
    tomnjerry --o solve(s(s(s(s(s(s(s(s(s(z))))))))), _),
    ( balance(N) -<> transfer(N, 3) ).

caught(I) :-
    Kind is I mod 3,
    catch(wrong(Kind, I), error(E, _), true),
    nonvar(E).

wrong(0, I) :- atom_length(I + 1, _).
wrong(1, I) :- _ is I + foo.
wrong(2, I) :- atom_concat(no_such_procedure_, I, P), call(P, I).

deep(N) :- N1 is N + 1, deep(N1), true.

transfer(N, K) :- balance(M), M == N, ( K =:= 0 -> true ; K1 is K - 1, ( balance(N) -<> transfer(N, K1) ) ).

nrev([], []).
nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).

app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).

% resident(-Memory): the resident memory of the process, in kB.
resident(Memory) :-
    setup_call_cleanup(open('/proc/self/status', read, Stream), line_of(Stream, Memory), close(Stream)).

line_of(Stream, Memory) :-
    repeat,
    read_line_to_string(Stream, Line),
    split_string(Line, ":", " \tkB", ["VmRSS", Number]), !,
    number_string(Memory, Number).

% A picture of the samples: memory over time.
plot(From, To) :-
    setup_call_cleanup(open(From, read, In), samples(In, Samples), close(In)),
    last(Samples, s(Seconds, _, Queries)),
    findall(M, member(s(_, M, _), Samples), Ms),
    max_list(Ms, Most),
    Top is (Most // 10000 + 1) * 10000,
    setup_call_cleanup(open(To, write, Out), draw(Out, Samples, Seconds, Queries, Top), close(Out)).

samples(In, Samples) :-
    read_line_to_string(In, Line),
    (   Line == end_of_file
    ->  Samples = []
    ;   split_string(Line, ",", "", Parts),
        maplist([P,N]>>number_string(N, P), Parts, Numbers),
        Sample =.. [s|Numbers],
        Samples = [Sample|Rest],
        samples(In, Rest)
    ).

draw(Out, Samples, Seconds, Queries, Top) :-
    Thousands is Queries // 1000,
    format(Out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 280\" font-family=\"sans-serif\" font-size=\"12\">~n", []),
    format(Out, "<rect width=\"720\" height=\"280\" fill=\"white\"/>~n", []),
    format(Out, "<text x=\"60\" y=\"18\">Resident memory while one engine answers ~D thousand queries</text>~n", [Thousands]),
    forall(( between(0, 5, I), Y is 240 - I * 40, MB is I * Top / 5000 ),
           format(Out, "<path d=\"M60 ~dH700\" stroke=\"#ddd\"/><text x=\"52\" y=\"~d\" text-anchor=\"end\">~0f MB</text>~n", [Y, Y, MB])),
    forall(( between(0, 5, I), X is 60 + I * 128, T is I * Seconds // 5 ),
           format(Out, "<text x=\"~d\" y=\"258\" text-anchor=\"middle\">~d s</text>~n", [X, T])),
    format(Out, "<polyline fill=\"none\" stroke=\"#1565c0\" stroke-width=\"1.5\" points=\"", []),
    forall(member(s(T, M, _), Samples),
           ( X is 60 + 640 * T / Seconds, Y is 240 - 200 * M / Top, format(Out, "~1f,~1f ", [X, Y]) )),
    format(Out, "\"/>~n</svg>~n", []).

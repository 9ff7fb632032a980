% Predicates that load files again and interrupt that.

% Writes a text to a file among those of the test.
written(Name, Text) :-
    path(Name, Path),
    setup_call_cleanup(open(Path, write, Stream), write(Stream, Text), close(Stream)).

path(Name, Path) :- atom_concat('$TMP/', Name, Path).

loaded(Name) :-
    path(Name, Path),
    consult(Path).

endless :- endless.

cut_short(Goal) :-
    call_with_inference_limit(Goal, 50000, inference_limit_exceeded).

% The file is loaded, changed, and loaded again, which is interrupted.
replaced(Name, Old, New) :-
    written(Name, Old),
    loaded(Name),
    atom_concat(New, '\n:- endless.\nafter_it.\n', Cut),
    written(Name, Cut),
    cut_short(loaded(Name)).

% A file with two clauses of the predicate is loaded again and cut short after it has loaded another one, which has this
% text.
sharing(Name, Other, Before) :-
    format(atom(Old), '~q(1).~n~q(2).~n', [Name, Name]),
    atom_concat(Name, '.pl', File),
    atom_concat(Name, '_other.pl', OtherFile),
    path(OtherFile, OtherPath),
    written(OtherFile, Other),
    format(atom(New), '~w:- consult(~q).~n', [Before, OtherPath]),
    replaced(File, Old, New).

% The second text is loaded within so many calls, from that number on until that is enough: there is always
% one of the two.
each_limit(Limit, Name, Old, New) :-
    written(Name, Old),
    loaded(Name),
    written(Name, New),
    path(Name, Path),
    call_with_inference_limit(consult(Path), Limit, Result),
    (   Result == inference_limit_exceeded
    ->  once(( whole(old) ; whole(new) )),
        Next is Limit + 1,
        each_limit(Next, Name, Old, New)
    ;   whole(new)
    ).

whole(Which) :-
    findall(Found, ( each_p(Found) ; each_q(Found) ; each_r(Found) ), All),
    sort(0, @>=, All, [Which, Which, Which, Which]).

often(Times, Goal) :- forall(between(1, Times, _), Goal).

% A file whose text has these files in the places of ~q.
naming(Name, Format, Files) :-
    maplist(path, Files, Paths),
    format(atom(Text), Format, Paths),
    written(Name, Text).

exports(Module, Exports) :- findall(Export, module_property(Module, exports(Export)), Exports).

% The file is loaded, changed, and loaded again to its end.
loaded_anew(Name, Old, New) :-
    written(Name, Old),
    loaded(Name),
    written(Name, New),
    loaded(Name).

% The former declaration of the predicate.
properties(Head, Properties) :-
    findall(Property, ( declarable(Property), predicate_property(Head, Property) ), Properties).

declarable(dynamic).
declarable(multifile).
declarable(discontiguous).
declarable(exported).
declarable(meta_predicate(_)).
declarable(tabled).

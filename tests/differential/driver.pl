% Answers of goals, printed alike by every Prolog system: canonical terms, variables by number.
% Before this come set_prolog_flag(double_quotes, codes) and the facts goal(Number, Goal, Variables).

run :- goal(Number, Goal, Variables), answer(Number, Goal, Variables), fail.
run.

answer(Number, Goal, Variables) :-
    write(Number), put_char('\t'),
    catch(answers(Goal, Variables), Ball, ball(Ball)),
    nl.

% Five answers at most.
answers(Goal, Variables) :-
    retractall(answered(_)),
    assertz(answered(0)),
    (   call(Goal),
        shown(Variables),
        write('; '),
        retract(answered(N)),
        M is N + 1,
        assertz(answered(M)),
        M >= 5
    ->  write('...')
    ;   write(no)
    ).

ball(error(Formal, _)) :- !, write('error '), shown(Formal).
ball(Ball) :- write('throws '), shown(Ball).

shown(Term) :- acyclic_term(Term), !, \+ \+ (numbered(Term), canonical(Term)).
shown(_) :- write(cyclic).

numbered(Term) :- term_variables(Term, Variables), numbered(Variables, 0).

numbered([], _).
numbered(['$V'(N)|Variables], N) :- M is N + 1, numbered(Variables, M).

canonical([]) :- !, write([]).
canonical(Term) :- integer(Term), !, write(Term).
canonical(Term) :- float(Term), !, put_char('%'), write(Term), put_char('%').
canonical(Term) :- atom(Term), !, atom_codes(Term, Codes), canonical_atom(Codes).
canonical('$V'(N)) :- !, put_char('_'), write(N).
canonical([Head|Tail]) :- !, put_char('['), canonical(Head), canonical_tail(Tail).
canonical(Term) :-
    functor(Term, Name, Arity), !,
    canonical(Name), put_char('('), canonical_arguments(1, Arity, Term).
canonical(_) :- write(odd).

canonical_tail([]) :- !, put_char(']').
canonical_tail([Head|Tail]) :- !, put_char(','), canonical(Head), canonical_tail(Tail).
canonical_tail(Tail) :- put_char('|'), canonical(Tail), put_char(']').

canonical_arguments(N, N, Term) :- !, arg(N, Term, Argument), canonical(Argument), put_char(')').
canonical_arguments(I, N, Term) :-
    arg(I, Term, Argument), canonical(Argument), put_char(','),
    J is I + 1, canonical_arguments(J, N, Term).

canonical_atom([Code|Codes]) :- small(Code), plain(Codes), !, atom_codes(Atom, [Code|Codes]), write(Atom).
canonical_atom(Codes) :- put_char(''''), escaped(Codes), put_char('''').

small(Code) :- Code >= 0'a, Code =< 0'z.

plain([]).
plain([Code|Codes]) :- letter(Code), !, plain(Codes).

letter(Code) :- small(Code).
letter(Code) :- Code >= 0'A, Code =< 0'Z.
letter(Code) :- Code >= 0'0, Code =< 0'9.
letter(0'_).

escaped([]).
escaped([Code|Codes]) :-
    (   Code < 32 -> put_char(\), write(Code), put_char(\)
    ;   Code > 126 -> put_char(\), write(Code), put_char(\)
    ;   Code =:= 39 -> write('\\''')
    ;   Code =:= 92 -> write('\\\\')
    ;   char_code(Char, Code), put_char(Char)
    ),
    escaped(Codes).

% What the goals call.

fact(1, a).
fact(2, b).
fact(3, b).
fact(b, 1).

m(1).
m(2).
m(3).

note(Char) :- put_char(Char).

member2(X, [X|_]).
member2(X, [_|Xs]) :- member2(X, Xs).

% The text goes through a file: reading is of streams everywhere.
read_text(Text, Term) :-
    text_file(File),
    open(File, write, Out), write(Out, Text), nl(Out), close(Out),
    open(File, read, In),
    catch(read(In, Term0), error(syntax_error(_), _), Term0 = '$syntax_error'),
    close(In),
    Term = Term0.

% Instead of loading the goals: GNU Prolog loads nothing of a file in which something cannot be read.
read_goals(File) :- open(File, read, In), read_all(In), close(In).

read_all(In) :-
    catch(read(In, Term), error(syntax_error(_), _), Term = unreadable),
    (   Term == end_of_file
    ->  true
    ;   taken(Term),
        read_all(In)
    ).

taken(unreadable) :- !.
taken((:- dynamic(Name/Arity))) :- !, functor(Head, Name, Arity), assertz(Head), retract(Head).
taken(Clause) :- assertz(Clause).

% Predicates for programs written for Quintus Prolog: those of SWI-Prolog's library(quintus). Only programs that
% load this library see them.

:- module(quintus, [
    unix/1,
    abs/2,
    sin/2,
    cos/2,
    tan/2,
    log/2,
    log10/2,
    pow/3,
    ceiling/2,
    floor/2,
    round/2,
    acos/2,
    asin/2,
    atan/2,
    atan2/3,
    sign/2,
    sqrt/2,
    genarg/3,
    mode/1,
    no_style_check/1,
    otherwise/0,
    simple/1,
    prolog_flag/2,
    date/1,
    current_stream/3,
    stream_position/3,
    skip_line/0,
    skip_line/1,
    compile/1,
    atom_char/2,
    midstring/3,
    midstring/4,
    midstring/5,
    midstring/6,
    raise_exception/1,
    on_exception/3,
    op(1150, fx, mode)
]).

:- meta_predicate(compile(:)).
:- meta_predicate(on_exception(+, 0, 0)).

%% unix(+Action)
%  Runs Action: system(Command) and shell(Command) run a command, cd and cd(Directory) change the working
%  directory, and argv(Arguments) returns the arguments of the program.
unix(Action) :-
    must_be(nonvar, Action),
    (   quintus_unix(Action, Goal)
    ->  call(Goal)
    ;   throw(error(domain_error(unix_action, Action), _))
    ).

quintus_unix(system(Command), shell(Command)).
quintus_unix(shell(Command), shell(Command)).
quintus_unix(cd(Directory), cd(Directory)).
quintus_unix(cd, cd(~)).
quintus_unix(argv(Arguments), current_prolog_flag(argv, Arguments)).

%% abs(+X, -Y)
%  Unifies Y with abs(X).
abs(X, Y) :- Y is abs(X).

%% sin(+X, -Y)
%  Unifies Y with sin(X).
sin(X, Y) :- Y is sin(X).

%% cos(+X, -Y)
%  Unifies Y with cos(X).
cos(X, Y) :- Y is cos(X).

%% tan(+X, -Y)
%  Unifies Y with tan(X).
tan(X, Y) :- Y is tan(X).

%% log(+X, -Y)
%  Unifies Y with log(X).
log(X, Y) :- Y is log(X).

%% log10(+X, -Y)
%  Unifies Y with the logarithm of X to the base 10.
log10(X, Y) :- Y is log10(X).

%% pow(+X, +Y, -Z)
%  Unifies Z with X ** Y.
pow(X, Y, Z) :- Z is X ** Y.

%% ceiling(+X, -Y)
%  Unifies Y with ceiling(X).
ceiling(X, Y) :- Y is ceiling(X).

%% floor(+X, -Y)
%  Unifies Y with floor(X).
floor(X, Y) :- Y is floor(X).

%% round(+X, -Y)
%  Unifies Y with round(X).
round(X, Y) :- Y is round(X).

%% acos(+X, -Y)
%  Unifies Y with acos(X).
acos(X, Y) :- Y is acos(X).

%% asin(+X, -Y)
%  Unifies Y with asin(X).
asin(X, Y) :- Y is asin(X).

%% atan(+X, -Y)
%  Unifies Y with atan(X).
atan(X, Y) :- Y is atan(X).

%% atan2(+X, +Y, -Z)
%  Unifies Z with atan2(X, Y).
atan2(X, Y, Z) :- Z is atan2(X, Y).

%% sign(+X, -Y)
%  Unifies Y with sign(X).
sign(X, Y) :- Y is sign(X).

%% sqrt(+X, -Y)
%  Unifies Y with sqrt(X).
sqrt(X, Y) :- Y is sqrt(X).

%% genarg(?N, +Term, ?Arg)
%  Finds arguments like arg/3.
genarg(N, Term, Arg) :- arg(N, Term, Arg).

%% mode(+Modes)
%  Informs readers how programs use the arguments of predicates. Has no effect: clauses are compiled for all
%  uses.
mode(Modes) :- must_be(nonvar, Modes).

%% no_style_check(+Style)
%  Turns a warning off like style_check(-(Style)).
no_style_check(Style) :- style_check(-(Style)).

%% simple(@Term)
%  True if Term is a variable or atomic.
simple(Term) :- \+ compound(Term).

%% prolog_flag(?Flag, ?Value)
%  True if Flag has Value, like current_prolog_flag/2.
prolog_flag(Flag, Value) :- current_prolog_flag(Flag, Value).

%% date(-Date)
%  Unifies Date with date(Year, Month, Day), the current day.
date(date(Year, Month, Day)) :-
    get_time(Now),
    stamp_date_time(Now, date(Year, Month, Day, _, _, _, _, _, _), local).

%% stream_position(+Stream, -Old, +New)
%  Unifies Old with the position of Stream, then sets the position to New.
stream_position(Stream, Old, New) :-
    stream_property(Stream, position(Old0)), !,
    Old = Old0,
    (   New == Old
    ->  true
    ;   set_stream_position(Stream, New)
    ).

%% skip_line
%  Reads the current input up to the end of the line.
skip_line :- current_input(Stream), skip_line(Stream).

%% skip_line(+Stream)
%  Reads Stream up to the end of the line.
skip_line(Stream) :- skip(Stream, 0'\n).

%% compile(:Files)
%  Loads files like consult/1.
compile(Files) :- consult(Files).

%% atom_char(?Char, ?Code)
%  Converts like char_code/2.
atom_char(Char, Code) :- char_code(Char, Code).

%% midstring(?Whole, ?Part, ?Fragment)
%  True if Whole is Part surrounded by Fragment: Fragment is Whole without Part.
midstring(Whole, Part, Fragment) :- midstring(Whole, Part, Fragment, _, _, _).

%% midstring(?Whole, ?Part, ?Fragment, ?Before)
%  Splits like midstring/3. Before is the number of characters before Part.
midstring(Whole, Part, Fragment, Before) :- midstring(Whole, Part, Fragment, Before, _, _).

%% midstring(?Whole, ?Part, ?Fragment, ?Before, ?Length)
%  Splits like midstring/4. Length is the number of characters of Part.
midstring(Whole, Part, Fragment, Before, Length) :-
    midstring(Whole, Part, Fragment, Before, Length, _).

%% midstring(?Whole, ?Part, ?Fragment, ?Before, ?Length, ?After)
%  Splits like midstring/5. After is the number of characters after Part.
midstring(Whole, Part, Fragment, Before, Length, After) :-
    (   nonvar(Whole)
    ->  sub_atom(Whole, Before, Length, After, Part),
        sub_atom(Whole, 0, Before, _, First),
        sub_atom(Whole, _, After, 0, Last),
        atom_concat(First, Last, Fragment)
    ;   atom_length(Part, Length),
        sub_atom(Fragment, 0, Before, After, First),
        sub_atom(Fragment, Before, After, 0, Last),
        atomic_list_concat([First,Part,Last], Whole)
    ).

%% raise_exception(+Ball)
%  Raises an exception like throw/1.
raise_exception(Ball) :- throw(Ball).

%% on_exception(?Ball, :Goal, :Recovery)
%  Calls Goal like catch(Goal, Ball, Recovery).
on_exception(Ball, Goal, Recovery) :- catch(Goal, Ball, Recovery).

% What programs for older versions of SWI-Prolog call: predicates of its library(backcomp).

:- module(backward_compatibility, [
    '$strip_module'/3,
    at_initialization/1,
    displayq/1,
    displayq/2,
    sformat/2,
    sformat/3,
    concat/3,
    concat_atom/2,
    concat_atom/3,
    read_variables/2,
    read_variables/3,
    feature/2,
    set_feature/2,
    substring/4,
    string_to_list/2,
    string_to_atom/2,
    flush/0,
    write_ln/1,
    proper_list/1,
    free_variables/2,
    hash_term/2,
    checklist/2,
    sublist/3,
    sumlist/2,
    convert_time/2,
    convert_time/8,
    'C'/3,
    current_module/2,
    export_list/2,
    setup_and_call_cleanup/3,
    setup_and_call_cleanup/4,
    merge/3,
    merge_set/3
]).

:- meta_predicate(at_initialization(0)).
:- meta_predicate('$strip_module'(:, -, -)).
:- meta_predicate(setup_and_call_cleanup(0, 0, 0)).
:- meta_predicate(setup_and_call_cleanup(0, 0, ?, 0)).

%% '$strip_module'(:Term, -Module, -Plain)
%  As strip_module/3.
'$strip_module'(Term, Module, Plain) :- strip_module(Term, Module, Plain).

%% at_initialization(:Goal)
%  As initialization/1.
at_initialization(Goal) :- initialization(Goal).

%% displayq(+Stream, +Term)
%  Writes Term quoted and without operators to Stream.
displayq(Stream, Term) :- write_term(Stream, Term, [quoted(true),ignore_ops(true)]).

%% read_variables(-Term, -Bindings)
%  Reads a term; Bindings is a list of Name = Variable.
read_variables(Term, Bindings) :- read_term(Term, [variable_names(Bindings)]).

%% read_variables(+Stream, -Term, -Bindings)
%  The same from Stream.
read_variables(Stream, Term, Bindings) :- read_term(Stream, Term, [variable_names(Bindings)]).

%% feature(?Flag, ?Value)
%  As current_prolog_flag/2.
feature(Flag, Value) :- current_prolog_flag(Flag, Value).

%% set_feature(+Flag, +Value)
%  As set_prolog_flag/2.
set_feature(Flag, Value) :- set_prolog_flag(Flag, Value).

%% substring(+String, ?Start, ?Length, ?Sub)
%  As sub_string/5, but the first character has the number 1.
substring(String, Start, Length, Sub) :-
    (   integer(Start)
    ->  Before is Start - 1,
        sub_string(String, Before, Length, _, Sub)
    ;   sub_string(String, Before, Length, _, Sub),
        Start is Before + 1
    ).

%% string_to_list(?String, ?Codes)
%  As string_codes/2.
string_to_list(String, Codes) :- string_codes(String, Codes).

%% proper_list(@Term)
%  As is_list/1.
proper_list(Term) :- is_list(Term).

%% hash_term(+Term, -Hash)
%  As term_hash/2.
hash_term(Term, Hash) :- term_hash(Term, Hash).

%% convert_time(+Stamp, -String)
%  String is the time Stamp as in "Thu Jan  1 00:00:00 1970".
convert_time(Stamp, String) :- format_time(string(String), '%a %b %e %T %Y', Stamp).

%% convert_time(+Stamp, -Year, -Month, -Day, -Hour, -Minute, -Second, -Milliseconds)
%  The parts of the time Stamp, in local time.
convert_time(Stamp, Year, Month, Day, Hour, Minute, Second, Milliseconds) :-
    stamp_date_time(Stamp, date(Year, Month, Day, Hour, Minute, Seconds, _, _, _), local),
    Second is integer(float_integer_part(Seconds)),
    Milliseconds is integer(float_fractional_part(Seconds) * 1000).

%% 'C'(?List, ?First, ?Rest)
%  Terminals of grammar rules: List is [First|Rest].
'C'([First|Rest], First, Rest).

%% current_module(?Module, ?File)
%  Module was loaded from File.
current_module(Module, File) :- module_property(Module, file(File)).

%% export_list(+Module, -Indicators)
%  Indicators are those of what Module exports.
export_list(Module, Indicators) :- module_property(Module, exports(Indicators)).

%% setup_and_call_cleanup(:Setup, :Goal, :Cleanup)
%  As setup_call_cleanup/3.
setup_and_call_cleanup(Setup, Goal, Cleanup) :- setup_call_cleanup(Setup, Goal, Cleanup).

%% setup_and_call_cleanup(:Setup, :Goal, ?Catcher, :Cleanup)
%  As setup_call_catcher_cleanup/4.
setup_and_call_cleanup(Setup, Goal, Catcher, Cleanup) :-
    setup_call_catcher_cleanup(Setup, Goal, Catcher, Cleanup).

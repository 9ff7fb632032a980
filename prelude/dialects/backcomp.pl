% Predicates for programs written for older versions of SWI-Prolog: those of its library(backcomp).

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
%  Strips module prefixes like strip_module/3.
'$strip_module'(Term, Module, Plain) :- strip_module(Term, Module, Plain).

%% at_initialization(:Goal)
%  Runs Goal later like initialization/1.
at_initialization(Goal) :- initialization(Goal).

%% displayq(+Stream, +Term)
%  Writes Term quoted and without operators to Stream.
displayq(Stream, Term) :- write_term(Stream, Term, [quoted(true),ignore_ops(true)]).

%% read_variables(-Term, -Bindings)
%  Reads a term and unifies Bindings with a list of Name = Variable.
read_variables(Term, Bindings) :- read_term(Term, [variable_names(Bindings)]).

%% read_variables(+Stream, -Term, -Bindings)
%  Reads a term from Stream like read_variables/2.
read_variables(Stream, Term, Bindings) :- read_term(Stream, Term, [variable_names(Bindings)]).

%% feature(?Flag, ?Value)
%  True if Flag has Value, like current_prolog_flag/2.
feature(Flag, Value) :- current_prolog_flag(Flag, Value).

%% set_feature(+Flag, +Value)
%  Sets a flag like set_prolog_flag/2.
set_feature(Flag, Value) :- set_prolog_flag(Flag, Value).

%% substring(+String, ?Start, ?Length, ?Sub)
%  Finds parts of a string like sub_string/5, but Start counts the characters from 1.
substring(String, Start, Length, Sub) :-
    (   integer(Start)
    ->  Before is Start - 1,
        sub_string(String, Before, Length, _, Sub)
    ;   sub_string(String, Before, Length, _, Sub),
        Start is Before + 1
    ).

%% string_to_list(?String, ?Codes)
%  Converts like string_codes/2.
string_to_list(String, Codes) :- string_codes(String, Codes).

%% proper_list(@Term)
%  True if Term is a proper list, like is_list/1.
proper_list(Term) :- is_list(Term).

%% hash_term(+Term, -Hash)
%  Computes a hash value like term_hash/2.
hash_term(Term, Hash) :- term_hash(Term, Hash).

%% convert_time(+Stamp, -String)
%  Unifies String with the time Stamp in the form "Thu Jan  1 00:00:00 1970".
convert_time(Stamp, String) :- format_time(string(String), '%a %b %e %T %Y', Stamp).

%% convert_time(+Stamp, -Year, -Month, -Day, -Hour, -Minute, -Second, -Milliseconds)
%  Unifies the other arguments with the parts of the time Stamp, in local time.
convert_time(Stamp, Year, Month, Day, Hour, Minute, Second, Milliseconds) :-
    stamp_date_time(Stamp, date(Year, Month, Day, Hour, Minute, Seconds, _, _, _), local),
    Second is integer(float_integer_part(Seconds)),
    Milliseconds is integer(float_fractional_part(Seconds) * 1000).

%% 'C'(?List, ?First, ?Rest)
%  True if List is [First|Rest], for terminals of grammar rules.
'C'([First|Rest], First, Rest).

%% current_module(?Module, ?File)
%  True if Module was loaded from File.
current_module(Module, File) :- module_property(Module, file(File)).

%% export_list(+Module, -Indicators)
%  Unifies Indicators with the indicators of the exports of Module.
export_list(Module, Indicators) :- module_property(Module, exports(Indicators)).

%% setup_and_call_cleanup(:Setup, :Goal, :Cleanup)
%  Calls Goal like setup_call_cleanup/3.
setup_and_call_cleanup(Setup, Goal, Cleanup) :- setup_call_cleanup(Setup, Goal, Cleanup).

%% setup_and_call_cleanup(:Setup, :Goal, ?Catcher, :Cleanup)
%  Calls Goal like setup_call_catcher_cleanup/4.
setup_and_call_cleanup(Setup, Goal, Catcher, Cleanup) :-
    setup_call_catcher_cleanup(Setup, Goal, Catcher, Cleanup).

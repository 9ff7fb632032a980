% Queries of Lolli, from Prolog and in sessions: prompts within prompts, in the contexts of the goals
% that they are in.
%
% How a prompt is left: by an exception '$lolli'(Way), which no program catches by accident.

:- module(lolli_session, []).

lolli(Text) :-
    lolli_query(Text, _).

lolli_query(Text, Bindings) :-
    '$lolli_text'(Text, Goal, Bindings),
    call(lolli:Goal),
    '$put_together'(Bindings).

lolli_list(LolliList, List) :-
    '$put_together'(lists(LolliList, List)),
    (   nonvar(LolliList)
    ->  from_lolli(LolliList, List)
    ;   nonvar(List)
    ->  to_lolli(List, LolliList)
    ;   throw(error(instantiation_error, context(lolli_list/2, _)))
    ).

from_lolli(nil, []).
from_lolli('::'(X, LolliList), [X|List]) :- from_lolli(LolliList, List).

to_lolli([], nil).
to_lolli([X|List], '::'(X, LolliList)) :- to_lolli(List, LolliList).

% Sessions. Modules are texts, or names of files that end in .ll.

start(Modules) :-
    catch(enter(Modules, lolli_session:prompt(0)), '$lolli'(Way), left(Way)),
    !.

left(ended).
left(bye).

% A goal in the context of modules.

query_in(Modules, Goal) :-
    enter(Modules, Goal).

enter([], Goal) :- call(lolli:Goal).
enter([Text|Texts], Goal) :-
    module_term(Text, Module),
    functor(Module, Name, Arity),
    '$module_parameters'(Name, Count),
    check_parameters(Text, Count, Arity),
    lolli:'--o'(Module, lolli_session:enter(Texts, Goal)).

module_term(Text, Name) :-
    sub_atom(Text, _, _, 0, '.ll'), !,
    Name = Text.
module_term(Text, Module) :-
    '$lolli_text'(Text, Module, _).

check_parameters(_, Count, Count) :- !.
check_parameters(Text, Count, Arity) :-
    format(atom(Message),
           'the module has ~d parameters, not ~d: start it by --lolli \'NAME ARGUMENT ...\'',
           [Count, Arity]),
    throw(error(domain_error(module, Text), context(_, Message))).

% A prompt. Depth is the number of prompts around it.

prompt(Depth) :-
    repeat,
    '$lolli_next_query'(Item),
    turn(Item, Depth, Way),
    Way \== next, !,
    throw('$lolli'(Way)).

turn(end, Depth, Way) :- ( Depth =:= 0 -> Way = ended ; Way = popped ).
turn(wrong, _, next).
turn(query(why, _), _, Way) :- !,
    catch(catch(why, Ball, report(Ball)), '$aborted', tell('\nInterrupted...\n')),
    Way = next.
turn(query(Goal, Names), Depth, Way) :-
    catch(guarded(Goal, Names, Depth, Way), '$aborted', tell('\nInterrupted...\n')),
    ( var(Way) -> Way = next ; true ).

guarded(Goal, Names, Depth, Way) :-
    catch(answers(Goal, Names, Depth), Ball, thrown(Ball, Depth, Way)).

answers(Goal, Names, Depth) :-
    \+ \+ (
        b_setval('$lolli_names', Names),
        b_setval('$lolli_depth', Depth),
        '$lolli_check_query'(Goal),
        Answered = answered(false),
        keep_out_of_scopes(Names),
        (   attempt(Goal),
            '$lolli_answer'(Names),
            nb_setarg(1, Answered, true),
            \+ '$lolli_more'
        ->  say('yes\n')
        ;   say('no\n'),
            unanswered(Answered, Goal)
        )
    ).

attempt(Goal) :-
    '$forget_erasing',
    call(lolli:Goal),
    '$all_used'.

% A query without answers can be asked why; at once if the host wants that.
unanswered(answered(true), _).
unanswered(answered(false), Goal) :-
    '$note_failed'(lolli_session:attempt(Goal)),
    ( '$explains_failures' -> '$explain_last' ; true ).

% The variables of a query are outside of all quantifiers, whatever the context.
keep_out_of_scopes([]).
keep_out_of_scopes([_ = Variable|Names]) :-
    put_attr(Variable, '$scope', 0),
    keep_out_of_scopes(Names).

thrown('$lolli'(Way), Depth, Next) :- !, way(Way, Depth, Next).
thrown(Ball, _, _) :- report(Ball).

way(abort, _, next) :- say('\naborted...\n').
way(popped, _, next).
way(pop, 0, next) :- !,
    say('You are now at the top level. Use \'bye\' to leave Lolli.\n').
way(pop, _, popped) :- say('Returning to previous top level...\n').
way(popall, 0, next) :- !, say('Returning to topmost level.\n').
way(popall, _, popall).
way(ended, _, ended).
way(bye, _, bye).

say(Text) :- write(user_output, Text), flush_output(user_output).

tell(Text) :- '$lolli_tell'(Text).

report(Ball) :-
    ( message(Ball, Text) -> true ; Text = Ball ),
    format(string(Told), 'Lolli Error: ~w~n', [Text]),
    tell(Told).

message(error(_, Context), Text) :-
    nonvar(Context), Context = context(_, Text),
    atom(Text), !.
message(error(domain_error(Domain, Term), _), Text) :-
    Domain == first_order_term, !,
    '$lolli_shown'(Term, Shown),
    format(string(Text), 'Unification of Lambda Terms not defined (~w)', [Shown]).
message(error(Formal, _), Text) :-
    catch(message_text(error(Formal, _), Text), _, fail), !.
message(Ball, Text) :-
    catch(message_text(Ball, Text), _, fail), !.
message(Ball, Text) :-
    term_to_atom(Ball, Text).

% Lolli's own predicates.

depth(Depth) :- catch(b_getval('$lolli_depth', Depth), _, fail).

top :-
    ( depth(Outer) -> Depth is Outer + 1 ; Depth = 0 ),
    prompt(Depth).

pop :- throw('$lolli'(pop)).

popall :- throw('$lolli'(popall)).

abort :- throw('$lolli'(abort)).

bye :-
    say('Closing Lolli. \n'),
    ( depth(_) -> throw('$lolli'(bye)) ; halt ).

loading(Module) :-
    say('loading '),
    lolli:write(Module),
    say('...\n').

telling(File, Goal) :-
    file_name(File, Name),
    current_output(Old),
    setup_call_cleanup(
        open(Name, write, Stream),
        written(Stream, Old, Goal),
        close_output(Old, Stream)).

written(Stream, Old, Goal) :-
    set_output(Stream),
    call(lolli:Goal),
    switch_output(Old, Stream).

close_output(Old, Stream) :- set_output(Old), close(Stream).

% The goal after has the former output; the goal itself, if it goes on, its own again.
switch_output(Old, _) :- set_output(Old).
switch_output(_, Stream) :- set_output(Stream), fail.

seeing(File, Goal) :-
    file_name(File, Name),
    current_input(Old),
    setup_call_cleanup(
        open(Name, read, Stream),
        being_read(Stream, Old, Goal),
        close_input(Old, Stream)).

being_read(Stream, Old, Goal) :-
    set_input(Stream),
    call(lolli:Goal),
    switch_input(Old, Stream).

close_input(Old, Stream) :- set_input(Old), close(Stream).

switch_input(Old, _) :- set_input(Old).
switch_input(_, Stream) :- set_input(Stream), fail.

file_name(File, Name) :- ( string(File) -> atom_string(Name, File) ; Name = File ).

timing(Goal, Time) :-
    statistics(cputime, Begin),
    call(lolli:Goal),
    statistics(cputime, End),
    Time is round((End - Begin) * 1000000).

change_folder(Folder) :-
    file_name(Folder, Name),
    chdir(Name).

run_command(Command, Status) :- '$lolli_system'(Command, Status).

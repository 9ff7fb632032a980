% Lolli, after Hodas and Miller, "Logic Programming in a Fragment of Intuitionistic Linear Logic",
% Information and Computation 110 (1994): the predicates of Lolli itself.
%
% All Lolli text shares this module. Its goals are read as Lolli has them: connectives are compiled in
% place, here too, so their clauses are for goals that are known only when they are called. Builtins
% are not here: they have their names from the beginning.

:- module(lolli, [lolli/1, lolli_query/2, lolli_list/2]).

%%  lolli(+Text)
%   True when the goal of a Lolli text is; for each of its solutions.
lolli(Text) :- lolli_session:lolli(Text).

%%  lolli_query(+Text, -Bindings)
%   The same. Bindings is a list of Name = Variable for the variables of the text.
lolli_query(Text, Bindings) :- lolli_session:lolli_query(Text, Bindings).

%%  lolli_list(?LolliList, ?List)
%   LolliList is a list a :: b :: nil of Lolli, List the list of Prolog with the same members. One of
%   them is known.
lolli_list(LolliList, List) :- lolli_session:lolli_list(LolliList, List).

(A , B) :- A , B.
(A ; B) :- A ; B.
'&'(A, B) :- '&'(A, B).
{A} :- {A}.
'-o'(A, B) :- '-o'(A, B).
'=>'(A, B) :- '=>'(A, B).
'--o'(A, B) :- '--o'(A, B).
guard(A, B, C) :- guard(A, B, C).
true.
erase :- erase.
fail :- fail.
A = B :- A = B.

forall(Quantified) :-
    system:'$open_universal'(lolli:Quantified, _, _, _, Goal),
    Goal.
exists(Quantified) :-
    system:'$open_existential'(lolli:Quantified, Goal),
    Goal.

%%  top
%   Reads queries and answers them in the present context. Where no session is, it is one, and the
%   query that it is in is true when it ends.
top :- lolli_session:top.

%%  pop
%   Ends the innermost top, and with it the query that it is in.
pop :- lolli_session:pop.

%%  popall
%   Goes back to the outermost prompt.
popall :- lolli_session:popall.

%%  abort
%   Gives up the present query.
abort :- lolli_session:give_up.

%%  bye
%   Leaves the session, or the program if there is none.
bye :- lolli_session:bye.

%%  exit
%   The same.
exit :- lolli_session:bye.

%%  load(+Module)
%   Reads queries in the context of a module.
load(Module) :-
    lolli_session:loading(Module),
    '--o'(Module, top).

%%  read(-Term)
%   The next term of the current input.
read(Term) :- lolli_session:read_term(Term).

%%  telling(+File, +Goal)
%   What Goal writes goes to the file.
telling(File, Goal) :- lolli_session:telling(File, Goal).

%%  seeing(+File, +Goal)
%   What Goal reads comes from the file.
seeing(File, Goal) :- lolli_session:seeing(File, Goal).

%%  timing(+Goal, -Time)
%   Time is what a solution of Goal took of the processor, in microseconds.
timing(Goal, Time) :- lolli_session:timing(Goal, Time).

%%  cd(+Folder)
%   Changes the working directory.
cd(Folder) :- lolli_session:change_folder(Folder).

%%  system(+Command)
%   Runs a command of the operating system; true when its exit status is 0.
system(Command) :- lolli_session:run_command(Command, 0).

%%  system(+Command, ?Status)
%   Runs a command of the operating system. Status is its exit status.
system(Command, Status) :- lolli_session:run_command(Command, Status).

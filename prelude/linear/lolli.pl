% Lolli, after Hodas and Miller, "Logic Programming in a Fragment of Intuitionistic Linear Logic",
% Information and Computation 110 (1994): the predicates of Lolli itself.
%
% All Lolli text shares this module. Its goals are read with the meaning of Lolli: the compiler compiles
% connectives in place, and also here. Their clauses are for goals known only when they are called. Builtins are
% not here: they have their names from the start.

:- module(lolli, [lolli/1, lolli_query/2, lolli_list/2]).

%%  lolli(+Text)
%   True if the goal of a Lolli text is true. Enumerates its solutions on backtracking.
lolli(Text) :- lolli_session:lolli(Text).

%%  lolli_query(+Text, -Bindings)
%   Runs Text like lolli/1. Unifies Bindings with a list of Name = Variable for the variables of Text.
lolli_query(Text, Bindings) :- lolli_session:lolli_query(Text, Bindings).

%%  lolli_list(?LolliList, ?List)
%   Converts between LolliList, a Lolli list a :: b :: nil, and List, the Prolog list with the same members. One
%   of them must be bound.
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
%   Reads queries and answers them in the present context. Without a session it opens one. The query that calls
%   it succeeds when the prompt ends.
top :- lolli_session:top.

%%  pop
%   Ends the innermost top and the query that called it.
pop :- lolli_session:pop.

%%  popall
%   Returns to the outermost prompt.
popall :- lolli_session:popall.

%%  abort
%   Aborts the present query.
abort :- lolli_session:give_up.

%%  bye
%   Leaves the session, or the program if there is no session.
bye :- lolli_session:bye.

%%  exit
%   Means bye.
exit :- lolli_session:bye.

%%  load(+Module)
%   Reads queries in the context of a module.
load(Module) :-
    lolli_session:loading(Module),
    '--o'(Module, top).

%%  read(-Term)
%   Reads the next term of the current input.
read(Term) :- lolli_session:read_term(Term).

%%  telling(+File, +Goal)
%   Calls Goal and redirects its output to File.
telling(File, Goal) :- lolli_session:telling(File, Goal).

%%  seeing(+File, +Goal)
%   Calls Goal and reads its input from File.
seeing(File, Goal) :- lolli_session:seeing(File, Goal).

%%  timing(+Goal, -Time)
%   Calls Goal and unifies Time with the processor time of a solution, in microseconds.
timing(Goal, Time) :- lolli_session:timing(Goal, Time).

%%  cd(+Folder)
%   Changes the working directory to Folder.
cd(Folder) :- lolli_session:change_folder(Folder).

%%  system(+Command)
%   Runs a command of the operating system. True if its exit status is 0.
system(Command) :- lolli_session:run_command(Command, 0).

%%  system(+Command, ?Status)
%   Runs a command of the operating system and unifies Status with its exit status.
system(Command, Status) :- lolli_session:run_command(Command, Status).

% Sudoku with irregular blocks, by stepwise generate and test.
%
% From "Solutions for Session 5", a session of Prolog exercises (warm-up, cube
% stacking, sudoku).
%
% Shows: the program of sudoku.pl with other block/1 facts, on a puzzle that
% takes a long search.

solve(Given,Solution) :-
    make_empty_solution(Solution,81), % all 81 elements are still uninstantiated
    fill_in_given_values(Given,Solution), % the given elements are now instantiated
    % find the remaining unknown values:
    stepwise_generate_and_test(Solution,1,81), % all 81 elements are now instantiated
    write_solution(Solution,1,9).

make_empty_solution(Solution,Tot) :-
    % create a list with all uninstantiated variables
    length(Solution,Tot).

fill_in_given_values([],_).
fill_in_given_values([Row/Col/Val|Given],Solution) :-
    % instantiate the element at position Row/Col to Val:
    Pos is Col+(Row-1)*9,
    nth_element(Pos,Solution,Val), % this sets the element at position Pos to the value Val
    fill_in_given_values(Given,Solution).

stepwise_generate_and_test(_,CurrentPos,Tot) :-
    CurrentPos>Tot.
stepwise_generate_and_test(Solution,CurrentPos,Tot) :-
    CurrentPos=<Tot,
    % generate a value for the current position:
    member(Val,[1,2,3,4,5,6,7,8,9]),
    nth_element(CurrentPos,Solution,Val), % match the element at position CurrentPos to Val
    % test this value:
    test_constraint(row,Solution,CurrentPos,Val),
    test_constraint(column,Solution,CurrentPos,Val),
    test_constraint(block,Solution,CurrentPos,Val),
    % if all tests succeed, continue with the next position:
    NextPos is CurrentPos+1,
    stepwise_generate_and_test(Solution,NextPos,Tot).

test_constraint(Dimension,Solution,CurrentPos,Val) :-
    get_positions_to_test(Dimension,CurrentPos,Positions),
    test_positions(Positions,Solution,CurrentPos,Val).

% Test whether the value Val that we just generated didn't already occur somewhere (except at position CurrentPos):
test_positions([],_,_,_).
test_positions([Pos1|Positions],Solution,CurrentPos,Val) :-
    (CurrentPos=Pos1 ->
        true
    ;
        test_one_position(Pos1,Solution,Val)
    ),
    test_positions(Positions,Solution,CurrentPos,Val).

% Test whether the value Val that we just generated didn't already occur at position Pos1:
test_one_position(Pos1,Solution,Val) :-
    nth_element(Pos1,Solution,Val2), % get the element at position Pos1
    (var(Val2) ->
        true
    ;
        not(Val2=Val)
    ).

get_positions_to_test(row,Pos,Positions) :-
    row(Positions),
    member(Pos,Positions).

get_positions_to_test(column,Pos,Positions) :-
    column(Positions),
    member(Pos,Positions).

get_positions_to_test(block,Pos,Positions) :-
    block(Positions),
    member(Pos,Positions).

row([1,2,3,4,5,6,7,8,9]).
row([10,11,12,13,14,15,16,17,18]).
row([19,20,21,22,23,24,25,26,27]).
row([28,29,30,31,32,33,34,35,36]).
row([37,38,39,40,41,42,43,44,45]).
row([46,47,48,49,50,51,52,53,54]).
row([55,56,57,58,59,60,61,62,63]).
row([64,65,66,67,68,69,70,71,72]).
row([73,74,75,76,77,78,79,80,81]).

column([1,10,19,28,37,46,55,64,73]).
column([2,11,20,29,38,47,56,65,74]).
column([3,12,21,30,39,48,57,66,75]).
column([4,13,22,31,40,49,58,67,76]).
column([5,14,23,32,41,50,59,68,77]).
column([6,15,24,33,42,51,60,69,78]).
column([7,16,25,34,43,52,61,70,79]).
column([8,17,26,35,44,53,62,71,80]).
column([9,18,27,36,45,54,63,72,81]).

block([1,2,3,4,5,6,7,8,9]). % green
block([10,19,20,28,37,38,46,55,56]). % red
block([11,12,13,14,15,16,22,23,24]). % light-purple
block([17,18,26,27,35,36,45,53,54]). % orange
block([21,29,30,31,39,40,47,48,49]). % yellow
block([25,32,33,34,41,42,50,59,60]). % cyan
block([43,44,51,52,61,62,63,71,72]). % pink
block([57,58,64,65,66,67,73,74,75]). % blue
block([68,69,70,76,77,78,79,80,81]). % dark-purple

member(X,[X|_]).
member(X,[_|T]) :-
    member(X,T).

nth_element(1,[H|_],H).
nth_element(N,[_|T],E) :-
    N>1,
    N1 is N-1,
    nth_element(N1,T,E).

write_solution([],_,_) :- nl.
write_solution([H|T],Pos,N) :-
    write(H),
    M is mod(Pos,N),
    (M==0 ->
        nl  % if Pos is a multiple of N, write a newline
    ;
        write(' ') % otherwise write a space
    ),
    NextPos is Pos+1,
    write_solution(T,NextPos,N).

given2([1/1/3,1/6/2,1/9/1,
         2/3/5,
         3/1/9,3/4/7,3/6/6,3/8/2,
         4/3/8,4/9/6,
         5/1/2,5/3/9,5/5/6,5/6/4,
         6/4/5,6/7/1,6/8/3,
         7/2/5,7/9/2,
         8/1/1,8/4/4,8/5/8,8/7/2,8/8/9,
         9/2/8,9/5/3]).

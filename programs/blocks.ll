% A small blocks world. The state is a handful of linear assumptions. An action consumes some and
% assumes others. A plan is a list of actions. The program looks for plans of 0, 1, 2, ... actions
% in turn, so the first plan that it finds is a shortest one.

MODULE blocks.

% act Action Goal: does the action and goes on with the goal.
act (take X) G :- hand empty , clear X , table X ,
   (hand (holds X) -o G).
act (put X) G :- hand (holds X) ,
   (hand empty -o clear X -o table X -o G).
act (lift X Y) G :- hand empty , clear X , on X Y ,
   (hand (holds X) -o clear Y -o G).
act (stack X Y) G :- hand (holds X) , clear Y ,
   (hand empty -o clear X -o on X Y -o G).

plan (s N) Wanted (A :: As) :- act A (plan N Wanted As).
plan z Wanted nil :- Wanted , erase.

% shortest N Wanted Plan: the first of the plans of at least N actions that make Wanted true.
shortest N Wanted Plan :- plans N Wanted Plan -> true | shortest (s N) Wanted Plan.
plans N Wanted Plan :- start (plan N Wanted Plan).

% The block c is on a. The blocks a and b are on the table.
start G :- hand empty -o clear c -o on c a -o table a -o clear b -o table b -o G.

% A small blocks world: the state is a handful of linear assumptions, an action uses some up and
% assumes others, and a plan is a list of actions. Plans of 0, 1, 2, ... actions are
% looked for in turn, so the first found is a shortest.

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

% shortest N Plan: the first of the plans of at least N actions.
shortest N Wanted Plan :- plans N Wanted Plan -> true | shortest (s N) Wanted Plan.
plans N Wanted Plan :- start (plan N Wanted Plan).

% c stands on a, b on the table.
start G :- hand empty -o clear c -o on c a -o table a -o clear b -o table b -o G.

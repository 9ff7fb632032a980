% What Prolog's predicates take and give.

MODULE convert.

% prolog_list L P: L is a list a :: b :: nil, P the list [a, b] of Prolog. One of them is known.
prolog_list L P :- lolli_list L P.

% prolog_lists L P: the same for a list of lists.
prolog_lists L P :- var L -> (lolli_list M P , convert_each L M)
                          | (convert_each L M , lolli_list M P).
convert_each nil nil.
convert_each (X :: L) (Y :: M) :- lolli_list X Y , convert_each L M.

% name_number A N: the name or string A is what the number N is written as.
name_number A N :- atom_number A N.

% name_string A S: the string S has the characters of the name A.
name_string A S :- atom_string A S.

% joined L A: the name A is made of those of the list L, one after the other.
joined L A :- lolli_list L P , atomic_list_concat P A.

% all_solutions X G L: L has what X is in each solution of G, as findall of Prolog.
all_solutions X G L :- findall X G P , lolli_list L P.

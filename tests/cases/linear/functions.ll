MODULE functions.
% What p answers with is a variable applied to an argument, and the variable becomes a name.
p Y :- Y = F a, F = f.
called Z :- called_later Z.
held Z :- held_later Z.
collected Z :- collected_later Z.

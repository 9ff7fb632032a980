MODULE broken.
p 1. p 2.
q X :- (p X) , q2.
q2
r :- ) a.
s # t.
u.

MODULE secret.
LOCAL sec.
leak sec.
leak2 X :- X = sec.
chk X :- leak X.

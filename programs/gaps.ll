% Sentences with gaps. A noun phrase that moves to the front of a relative clause or a question leaves a
% gap, which must be filled exactly once. The gap is a linear assumption: a noun phrase of no words. Its
% scope is the clause that contains the gap. After Hodas, "Specifying filler-gap dependency parsers in a
% linear-logic programming language" (1992).

MODULE gaps.

% sentence T In Out: the words between In and Out are a sentence of structure T.
sentence (s Subject Verb) P Q :- np Subject P R , vp Verb R Q.

np (the N) (the :: P) Q :- noun N P R , relative N R Q.
np john (john :: P) P.
np mary (mary :: P) P.

noun (n girl) (girl :: P) P.
noun (n boy) (boy :: P) P.
noun (n book) (book :: P) P.

vp (v1 sleeps) (sleeps :: P) P.
vp (v2 sees Object) (sees :: P) Q :- np Object P Q.
vp (v2 reads Object) (reads :: P) Q :- np Object P Q.
vp (thinks That) (thinks :: that :: P) Q :- sentence That P Q.
vp (v3 gives Object To) (gives :: P) Q :- np Object P R , to To R Q.

to T (to :: P) Q :- np T P Q.

% A relative clause: a sentence that lacks exactly one noun phrase. The braces keep out the gaps of the
% clauses around it, because a phrase cannot move out of a relative clause.
relative _N P P.
relative _N (that :: P) Q :- {(forall p \ np gap p p) -o sentence _T P Q}.

% A question: who does john see?
question (who_is T) (who :: P) :- (forall p \ np gap p p) -o sentence T P nil.
question (whether T) (whether :: P) :- sentence T P nil.

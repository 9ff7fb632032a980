% Enigma 1225: Rows are Columns.
%
% From the chapter "Enigma 1225: Rows are Columns" of a book on programming
% techniques in Prolog. The clauses printed in the chapter are given token for
% token, those marked "Exercise" are our solutions of its exercises.
%
% Shows: matrices of variables given a pattern by unification, generate and
% test, predicates built by other predicates, and a library that keeps old
% programs meaning what they said: the chapter was written for SWI-Prolog 3.4 to
% 5.2.
%
% The puzzle: number the squares of a board so that no two rows are the same,
% each row is equal to a column, but not to the one with its own number, and
% with N every number from 1 to N-1 is used. How large can the sum be?
%
%     ?- setof(_Tot, _M^_Freq^_Perm^square(8, _M, _Tot, _Freq, _Perm), Tots),
%        last(Max, Tots).
%     Tots = [160, 244, 288, 301, 400, 544],
%     Max = 544.

:- use_module(library(dialect_swi3)).

% 1.4.2 Admissible permutations

permute([X], [X]).
permute(L, [E|P]) :- remove_one(L, E, R), permute(R, P).

remove_one([H|T], H, T).
remove_one([H|T], E, [H|L]) :- remove_one(T, E, L).

admissible(L, P) :- permute(L, P), all_changed(L, P).

all_changed([X], [Y]) :- X \= Y.
all_changed([H1|T1], [H2|T2]) :- H1 \= H2, all_changed(T1, T2).

% Exercise 1.1: remove_one/3 by one clause and append/3.

remove_one_by_append(L, E, R) :-
    append(Before, [E|After], L),
    append(Before, After, R).

% 1.4.3 Generating symbolic matrices

var_list(N, L) :- length(L, N).

% Exercise 1.2: M is a matrix of Size rows of Size distinct variables.

var_matrix(Size, M) :-
    length(Sizes, Size),
    maplist(=(Size), Sizes),
    maplist(var_list, Sizes, M).

% 1.4.4 Permuting rows
%
% Exercise 1.3: the elements of P are those of L at the positions Perm.

list_permute([], _, []).
list_permute([I|Is], L, [E|Es]) :-
    nth1(I, L, E),
    list_permute(Is, L, Es).

% 1.4.5 Transposing
%
% Exercise 1.4: the rows of T are the columns of M.

transpose(M, T) :-
    M = [Row|_],
    length(Row, N),
    from_to(1, N, Ns),
    maplist(col(M), Ns, T).

col(M, N, Column) :-
    maplist(nth1(N), M, Column).

% 1.4.7 Distinct rows
%
% Exercise 1.5: no two elements of the list are identical terms.

distinct([]).
distinct([H|T]) :-
    not_identical(T, H),
    distinct(T).

not_identical([], _).
not_identical([H|T], E) :-
    H \== E,
    not_identical(T, E).

% 1.4.8 Evaluating patterns
%
% The steps of the chapter, 1 to 9.

eval_matrix(M, FreqSorted) :-
    flatten(M, Entries),
    setof(E, member(E,Entries), Set),
    maplist(count_var(Entries), Set, Multiplicities),
    zip(Multiplicities, Set, Frequencies),
    sort(Frequencies, FreqSorted),
    maplist(snd, FreqSorted, VarsSorted),
    length(VarsSorted, NVars),
    from_to(1, NVars, VarsSorted).

% Exercise 1.6: Var occurs Num times in the list.

count_var(Vars, Var, Num) :-
    count_var(Vars, Var, 0, Num).

count_var([], _, Num, Num).
count_var([H|T], Var, Num0, Num) :-
    (   H == Var
    ->  Num1 is Num0 + 1
    ;   Num1 = Num0
    ),
    count_var(T, Var, Num1, Num).

% Exercise 1.7: the pairs of the elements of two lists.

zip([], [], []).
zip([A|As], [B|Bs], [(A,B)|Pairs]) :-
    zip(As, Bs, Pairs).

snd( (_,X),X).

% The integers from M to N.

from_to(M, N, Is) :-
    (   M > N
    ->  Is = []
    ;   Is = [M|Is1],
        M1 is M + 1,
        from_to(M1, N, Is1)
    ).

% 1.4.9 Computing totals
%
% Exercise 1.8: the sum of the products of pairs.

total(IntPairs, Total) :-
    total(IntPairs, 0, Total).

total([], Total, Total).
total([(I,J)|Pairs], Total0, Total) :-
    Total1 is Total0 + I*J,
    total(Pairs, Total1, Total).

% 1.4.10 Complete implementation: P-1.1

square(Size,M,Total,Freq,Perm) :- var_matrix(Size,M),
                                  from_to(1,Size,One_to_Size),
                                  admissible(One_to_Size,Perm),
                                  list_permute(Perm,M,P),
                                  transpose(P,M),
                                  distinct(M),
                                  eval_matrix(M,Freq),
                                  total(Freq,Total).

% Exercise 1.9: display a matrix row by row. Integers of more than one digit are
% right justified; a matrix of variables or of single digits is shown as it is
% in the figures of the chapter, as lists.

write_matrix(M) :-
    flatten(M, Entries),
    maplist(columns_needed, Entries, Widths),
    max_list(Widths, Width),
    write_rows(M, Width).

columns_needed(Entry, Width) :-
    (   integer(Entry)
    ->  int_to_atom(Entry, Atom),
        atom_length(Atom, Width)
    ;   Width = 0
    ).

write_rows([], _).
write_rows([Row|Rows], Width) :-
    write_row(Width, Row),
    write_rows(Rows, Width).

write_row(Width, Row) :-
    Width > 1,
    !,
    int_to_atom(Width, WidthAtom),
    concat_atom(['%', WidthAtom, r], Column),
    maplist(column_format(Column), Row, Columns),
    concat_atom(Columns, ' ', Line),
    concat_atom(['[', Line, ']\\l'], Format),
    writef(Format, Row).
write_row(_, Row) :-
    write_term(Row, [spacing(next_argument)]),
    nl.

column_format(Column, _, Column).

% 1.5.3 Generating representative permutations: permutation types
%
% P-1.2 and Exercise 1.10: Next is the partition after Current. A partition is a
% list of pairs (Part,Times) by increasing part. The clauses in which the least
% part is 1 come first; those without Rest have to be tried before the ones
% with it.

next_partition([(1,Alpha),(2,1)|T],           % Cases (1)-(2) in Table 1.2
          [(1,NewAlpha)|T]) :-              %
    NewAlpha is Alpha + 2.                  %

next_partition([(1,Alpha1),(2,Alpha2)|T],
          [(1,NewAlpha1),(2,NewAlpha2)|T]) :-
    Alpha2 > 1,
    NewAlpha1 is Alpha1 + 2,
    NewAlpha2 is Alpha2 - 1.

next_partition([(1,Alpha1),(L,1)|T], [(NewL,Ratio)|T]) :-
    L > 2,
    NewL is L - 1,
    0 is (Alpha1 + L) mod NewL,
    Ratio is (Alpha1 + L) // NewL.

next_partition([(1,Alpha1),(L,1)|T], [(Rest,1),(NewL,Ratio)|T]) :-
    L > 2,
    NewL is L - 1,
    Rest is (Alpha1 + L) mod NewL,
    Rest > 0,
    Ratio is (Alpha1 + L) // NewL.

next_partition([(1,Alpha1),(L,AlphaL)|T], [(NewL,Ratio),(L,NewAlphaL)|T]) :-
    L > 2,
    AlphaL > 1,
    NewL is L - 1,
    0 is (Alpha1 + L) mod NewL,
    !,
    Ratio is (Alpha1 + L) // NewL,
    NewAlphaL is AlphaL - 1.

next_partition([(1,Alpha1),(L,AlphaL)|T], % Cases (3)-(4) in Table 1.2
          [(Rest,1),
          (NewL,Ratio),
          (L,NewAlphaL)|T]) :-              %
    L > 2,                                  %
    AlphaL > 1,                              %
    NewL is L - 1,                            %
    Rest is (Alpha1 + L) mod NewL,            %
    Ratio is (Alpha1 + L) // NewL,           %
    NewAlphaL is AlphaL - 1.                 %

next_partition([(2,1)|T],[(1,2)|T]).        % Cases (5)-(6) in Table 1.2

next_partition([(2,Alpha)|T], [(1,2),(2,NewAlpha)|T]) :-
    Alpha > 1,
    NewAlpha is Alpha - 1.

next_partition([(L,1)|T], [(1,1),(NewL,1)|T]) :-
    L > 2,
    NewL is L - 1.

next_partition([(L,Alpha)|T], [(1,1),(NewL,1),(L,NewAlpha)|T]) :-
    L > 2,
    Alpha > 1,
    NewL is L - 1,
    NewAlpha is Alpha - 1.

int(I, I).
int(Last, I) :- succ(Last, New), int(New, I).

% The page has next_partition(Next, New) in the second clause of part/2, a
% misprint: the template just above it and the answers below it want Last.

part(P, P).
part(Last, Next) :- next_partition(Last, New), part(New, Next).

% P-1.3

generator(Pred,From,Element) :-
  retractall(temp(_,_)),
  assert(temp(First,First)),
  assert(temp(Next,E) :- (call(Pred,Next,New), temp(New,E))),
  temp(From,Element).

% Exercise 1.11: the integer after I, up to Upper.

next_int(Upper, I, NextI) :-
    I < Upper,
    NextI is I + 1.

% Exercise 1.12: the successor of a pair when the pairs of non-negative integers
% are walked through diagonal by diagonal, up and down in turn.

next_pair((M,N), Next) :-
    (   (M + N) mod 2 =:= 0
    ->  pair_towards_first_row(M, N, Next)
    ;   pair_towards_first_column(M, N, Next)
    ).

pair_towards_first_row(0, N, Next) :-
    !,
    N1 is N + 1,
    Next = (0,N1).
pair_towards_first_row(M, N, (M1,N1)) :-
    M1 is M - 1,
    N1 is N + 1.

pair_towards_first_column(M, 0, Next) :-
    !,
    M1 is M + 1,
    Next = (M1,0).
pair_towards_first_column(M, N, (M1,N1)) :-
    M1 is M + 1,
    N1 is N - 1.

% Exercise 1.13: pairs_alt/1 is flawed because all generators share temp/2;
% generator2/3 builds a predicate of its own each time, and pairs_alt2/1 is
% pairs_alt/1 with it.

pairs((I,J)) :- int(0,Sum), between(0,Sum,I), J is Sum - I.

pairs_alt((I,J)) :- generator(succ,0,Sum),
                    generator(next_int(Sum),0,I),
                    J is Sum - I.

generator2(Pred, From, Element) :-
    unused_name(0, Name),
    Head1 =.. [Name,First,First],
    Head2 =.. [Name,Next,E],
    Again =.. [Name,New,E],
    assert(Head1),
    assert((Head2 :- (call(Pred,Next,New), Again))),
    call(Name, From, Element).

unused_name(N, Name) :-
    concat_atom([temp_, N], Name0),
    (   current_predicate(Name0, _)
    ->  N1 is N + 1,
        unused_name(N1, Name)
    ;   Name = Name0
    ).

pairs_alt2((I,J)) :- generator2(succ,0,Sum),
                     generator2(next_int(Sum),0,I),
                     J is Sum - I.

% Admissible representative permutations

ad_partition(N, [(I,A)|T]) :- generator(next_partition, [(N,1)], [(I,A)|T]),
                              I > 1.

split(N,Type,S) :- from_to(1,N,L), split(L,Type,[],S).

% Exercise 1.14: split the list L into sublists as Type tells, the last first in
% the accumulator.

split([], [(_,0)], Acc, S) :-
    reverse(Acc, S).
split([E|L], [(_,0)|Type], Acc, S) :-
    split([E|L], Type, Acc, S).
split(L, [(Size,Times)|Type], Acc, S) :-
    Times > 0,
    length(Sublist, Size),
    append(Sublist, Rest, L),
    Times1 is Times - 1,
    split(Rest, [(Size,Times1)|Type], [Sublist|Acc], S).

% The first element of the list becomes its last.

rotate([H|T], R) :-
    append(T, [H], R).

rep_perm(N,Type,Perm) :- split(N,Type,S),
                        maplist(rotate,S,R),
                        flatten(R,Perm).

% 1.5.4 Finishing touches: P-1.4

square2(Size,M,Total,Freq,Perm) :- var_matrix(Size,M),
                                  ad_partition(Size,Type),
                                  rep_perm(Size,Type,Perm),
                                  list_permute(Perm,M,P),
                                  transpose(P,M),
                                  distinct(M),
                                  eval_matrix(M,Freq),
                                  total(Freq,Total).

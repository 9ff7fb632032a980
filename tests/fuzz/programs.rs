//! Random programs: clauses with control constructs, changes of the database, attributed variables,
//! global variables and assumptions. At `gc_here`, a garbage collection must change nothing.

use super::random::Random;

/// Goals over variables, which keep the number of calls low.
const GOALS: &[&str] = &[
    "q(A)",
    "A = B",
    "B == C",
    "A \\= B",
    "A @< B",
    "copy_term(A, B)",
    "compare(C, A, B)",
    "catch(A is B + 1, _, true)",
    "catch(C is A * A - B, _, C = none)",
    "catch(A < B, _, fail)",
    "var(A)",
    "nonvar(B)",
    "atom(C)",
    "compound(A)",
    "throw(A)",
    "ground(B)",
    "between(1, 3, A)",
    "member(A, [1, B, x])",
    "length(A, 2)",
    "A = [B|C]",
    "append(A, [B], [1, 2, C])",
    "functor(A, B, C)",
    "catch(functor(A, f, 2), _, true)",
    "catch(arg(B, A, C), _, true)",
    "catch(A =.. B, _, true)",
    "assertz(q(A))",
    "asserta((q(A) :- B == 1))",
    "assertz((r(A, B) :- q(A), \\+ A == B))",
    "retract(q(A))",
    "retract((q(A) :- true))",
    "catch(r(A, B), _, true)",
    "retractall(q(B))",
    "nb_setval(key, A)",
    "b_setval(key, B)",
    "catch(nb_getval(key, C), _, true)",
    "catch(b_getval(key, C), _, true)",
    "put_attr(A, test, B)",
    "get_attr(A, test, C)",
    "freeze(A, B = 1)",
    "freeze(A, (q(B), !))",
    "dif(A, B)",
    "when((nonvar(A) ; ground(B)), C = done)",
    "frozen(A, C)",
    "term_variables(f(A, B), C)",
    "catch(atom_length(A, B), _, true)",
    "catch(atom_codes(A, B), _, true)",
    "catch(atom_concat(A, B, abc), _, true)",
    "catch(sub_atom(abcd, A, 2, _, B), _, true)",
    "catch(number_codes(A, B), _, true)",
    "catch(atom_chars(B, C), _, true)",
    "catch(atom_string(A, B), _, true)",
    "catch(sort(A, B), _, true)",
    "catch(msort([B, A, C], A), _, true)",
    "catch(keysort([B-1, A-2], C), _, true)",
    "setarg(1, f(A), B)",
    "T = f(A, B), nb_setarg(1, T, C), arg(1, T, D)",
    "unify_with_occurs_check(A, f(B))",
    "A = f(A, B)",
    "tab(1)",
    "writeq(A)",
    "print(f(A, B))",
    "call(q, A)",
    "call((A = 1 ; A = 2), !)",
    "G = (q(A), !), call(G)",
    "maplist([X, Y]>>(Y = f(X)), [A, B], C)",
    "foldl([X, Y, Z]>>(Z = [X|Y]), [A, B], [], C)",
    "nb_getval(key, A) -> true",
    "term_to_atom(f(A, B), C)",
    "succ_or_zero(A)",
    "A = \"text\"",
    "A = 1.5",
    "A = 123456789012345678901",
    "A is 7 ** 40 - B",
    "string_concat(A, B, \"ab\")",
    "tnot_t(A)",
    "t(A, B)",
    "gc_here",
    "gc_here",
    "garbage_collect_atoms",
    "phrase(d(A), [a, b|B], C)",
    "lolli:(m(A) --o m(B))",
    "(m(A) --o (m(B), C = B))",
    "(m(A) => n(B) --o (m(C), n(D)))",
    "forall(q(A), nonvar(A))",
    "once(q(A))",
    "ignore(q(B))",
    "number_vars(A)",
    "copy_term(A, B, C)",
    "term_attvars(A, B)",
    "call_cleanup(q(A), (length(C, 2), C == B))",
    "setup_call_cleanup(true, q(A), (gc_here, B == A))",
    "catch(call_with_depth_limit(q(A), 5, B), _, true)",
    "catch(call_with_inference_limit(q(A), 50, _), _, true)",
    "string_codes(A, [0'a|B])",
    "A = point{x: B}",
    "atom_to_term('f(X, Y, X)', A, B)",
    "A == B -> C = 1",
    "A > 1",
    "A =:= B",
    "integer(A), A < 5",
    "nb_current(key, A)",
    "assoc_to_list(t, A)",
    "list_to_assoc([a-A, b-B], C), get_assoc(a, C, D)",
    "tab(2), nl",
    "read(A)",
    "findall(A, q(A), B, [C])",
    "aggregate_all(count, q(A), B)",
    "aggregate_all(bag(A), q(A), B)",
];

/// Terms that occur in both calls and heads often enough.
const ARGUMENTS: &[&str] = &[
    "A",
    "B",
    "C",
    "_",
    "1",
    "2",
    "a",
    "b",
    "[]",
    "[A|B]",
    "[1, B]",
    "f(A, B)",
    "f(A, A)",
    "f(1, _)",
    "g(C)",
    "\"s\"",
    "1.5",
    "[A]",
    "-",
    "123456789012345678901",
    "a-B",
    "f(g(A), [B|C])",
];

impl Random {
    fn shape(&mut self) -> String {
        if self.below(8) == 7 {
            self.term(1)
        } else {
            self.pick(ARGUMENTS).to_owned()
        }
    }

    fn goal(&mut self, depth: usize) -> String {
        let choice = self.below(if depth == 0 { 8 } else { 20 });
        match choice {
            // The bytes of a fuzzer may end. Then each choice is 0, and the program ends too.
            0..=2 => self.pick(GOALS).to_owned(),
            5 => format!("{} = {}", self.variable(), self.shape()),
            3 => format!("{} == {}", self.variable(), self.shape()),
            4 => "!".to_owned(),
            6 | 7 => format!("p{}({}, {})", self.below(4), self.shape(), self.shape()),
            8..=10 => format!("{}, {}", self.goal(depth - 1), self.goal(depth - 1)),
            11 => format!("({} ; {})", self.goal(depth - 1), self.goal(depth - 1)),
            12 | 13 => format!(
                "({} {} {} ; {})",
                self.goal(depth - 1),
                ["->", "*->"][choice - 12],
                self.goal(depth - 1),
                self.goal(depth - 1)
            ),
            14 => format!("\\+ ({})", self.goal(depth - 1)),
            15 | 16 => {
                let all = self.pick(&["findall", "bagof", "setof"]);
                format!(
                    "{all}({}, ({}), {})",
                    self.variable(),
                    self.goal(depth - 1),
                    self.variable()
                )
            }
            17 => format!("({}, gc_here, {})", self.goal(depth - 1), self.goal(0)),
            18 => format!("call(({}))", self.goal(depth - 1)),
            _ => format!(
                "catch(({}), {}, ({}))",
                self.goal(depth - 1),
                self.variable(),
                self.goal(depth - 1)
            ),
        }
    }

    /// Returns a program of four predicates, facts that change, a tabled predicate and a grammar.
    pub(crate) fn program(&mut self) -> String {
        let mut text = String::from(
            ":- dynamic q/1, r/2, m/1, n/1.\n:- table t/2.\n\
             q(1). q(a). q(f(X, X)). q(\"s\"). q([1, 2]).\n\
             t(X, Y) :- t(X, Z), s(Z, Y).\nt(X, Y) :- s(X, Y).\ns(1, 2). s(2, 3). s(3, 1). s(a, f(X)).\n\
             d([]) --> [].\nd([X|Y]) --> [X], !, d(Y).\n\
             test:attr_unify_hook(A, B) :- gc_here, ( var(B) -> put_attr(B, test, A) ; A \\== no ).\n",
        );
        for predicate in 0..4 {
            for _ in 0..1 + self.below(4) {
                let head = format!("p{predicate}({}, {})", self.shape(), self.shape());
                let body = self.goal(2);
                text.push_str(&format!("{head} :- {body}.\n"));
            }
        }
        text
    }

    /// Returns a goal for a program.
    pub(crate) fn program_goal(&mut self) -> String {
        format!("p{}({}, A)", self.below(4), self.shape())
    }
}

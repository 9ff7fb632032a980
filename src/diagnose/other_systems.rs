//! Names of predicates that are not here, but are in other languages, or in other systems.

/// What they are called here. Without arity: whatever the number of arguments.
const TABLE: &[(&str, Option<i64>, &str)] = &[
    ("add", Some(1), "assertz/1"),
    ("bye", Some(0), "halt/0"),
    ("exit", Some(0), "halt/0"),
    ("quit", Some(0), "halt/0"),
    ("exit", Some(1), "halt/1"),
    ("quit", Some(1), "halt/1"),
    ("cat", None, "append/3 for lists, atom_concat/3 for atoms"),
    (
        "concat",
        None,
        "append/3 for lists, atom_concat/3 for atoms",
    ),
    (
        "contains",
        Some(2),
        "member/2 for lists, sub_atom/5 for atoms",
    ),
    ("count", Some(2), "length/2"),
    ("dir", Some(0), "ls/0"),
    ("display", Some(1), "print/1 or writeln/1"),
    ("echo", None, "print/1 or writeln/1"),
    ("equals", Some(2), "(==)/2 or (=)/2"),
    ("filter", Some(3), "include/3"),
    ("float", Some(2), "`X is float(Y)`"),
    ("fold", None, "foldl/4"),
    ("for", Some(3), "between/3"),
    ("if", None, "`( Condition -> Then ; Else )`"),
    ("input", None, "read/1"),
    ("int", Some(1), "integer/1"),
    ("int", Some(2), "`X is truncate(Y)`"),
    ("len", Some(2), "length/2"),
    ("list", Some(1), "is_list/1"),
    ("load", Some(1), "consult/1"),
    ("map", None, "maplist/3"),
    ("max", Some(2), "max_list/2"),
    ("max", Some(3), "`M is max(X, Y)`"),
    ("min", Some(2), "min_list/2"),
    ("min", Some(3), "`M is min(X, Y)`"),
    ("mod", Some(3), "`X is Y mod Z`"),
    ("print_line", Some(1), "writeln/1"),
    ("printf", None, "format/2"),
    ("println", Some(1), "writeln/1"),
    ("push", None, "append/3, or [Element|List]"),
    ("puts", Some(1), "writeln/1"),
    ("range", Some(3), "numlist/3, or between/3"),
    ("reduce", None, "foldl/4"),
    ("reload", Some(0), "make/0"),
    ("remove", Some(1), "retract/1"),
    ("run", Some(1), "consult/1 for a file, call/1 for a goal"),
    ("size", Some(2), "length/2"),
    ("sqrt", Some(2), "`X is sqrt(Y)`"),
    ("str", Some(2), "term_to_atom/2"),
    ("strcat", None, "atom_concat/3"),
    ("strlen", Some(2), "atom_length/2"),
    ("substr", None, "sub_atom/5"),
    ("substring", None, "sub_atom/5"),
    ("sum", Some(2), "sum_list/2"),
    (
        "type",
        Some(2),
        "atom/1, number/1 and the other tests of types",
    ),
];

/// What is to be written in place of a predicate that nothing defines.
pub(super) fn meant(name: &str, arity: Option<i64>) -> Option<String> {
    let known = |&&(known, of, _): &&(&str, Option<i64>, &str)| {
        known == name && (of.is_none() || arity.is_none() || of == arity)
    };
    let (_, _, here) = TABLE.iter().find(known)?;
    Some(format!("in Prolog it is {here}"))
}

//! Snapshots of output and answers of the programs in the documents, beyond the answers in
//! `programs/*.queries`, which `tests/conformity.rs` checks. The snapshots show every change.
//!
//! After an intended change: `INSTA_UPDATE=always cargo test --test programs`. Read the difference
//! before you commit it.

use std::path::Path;

use wamlet::{Engine, testing};

/// Returns an engine with the program `programs/NAME.pl` loaded.
fn program(name: &str) -> Engine {
    let mut engine = Engine::new().expect("there is memory");
    engine.capture_output();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let path = folder.join(name).with_extension("pl");
    let report = engine.consult_file(&path).expect("a program");
    assert!(report.errors.is_empty(), "{name}: {:?}", report.errors);
    engine
}

/// Returns every query with its first `most` answers and its output.
fn transcript(engine: &mut Engine, queries: &[(&str, usize)]) -> String {
    let texts: Vec<String> = queries
        .iter()
        .map(|&(query, most)| testing::transcript(engine, query, most).expect("a goal"))
        .collect();
    texts.join("\n")
}

/// Returns a fill-in puzzle of this size and its first solution, both drawn.
fn fillin(engine: &mut Engine, size: &str) -> String {
    let draw = "forall(member(_Row, _P), \
                (forall(member(_C, _Row), (var(_C) -> write('.') ; write(_C))), nl))";
    let query = format!(
        "fillin_example('{size}', _P, _Ws), {draw}, nl, puzzle_solution(_P, _Ws), {draw}, \
         fillin_valid(_P, _Ws), length(_Ws, Words)"
    );
    transcript(engine, &[(&query, 1)])
}

#[test]
fn fillin_puzzles_of_every_size() {
    let mut engine = program("fillin_make");
    for size in ["3x3", "7x7", "10x10", "15x15", "32x20"] {
        insta::assert_snapshot!(format!("fillin_{size}"), fillin(&mut engine, size));
    }
}

#[test]
fn enigma_boards() {
    let mut engine = program("enigma");
    let text = transcript(
        &mut engine,
        &[
            ("square(4, _M, 40, Freq, Perm), write_matrix(_M)", 3),
            ("square(5, _M, Total, Freq, Perm), write_matrix(_M)", 3),
            ("square(6, _M, 180, Freq, Perm), write_matrix(_M)", 2),
            ("square2(7, _M, 275, Freq, Perm), write_matrix(_M)", 2),
            ("square2(9, _M, Total, Freq, Perm), write_matrix(_M)", 2),
            ("setof(_T, _M^_F^_P^square2(10, _M, _T, _F, _P), Totals)", 1),
        ],
    );
    insta::assert_snapshot!("enigma_boards", text);
}

#[test]
fn enigma_exercises() {
    let mut engine = program("enigma");
    let text = transcript(
        &mut engine,
        &[
            ("findall(_P, admissible([a,b,c,d], _P), Ps)", 1),
            ("findall(_P, ad_partition(12, _P), Ps), length(Ps, N)", 1),
            (
                "findall(_P, generator(next_partition, [(7,1)], _P), Ps), length(Ps, N)",
                1,
            ),
            ("ad_partition(7, T), rep_perm(7, T, Perm)", 9),
            ("pairs(P)", 12),
            ("generator(next_pair, (0,0), P)", 12),
            ("zip([1,2], [x,y], L), zip(As, Bs, L)", 2),
            ("col([[1,2,3],[4,5,6]], N, C)", 4),
        ],
    );
    insta::assert_snapshot!("enigma_exercises", text);
}

#[test]
fn stacks_of_cubes() {
    let mut engine = program("cubes");
    let cubes = "_C1 = cube(t,s,t,r,t,c), _C2 = cube(t,r,c,s,r,s), \
                 _C3 = cube(s,c,s,r,c,t), _C4 = cube(r,s,t,r,c,c)";
    let count = |order: &str| {
        format!("{cubes}, findall(_S, stepwise({order}, _S), _Ss), length(_Ss, Stacks)")
    };
    let orders = [
        "[_C4,_C3,_C2,_C1]",
        "[_C2,_C1,_C4,_C3]",
        "[_C1,_C1,_C2,_C2]",
    ];
    let queries: Vec<String> = orders.iter().map(|order| count(order)).collect();
    let mut asked: Vec<(&str, usize)> = queries.iter().map(|query| (&**query, 1)).collect();
    asked.push(("valid_orientation(O)", 24));
    insta::assert_snapshot!("cubes", transcript(&mut engine, &asked));
}

#[test]
fn sudokus() {
    let mut engine = program("sudoku");
    let text = transcript(&mut engine, &[("given1(_G), solve(_G, Numbers)", 1)]);
    insta::assert_snapshot!("sudoku", text);
}

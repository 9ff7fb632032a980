//! The parts of the comparison with other systems: recorded figures, verdicts, table, chart, document.

#![cfg(unix)]
#![allow(dead_code, reason = "the command uses more than its tests do")]

#[path = "../benches/compare/against.rs"]
mod against;
#[path = "../benches/compare/chart.rs"]
mod chart;
#[path = "../benches/compare/child.rs"]
mod child;
#[path = "../benches/compare/document.rs"]
mod document;
#[path = "../benches/compare/json.rs"]
mod json;
#[path = "../benches/compare/options.rs"]
mod options;
#[path = "../benches/compare/program.rs"]
mod program;
#[path = "../benches/compare/report.rs"]
mod report;
#[path = "../benches/compare/session.rs"]
mod session;
#[path = "../benches/compare/system.rs"]
mod system;
#[path = "../benches/compare/table.rs"]
mod table;

use std::path::Path;

use options::Options;
use report::{Group, Report, geometric_mean, ratio_text};

/// Two programs on three systems, one of them on two.
const RECORDED: &str = r#"[
  {"program": "nrev", "system": "wamlet", "cpu": [0.2, 0.21, 0.19], "peak_kib": 7000, "instructions": 1000000},
  {"program": "nrev", "system": "swipl", "cpu": [1.0, 1.0, 1.0], "peak_kib": 12000},
  {"program": "nrev", "system": "gplc", "cpu": [0.1, 0.1, 0.1], "peak_kib": 9000},
  {"program": "anchor_sort", "system": "wamlet", "cpu": [2.0, 2.0, 2.0], "peak_kib": 7000},
  {"program": "anchor_sort", "system": "swipl", "cpu": [1.0, 1.0, 1.0], "peak_kib": 12000}
]"#;

fn recorded(text: &str) -> Report {
    Report::from_json(text).expect("figures")
}

fn options(text: &str) -> Result<Options, String> {
    Options::parse(text.split_whitespace().map(str::to_owned))
}

#[test]
fn figures_are_read_as_they_were_written() {
    let report = recorded(RECORDED);
    assert_eq!(report.systems, ["wamlet", "swipl", "gplc"]);
    assert_eq!(report.base, 1);
    assert!(report.rows[1].runs[2].cpu.is_empty());
    let again = recorded(&report.json());
    assert_eq!(again.json(), report.json());
    assert_eq!(again.rows[0].runs[0].instructions, Some(1_000_000));
}

#[test]
fn invalid_json_is_reported() {
    for (text, message) in [
        ("", "a value expected at ``"),
        ("[1, 2", "`,` expected at ``"),
        ("[{\"program\" 1}]", "`:` expected at `1}]`"),
        ("[] x", "the end expected at `x`"),
        ("[{\"program\": \"nrev\"}]", "no member system"),
        ("7", "not an array"),
    ] {
        let fault = Report::from_json(text).err().unwrap_or_default();
        assert!(fault.contains(message), "{text}: {fault}");
    }
    assert!(json::Value::parse(&"[".repeat(100_000)).is_err());
}

#[test]
fn slower_means_beyond_the_spread_and_the_shares() {
    let old = recorded(RECORDED);
    assert!(against::slower(&old, &old).is_empty());
    // Programs that cannot be compared are reported: here the same program under another name.
    let other = recorded(&RECORDED.replace("\"nrev\"", "\"other\""));
    assert_eq!(
        against::slower(&old, &other),
        ["other: the record does not have it"]
    );
    let alone =
        r#"[{"program": "anchor_sort", "system": "wamlet", "cpu": [2.0], "peak_kib": 7000}]"#;
    assert_eq!(
        against::slower(&old, &recorded(alone)),
        ["anchor_sort: not compared, the record has no figure of the same kind"]
    );
    let changed = |from: &str, to: &str| {
        assert!(RECORDED.contains(from));
        against::slower(&old, &recorded(&RECORDED.replace(from, to)))
    };
    // More than a tenth slower, but within the spread; then beyond the spread, but less than a tenth
    // slower.
    assert!(changed("[0.2, 0.21, 0.19]", "[0.3, 0.3, 0.205]").is_empty());
    assert!(changed("[2.0, 2.0, 2.0]", "[2.1, 2.1, 2.1]").is_empty());
    assert_eq!(
        changed("[0.2, 0.21, 0.19]", "[0.3, 0.3, 0.29]"),
        ["nrev: 0.30 (0.29-0.30) instead of 0.20 (0.19-0.21) of swipl"]
    );
    assert!(changed("1000000", "1019999").is_empty());
    assert_eq!(
        changed("1000000", "1030000"),
        ["nrev: 1.030 of the instructions, 1030000 instead of 1000000"]
    );
    let mut failed = recorded(RECORDED);
    failed.rows[0].runs[0].fault = Some("wrong: checksum(1)".to_owned());
    assert_eq!(against::slower(&old, &failed), ["nrev: wrong: checksum(1)"]);
}

#[test]
fn the_table_has_means_for_groups_and_names_faster_peers() {
    let report = recorded(RECORDED);
    let table = report.markdown();
    let row = |name: &str| {
        let found = table.lines().find(|line| line.starts_with(name));
        let cells = found.expect("a row").split('|').map(str::trim);
        cells.collect::<Vec<_>>().join("|")
    };
    assert_eq!(
        row("| nrev "),
        "|nrev|0.200|6.8|0.20 (0.19-0.21)|1.000|11.7|0.100|8.8|0.10 (0.10-0.10)|2.00|1.0|"
    );
    assert_eq!(
        row("| anchor_sort "),
        "|anchor_sort|2.000|6.8|2.00 (2.00-2.00)|1.000|11.7|-|-|-|2.00|x|"
    );
    assert_eq!(
        row("| **mean, all"),
        "|**mean, all**|||0.63 (n = 2)|||||0.10 (n = 1)|2.00 (n = 2)||"
    );
    let behind = document::faster_peers(&report);
    assert!(behind.contains("- `nrev`, 2.00 of gplc.\n- `anchor_sort`, 2.00 of swipl.\n"));
    assert_eq!(geometric_mean(&[]), None);
    assert!((geometric_mean(&[0.5, 2.0]).unwrap_or(0.0) - 1.0).abs() < 1e-12);
}

#[test]
fn the_chart_has_a_bar_for_each_ratio_and_marks_around_all() {
    let chart = chart::svg(&recorded(RECORDED));
    let bars = chart
        .lines()
        .filter(|line| line.contains("font-size=\"8\""));
    assert_eq!(bars.count(), 3);
    for text in [
        ">nrev<",
        ">anchor_sort<",
        ">0.1<",
        ">2<",
        ">anchors<",
        "dark",
    ] {
        assert!(chart.contains(text), "{text}");
    }
    assert!(!chart.contains(">5<") && !chart.contains(">0.05<"));
    assert!(!chart.contains("NaN") && chart.ends_with("</svg>\n"));
}

#[test]
fn the_part_between_the_marker_lines_is_renewed() {
    let (begin, end) = (document::BEGIN, document::END);
    let old = format!("before\n{begin}\nold\n{end}\nafter\n");
    let new = document::renewed(&old, "new").expect("markers");
    assert_eq!(new, format!("before\n{begin}\n\nnew\n{end}\nafter\n"));
    assert!(document::renewed("no markers", "new").is_err());
}

/// The commands in docs/performance.md and the README parse, and the document has the generated part.
#[test]
fn commands_of_the_documents_are_understood() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut commands = 0;
    for name in ["docs/performance.md", "README.md"] {
        let text = std::fs::read_to_string(root.join(name)).expect("a document");
        for line in text.lines() {
            let line = line.trim().trim_matches('`');
            if let Some(rest) = line.strip_prefix("cargo bench --bench compare") {
                let rest = rest.strip_prefix(" --").unwrap_or(rest);
                let error = options(rest).err();
                assert_eq!(error, None, "{name}: {line}");
                commands += 1;
            }
        }
    }
    assert!(commands >= 5, "{commands} commands");
    let record = options("--record --rounds 2").expect("options");
    assert!(
        record
            .json
            .is_some_and(|path| path.ends_with("docs/performance.json"))
    );
    assert!(
        record
            .svg
            .is_some_and(|path| path.ends_with("docs/performance.svg"))
    );
    assert!(
        record
            .document
            .is_some_and(|path| path.ends_with("docs/performance.md"))
    );
    assert_eq!((record.rounds, record.instructions), (2, true));
    assert_eq!(record.systems, ["wamlet", "swipl", "gplc"]);
    let text = std::fs::read_to_string(root.join("docs/performance.md")).expect("a document");
    assert!(document::renewed(&text, "").is_ok());
    for (wrong, message) in [
        ("--rounds", "wants a value"),
        ("--rounds 0", "not a positive number"),
        ("--fast", "unknown option"),
        ("--record nrev", "takes no names"),
    ] {
        let fault = options(wrong).err().unwrap_or_default();
        assert!(fault.contains(message), "{wrong}: {fault}");
    }
}

/// Every program has a comment at its head that says what it measures, and writes a checksum.
#[test]
fn programs_are_described() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let programs = session::programs(root).expect("programs");
    for group in Group::ALL {
        assert!(programs.iter().any(|p| Group::of(&p.name) == group));
    }
    for program in &programs {
        let path = format!("benches/programs/{}.pl", program.name);
        let text = std::fs::read_to_string(root.join(&path)).expect("a program");
        let shared = text.contains("% uses: benches/constraints/rounds.pl");
        assert!(shared || text.contains("write(checksum("), "{path}");
        let heads = text.lines().take_while(|line| line.starts_with('%'));
        let words = heads.filter(|line| line.split(':').next().unwrap_or("").contains(' '));
        assert!(words.count() > 0, "{path}");
    }
}

/// The table names a system that did fewer rounds, with their number.
#[test]
fn fewer_rounds_are_reported() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let programs = session::programs(root).expect("programs");
    let circuit = programs.iter().find(|p| p.name == "fd_circuit");
    let circuit = circuit.expect("the program of constraints");
    assert_eq!(circuit.fewer_rounds("wamlet"), None);
    let (done, whole) = circuit.fewer_rounds("swipl").expect("fewer rounds");
    assert!(0 < done && done < whole);
    assert_eq!(circuit.fewer_rounds("swipl -O"), Some((done, whole)));
    let mut report = recorded(RECORDED);
    assert!(!report.markdown().contains("fewer rounds"));
    report.rows[0].runs[1].rounds = Some((5, 150));
    let table = report.markdown();
    assert!(table.contains("- swipl did fewer rounds"), "{table}");
    assert!(table.contains("multiplied: nrev 5/150\n"), "{table}");
    assert_eq!(
        [0.0034, 0.012, 0.5].map(ratio_text),
        ["0.0034", "0.01", "0.50"]
    );
    let text = RECORDED.replace("anchor_sort", "fd_sort");
    let table = recorded(&text).markdown();
    assert!(
        table.contains("| **mean, all but constraints** "),
        "{table}"
    );
}

#[test]
fn a_run_gives_figures() {
    let started = options("start --systems wamlet --rounds 1").expect("options");
    let outcome = session::run(&started, |_| {}).expect("a run");
    assert!(outcome.text.contains("| start "), "{}", outcome.text);
    assert!(!outcome.text.contains(" x "), "{}", outcome.text);
    assert!(outcome.slower.is_empty());
    let nowhere = options("start --systems wamlet --against nowhere.json").expect("options");
    assert!(session::run(&nowhere, |_| {}).is_err());
}

#[test]
fn counts_of_instructions_are_found() {
    let output = "==7== Cachegrind\n==7== \n==7== I   refs:      2,161,844,471\n";
    assert_eq!(session::counted(output), Some(2_161_844_471));
    assert_eq!(session::counted("no such thing"), None);
}

#[test]
fn a_comparison_of_nothing_is_an_error() {
    for (text, message) in [
        ("nosuch", "no program has such a name"),
        (
            "start --wamlet /nowhere/wamlet",
            "there is no program /nowhere/wamlet",
        ),
        (
            "start --systems wamlet,swipll",
            "no system is called swipll",
        ),
    ] {
        let asked = options(text).expect("options");
        let fault = session::run(&asked, |_| ()).err().expect("an error");
        assert!(fault.to_string().contains(message), "{text}: {fault}");
    }
}

//! The part of docs/performance.md that `cargo bench --bench compare -- --record` writes.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use crate::options::Options;
use crate::report::{Report, Row, spread};

/// The line before this part.
pub(crate) const BEGIN: &str = "<!-- figures: written by the command, from here -->";
/// The line after this part.
pub(crate) const END: &str = "<!-- figures: to here -->";

/// Returns `document` with `part` between the marker lines.
pub(crate) fn renewed(document: &str, part: &str) -> Result<String, String> {
    let missing = || format!("the document lacks the lines {BEGIN} and {END}");
    let (before, rest) = document.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!("{before}{BEGIN}\n\n{part}\n{END}{after}"))
}

/// Returns the part: the machine and the systems, the chart, the table, and the programs on which a peer is faster.
pub(crate) fn part(report: &Report, options: &Options) -> String {
    let mut text = format!("{} rounds{}.", options.rounds, processor());
    for (system, option) in [("swipl", "swipl"), ("gplc", "gprolog")] {
        if report.system(system).is_some()
            && let Some(version) = first_line(Command::new(option).arg("--version"))
        {
            let _ = write!(text, " {version}.");
        }
    }
    text.push_str("\n\n");
    if let Some(name) = options.svg.as_deref().and_then(Path::file_name) {
        let base = &report.systems[report.base];
        let name = name.to_string_lossy();
        let _ = writeln!(text, "![CPU time, {base} = 1]({name})\n");
    }
    text.push_str(&report.markdown());
    text.push_str(&faster_peers(report));
    text
}

/// Returns the name of the processor, if the system reports it.
fn processor() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find(|line| line.starts_with("model name"));
    let name = model.and_then(|line| line.split_once(':'));
    name.map(|(_, name)| format!(" on {}", name.trim()))
        .unwrap_or_default()
}

fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    // GNU Prolog prints its version on its error output.
    let bytes = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Some(text.lines().next()?.trim().trim_end_matches('.').to_owned())
}

/// Returns a line for each program on which a peer is faster than Wamlet, with the note at the head of the program.
pub(crate) fn faster_peers(report: &Report) -> String {
    let Some(own) = report.system("wamlet") else {
        return String::new();
    };
    let lines: String = report
        .rows
        .iter()
        .filter_map(|row| faster_peers_line(report, row, own))
        .collect();
    match lines.is_empty() {
        true => String::new(),
        false => format!(
            "\nPrograms on which a peer is faster, with the time of wamlet divided by that of the peer:\n\n{lines}"
        ),
    }
}

fn faster_peers_line(report: &Report, row: &Row, own: usize) -> Option<String> {
    let time = spread(&row.runs[own].cpu)?.median;
    let faster: Vec<String> = row
        .runs
        .iter()
        .zip(&report.systems)
        .filter_map(|(runs, system)| {
            let peer = spread(&runs.cpu)?.median;
            (peer < time).then(|| format!("{:.2} of {system}", time / peer.max(1e-3)))
        })
        .collect();
    let note = row.note.as_ref().map(|note| format!(": {note}"));
    let text = format!("{}{}", faster.join(", "), note.unwrap_or_default());
    (!faster.is_empty()).then(|| format!("- `{}`, {}.\n", row.program, text.trim_end_matches('.')))
}

//! Search for programs that became slower than in recorded figures.

use crate::report::{Report, Row};

/// A program is slower if its ratio to the base grew by more than this share, and every round is slower than every recorded
/// round.
const SHARE_OF_TIME: f64 = 0.10;

/// A program is slower if its count of instructions grew by more than this share. Counts of one program
/// differ by some thousands only.
const SHARE_OF_INSTRUCTIONS: f64 = 0.02;

/// Returns a line for each program on which Wamlet is slower in `new` than in `old`. Programs that have lost
/// their figures, and programs without a comparable figure in `old`, have a line, too.
pub(crate) fn slower(old: &Report, new: &Report) -> Vec<String> {
    let (Some(old_own), Some(own)) = (old.system("wamlet"), new.system("wamlet")) else {
        return vec!["there are no figures of wamlet".to_owned()];
    };
    let mut lines = Vec::new();
    for row in &new.rows {
        let name = &row.program;
        let Some(before) = old.rows.iter().find(|old| old.program == row.program) else {
            lines.push(format!("{name}: the record does not have it"));
            continue;
        };
        if let Some(fault) = &row.runs[own].fault {
            lines.push(format!("{name}: {fault}"));
        }
        // Ratios are comparable only for the same program on the same peer.
        let same_base = own != new.base
            && old_own != old.base
            && new.systems[new.base] == old.systems[old.base];
        if same_base
            && let Some(line) = slower_by_time((before, old_own, old.base), (row, own, new.base))
        {
            lines.push(format!("{name}: {line} of {}", new.systems[new.base]));
        }
        let counts = (
            before.runs[old_own].instructions,
            row.runs[own].instructions,
        );
        let ratios = same_base
            && before.ratio(old_own, old.base).is_some()
            && row.ratio(own, new.base).is_some();
        let counted = matches!(counts, (Some(_), Some(_)));
        if !ratios && !counted && row.runs[own].fault.is_none() {
            lines.push(format!(
                "{name}: not compared, the record has no figure of the same kind"
            ));
        }
        if let (Some(then), Some(now)) = counts
            && now as f64 > then as f64 * (1.0 + SHARE_OF_INSTRUCTIONS)
        {
            let ratio = now as f64 / then.max(1) as f64;
            lines.push(format!(
                "{name}: {ratio:.3} of the instructions, {now} instead of {then}"
            ));
        }
    }
    lines
}

/// Returns a message if the ratio of `new` is slower than that of `old`. Both consist of a row, a system and its base.
fn slower_by_time(old: (&Row, usize, usize), new: (&Row, usize, usize)) -> Option<String> {
    let then = old.0.ratio(old.1, old.2)?;
    let now = new.0.ratio(new.1, new.2)?;
    let beyond = now.median > then.median * (1.0 + SHARE_OF_TIME) && now.least > then.greatest;
    beyond.then(|| {
        format!(
            "{:.2} ({:.2}-{:.2}) instead of {:.2} ({:.2}-{:.2})",
            now.median, now.least, now.greatest, then.median, then.least, then.greatest
        )
    })
}

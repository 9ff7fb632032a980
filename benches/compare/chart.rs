//! A chart of the ratios as SVG. A bar for each program and system goes from 1, the base, to its ratio on
//! a logarithmic axis. The chart has its own background, light or dark as the reader's system.

use std::fmt::Write as _;

use crate::report::{Group, Report, ratio_text};

const WIDTH: f64 = 780.0;
/// Right end of the names of programs.
const NAMES: f64 = 150.0;
/// Left and right end of the axis. Both leave room for a ratio.
const LEFT: f64 = 180.0;
const RIGHT: f64 = 740.0;
const TOP: f64 = 58.0;
const BAR: f64 = 8.0;
/// Space between programs.
const GAP: f64 = 6.0;
/// Height of the name of a group.
const HEADING: f64 = 20.0;

/// Marks of the axis. It begins and ends at marks.
const MARKS: &[f64] = &[
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0,
    200.0, 500.0, 1000.0,
];

const STYLE: &str = "text{fill:#222}.back{fill:#fff}.line{stroke:#ddd}.one{stroke:#222}\
.s0{fill:#1565c0}.s1{fill:#c77700}.s2{fill:#2e7d32}.s3{fill:#ad1457}.s4{fill:#6a1b9a}\
@media(prefers-color-scheme:dark){text{fill:#ddd}.back{fill:#161b22}.line{stroke:#3a3f47}\
.one{stroke:#ddd}.s0{fill:#64b5f6}.s1{fill:#ffb74d}.s2{fill:#81c784}.s3{fill:#f06292}.s4{fill:#ba68c8}}";

/// The marks at the ends of an axis that contains 1 and all ratios.
struct Axis {
    least: f64,
    greatest: f64,
}

impl Axis {
    fn of(ratios: impl Iterator<Item = f64>) -> Axis {
        let (low, high) = ratios.fold((0.5, 2.0), |(low, high): (f64, f64), ratio| {
            (low.min(ratio), high.max(ratio))
        });
        let last = MARKS.len() - 1;
        let least = MARKS.iter().rev().find(|&&mark| mark <= low);
        let greatest = MARKS.iter().find(|&&mark| mark >= high);
        Axis {
            least: *least.unwrap_or(&MARKS[0]),
            greatest: *greatest.unwrap_or(&MARKS[last]),
        }
    }

    /// Returns the place of `ratio` on the axis. A ratio beyond the axis is drawn at its end.
    fn place(&self, ratio: f64) -> f64 {
        let inside = ratio.clamp(self.least, self.greatest);
        let share = (inside / self.least).ln() / (self.greatest / self.least).ln();
        LEFT + share * (RIGHT - LEFT)
    }
}

/// Draws the chart of `report`.
pub(crate) fn svg(report: &Report) -> String {
    let base = report.base;
    let shown: Vec<usize> = (0..report.systems.len()).filter(|&at| at != base).collect();
    let ratios = |at: usize| {
        let rows = report.rows.iter();
        rows.filter_map(move |row| Some(row.ratio(at, base)?.median))
    };
    let axis = Axis::of(shown.iter().flat_map(|&at| ratios(at)));
    let mut bars = String::new();
    let mut y = TOP;
    for group in Group::ALL {
        let rows = report.rows.iter();
        let mut rows = rows
            .filter(|row| Group::of(&row.program) == group)
            .peekable();
        if rows.peek().is_some() {
            y += HEADING;
            let heading = group.name();
            let _ = writeln!(
                bars,
                "<text x=\"8\" y=\"{:.0}\" font-weight=\"bold\">{heading}</text>",
                y - GAP
            );
        }
        for row in rows {
            let height = BAR * shown.len() as f64;
            let _ = writeln!(
                bars,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                NAMES,
                y + height / 2.0 + 4.0,
                row.program
            );
            for (number, &at) in shown.iter().enumerate() {
                if let Some(ratio) = row.ratio(at, base) {
                    let _ = bar(
                        &mut bars,
                        &axis,
                        y + BAR * number as f64,
                        number,
                        ratio.median,
                    );
                }
            }
            y += height + GAP;
        }
    }
    frame(report, &shown, &axis, y, &bars)
}

/// Draws one bar, with its ratio at the end away from 1.
fn bar(text: &mut String, axis: &Axis, y: f64, number: usize, ratio: f64) -> std::fmt::Result {
    let (one, end) = (axis.place(1.0), axis.place(ratio));
    let (x, width) = (one.min(end), (one - end).abs().max(0.5));
    let (label, anchor) = match ratio < 1.0 {
        true => (end - 3.0, "end"),
        false => (end + 3.0, "start"),
    };
    writeln!(
        text,
        "<rect class=\"s{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\"/>\
         <text x=\"{label:.1}\" y=\"{:.1}\" font-size=\"8\" text-anchor=\"{anchor}\">{}</text>",
        number % 5,
        BAR - 1.0,
        y + BAR - 1.5,
        ratio_text(ratio)
    )
}

/// Draws the parts around the bars: background, title, legend, axis.
fn frame(report: &Report, shown: &[usize], axis: &Axis, end: f64, bars: &str) -> String {
    let base = &report.systems[report.base];
    let height = end + 26.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<style>{STYLE}</style>\n\
         <rect class=\"back\" width=\"{WIDTH}\" height=\"{height:.0}\"/>\n\
         <text x=\"8\" y=\"20\" font-size=\"13\">CPU time, {base} = 1: bars to the left are faster</text>\n"
    );
    let mut x = 8.0;
    for (number, &at) in shown.iter().enumerate() {
        let system = &report.systems[at];
        let _ = writeln!(
            text,
            "<rect class=\"s{}\" x=\"{x}\" y=\"30\" width=\"10\" height=\"10\"/>\
             <text x=\"{}\" y=\"39\">{system}</text>",
            number % 5,
            x + 14.0
        );
        x += 34.0 + 7.0 * system.len() as f64;
    }
    let marks = MARKS.iter();
    for mark in marks.filter(|&&mark| mark >= axis.least && mark <= axis.greatest) {
        let x = axis.place(*mark);
        let class = if *mark == 1.0 { "one" } else { "line" };
        let _ = writeln!(
            text,
            "<path class=\"{class}\" d=\"M{x:.1} {:.0}V{end:.0}\"/>\
             <text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{mark}</text>\
             <text x=\"{x:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{mark}</text>",
            TOP,
            TOP - 4.0,
            end + 14.0
        );
    }
    text.push_str(bars);
    text.push_str("</svg>\n");
    text
}

//! Intended differences from other systems: the paragraphs of a file `explained.txt`.

use std::fs;
use std::path::Path;

/// A kind of difference: patterns in which `*` stands for any text and `\*` for a star.
pub(crate) struct Explained {
    /// The other systems, or other categories of the table, separated by commas.
    pub(crate) peer: String,
    /// The goal.
    pub(crate) goal: String,
    /// The answers of Wamlet.
    pub(crate) ours: String,
    /// The answers of the other system.
    pub(crate) theirs: String,
}

impl Explained {
    /// Reads the paragraphs of `explained.txt` in the folder; each must give its reason, `why:`.
    pub(crate) fn all(folder: &Path) -> Vec<Explained> {
        let text = fs::read_to_string(folder.join("explained.txt")).expect("the table");
        let mut all = Vec::new();
        for paragraph in text
            .split("\n\n")
            .filter(|paragraph| !paragraph.starts_with('#') && !paragraph.trim().is_empty())
        {
            let field = |name: &str| {
                let line = paragraph.lines().find_map(|line| line.strip_prefix(name));
                line.unwrap_or("*").trim().to_owned()
            };
            assert!(
                paragraph.contains("why:"),
                "no reason is given: {paragraph}"
            );
            all.push(Explained {
                peer: field("peer:"),
                goal: field("goal:"),
                ours: field("ours:"),
                theirs: field("theirs:"),
            });
        }
        all
    }

    /// Returns whether this paragraph explains a difference.
    pub(crate) fn explains(&self, peer: &str, goal: &str, ours: &str, theirs: &str) -> bool {
        self.peer.split(", ").any(|one| matches(one, peer))
            && matches(&self.goal, goal)
            && matches(&self.ours, ours)
            && matches(&self.theirs, theirs)
    }
}

/// Returns whether the text matches a pattern.
fn matches(pattern: &str, text: &str) -> bool {
    matches_plain(&pattern.replace("\\*", STAR), &text.replace('*', STAR))
}

/// Replaces stars in texts, which do not contain this character.
const STAR: &str = "\u{1}";

fn matches_plain(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            after.is_empty()
                || (0..=rest.len())
                    .any(|at| rest.is_char_boundary(at) && matches_plain(after, &rest[at..]))
        }),
    }
}

//! The keys that a user can type after an answer.

use super::style;
use wamlet::{Engine, Wish};

/// The number of answers for the key `f`.
const FIVE: u64 = 5;

/// The text of the key `h`.
const KEYS: &str = "
;  n  SPACE  TAB    next answer        a       all answers
.  q  RETURN        stop               f       five more answers
w                   answer in full     1 … 9   1 to 9 more answers
t                   trace the next     *       where the choice point is
h  ?                this help
";

/// The hint at the first answer that others may follow.
const FIRST: &str = "; next  RETURN stop  a all  h help";

/// The prompt for another key.
const ANOTHER: &str = "Key? ";

/// Returns the hint to show until the user types a key, and the text that removes it again. Returns `None`
/// without colours, or if the line of the terminal has no room for the hint: on two lines it could not be
/// removed.
pub(crate) fn hint(room: Option<usize>) -> Option<[String; 2]> {
    let length = FIRST.chars().count();
    let fits = room.is_none_or(|room| length < room);
    (fits && style::on_output() && !Engine::keys_come_in_lines()).then(|| {
        let gone = format!("\x1b[{length}D\x1b[K");
        [style::styled(FIRST, style::DIM, true), gone]
    })
}

/// Returns the meaning of a key typed after an answer.
pub(crate) fn wish(key: char) -> Wish {
    match key {
        // `r` as in the first system of Lolli, and in SWI-Prolog.
        ';' | ' ' | '\t' | 'n' | 'r' => Wish::More(1),
        'a' => Wish::More(u64::MAX),
        'f' => Wish::More(FIVE),
        '1'..='9' => Wish::More(key.to_digit(10).map_or(1, u64::from)),
        'w' => Wish::Again,
        't' => Wish::Traced,
        '*' => Wish::Choice,
        // The interrupt key and the end of the input stop, too.
        '.' | 'q' | '\n' | '\r' | '\u{3}' | '\u{4}' => Wish::Stop,
        'h' | '?' => Wish::Told(format!("{KEYS}{ANOTHER}")),
        key => {
            let key = key.escape_debug();
            Wish::Told(format!("\nUnknown key: {key} (h for help)\n{ANOTHER}"))
        }
    }
}

//! The keys that are typed after an answer.

use super::style;
use wamlet::{Engine, Error};

/// What `f` asks for.
const FIVE: u64 = 5;

/// What the user wants after an answer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// So many more, as far as there are.
    More(u64),
    /// No more.
    Stop,
    /// This one again, with nothing left out.
    InFull,
    /// One more, and the goals of the way there.
    Traced,
    /// What left the choice that makes others possible.
    Choice,
}

/// What `h` tells.
const KEYS: &str = "
;  n  SPACE  TAB    next answer        a       all answers
.  q  RETURN        no more            f       five more
w                   answer in full     1 … 9   so many more
t                   trace the next     *       what left the choice
h  ?                this help
";

/// What `h` tells in a session of Lolli.
const LOLLI_KEYS: &str = "
;  n  SPACE  TAB    next answer        a       all answers
.  q  RETURN        no more            f       five more
w                   the answer again   1 … 9   so many more
h  ?                this help
";

/// What is shown at the first answer that others may follow.
const FIRST: &str = "; next  RETURN stop  a all  h help";

/// What is shown before another key is awaited.
const ANOTHER: &str = "Key? ";

/// What is shown until a key is typed, where there are colours, and what takes it off the screen again: if the
/// line of the terminal has room for it, for on two lines it could not be taken off.
pub(crate) fn hint(room: Option<usize>) -> Option<[String; 2]> {
    let length = FIRST.chars().count();
    let fits = room.is_none_or(|room| length < room);
    (fits && style::on_output() && !Engine::keys_come_in_lines()).then(|| {
        let gone = format!("\x1b[{length}D\x1b[K");
        [style::styled(FIRST, style::DIM, true), gone]
    })
}

/// The wish that a key tells, if it tells one.
fn meaning(key: Option<char>) -> Option<Wish> {
    Some(match key {
        Some(';' | ' ' | '\t' | 'n') => Wish::More(1),
        Some('a') => Wish::More(u64::MAX),
        Some('f') => Wish::More(FIVE),
        Some(digit @ '1'..='9') => Wish::More(digit.to_digit(10).map_or(1, u64::from)),
        Some('w') => Wish::InFull,
        Some('t') => Wish::Traced,
        Some('*') => Wish::Choice,
        // The interrupt key and the end of the input stop too.
        Some('.' | 'q' | '\n' | '\r' | '\u{3}' | '\u{4}') | None => Wish::Stop,
        Some(_) => return None,
    })
}

/// What is told after a key that tells no wish.
fn told(key: char, help: &str) -> String {
    match key {
        'h' | '?' => help.to_owned(),
        key => format!("\nUnknown key: {} (h for help)\n", key.escape_debug()),
    }
}

/// The wish that a key tells. After one that means nothing it is asked again. `first`: is this the
/// first time?
///
/// # Errors
/// Those of the output.
pub(crate) fn wish(engine: &mut Engine, hint: Option<&[String; 2]>) -> Result<Wish, Error> {
    if let Some([shown, _]) = hint {
        engine.write_output(shown)?;
        engine.flush_output()?;
    }
    let mut key = engine.read_key();
    if let Some([_, gone]) = hint {
        engine.write_output(gone)?;
    }
    loop {
        if let Some(wish) = meaning(key) {
            return Ok(wish);
        }
        let text = told(key.unwrap_or_default(), KEYS);
        engine.write_output(&format!("{text}{ANOTHER}"))?;
        engine.flush_output()?;
        key = engine.read_key();
    }
}

/// What a key means in a session of Lolli.
pub(crate) fn lolli_wish(key: char) -> wamlet::Wish {
    match meaning(Some(key)) {
        // As Lolli has always had it.
        None if key == 'r' => wamlet::Wish::More(1),
        Some(Wish::More(wanted)) => wamlet::Wish::More(wanted),
        Some(Wish::Stop) => wamlet::Wish::Stop,
        Some(Wish::InFull) => wamlet::Wish::Again,
        Some(Wish::Traced | Wish::Choice) | None => {
            wamlet::Wish::Told(format!("{}{ANOTHER}", told(key, LOLLI_KEYS)))
        }
    }
}

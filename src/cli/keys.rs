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

/// What is shown at the first answer that others may follow.
const FIRST: &str = "; next  RETURN stop  a all  h help";

/// The wish that a key tells. After one that means nothing it is asked again. `first`: is this the
/// first time?
///
/// # Errors
/// Those of the output.
pub(crate) fn wish(engine: &mut Engine, first: bool) -> Result<Wish, Error> {
    let shows_hint = first && style::on_output();
    if shows_hint {
        engine.write_output(&style::styled(FIRST, style::DIM, true))?;
        engine.flush_output()?;
    }
    let mut key = engine.read_key();
    if shows_hint {
        engine.write_output(&format!("\x1b[{}D\x1b[K", FIRST.chars().count()))?;
    }
    loop {
        match key {
            Some(';' | ' ' | '\t' | 'n') => return Ok(Wish::More(1)),
            Some('a') => return Ok(Wish::More(u64::MAX)),
            Some('f') => return Ok(Wish::More(FIVE)),
            Some(digit @ '1'..='9') => {
                return Ok(Wish::More(digit.to_digit(10).map_or(1, u64::from)));
            }
            Some('w') => return Ok(Wish::InFull),
            Some('t') => return Ok(Wish::Traced),
            Some('*') => return Ok(Wish::Choice),
            // The interrupt key and the end of the input stop too.
            Some('.' | 'q' | '\n' | '\r' | '\u{3}' | '\u{4}') | None => return Ok(Wish::Stop),
            Some('h' | '?') => engine.write_output(KEYS)?,
            Some(key) => {
                let key = key.escape_debug();
                engine.write_output(&format!("\nUnknown key: {key} (h for help)\n"))?;
            }
        }
        engine.write_output("Key? ")?;
        engine.flush_output()?;
        key = engine.read_key();
    }
}

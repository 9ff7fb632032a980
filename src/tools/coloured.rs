//! Clauses in colours, for `listing/1` on a terminal.

use crate::io::stream_table::USER_OUTPUT;
use crate::machine::builtin::builtins;
use crate::source::loading::loader;
use crate::source::term_texts::text_of;
use crate::text::lexemes::{coloured, lexemes};

builtins! { COLOURED =
    /// True if the current output shows colours. The host sets this for the standard output.
    iso "$coloured_output"() = |m, []| {
        Ok(loader(m).coloured_output && m.world.host.streams.current_output() == USER_OUTPUT)
    };
    /// A text of clauses with the colours of a terminal.
    iso "$coloured"("+text", "-coloured") = |m, [text, painted]| {
        let text = text_of(m, text)?.unwrap_or_default();
        let pieces = lexemes(&text, m.world.flags.lexis())?;
        let found = m.store.new_string(&coloured(&text, &pieces)?)?;
        Ok(m.unify(painted, found)?)
    };
}

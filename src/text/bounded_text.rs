//! Texts in memory whose writing stops if there is no room for more.

use crate::base::growth::GrowText;
use crate::base::stop::Stop;
use crate::store::heap::Store;
use std::fmt;

/// The reason why a text is incomplete. Even small terms can have extremely long texts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum WriteStop {
    /// The query was interrupted.
    Interrupted,
    /// There is no room for more text.
    TooLong,
}

impl From<Stop> for WriteStop {
    fn from(_: Stop) -> WriteStop {
        WriteStop::TooLong
    }
}

/// Returns the number of steps that writing a piece of text counts as.
pub(crate) fn write_steps(piece: &str) -> usize {
    8 + piece.len() / 8
}

/// A text in memory for a writer.
pub(super) struct Text<'a> {
    /// The text so far.
    pub(super) text: String,
    /// Maximum number of bytes.
    pub(super) most: usize,
    /// The store whose memory limit applies.
    pub(super) store: &'a Store,
    /// The reason why writing stopped.
    pub(super) stop: Option<WriteStop>,
}

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        let bytes = self.text.len() + piece.len();
        self.stop = if self
            .store
            .events
            .watch
            .stop_wanted_after(write_steps(piece))
        {
            Some(WriteStop::Interrupted)
        } else if bytes <= self.most
            && self.store.has_room_for(bytes)
            && self.text.try_reserve(piece.len()).is_ok()
        {
            self.text.put_str(piece)?;
            return Ok(());
        } else {
            Some(WriteStop::TooLong)
        };
        Err(fmt::Error)
    }
}

/// Returns the text that `write` writes.
///
/// # Errors
/// Returns an error if the text is too long, or if the query must stop.
pub(super) fn bounded_text(
    store: &Store,
    write: impl FnOnce(&mut dyn fmt::Write) -> fmt::Result,
) -> Result<String, WriteStop> {
    let mut text = Text {
        text: String::new(),
        most: usize::MAX,
        store,
        stop: None,
    };
    match (write(&mut text), text.stop) {
        (_, Some(stop)) => Err(stop),
        (Err(fmt::Error), None) => Err(WriteStop::TooLong),
        (Ok(()), None) => Ok(text.text),
    }
}

#[cfg(test)]
mod tests {
    use crate::text::tests::Fixture;
    use crate::text::write_options::WriteOptions;
    use crate::text::writer::beginning_of_text;

    #[test]
    fn texts_that_fit_are_whole() {
        let mut fixture = Fixture::new();
        for length in [9, 10, 11, 12, 3 << 20] {
            let text = "é".repeat(length);
            let string = fixture.store.new_string(&text).unwrap();
            for most in [length, 2 * length - 1, 2 * length, 1 << 24] {
                let options = WriteOptions::write();
                let shown = beginning_of_text(&fixture.env(), string, &options, most).unwrap();
                let wanted = if most < text.len() { "..." } else { &text };
                assert!(shown == wanted, "{length} {most}");
            }
        }
    }
}

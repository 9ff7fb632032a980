//! Places in source text.
#![forbid(unsafe_code)]

/// A half-open range of byte offsets in a text.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Span {
    /// Offset of the first byte.
    pub(crate) start: u32,
    /// Offset after the last byte.
    pub(crate) end: u32,
}

impl Span {
    /// Returns the range from `start` up to, not including, `end`.
    pub(crate) fn new(start: usize, end: usize) -> Span {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span {
            start: clamp(start),
            end: clamp(end),
        }
    }
}

/// Returns line and column of byte `offset` of `text`, both from 1; the column counts characters.
pub(crate) fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}
/// Returns whether the text has only ASCII characters and no control character. Then each character is one column
/// and one byte.
pub(crate) fn is_plain(text: &str) -> bool {
    // The loop has no early exit, so it can take many bytes at a time.
    text.bytes()
        .fold(true, |plain, byte| plain & (byte >= b' ') & byte.is_ascii())
}

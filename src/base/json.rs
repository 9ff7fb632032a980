//! JSON texts (RFC 8259).
#![forbid(unsafe_code)]

use super::growth::Bounded;
use std::fmt::Write;

/// Returns a JSON string.
#[expect(
    clippy::disallowed_methods,
    reason = "what makes messages has no error to end with"
)]
pub(crate) fn json_text(text: &str) -> String {
    let mut result = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            c if c < ' ' => {
                // Writing to a string never fails.
                let _ = write!(result, "\\u{:04x}", u32::from(c));
            }
            c => result.push(c),
        }
    }
    result.push('"');
    result
}

/// A JSON object on one line, made member by member.
pub(crate) struct JsonObject(String);

impl JsonObject {
    /// Returns an object without members.
    pub(crate) fn new() -> JsonObject {
        JsonObject("{".to_owned())
    }

    /// Adds a member whose value is a JSON text.
    #[expect(
        clippy::disallowed_methods,
        reason = "what makes messages has no error to end with"
    )]
    pub(crate) fn member(mut self, name: &str, value: &str) -> JsonObject {
        if self.0.len() > 1 {
            self.0.push_str(", ");
        }
        self.0.push_str(&json_text(name));
        self.0.push_str(": ");
        self.0.push_str(value);
        self
    }

    /// Adds a member with a string, or `null`.
    pub(crate) fn text(self, name: &str, value: Option<&str>) -> JsonObject {
        let value = value.map_or_else(|| "null".to_owned(), json_text);
        self.member(name, &value)
    }

    /// Adds a member with a number, or `null`.
    pub(crate) fn number(self, name: &str, value: Option<usize>) -> JsonObject {
        let value = value.map_or_else(|| "null".to_owned(), |value| value.to_string());
        self.member(name, &value)
    }

    /// Returns the whole object.
    pub(crate) fn end(mut self) -> String {
        self.0.put_bounded('}');
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonObject, json_text};

    #[test]
    fn texts_of_json() {
        assert_eq!(json_text("a\"\\\n\u{7}ä"), "\"a\\\"\\\\\\n\\u0007ä\"");
        let object = JsonObject::new().text("a", Some("b")).number("c", None);
        assert_eq!(object.end(), "{\"a\": \"b\", \"c\": null}");
        assert_eq!(JsonObject::new().end(), "{}");
    }
}

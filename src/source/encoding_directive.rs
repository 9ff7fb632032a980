//! The directive `:- encoding(Encoding).`, which is found in the text of a program.

use crate::base::flags::Flags;
use crate::base::growth::Gather;
use crate::base::needs::{Load, Permit};
use crate::io::allowance::Allowance;
use crate::io::encoding::{Encoding, Replacement};
use crate::io::error::IoError;
use crate::io::source_file;
use crate::machine::builtin::builtins;
use crate::text::clause_extent::ClauseExtent;
use crate::text::lexer::Lexer;
use crate::text::token::TokenKind;
use std::collections::VecDeque;

/// The name of the directive.
const DIRECTIVE: &str = "encoding";

/// Reads a program in the encodings that it declares: see [`source_file::read_program_file`].
pub(crate) fn read_program_file(
    load: &Permit<Load>,
    path: &str,
    allowance: Allowance<'_>,
) -> Result<(String, VecDeque<Replacement>), IoError> {
    source_file::read_program_file(load, path, &next_encoding, allowance)
}

/// Reads a program again to show a place in it. A file that is not a regular file is not read again, because
/// reading it might block.
pub(crate) fn read_program_again(
    load: &Permit<Load>,
    path: &str,
    allowance: Allowance<'_>,
) -> Result<String, IoError> {
    source_file::read_program_again(load, path, &next_encoding, allowance)
}

/// Returns the encoding that `:- encoding(name)` declares. Without a byte order mark, `utf16` is big-endian.
fn declared_encoding(name: &str) -> Option<Encoding> {
    match name {
        "utf16" => Some(Encoding::Utf16Be),
        _ => Encoding::of_spelling(name),
    }
}

/// Returns the first directive at or after byte `at` of `text` that declares an encoding other than `present`: the
/// offset after its end, and the encoding. Branches of `if/1` are searched too, since the bytes of a file do not
/// depend on conditions.
fn next_encoding(text: &str, at: usize, present: Encoding) -> Option<(usize, Encoding)> {
    let last = text.rfind(DIRECTIVE)?;
    let lexis = Flags::of_programs().lexis();
    let clause_end = |start| ClauseExtent::new(lexis).end_in(text, start);
    let mut at = at;
    while at < last {
        let mut lexer = Lexer::new(text, at, lexis);
        let mut start = at;
        let mut next = |start: &mut usize| {
            let token = lexer.next_token().ok()?;
            *start = token.start;
            Some(token.kind)
        };
        match next(&mut start) {
            Some(TokenKind::Name(":-")) => {
                let tokens: Option<Vec<_>> = (0..5).map(|_| next(&mut { 0 })).collect_bounded();
                let name = tokens.as_deref().and_then(declared_name);
                if let Some(found) = name.and_then(declared_encoding)
                    && found != present
                {
                    return Some((clause_end(start), found));
                }
            }
            Some(TokenKind::Eof) => return None,
            _ => {}
        }
        at = clause_end(start);
    }
    None
}

/// Returns the argument of `encoding(Name).`; `tokens` are the tokens after `:-`.
fn declared_name<'a>(tokens: &'a [TokenKind<'_>]) -> Option<&'a str> {
    match tokens {
        [
            TokenKind::Name(DIRECTIVE),
            TokenKind::Open,
            name,
            TokenKind::Close,
            TokenKind::End,
        ] => match name {
            TokenKind::Name(name) => Some(name),
            TokenKind::Quoted(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

builtins! { ENCODINGS =
    /// Checks the argument of the directive `encoding/1`. The file has already been read in this
    /// encoding.
    iso "$check_encoding"("+atom") = |m, [encoding]| {
        let name = m.atom_arg(encoding)?;
        if declared_encoding(m.world.symbols.text(name)).is_none() {
            let domain = m.world.symbols.intern("encoding")?;
            return Err(m.domain_error(domain, encoding));
        }
        Ok(true)
    };
}

#[cfg(test)]
mod tests {
    use super::next_encoding;
    use crate::io::encoding::Encoding;

    #[test]
    fn directives_are_found_where_they_are_directives() {
        let none = [
            "",
            "encoding(octet).",
            "% :- encoding(octet).\na.",
            "/* \n:- encoding(octet).\n*/ a.",
            "a :- b('\\\n:- encoding(octet).').",
            ":- encoding(octet), a.",
            ":- encoding(X).",
            ":- encoding(octet) .5",
            ":- encoding(utf8). :- encoding(no_such).",
        ];
        for text in none {
            assert_eq!(next_encoding(text, 0, Encoding::Utf8), None, "{text}");
        }
        let text =
            ":- encoding(utf8). % b\n:- /* c */ encoding( 'iso_latin_1' ). d.\n:- encoding(octet).";
        let end = text.find(" d.").expect("the second clause ends");
        let first = next_encoding(text, 0, Encoding::Utf8);
        assert_eq!(first, Some((end, Encoding::Latin1)));
        let second = next_encoding(text, end, Encoding::Latin1);
        assert_eq!(second, Some((text.len(), Encoding::Octet)));
    }
}

//! Character conversion (ISO 13211-1, 7.4.2.5 and 8.14.5): while the flag `char_conversion` is
//! on, characters outside of quoted items are replaced before the text is read.

use super::ast::Ast;
use super::clause_extent::ClauseExtent;
use super::parser::{ReadContext, read_unconverted};
use super::syntax_error::SyntaxError;
use crate::base::atom_table::FastMap;
use crate::base::flags::Lexis;
use crate::base::growth::{Grow, GrowAt};
use crate::base::source::Span;
use crate::base::stop::Stop;

/// A converted clause, and the origin of each of its bytes.
struct Converted {
    text: String,
    origins: Vec<u32>,
}

fn convert(
    text: &str,
    start: usize,
    lexis: Lexis,
    conversions: &FastMap<char, char>,
) -> Result<Converted, Stop> {
    let mut converted = Converted {
        text: String::new(),
        origins: Vec::new(),
    };
    let of = |c: char| conversions.get(&c).copied().unwrap_or(c);
    let mut scan = ClauseExtent::new(lexis).over(text, start);
    let (mut ended, mut end) = (false, start);
    while let Some((c, ends)) = scan.step_as(of) {
        converted.text.put(c)?;
        converted
            .origins
            .fill_to(converted.text.len(), Span::new(end, 0).start)?;
        end = scan.at();
        // The layout after the end token belongs to it.
        if ended {
            break;
        }
        ended = ends;
    }
    converted.origins.put(Span::new(end, 0).start)?;
    Ok(converted)
}

/// Reads a term as `read_term` does, with converted characters.
pub(super) fn read_converted(
    text: &str,
    pos: &mut usize,
    conversions: &FastMap<char, char>,
    ctx: &mut ReadContext<'_>,
    ast: &mut Ast,
) -> Result<bool, SyntaxError> {
    let converted = convert(text, *pos, ctx.flags.lexis(), conversions)?;
    let origin = |at: u32| {
        let at = (at as usize).min(converted.origins.len() - 1);
        converted.origins[at]
    };
    let place = |span: Span| Span {
        start: origin(span.start),
        end: origin(span.end),
    };
    let mut inside = 0;
    let result = read_unconverted(&converted.text, &mut inside, ctx, ast);
    ast.map_spans(place);
    *pos = origin(Span::new(inside, 0).start) as usize;
    result.map_err(|mut error| {
        error.span = place(error.span);
        error.related = error.related.map(place);
        error
    })
}

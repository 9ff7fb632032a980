//! Layout of terms for `read_term/2,3`: `subterm_positions(P)` and `comments(Cs)`, in the forms of SWI-Prolog.

use crate::base::atom_table::{Functor, functors};
use crate::base::growth::{Gather, Grow, text_of};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::builtins::args::room_for;
use crate::io::position::Position;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::text::layout::{Layout, Shape};

/// Greatest number of words for a subterm: a term of five arguments, `From-To`, a cell of a list.
const WORDS: usize = 16;
/// Bytes between two stored counts of characters.
const STEP: usize = 256;

/// Table for the number of characters before a byte of a text.
struct CharCounts<'t> {
    text: &'t str,
    /// Number of characters that begin before byte `STEP * index`.
    counts: Vec<u32>,
}

impl<'t> CharCounts<'t> {
    fn new(text: &'t str) -> Result<CharCounts<'t>, Stop> {
        let mut count = 0;
        let chunks = text.as_bytes().chunks(STEP);
        let counts = chunks
            .map(|chunk| {
                let before = count;
                count += beginnings(chunk);
                before
            })
            .gather()?;
        Ok(CharCounts { text, counts })
    }

    fn before(&self, offset: u32) -> u32 {
        let offset = (offset as usize).min(self.text.len());
        let chunk = (offset / STEP).min(self.counts.len().saturating_sub(1));
        let count = self.counts.get(chunk).copied().unwrap_or(0);
        count + beginnings(&self.text.as_bytes()[chunk * STEP..offset])
    }
}

/// Returns the number of characters that begin in these bytes of UTF-8.
fn beginnings(bytes: &[u8]) -> u32 {
    let is_first = |&&byte: &&u8| byte & 0xc0 != 0x80;
    bytes.iter().filter(is_first).count() as u32
}

/// Requested layout, with places in characters.
#[derive(Default)]
pub(crate) struct ReadLayout {
    /// Comments and their positions.
    comments: Vec<(Position, String)>,
    /// Number of characters of the stream before the text.
    start: u64,
}

impl ReadLayout {
    /// Takes the layout that the parser has recorded for `text`, which begins at `start` in its stream. `width`
    /// returns the number of bytes in the stream of a part with this number of characters. Places in the layout
    /// become numbers of characters.
    pub(crate) fn new(
        layout: &mut Layout,
        text: &str,
        start: Position,
        width: impl Fn(&str, u64) -> u64,
    ) -> Result<ReadLayout, Stop> {
        let mut position = start;
        let mut at = 0;
        let mut comments = Vec::new();
        for comment in std::mem::take(&mut layout.comments) {
            let begin = comment.start as usize;
            let before = text.get(at..begin).unwrap_or_default();
            let chars = position.advance_text(before);
            position.byte_offset += width(before, chars);
            at = begin;
            let inside = text.get(begin..comment.end as usize).unwrap_or_default();
            comments.put((position, text_of(inside)?))?;
        }
        let counts = CharCounts::new(text)?;
        layout.map_spans(|span| Span {
            start: counts.before(span.start),
            end: counts.before(span.end),
        });
        Ok(ReadLayout {
            comments,
            start: start.char_count,
        })
    }

    /// Builds the list `[Position-Comment, …]`.
    pub(crate) fn comments(&self, m: &mut Machine) -> Result<Cell, Throw> {
        let mut pairs = Vec::new();
        for (position, comment) in &self.comments {
            let comment = m.store.new_string(comment)?;
            room_for(m, 1, WORDS)?;
            let position = m.position_term(*position);
            let pair = m.store.new_struct(functors::MINUS2, &[position, comment]);
            pairs.put(pair)?;
        }
        Ok(m.store.list_of(&pairs)?)
    }

    /// Builds the positions of the term and its subterms. At the end of the stream, without a layout, it returns
    /// `At-At` of `end`.
    pub(crate) fn subterms(
        &self,
        m: &mut Machine,
        layout: &Layout,
        end: Position,
    ) -> Result<Cell, Throw> {
        room_for(m, layout.subterms.len() + 1, WORDS)?;
        let names = Names::new(m)?;
        let mut done: Vec<Cell> = Vec::new();
        for placed in &layout.subterms {
            let [from, to] = self.ends(m, placed.span);
            let term = match placed.shape {
                Shape::Simple => m.store.new_struct(functors::MINUS2, &[from, to]),
                Shape::Text => m.store.new_struct(names.text, &[from, to]),
                Shape::Compound { name, arity } => {
                    let parts = done.len().saturating_sub(arity as usize);
                    let parts = done.split_off(parts);
                    let list = m.store.list_of(&parts)?;
                    let [name, name_end] = self.ends(m, name);
                    m.store
                        .new_struct(names.compound, &[from, to, name, name_end, list])
                }
                Shape::List { elements, has_tail } => {
                    let tail = match has_tail {
                        true => done.pop().unwrap_or(names.none),
                        false => names.none,
                    };
                    let parts = done.len().saturating_sub(elements as usize);
                    let parts = done.split_off(parts);
                    let list = m.store.list_of(&parts)?;
                    m.store.new_struct(names.list, &[from, to, list, tail])
                }
                Shape::Braces | Shape::Parentheses => {
                    let inside = done.pop().unwrap_or(names.none);
                    let functor = match placed.shape {
                        Shape::Braces => names.braces,
                        _ => names.parentheses,
                    };
                    m.store.new_struct(functor, &[from, to, inside])
                }
            };
            done.put(term)?;
        }
        Ok(done.pop().unwrap_or_else(|| {
            let at = i64::try_from(end.char_count).unwrap_or(i64::MAX);
            let at = m.store.new_int(at);
            m.store.new_struct(functors::MINUS2, &[at, at])
        }))
    }

    fn ends(&self, m: &mut Machine, span: Span) -> [Cell; 2] {
        [span.start, span.end].map(|at| {
            let at = self.start.saturating_add(u64::from(at));
            m.store.new_int(i64::try_from(at).unwrap_or(i64::MAX))
        })
    }
}

/// Names of the forms.
struct Names {
    text: Functor,
    compound: Functor,
    list: Functor,
    braces: Functor,
    parentheses: Functor,
    none: Cell,
}

impl Names {
    fn new(m: &mut Machine) -> Result<Names, Stop> {
        let mut functor = |name: &str, arity| {
            let name = m.world.symbols.intern_passing(name)?;
            m.world.symbols.functor_passing(name, arity)
        };
        Ok(Names {
            text: functor("string_position", 2)?,
            compound: functor("term_position", 5)?,
            list: functor("list_position", 4)?,
            braces: functor("brace_term_position", 3)?,
            parentheses: functor("parentheses_term_position", 3)?,
            none: Cell::atom(m.world.symbols.intern_passing("none")?),
        })
    }
}

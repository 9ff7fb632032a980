//! Conversion of the syntax tree of a term to the term on the heap.
//!
//! After each compound come the compounds in its arguments, from left to right. The cells of a term
//! are thus adjacent, in the order in which programs usually visit them.

use crate::base::atom_table::{Symbols, atoms, functors};
use crate::base::growth::{Grow, filled};
use crate::base::stop::Stop;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::Store;
use crate::store::raw;
use crate::text::ast::{Ast, Node, NodeId};

/// Arguments still to be built: a range of [`Ast::args`], and the place of their cells.
struct Rest {
    next: usize,
    end: usize,
    place: HeapAddr,
}

/// Builds the term of `ast` on the heap. Returns the term and its variables, in the order of
/// [`Ast::vars`].
pub(crate) fn build(
    store: &mut Store,
    symbols: &mut Symbols,
    ast: &Ast,
) -> Result<(Cell, Vec<Cell>), Stop> {
    store.reserve(words_needed(ast).saturating_add(ast.vars.len()))?;
    let mut vars = filled(Cell::ABSENT, ast.vars.len())?;
    let mut builder = Builder {
        store,
        symbols,
        ast,
        vars: &mut vars,
    };
    let root = builder.term()?;
    for var in &mut vars {
        if *var == Cell::ABSENT {
            *var = store.new_var();
        }
    }
    Ok((root, vars))
}

/// Returns an upper bound of the words of the term, without variables at the root.
fn words_needed(ast: &Ast) -> usize {
    let words = |node: &Node| match node {
        Node::Var(_) | Node::Atom(_) => 0,
        Node::Int(_) | Node::Float(_) => 2,
        Node::Big(big) => big.as_sign_words().1.len() + 2,
        Node::String(text) => text.len() / 8 + 3,
        Node::Codes(text) | Node::Chars(text) => text.len() * 2,
        Node::Compound { functor, .. } => functor.arity() + 1,
    };
    ast.nodes.iter().map(words).sum()
}

struct Builder<'a> {
    store: &'a mut Store,
    symbols: &'a mut Symbols,
    ast: &'a Ast,
    vars: &'a mut [Cell],
}

impl Builder<'_> {
    fn term(&mut self) -> Result<Cell, Stop> {
        let ast = self.ast;
        if let Node::Var(var) = ast.node(ast.root) {
            let cell = self.store.new_var();
            self.vars[*var as usize] = cell;
            return Ok(cell);
        }
        let mut stack: Vec<Rest> = Vec::new();
        let (root, arguments) = self.start(ast.root, HeapAddr::NONE)?;
        let Some(mut rest) = arguments else {
            return Ok(root);
        };
        loop {
            self.store.events.watch.go_on_at(rest.next)?;
            if rest.next == rest.end {
                match stack.pop() {
                    Some(outer) => rest = outer,
                    None => return Ok(root),
                }
                continue;
            }
            let place = rest.place;
            let (cell, inner) = self.start(ast.args[rest.next], place)?;
            raw::set_cell(place, cell);
            rest.next += 1;
            rest.place += WORD;
            if let Some(inner) = inner {
                if rest.next < rest.end {
                    stack.put(rest)?;
                }
                rest = inner;
            }
        }
    }

    /// Returns the cell of a subterm for the place `place`. The arguments of a compound are still
    /// to be built.
    #[inline]
    fn start(&mut self, id: NodeId, place: HeapAddr) -> Result<(Cell, Option<Rest>), Stop> {
        let nil = Cell::atom(atoms::NIL);
        let cell = match self.ast.node(id) {
            Node::Atom(atom) => Cell::atom(*atom),
            Node::Int(value) => self.store.new_int(*value),
            Node::Var(var) => {
                let known = &mut self.vars[*var as usize];
                if *known == Cell::ABSENT {
                    *known = Cell::reference(place);
                }
                *known
            }
            Node::Float(value) => self.store.new_float(*value),
            Node::Big(value) => self.store.new_big(value)?,
            Node::String(text) => self.store.new_string(text)?,
            Node::Codes(text) => self.store.code_list(text, nil)?,
            Node::Chars(text) => self.store.char_list(text, nil, self.symbols)?,
            Node::Compound { functor, first } => {
                let next = *first as usize;
                let end = next + functor.arity();
                if *functor == functors::LIST {
                    let addr = self.store.allocate(2);
                    return Ok((
                        Cell::list(addr),
                        Some(Rest {
                            next,
                            end,
                            place: addr,
                        }),
                    ));
                }
                let addr = self.store.allocate(functor.arity() + 1);
                raw::set_cell(addr, Cell::functor(*functor));
                return Ok((
                    Cell::structure(addr),
                    Some(Rest {
                        next,
                        end,
                        place: addr + WORD,
                    }),
                ));
            }
        };
        Ok((cell, None))
    }
}

#[cfg(test)]
mod tests {
    use super::build;
    use crate::base::atom_table::functors;
    use crate::base::flags::QuoteMode;
    use crate::store::cell::{Cell, WORD};
    use crate::store::heap::View;
    use crate::store::list::{ListShape, TextKind};
    use crate::text::tests::Fixture;

    /// Reads a text without its final full stop.
    fn read(reader: &mut Fixture, text: &str) -> (Cell, Vec<Cell>) {
        let ast = reader.tree(text).unwrap();
        build(&mut reader.store, &mut reader.symbols, &ast).unwrap()
    }

    #[test]
    fn all_kinds_of_terms() {
        let mut reader = Fixture::new();
        reader.flags.double_quotes = QuoteMode::Codes;
        let text = "f(X, [a, Y|X], \"é!\", 1.5, 123456789012345678901, g(Y, _), -4611686018427387904, '.'(Z, b))";
        let (term, vars) = read(&mut reader, text);
        let Fixture { store, symbols, .. } = &reader;
        let Some((functor, args)) = store.compound(term) else {
            unreachable!("a compound")
        };
        assert_eq!(
            (symbols.text(symbols.name(functor)), functor.arity()),
            ("f", 8)
        );
        assert_eq!(vars.len(), 4);
        assert_eq!(store.deref(vars[0]), store.arg(args, 0));
        let Some((_, list)) = store.compound(store.arg(args, 1)) else {
            unreachable!("a list")
        };
        let Some((_, tail)) = store.compound(store.arg(list, 1)) else {
            unreachable!("a list")
        };
        assert_eq!(store.arg(tail, 0), store.deref(vars[1]));
        assert_eq!(store.arg(tail, 1), store.deref(vars[0]));
        let mut codes = String::new();
        assert_eq!(
            store.text_of_list(store.arg(args, 2), symbols, &mut codes),
            Ok(TextKind::Codes)
        );
        assert_eq!(codes, "é!");
        assert_eq!(store.view(store.arg(args, 3)), View::Float(1.5));
        let View::Big(big) = store.view(store.arg(args, 4)) else {
            unreachable!("a big integer")
        };
        assert_eq!(store.big(big).unwrap().to_string(), "123456789012345678901");
        let View::Big(big) = store.view(store.arg(args, 6)) else {
            unreachable!("a big integer")
        };
        assert_eq!(store.big(big).unwrap().to_string(), "-4611686018427387904");
        assert!(matches!(store.view(store.arg(args, 7)), View::List(_)));
        let used = (store.heap_top - term.addr()) / WORD;
        assert_eq!(used, 9 + 4 + 4 + 2 + 3 + 3 + 2 + 2);
        for &var in &vars {
            assert!(store.deref(var).is_var());
        }
    }

    #[test]
    fn quoted_items_and_bare_terms() {
        let mut reader = Fixture::new();
        let (var, vars) = read(&mut reader, "X");
        assert_eq!(vars, [var]);
        reader.flags.double_quotes = QuoteMode::Chars;
        let (chars, _) = read(&mut reader, "\"ab\"");
        assert_eq!(reader.store.list_length(chars), Ok(ListShape::Proper(2)));
        reader.flags.double_quotes = QuoteMode::String;
        let (text, _) = read(&mut reader, "\"text of many bytes\"");
        let View::String(addr) = reader.store.view(text) else {
            unreachable!("a string")
        };
        assert_eq!(reader.store.text(addr), "text of many bytes");
        let (nil, _) = read(&mut reader, "[]");
        assert_eq!(reader.store.list_length(nil), Ok(ListShape::Proper(0)));
    }

    #[test]
    fn deep_and_long_terms() {
        let mut reader = Fixture::new();
        let count = 500_000;
        let deep = format!("{}X{}", "s(".repeat(count), ")".repeat(count));
        let (term, vars) = read(&mut reader, &deep);
        assert_eq!(reader.store.variables_of(term), Ok(vars));
        let long = format!("[X{}]", ", f(X)".repeat(count));
        let (list, vars) = read(&mut reader, &long);
        assert_eq!(
            reader.store.list_length(list),
            Ok(ListShape::Proper(count + 1))
        );
        assert_eq!(reader.store.variables_of(list).unwrap().len(), vars.len());
        let sum = format!("1{}", " + 1".repeat(count));
        let (sum, _) = read(&mut reader, &sum);
        assert!(reader.store.ground(sum).unwrap());
        assert_eq!(
            reader.store.compound(sum).map(|(functor, _)| functor),
            Some(functors::PLUS2)
        );
    }
}

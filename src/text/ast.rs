//! The flat syntax tree of one read term. Nodes refer to each other by index, so that a term of
//! any depth is built, walked and dropped without recursion, and the memory serves again for the
//! next term.

use super::layout::{Layout, Placed, Shape};
use super::reduce::{Frame, Operand};
use crate::base::atom_table::{Atom, FastMap, Functor};
use crate::base::growth::{Grow, GrowMap, GrowText};
use crate::base::source::Span;
use crate::base::stop::Stop;
use dashu_int::IBig;

/// Index of a node in [`Ast::nodes`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct NodeId(pub(crate) u32);

/// One subterm.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// An occurrence of a variable: index in [`Ast::vars`].
    Var(u32),
    /// An atom.
    Atom(Atom),
    /// An integer of 64 bits.
    Int(i64),
    /// Any other integer.
    Big(Box<IBig>),
    /// A float.
    Float(f64),
    /// A string.
    String(Box<str>),
    /// A list of character codes; never empty (that is the atom `[]`).
    Codes(Box<str>),
    /// A list of one-character atoms; never empty.
    Chars(Box<str>),
    /// A compound term; its arguments are `arity` consecutive entries of [`Ast::args`].
    Compound {
        /// Name and arity.
        functor: Functor,
        /// Index of the first argument in [`Ast::args`].
        first: u32,
    },
}

/// A variable of the term.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct VarInfo {
    name: (u32, u32),
    /// Its first occurrence.
    pub(crate) first: Span,
    /// Number of occurrences.
    pub(crate) count: u32,
}

/// A read term.
#[derive(Debug, Default)]
pub(crate) struct Ast {
    /// All subterms.
    pub(crate) nodes: Vec<Node>,
    /// Arguments of the compound terms.
    pub(crate) args: Vec<NodeId>,
    /// The place of each node, parentheses around it included.
    pub(crate) spans: Vec<Span>,
    /// The variables in order of their first occurrence; every `_` is one of its own.
    pub(crate) vars: Vec<VarInfo>,
    /// The term itself.
    pub(crate) root: NodeId,
    /// The clause in the text, from its first token to its end token.
    pub(crate) span: Span,
    names: String,
    named: Vec<u32>,
    by_name: FastMap<Box<str>, u32>,
    /// How the term stands in the text, if that is asked for.
    pub(crate) layout: Option<Box<Layout>>,
    /// The parser's stack of what is open.
    pub(super) frames: Vec<Frame>,
    /// The parser's stack of finished subterms.
    pub(super) operands: Vec<Operand>,
}

/// With more variables than this, names are looked up in a table.
const SCANNED_VARS: usize = 12;
/// A variable with a name takes as much as so many subterms more.
const NAMED_SIZE: usize = 3;
/// Memory for more entries than this is given back.
const KEPT: usize = 1 << 20;

impl Ast {
    /// About how many bytes a subterm takes here, with its share of the parser's stacks.
    pub(crate) const NODE_BYTES: usize = 64;

    /// About how many subterms take as much memory as all that there is so far.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.nodes.len() + self.frames.len() + NAMED_SIZE * self.named.len()
    }

    /// An empty tree.
    pub(crate) fn new() -> Ast {
        Ast::default()
    }

    /// Forgets the term and keeps the memory, unless that is large.
    pub(crate) fn clear(&mut self) {
        if self.nodes.capacity() > KEPT || self.frames.capacity() > KEPT {
            *self = Ast {
                layout: self.layout.take(),
                ..Ast::default()
            };
            self.clear();
            return;
        }
        self.nodes.clear();
        self.args.clear();
        self.spans.clear();
        self.vars.clear();
        self.names.clear();
        self.named.clear();
        if !self.by_name.is_empty() {
            self.by_name.clear();
        }
        self.frames.clear();
        self.operands.clear();
        if let Some(layout) = &mut self.layout {
            layout.clear();
        }
    }

    /// A node.
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The place of a node.
    pub(crate) fn span(&self, id: NodeId) -> Span {
        self.spans[id.0 as usize]
    }

    /// The arguments of a compound term whose node holds these.
    pub(crate) fn arguments(&self, functor: Functor, first: u32) -> &[NodeId] {
        let first = first as usize;
        &self.args[first..first + functor.arity()]
    }

    /// The name of a variable; `_` for an anonymous one.
    pub(crate) fn var_name(&self, var: u32) -> &str {
        let (start, end) = self.vars[var as usize].name;
        &self.names[start as usize..end as usize]
    }

    /// Adds a node.
    pub(super) fn add(&mut self, node: Node, span: Span) -> Result<NodeId, Stop> {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.put(node)?;
        self.spans.put(span)?;
        Ok(id)
    }

    /// Notes the form of a subterm, if that is asked for.
    pub(super) fn note(&mut self, span: Span, shape: Shape) -> Result<(), Stop> {
        if let Some(layout) = &mut self.layout {
            layout.subterms.put(Placed { span, shape })?;
        }
        Ok(())
    }

    /// Counts an occurrence of the variable of this name and gives its index; `_` is another one
    /// each time.
    pub(super) fn occurrence(&mut self, name: &str, span: Span) -> Result<u32, Stop> {
        match name {
            "_" => self.add_var(name, span),
            _ => self.named_occurrence(name, span),
        }
    }

    /// Counts an occurrence of the variable of this name, be it `_`, and gives its index.
    pub(super) fn named_occurrence(&mut self, name: &str, span: Span) -> Result<u32, Stop> {
        if let Some(var) = self.find_var(name) {
            self.vars[var as usize].count += 1;
            return Ok(var);
        }
        let var = self.add_var(name, span)?;
        self.named.put(var)?;
        if self.named.len() == SCANNED_VARS + 1 {
            for &known in &self.named {
                let (start, end) = self.vars[known as usize].name;
                let text = &self.names[start as usize..end as usize];
                self.by_name.put_entry(text.into(), known)?;
            }
        } else if self.named.len() > SCANNED_VARS {
            self.by_name.put_entry(name.into(), var)?;
        }
        Ok(var)
    }

    fn add_var(&mut self, name: &str, span: Span) -> Result<u32, Stop> {
        let var = self.vars.len() as u32;
        let start = self.names.len() as u32;
        self.names.put_str(name)?;
        let name_place = (start, self.names.len() as u32);
        self.vars.put(VarInfo {
            name: name_place,
            first: span,
            count: 1,
        })?;
        Ok(var)
    }

    fn find_var(&self, name: &str) -> Option<u32> {
        if self.named.len() > SCANNED_VARS {
            return self.by_name.get(name).copied();
        }
        self.named
            .iter()
            .copied()
            .find(|&var| self.var_name(var) == name)
    }

    /// Replaces every offset by what `place` makes of it.
    pub(super) fn map_spans(&mut self, place: impl Fn(Span) -> Span) {
        for span in &mut self.spans {
            *span = place(*span);
        }
        for var in &mut self.vars {
            var.first = place(var.first);
        }
        self.span = place(self.span);
        if let Some(layout) = &mut self.layout {
            layout.map_spans(place);
        }
    }
}

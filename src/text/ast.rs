//! The flat syntax tree of one read term. Nodes refer to each other by index. So a term of any
//! depth is built, traversed and dropped without recursion, and the memory is reused for the next
//! term.

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
    /// An occurrence of a variable: its index in [`Ast::vars`].
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
    /// A list of character codes; never empty (an empty list is the atom `[]`).
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
    /// The place of the first occurrence of the variable.
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
    /// The place of each node, including parentheses around it.
    pub(crate) spans: Vec<Span>,
    /// The variables in order of their first occurrence; every `_` is a separate variable.
    pub(crate) vars: Vec<VarInfo>,
    /// The term itself.
    pub(crate) root: NodeId,
    /// The clause in the text, from its first token to its end token.
    pub(crate) span: Span,
    names: String,
    named: Vec<u32>,
    by_name: FastMap<Box<str>, u32>,
    /// The layout of the term in the text, if it is requested.
    pub(crate) layout: Option<Box<Layout>>,
    /// The parser's stack of open constructs.
    pub(super) frames: Vec<Frame>,
    /// The parser's stack of finished subterms.
    pub(super) operands: Vec<Operand>,
}

/// Maximum number of named variables that are searched linearly; more are looked up in a table.
const SCANNED_VARS: usize = 12;
/// Size of a variable with a name, in subterms.
const NAMED_SIZE: usize = 3;
/// Maximum number of entries whose memory is kept for the next term.
const KEPT: usize = 1 << 20;

impl Ast {
    /// Approximate number of bytes per subterm, with its share of the parser's stacks.
    pub(crate) const NODE_BYTES: usize = 64;

    /// Returns the approximate number of subterms that take as much memory as the tree so far.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.nodes.len() + self.frames.len() + NAMED_SIZE * self.named.len()
    }

    /// Creates an empty tree.
    pub(crate) fn new() -> Ast {
        Ast::default()
    }

    /// Clears the term and keeps the memory, unless that is large.
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

    /// Returns a node.
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Returns the place of a node.
    pub(crate) fn span(&self, id: NodeId) -> Span {
        self.spans[id.0 as usize]
    }

    /// Returns the arguments of a compound term; `functor` and `first` come from its node.
    pub(crate) fn arguments(&self, functor: Functor, first: u32) -> &[NodeId] {
        let first = first as usize;
        &self.args[first..first + functor.arity()]
    }

    /// Returns the name of a variable; `_` for an anonymous one.
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

    /// Records the form of a subterm, if the layout is requested.
    pub(super) fn note(&mut self, span: Span, shape: Shape) -> Result<(), Stop> {
        if let Some(layout) = &mut self.layout {
            layout.subterms.put(Placed { span, shape })?;
        }
        Ok(())
    }

    /// Counts an occurrence of the variable of this name and returns its index. Each `_` is a new
    /// variable.
    pub(super) fn occurrence(&mut self, name: &str, span: Span) -> Result<u32, Stop> {
        match name {
            "_" => self.add_var(name, span),
            _ => self.named_occurrence(name, span),
        }
    }

    /// Counts an occurrence of the variable of this name, which may be `_`, and returns its index.
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

    /// Replaces every span by the result of `place`.
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

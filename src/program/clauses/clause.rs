//! One clause: its code and its source in one block of words that never moves and never changes.
//!
//! ```text
//!   0  CODE    end of the code << 32 | place of the first argument of the head
//!   1  ORIGIN  line << 32 | file << 8 | flags
//!   2  ROOT    the clause as a term, or its head if the rest is packed
//!   3  …       the code
//!      …       the body of a rule, if it is packed: see `packed`
//!      …       the words of the term: `Head :- Body`, or the head alone of a fact or a rule that is packed
//!      …       where goals begin in the code, of a loaded clause: see `sites`
//! ```
//!
//! Pointers in the term are addresses, so the code uses ground parts of the term in place as literals. A rule that
//! has its code and no literals is packed: only `clause/2`, listings, messages and indexes read its body.

use super::packed::{Item, Items, Packed, Rule, pack};
use super::sites::{self, Site};
use crate::base::atom_table::functors;
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::code::instruction::{Op, Operand, ROWS, decode, encode_wide};
use crate::code::pairs;
use crate::ir::clause::GoalNumber;
use crate::ir::key::Key;
use crate::store::address::{CodeAddr, HeapAddr};
use crate::store::cell::{Cell, WORD, tag};
use crate::store::copy::{relocate, relocated};
use crate::store::heap::{Store, deref};
use crate::store::raw;
use std::ops::Range;
use std::sync::Arc;
use xxhash_rust::xxh3::Xxh3;

const CODE: usize = 0;
const ORIGIN: usize = 1;
const ROOT: usize = 2;
const HEADER: usize = 3;

const FACT: u64 = 1;
const SELF_CONTAINED: u64 = 2;
const WITHOUT_CODE: u64 = 4;
const PACKED: u64 = 8;
/// First bit of the number of words in the table of goals. If the number does not fit, it is in the last word of the
/// block.
const SITES_SHIFT: u64 = 4;
const MOST_SITES: u64 = (1 << (FILE_SHIFT - SITES_SHIFT)) - 1;
const FILE_SHIFT: u64 = 8;
const MAX_FILE: u64 = (1 << 24) - 1;

/// The parts that a clause is made of.
pub(crate) struct Parts<'a> {
    /// The instructions. The mark [`literal_mark`] stands for a literal.
    pub(crate) code: &'a [u64],
    /// The clause as a term: a block whose pointers are byte offsets.
    pub(crate) source: &'a [u64],
    /// Root of that term.
    pub(crate) root: u64,
    /// Roots of the literals in that block.
    pub(crate) literals: &'a [u64],
    /// Whether unification with the code may make terms that point to the literals.
    pub(crate) shares: bool,
    /// Whether the body is `true`.
    pub(crate) is_fact: bool,
    /// Whether `code` is the code of the clause. Otherwise it is a placeholder until the clause is compiled.
    pub(crate) has_code: bool,
    /// Index of the file that the clause was loaded from, 0 for none.
    pub(crate) file: u32,
    /// Line in that file.
    pub(crate) line: u32,
    /// Table of the goals in the code, for a clause from a file: see [`packed_sites`].
    pub(crate) sites: &'a [u64],
}

/// Buffers in which the parts of clauses are made, one clause after the other.
#[derive(Default)]
pub(crate) struct Scratch {
    /// See [`Parts::code`].
    pub(crate) code: Vec<u64>,
    /// See [`Parts::source`].
    pub(crate) source: Vec<u64>,
    /// See [`Parts::literals`].
    pub(crate) literals: Vec<u64>,
}

impl Scratch {
    /// Empties the buffers.
    pub(crate) fn clear(&mut self) {
        self.code.clear();
        self.source.clear();
        self.literals.clear();
    }

    /// Returns the buffers to the place that they came from, unless a large clause has made them large.
    pub(crate) fn give_back(self, place: &mut Scratch) {
        if self.source.capacity() <= 1 << 16 {
            *place = self;
        }
    }
}

/// Returns the mark that stands for the literal of this index until the clause is put together.
pub(crate) fn literal_mark(index: usize) -> Cell {
    Cell::forward(index as u64)
}

/// Number of bits in the second word of `interpret` that count the calls of the clause.
const CALLS_BITS: u32 = 8;

/// Returns the position of the clause from the second word of `interpret`.
pub(crate) fn position_of(word: u64) -> i64 {
    word as i64 >> CALLS_BITS
}

/// Returns the number of calls of the clause from that word.
pub(crate) fn calls_of(word: u64) -> u64 {
    word & ((1 << CALLS_BITS) - 1)
}

/// Blocks of more words are allocated on trial first, because the allocation of an `Arc` cannot report a failure.
const TRIED_WORDS: usize = 1 << 14;

/// A clause. Clones share the block.
#[derive(Clone)]
pub(crate) struct Clause {
    block: Arc<[u64]>,
}

impl Clause {
    /// Puts a clause together.
    ///
    /// # Errors
    /// Returns an error if memory is short or the work must stop.
    pub(crate) fn new(parts: &Parts<'_>, watch: &Watch) -> Result<Clause, Stop> {
        let packed = match parts.has_code && !parts.is_fact && parts.literals.is_empty() {
            true => pack(parts.source, Cell::of_word(parts.root), 0)?,
            false => None,
        };
        let (root, term, stream) = match &packed {
            Some(packed) => (packed.root.word(), &*packed.head, &*packed.stream),
            None => (parts.root, parts.source, &[][..]),
        };
        let code_end = HEADER + parts.code.len();
        let source_start = code_end + stream.len();
        let source_end = source_start + term.len();
        let words = source_end + parts.sites.len();
        let too_long = u32::try_from(words).is_err();
        if too_long || (words > TRIED_WORDS && Vec::<u64>::new().try_reserve_exact(words).is_err())
        {
            return Err(Stop);
        }
        let mut flags = u64::from(parts.is_fact) * FACT;
        // A clause without code is copied when it is used.
        if !parts.has_code || parts.is_fact && !parts.shares && !has_boxes(parts.source) {
            flags |= SELF_CONTAINED;
        }
        if !parts.has_code {
            flags |= WITHOUT_CODE;
        }
        if packed.is_some() {
            flags |= PACKED;
        }
        let file = u64::from(parts.file).min(MAX_FILE);
        flags |= (parts.sites.len() as u64).min(MOST_SITES) << SITES_SHIFT;
        let origin = u64::from(parts.line) << 32 | file << FILE_SHIFT | flags;
        let header = [(code_end as u64) << 32, origin, root];
        let pieces = [&header, parts.code, stream, term, parts.sites];
        let mut block = raw::joined(pieces, watch)?;
        let base = block.as_ptr() as u64;
        let source_base = base + source_start as u64 * WORD;
        let Some(own) = Arc::get_mut(&mut block) else {
            unreachable!("the block was just made");
        };
        own[ROOT] = relocated(Cell::of_word(root), source_base).word();
        relocate(&mut own[source_start..source_end], source_base, watch)?;
        if !parts.literals.is_empty() {
            place_literals(&mut own[HEADER..code_end], parts.literals, source_base);
        }
        pairs::mark(&mut own[HEADER..code_end]);
        let is_head = parts.is_fact || packed.is_some();
        if let Some(head) = head_args(Cell::of_word(own[ROOT]), is_head) {
            own[CODE] |= (head.bits() - base) / WORD;
        }
        let clause = Clause { block };
        debug_assert!(
            packed.is_none()
                || clause.term().is_err()
                || clause.term().and_then(|term| term.packed()) == Ok(packed),
            "the same is packed again"
        );
        Ok(clause)
    }

    /// Returns the address of the first instruction.
    #[inline(always)]
    pub(crate) fn entry(&self) -> CodeAddr {
        CodeAddr::of(&self.block) + HEADER as u64 * WORD
    }

    fn code_end(&self) -> usize {
        (self.block[CODE] >> 32) as usize
    }

    /// Returns the instructions.
    pub(crate) fn code(&self) -> &[u64] {
        &self.block[HEADER..self.code_end()]
    }

    /// Returns whether the body is packed.
    fn is_packed(&self) -> bool {
        self.block[ORIGIN] & PACKED != 0
    }

    fn packed(&self) -> Option<Rule<'_>> {
        self.is_packed().then(|| Rule {
            stream: self.stream(),
            head: self.own_words(),
            root: self.own_root(),
        })
    }

    /// Returns the clause as a term: `Head :- Body`, or the head alone of a fact. Its pointers are addresses.
    ///
    /// # Errors
    /// Returns an error if memory is short.
    pub(crate) fn term(&self) -> Result<ClauseTerm, Stop> {
        Ok(ClauseTerm(match self.packed() {
            Some(rule) => {
                let (words, root) = rule.unpack()?;
                Lies::Unpacked(Arc::new(words), root)
            }
            None => Lies::Within(self.clone()),
        }))
    }

    /// Makes that term on the heap, with fresh variables.
    ///
    /// # Errors
    /// Returns an error if the heap has no room or the work must stop.
    pub(crate) fn load(&self, store: &mut Store) -> Result<Cell, Stop> {
        match self.packed() {
            Some(rule) => rule.load(store),
            None => store.load_block(self.own_words(), self.own_root()),
        }
    }

    /// Returns whether the body may begin with a wanted goal. `wanted` gets the goal without arguments: an atom or a
    /// functor cell. The result is always true for a body that is not packed.
    pub(crate) fn may_begin_with(&self, wanted: impl Fn(Cell) -> bool) -> bool {
        if !self.is_packed() {
            return true;
        }
        let mut items = Items::new(self.stream());
        let comma = Item::Structure(functors::COMMA);
        let first = match items.next() {
            Some(item) if item == comma => items.next(),
            first => first,
        };
        first.is_some_and(|item| match item {
            Item::Constant(_) | Item::Structure(_) => {
                item == comma || wanted(Cell::of_word(item.word()))
            }
            _ => false,
        })
    }

    /// Returns the root of the term, or of the head if the body is packed.
    pub(crate) fn own_root(&self) -> Cell {
        Cell::of_word(self.block[ROOT])
    }

    /// Returns the words that the root leads to.
    fn own_words(&self) -> &[u64] {
        let end = self.block.len() - self.site_words();
        match self.is_packed() {
            true => &self.block[end - Items::new(self.stream()).head..end],
            false => &self.block[self.code_end()..end],
        }
    }

    /// Returns the packed body and the words after it.
    fn stream(&self) -> &[u64] {
        &self.block[self.code_end()..]
    }

    /// Returns the number of words in the table of goals.
    fn site_words(&self) -> usize {
        match self.block[ORIGIN] >> SITES_SHIFT & MOST_SITES {
            MOST_SITES => self.block[self.block.len() - 1] as usize,
            words => words as usize,
        }
    }

    /// Returns the number of the goal to which the instruction at this address belongs. The clause must be from a
    /// file.
    pub(crate) fn goal_at(&self, address: CodeAddr) -> Option<GoalNumber> {
        let words = self.site_words();
        let counted = usize::from(words as u64 >= MOST_SITES);
        let packed = &self.block[self.block.len() - words..self.block.len() - counted];
        let at = address.checked_sub(self.entry())? / WORD;
        sites::find(packed, u32::try_from(at).ok()?)
    }

    /// Returns whether the body is `true`.
    #[inline(always)]
    pub(crate) fn is_fact(&self) -> bool {
        self.block[ORIGIN] & FACT != 0
    }

    /// Returns whether the clause has its code.
    pub(crate) fn has_code(&self) -> bool {
        self.block[ORIGIN] & WITHOUT_CODE == 0
    }

    /// Returns whether the clause is kept as a term and interpreted.
    pub(crate) fn is_interpreted(&self) -> bool {
        !self.has_code() && decode(self.block[HEADER]) == Some(Op::Interpret)
    }

    /// Stores the predicate and the position in an interpreted clause that is about to be added.
    pub(crate) fn set_place(&mut self, predicate: u32, position: i64) {
        if self.is_interpreted()
            && let Some(block) = Arc::get_mut(&mut self.block)
        {
            block[HEADER] = encode_wide(Op::Interpret, 0, predicate);
            block[HEADER + 1] = (position as u64) << CALLS_BITS;
        }
    }

    /// Returns whether it is certain that no term will point into the clause and no goal will continue in it.
    pub(crate) fn is_self_contained(&self) -> bool {
        self.block[ORIGIN] & SELF_CONTAINED != 0
    }

    /// Returns the index of the file that the clause was loaded from, 0 for none.
    pub(crate) fn file(&self) -> u32 {
        (self.block[ORIGIN] as u32) >> FILE_SHIFT
    }

    /// Returns the line in that file.
    pub(crate) fn line(&self) -> u32 {
        (self.block[ORIGIN] >> 32) as u32
    }

    /// Returns the key of the `index`th argument of the head.
    #[inline(always)]
    pub(crate) fn head_key(&self, index: usize) -> Key {
        let at = self.block[CODE] as u32 as usize + index;
        let cell = Cell::of_word(self.block[at]);
        match cell.tag() {
            // Every occurrence refers to the variable itself.
            tag::REF => Key::ANY,
            _ => Key::of(cell),
        }
    }

    /// Returns the `index`th argument of the head.
    #[inline(always)]
    pub(crate) fn head_arg(&self, index: usize) -> Cell {
        Cell::of_word(self.block[self.block[CODE] as u32 as usize + index])
    }

    /// Returns a number that is equal for clauses with the same term, and hardly ever equal for others.
    ///
    /// # Errors
    /// Returns an error if memory is short.
    pub(crate) fn fingerprint(&self) -> Result<u64, Stop> {
        self.fingerprint_without(&[])
    }

    /// Returns the same number as [`Clause::fingerprint`], but independent of these cells.
    ///
    /// # Errors
    /// Returns an error if memory is short.
    pub(crate) fn fingerprint_without(&self, left_out: &[Cell]) -> Result<u64, Stop> {
        let mut print = Print {
            hash: Xxh3::new(),
            left_out,
        };
        let (words, root) = (self.own_words(), self.own_root());
        if self.is_packed() {
            print.rule(self.stream(), (words, words.as_ptr() as u64), root);
            return Ok(print.hash.digest());
        }
        // Pack the rule here: whether a rule is packed depends on its code, but the fingerprint must not.
        let base = words.as_ptr() as u64;
        let packed = match self.is_fact() {
            true => None,
            false => pack(words, root, base)?,
        };
        match packed {
            Some(packed) => print.rule(&packed.stream, (&packed.head, 0), packed.root),
            None => print.words((words, base), root),
        }
        Ok(print.hash.digest())
    }

    /// Returns the words of the block that can contain a symbol, without a packed body.
    pub(crate) fn words(&self) -> [&[u64]; 2] {
        [&self.block[..self.code_end()], self.own_words()]
    }

    /// Returns the atoms and functor cells of a packed body.
    pub(crate) fn packed_symbols(&self) -> impl Iterator<Item = Cell> {
        let items = self.is_packed().then(|| Items::new(self.stream()));
        items.into_iter().flatten().filter_map(|item| match item {
            Item::Constant(_) | Item::Structure(_) => Some(Cell::of_word(item.word())),
            _ => None,
        })
    }

    /// Returns the number of words of the block.
    pub(crate) fn size(&self) -> usize {
        self.block.len()
    }

    /// Returns the addresses of the block.
    pub(crate) fn addresses(&self) -> Range<CodeAddr> {
        let start = CodeAddr::of(&self.block);
        start..start + self.block.len() as u64 * WORD
    }
}

/// A clause as a term. The term keeps its place while this value exists.
#[derive(Clone)]
pub(crate) struct ClauseTerm(Lies);

#[derive(Clone)]
enum Lies {
    /// In the block of the clause.
    Within(Clause),
    /// In words of its own, with this root.
    Unpacked(Arc<Vec<u64>>, Cell),
}

impl ClauseTerm {
    /// Returns the root: `Head :- Body`, or the head alone of a fact.
    pub(crate) fn root(&self) -> Cell {
        match &self.0 {
            Lies::Within(clause) => clause.own_root(),
            Lies::Unpacked(_, root) => *root,
        }
    }

    /// Returns the rule in packed form, if it can be packed.
    fn packed(&self) -> Result<Option<Packed>, Stop> {
        pack(self.words(), self.root(), self.words().as_ptr() as u64)
    }

    /// Returns the words that contain the term.
    pub(crate) fn words(&self) -> &[u64] {
        match &self.0 {
            Lies::Within(clause) => clause.own_words(),
            Lies::Unpacked(words, _) => words,
        }
    }
}

/// A fingerprint in the making.
struct Print<'a> {
    hash: Xxh3,
    /// Cells that the fingerprint does not depend on.
    left_out: &'a [Cell],
}

impl Print<'_> {
    fn cell(&mut self, cell: Cell, base: u64) {
        let plain = match self.left_out.contains(&cell) {
            true => 0,
            false => relocated(cell, base.wrapping_neg()).word(),
        };
        self.hash.update(&plain.to_le_bytes());
    }

    /// Adds words whose pointers are relative to `base`.
    fn words(&mut self, (words, base): (&[u64], u64), root: Cell) {
        self.cell(root, base);
        let mut boxed = 0;
        for &word in words {
            let cell = Cell::of_word(word);
            if boxed > 0 {
                boxed -= 1;
                self.hash.update(&word.to_le_bytes());
                continue;
            }
            if cell.is_box_header() {
                boxed = cell.box_words();
            }
            self.cell(cell, base);
        }
    }

    /// Adds a packed rule.
    fn rule(&mut self, stream: &[u64], head: (&[u64], u64), root: Cell) {
        self.words(head, root);
        for item in Items::new(stream) {
            let word = Cell::of_word(item.word());
            self.cell(word, 0);
        }
    }
}

/// Returns these places in the form that a clause keeps. If they take many words, the number of words follows.
pub(crate) fn packed_sites(sites: &[Site]) -> Result<Vec<u64>, Stop> {
    let mut packed = sites::pack(sites)?;
    if packed.len() as u64 >= MOST_SITES {
        packed.put(packed.len() as u64 + 1)?;
    }
    Ok(packed)
}

/// Returns the address of the arguments of the head of a clause, if it has any.
fn head_args(root: Cell, is_fact: bool) -> Option<HeapAddr> {
    let mut head = root;
    if !is_fact && head.tag() == tag::STR && is_functor(head, functors::NECK) {
        head = deref(raw::cell(head.addr() + WORD));
    }
    while head.tag() == tag::STR && is_functor(head, functors::COLON) {
        head = deref(raw::cell(head.addr() + 2 * WORD));
    }
    match head.tag() {
        tag::LST => Some(head.addr()),
        tag::STR => Some(head.addr() + WORD),
        _ => None,
    }
}

fn is_functor(cell: Cell, functor: crate::base::atom_table::Functor) -> bool {
    raw::cell(cell.addr()) == Cell::functor(functor)
}

/// Returns whether the block holds a boxed value, which terms share by its address.
fn has_boxes(source: &[u64]) -> bool {
    source
        .iter()
        .any(|&word| Cell::of_word(word).is_box_header())
}

/// Replaces the marks of literals by their addresses.
fn place_literals(code: &mut [u64], literals: &[u64], base: u64) {
    let mut at = 0;
    while at < code.len() {
        let Some(row) = decode(code[at]).map(|op: Op| &ROWS[op as usize]) else {
            unreachable!("the code of a clause is made of instructions");
        };
        for operand in row.operands {
            if let &Operand::Constant(word) = operand {
                let cell = Cell::of_word(code[at + usize::from(word)]);
                if cell.is_forward() {
                    let literal = Cell::of_word(literals[cell.forward_index() as usize]);
                    code[at + usize::from(word)] = relocated(literal, base).word();
                }
            }
        }
        at += row.words;
    }
}

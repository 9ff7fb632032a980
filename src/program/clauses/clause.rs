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
//! Pointers in the term are addresses, so ground parts of it serve as literals of the code where
//! they lie. A rule that has its code, and no literals, is packed: its body is read for `clause/2`, listings, messages
//! and indexes alone.

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
/// How many words tell where goals begin, from this bit on; if there are more, the last word of the block tells it.
const SITES_SHIFT: u64 = 4;
const MOST_SITES: u64 = (1 << (FILE_SHIFT - SITES_SHIFT)) - 1;
const FILE_SHIFT: u64 = 8;
const MAX_FILE: u64 = (1 << 24) - 1;

/// What a clause is made of.
pub(crate) struct Parts<'a> {
    /// The instructions. A literal stands in them as the mark [`literal_mark`].
    pub(crate) code: &'a [u64],
    /// The clause as a term: a block whose pointers are offsets of bytes.
    pub(crate) source: &'a [u64],
    /// The root of that term.
    pub(crate) root: u64,
    /// Roots of the literals in that block.
    pub(crate) literals: &'a [u64],
    /// May unification with the code make terms point to the literals?
    pub(crate) shares: bool,
    /// Is the body `true`?
    pub(crate) is_fact: bool,
    /// Is it the code of the clause? Otherwise it only holds its place until that is made.
    pub(crate) has_code: bool,
    /// Index of the file it is loaded from, 0 for none.
    pub(crate) file: u32,
    /// Line in that file.
    pub(crate) line: u32,
    /// Where goals begin in the code, of a clause from a file: see [`packed_sites`].
    pub(crate) sites: &'a [u64],
}

/// Room in which the parts of clauses are made, one after the other.
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
    /// Empties it.
    pub(crate) fn clear(&mut self) {
        self.code.clear();
        self.source.clear();
        self.literals.clear();
    }

    /// Puts it back to where it was taken from, unless a large clause has made it large.
    pub(crate) fn give_back(self, place: &mut Scratch) {
        if self.source.capacity() <= 1 << 16 {
            *place = self;
        }
    }
}

/// What stands in the code for the literal of this index until the clause is put together.
pub(crate) fn literal_mark(index: usize) -> Cell {
    Cell::forward(index as u64)
}

/// Bits of the second word of `interpret` for how often the clause was called.
const CALLS_BITS: u32 = 8;

/// The position of a clause in the second word of `interpret`.
pub(crate) fn position_of(word: u64) -> i64 {
    word as i64 >> CALLS_BITS
}

/// How often a clause was called, in that word.
pub(crate) fn calls_of(word: u64) -> u64 {
    word & ((1 << CALLS_BITS) - 1)
}

/// Larger blocks are tried first, for an allocation of this form cannot fail.
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
    /// There is no memory for it, or the work is to be stopped.
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
        // Of a clause without code copies are made.
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

    /// Address of the first instruction.
    #[inline(always)]
    pub(crate) fn entry(&self) -> CodeAddr {
        CodeAddr::of(&self.block) + HEADER as u64 * WORD
    }

    fn code_end(&self) -> usize {
        (self.block[CODE] >> 32) as usize
    }

    /// The instructions.
    pub(crate) fn code(&self) -> &[u64] {
        &self.block[HEADER..self.code_end()]
    }

    /// Is its body packed?
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

    /// The clause as a term: `Head :- Body`, or the head alone of a fact. Its pointers are addresses.
    ///
    /// # Errors
    /// There is no memory for it.
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
    /// There is no room for it, or the work is to be stopped.
    pub(crate) fn load(&self, store: &mut Store) -> Result<Cell, Stop> {
        match self.packed() {
            Some(rule) => rule.load(store),
            None => store.load_block(self.own_words(), self.own_root()),
        }
    }

    /// May its body begin with a goal that is looked for, given without arguments: as an atom or a functor cell? That is
    /// known of packed bodies alone.
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

    /// The root of its term, or of its head if it is packed.
    pub(crate) fn own_root(&self) -> Cell {
        Cell::of_word(self.block[ROOT])
    }

    /// The words that the root leads to.
    fn own_words(&self) -> &[u64] {
        let end = self.block.len() - self.site_words();
        match self.is_packed() {
            true => &self.block[end - Items::new(self.stream()).head..end],
            false => &self.block[self.code_end()..end],
        }
    }

    /// The packed body, and what follows it.
    fn stream(&self) -> &[u64] {
        &self.block[self.code_end()..]
    }

    /// How many words tell where goals begin.
    fn site_words(&self) -> usize {
        match self.block[ORIGIN] >> SITES_SHIFT & MOST_SITES {
            MOST_SITES => self.block[self.block.len() - 1] as usize,
            words => words as usize,
        }
    }

    /// Returns the number of the goal that the instruction at this address of a clause from a file belongs to.
    pub(crate) fn goal_at(&self, address: CodeAddr) -> Option<GoalNumber> {
        let words = self.site_words();
        let counted = usize::from(words as u64 >= MOST_SITES);
        let packed = &self.block[self.block.len() - words..self.block.len() - counted];
        let at = address.checked_sub(self.entry())? / WORD;
        sites::find(packed, u32::try_from(at).ok()?)
    }

    /// Is the body `true`?
    #[inline(always)]
    pub(crate) fn is_fact(&self) -> bool {
        self.block[ORIGIN] & FACT != 0
    }

    /// Has it its code, or is that still to be made?
    pub(crate) fn has_code(&self) -> bool {
        self.block[ORIGIN] & WITHOUT_CODE == 0
    }

    /// Is it kept as a term, and interpreted?
    pub(crate) fn is_interpreted(&self) -> bool {
        !self.has_code() && decode(self.block[HEADER]) == Some(Op::Interpret)
    }

    /// Tells a clause that is interpreted, and is about to be added, its predicate and its position.
    pub(crate) fn set_place(&mut self, predicate: u32, position: i64) {
        if self.is_interpreted()
            && let Some(block) = Arc::get_mut(&mut self.block)
        {
            block[HEADER] = encode_wide(Op::Interpret, 0, predicate);
            block[HEADER + 1] = (position as u64) << CALLS_BITS;
        }
    }

    /// Is it sure that no term ever comes to point into it, and no goal to continue in it?
    pub(crate) fn is_self_contained(&self) -> bool {
        self.block[ORIGIN] & SELF_CONTAINED != 0
    }

    /// Index of the file it was loaded from, 0 for none.
    pub(crate) fn file(&self) -> u32 {
        (self.block[ORIGIN] as u32) >> FILE_SHIFT
    }

    /// Line in that file.
    pub(crate) fn line(&self) -> u32 {
        (self.block[ORIGIN] >> 32) as u32
    }

    /// What the `index`th argument of the head is.
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

    /// The `index`th argument of the head.
    #[inline(always)]
    pub(crate) fn head_arg(&self, index: usize) -> Cell {
        Cell::of_word(self.block[self.block[CODE] as u32 as usize + index])
    }

    /// A number that clauses with the same term have, and other ones hardly ever.
    ///
    /// # Errors
    /// There is no memory to compute it.
    pub(crate) fn fingerprint(&self) -> Result<u64, Stop> {
        self.fingerprint_without(&[])
    }

    /// The same, whatever stands in the place of these cells.
    ///
    /// # Errors
    /// There is no memory to compute it.
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
        // Whether a rule is packed depends on its code, too.
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

    /// The words of the block in which a symbol may be, but for a body that is packed.
    pub(crate) fn words(&self) -> [&[u64]; 2] {
        [&self.block[..self.code_end()], self.own_words()]
    }

    /// The atoms and functor cells of a body that is packed.
    pub(crate) fn packed_symbols(&self) -> impl Iterator<Item = Cell> {
        let items = self.is_packed().then(|| Items::new(self.stream()));
        items.into_iter().flatten().filter_map(|item| match item {
            Item::Constant(_) | Item::Structure(_) => Some(Cell::of_word(item.word())),
            _ => None,
        })
    }

    /// How many words the block has.
    pub(crate) fn size(&self) -> usize {
        self.block.len()
    }

    /// The addresses of the block.
    pub(crate) fn addresses(&self) -> Range<CodeAddr> {
        let start = CodeAddr::of(&self.block);
        start..start + self.block.len() as u64 * WORD
    }
}

/// A clause as a term, which lies there as long as this is kept.
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
    /// `Head :- Body`, or the head alone of a fact.
    pub(crate) fn root(&self) -> Cell {
        match &self.0 {
            Lies::Within(clause) => clause.own_root(),
            Lies::Unpacked(_, root) => *root,
        }
    }

    /// The same packed, if it can be.
    fn packed(&self) -> Result<Option<Packed>, Stop> {
        pack(self.words(), self.root(), self.words().as_ptr() as u64)
    }

    /// The words in which it lies.
    pub(crate) fn words(&self) -> &[u64] {
        match &self.0 {
            Lies::Within(clause) => clause.own_words(),
            Lies::Unpacked(words, _) => words,
        }
    }
}

/// The fingerprint of a clause under way.
struct Print<'a> {
    hash: Xxh3,
    /// Cells for which others may stand.
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

    /// Adds words whose pointers lie behind `base`.
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

    /// Adds a rule that is packed.
    fn rule(&mut self, stream: &[u64], head: (&[u64], u64), root: Cell) {
        self.words(head, root);
        for item in Items::new(stream) {
            let word = Cell::of_word(item.word());
            self.cell(word, 0);
        }
    }
}

/// Returns these places as a clause keeps them: with the number of their words if there are many.
pub(crate) fn packed_sites(sites: &[Site]) -> Result<Vec<u64>, Stop> {
    let mut packed = sites::pack(sites)?;
    if packed.len() as u64 >= MOST_SITES {
        packed.put(packed.len() as u64 + 1)?;
    }
    Ok(packed)
}

/// Address of the arguments of the head of a clause, if it has any.
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

/// Does the block hold a boxed value, which terms share by its address?
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

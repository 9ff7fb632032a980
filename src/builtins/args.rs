//! Arguments and results of builtins. The functions read values from arguments and unify arguments with results.
//! They raise the errors of ISO 13211-1, 7.12.2, in the order that the clauses require.

use crate::arith::format::number_text;
use crate::base::atom_table::{Atom, Functor, atoms};
use crate::base::growth::{Grow, text_with_room, with_room};
use crate::base::number::Number;
use crate::base::passing_text::PassingText;
use crate::base::stop::{Questions, Stop};
use crate::machine::builtin::Step;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::{Cell, WORD};
use crate::store::claims::Life;
use crate::store::heap::View;
use crate::store::list::{ListShape, TextKind};
use std::borrow::Cow;

/// Length in bytes from which a text needs a check of the memory left.
const LONG_TEXT: usize = 1 << 16;

/// Returns the text of an atomic term, or `None` for any other term.
pub(crate) fn atomic_text(m: &Machine, cell: Cell) -> Result<Option<Cow<'_, str>>, Stop> {
    let text = match m.store.view(cell) {
        View::Atom(atom) => Cow::Borrowed(m.world.symbols.text(atom)),
        View::String(addr) => Cow::Borrowed(m.store.text(addr)),
        View::Var(_) | View::List(_) | View::Struct(..) => return Ok(None),
        View::Int(_) | View::Big(_) | View::Float(_) => match m.store.number(cell)? {
            Some(number) => Cow::Owned(text_of_number(m, &number)?),
            None => return Ok(None),
        },
    };
    m.store.watch.did_bytes(text.len());
    Ok(Some(text))
}

/// Borrows the text of an atomic term. Returns `None` for `[]`, which is also a list.
pub(crate) fn text_in_place(m: &Machine, cell: Cell) -> Result<Option<Cow<'_, str>>, Stop> {
    if cell == Cell::atom(atoms::NIL) {
        return Ok(None);
    }
    atomic_text(m, cell)
}

/// Returns the text of a number.
pub(crate) fn text_of_number(m: &Machine, number: &Number) -> Result<String, Stop> {
    number_text(number, &m.store.events.watch).map_err(|_| Stop)
}

/// Returns the only character of a text of one character.
pub(crate) fn only_char(text: &str) -> Option<char> {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(char), None) => Some(char),
        _ => None,
    }
}

impl Machine {
    // ---- numbers ------------------------------------------------------------------------------

    /// Returns an integer argument.
    #[inline]
    pub(crate) fn integer_arg(&mut self, cell: Cell) -> Result<Number, Throw> {
        if cell.is_int() {
            return Ok(Number::Int(cell.int_value()));
        }
        self.long_integer_arg(cell)
    }

    fn long_integer_arg(&mut self, cell: Cell) -> Result<Number, Throw> {
        match self.store.number(cell)? {
            Some(number) if number.is_integer() => Ok(number),
            _ => Err(self.type_or_instantiation_error(atoms::INTEGER, cell)),
        }
    }

    /// Returns an integer argument, or `None` for a variable.
    pub(crate) fn optional_integer(&mut self, cell: Cell) -> Result<Option<Number>, Throw> {
        if self.store.deref(cell).is_var() {
            Ok(None)
        } else {
            self.integer_arg(cell).map(Some)
        }
    }

    /// Returns an integer argument that fits 64 bits.
    pub(crate) fn i64_arg(&mut self, cell: Cell) -> Result<i64, Throw> {
        match self.integer_arg(cell)? {
            Number::Int(value) => Ok(value),
            number if number.is_negative() => Err(self.representation_error(atoms::MIN_INTEGER)),
            _ => Err(self.representation_error(atoms::MAX_INTEGER)),
        }
    }

    /// Returns a non-negative integer argument. An integer larger than any size becomes `usize::MAX`.
    #[inline]
    pub(crate) fn size_arg(&mut self, cell: Cell) -> Result<usize, Throw> {
        match cell.is_int().then(|| usize::try_from(cell.int_value())) {
            Some(Ok(size)) => Ok(size),
            _ => self.other_size_arg(cell),
        }
    }

    fn other_size_arg(&mut self, cell: Cell) -> Result<usize, Throw> {
        let number = self.integer_arg(cell)?;
        if number.is_negative() {
            return Err(self.domain_error(atoms::NOT_LESS_THAN_ZERO, cell));
        }
        Ok(match number {
            Number::Int(value) => usize::try_from(value).unwrap_or(usize::MAX),
            _ => usize::MAX,
        })
    }

    /// Works like [`Machine::size_arg`], but returns `None` for a variable.
    pub(crate) fn optional_size(&mut self, cell: Cell) -> Result<Option<usize>, Throw> {
        if self.store.deref(cell).is_var() {
            Ok(None)
        } else {
            self.size_arg(cell).map(Some)
        }
    }

    // ---- atoms, texts -------------------------------------------------------------------------

    /// Returns an atom argument.
    pub(crate) fn atom_arg(&mut self, cell: Cell) -> Result<Atom, Throw> {
        match self.store.view(cell) {
            View::Atom(atom) => Ok(atom),
            _ => Err(self.type_or_instantiation_error(atoms::ATOM, cell)),
        }
    }

    /// Returns the text of an atom, a string or a number. Any other term is a type error for `expected`.
    pub(crate) fn atomic_text_arg(&mut self, cell: Cell, expected: Atom) -> Result<String, Throw> {
        match atomic_text(self, cell)? {
            Some(Cow::Borrowed(text)) => Ok(self.store.watch.text_of(&[text])?),
            Some(Cow::Owned(text)) => Ok(text),
            None => Err(self.type_or_instantiation_error(expected, cell)),
        }
    }

    /// Returns the text of an atomic term, or of a list of codes or characters, for use within one call.
    pub(crate) fn passing_text_arg(&mut self, cell: Cell) -> Result<PassingText, Throw> {
        if let Some(text) = text_in_place(self, cell)? {
            return Ok(PassingText::of(&[&text], &self.store.watch)?);
        }
        self.text_arg(cell).map(PassingText::from)
    }

    /// Returns the text of an atom or a string. Also accepts a number unless the flag `iso` is set.
    pub(crate) fn atom_text_arg(&mut self, cell: Cell) -> Result<String, Throw> {
        match self.store.view(cell) {
            View::Int(_) | View::Float(_) | View::Big(_) if self.world.flags.iso => {
                Err(self.type_error(atoms::ATOM, cell))
            }
            _ => self.atomic_text_arg(cell, atoms::ATOM),
        }
    }

    /// Returns the text of an atomic term, or of a list of codes or characters.
    pub(crate) fn text_arg(&mut self, cell: Cell) -> Result<String, Throw> {
        if let View::List(addr) = self.store.view(cell) {
            let kind = match self.store.view(self.store.arg(addr, 0)) {
                View::Int(_) => TextKind::Codes,
                _ => TextKind::Chars,
            };
            return match self.list_text(cell, kind)? {
                Some(text) => Ok(text),
                None => Err(self.instantiation_error()),
            };
        }
        if self.store.deref(cell) == Cell::atom(atoms::NIL) {
            return Ok(String::new());
        }
        self.atomic_text_arg(cell, atoms::ATOMIC)
    }

    /// Returns the text of a string or of a list of codes or characters. Returns `None` for a list that is not
    /// sufficiently instantiated.
    pub(crate) fn list_text(
        &mut self,
        list: Cell,
        kind: TextKind,
    ) -> Result<Option<String>, Throw> {
        if let View::String(addr) = self.store.view(list) {
            return Ok(Some(self.store.watch.text_of(&[self.store.text(addr)])?));
        }
        let (length, mut complete) = match self.store.list_length(list)? {
            ListShape::Proper(length) => (length, true),
            ListShape::Partial(length, _) => (length, false),
            ListShape::NotList(..) | ListShape::Cyclic => {
                return Err(self.type_error(atoms::LIST, list));
            }
        };
        let mut text = text_with_room(length)?;
        let mut cell = list;
        let mut count = 0;
        // Beyond the standard, a list of the other kind is accepted too. Its first element decides which kind it
        // is.
        let kind = match self.store.view(list) {
            View::List(addr) if !self.world.flags.iso => {
                match self.store.view(self.store.arg(addr, 0)) {
                    View::Int(_) => TextKind::Codes,
                    View::Atom(_) => TextKind::Chars,
                    _ => kind,
                }
            }
            _ => kind,
        };
        while let View::List(addr) = self.store.view(cell) {
            count += 1;
            self.store.watch.go_on_at(count)?;
            let item = self.store.arg(addr, 0);
            if item.is_var() {
                complete = false;
            } else {
                text.put(match kind {
                    TextKind::Chars => self.char_arg(item)?,
                    TextKind::Codes => self.code_arg(item)?,
                })?;
            }
            cell = self.store.at(addr + WORD);
        }
        Ok(complete.then_some(text))
    }

    /// Returns the character of a one-character atom.
    pub(crate) fn char_arg(&mut self, cell: Cell) -> Result<char, Throw> {
        if let View::Atom(atom) = self.store.view(cell)
            && let Some(char) = only_char(self.world.symbols.text(atom))
        {
            return Ok(char);
        }
        Err(self.type_or_instantiation_error(atoms::CHARACTER, cell))
    }

    /// Returns the character of a character code.
    #[inline]
    pub(crate) fn code_arg(&mut self, cell: Cell) -> Result<char, Throw> {
        if cell.is_int()
            && let Ok(code) = u8::try_from(cell.int_value())
        {
            return Ok(char::from(code));
        }
        self.far_code_arg(cell)
    }

    fn far_code_arg(&mut self, cell: Cell) -> Result<char, Throw> {
        let char = match self.integer_arg(cell)? {
            Number::Int(value) => u32::try_from(value).ok().and_then(char::from_u32),
            _ => None,
        };
        match char {
            Some(char) => Ok(char),
            None => Err(self.representation_error(atoms::CHARACTER_CODE)),
        }
    }

    // ---- lists --------------------------------------------------------------------------------

    /// Returns the elements of a list. A partial list is an instantiation error, any other term a type error.
    pub(crate) fn list_arg(&mut self, list: Cell) -> Result<Vec<Cell>, Throw> {
        let mut items = Vec::new();
        match self.store.list_items(list, &mut items)? {
            ListShape::Proper(_) => Ok(items),
            ListShape::Partial(..) => Err(self.instantiation_error()),
            ListShape::NotList(..) | ListShape::Cyclic => Err(self.type_error(atoms::LIST, list)),
        }
    }

    /// Checks an argument that becomes a list: it must be a list or a partial list.
    pub(crate) fn check_list_result(&mut self, list: Cell) -> Result<(), Throw> {
        match self.store.list_length(list)? {
            ListShape::Proper(_) | ListShape::Partial(..) => Ok(()),
            ListShape::NotList(..) | ListShape::Cyclic => Err(self.type_error(atoms::LIST, list)),
        }
    }

    // ---- goals --------------------------------------------------------------------------------

    /// Checks that a term is an atom or a compound term.
    pub(crate) fn callable_arg(&mut self, cell: Cell) -> Result<(), Throw> {
        match self.store.view(cell) {
            View::Atom(_) | View::List(_) | View::Struct(..) => Ok(()),
            _ => Err(self.type_or_instantiation_error(atoms::CALLABLE, cell)),
        }
    }

    /// Returns a module and the functor of a predicate in it.
    pub(crate) fn predicate_args(
        &mut self,
        [module, name, arity]: [Cell; 3],
    ) -> Result<(Atom, Functor), Throw> {
        let (module, name) = (self.atom_arg(module)?, self.atom_arg(name)?);
        let arity = self.size_arg(arity)?;
        Ok((module, self.world.symbols.functor_passing(name, arity)?))
    }

    // ---- results ------------------------------------------------------------------------------

    /// Builds the term `name(args…)`.
    pub(crate) fn new_term(&mut self, name: &str, args: &[Cell]) -> Result<Cell, Stop> {
        let name = self.world.symbols.intern(name)?;
        let functor = self.world.symbols.functor(name, args.len())?;
        Ok(self.store.new_struct(functor, args))
    }

    /// Returns the atom of a file's path.
    pub(crate) fn path_atom(&mut self, file: u32) -> Result<Cell, Stop> {
        let path = &self.world.files.get(file).path;
        self.world.symbols.intern_passing(path).map(Cell::atom)
    }

    /// Unifies an argument with an integer.
    pub(crate) fn unify_int(&mut self, cell: Cell, value: i64) -> Result<bool, Stop> {
        let value = self.store.new_int(value);
        self.unify(cell, value)
    }

    /// Unifies an argument with a size.
    pub(crate) fn unify_size(&mut self, cell: Cell, value: usize) -> Result<bool, Stop> {
        self.unify_int(cell, i64::try_from(value).unwrap_or(i64::MAX))
    }

    /// Unifies an argument with a number.
    pub(crate) fn unify_number(&mut self, cell: Cell, number: &Number) -> Result<bool, Throw> {
        let number = self.store.new_number(number)?;
        Ok(self.unify(cell, number)?)
    }

    /// Unifies an argument with an atom.
    pub(crate) fn unify_atom(&mut self, cell: Cell, atom: Atom) -> Result<bool, Stop> {
        self.unify(cell, Cell::atom(atom))
    }

    /// Unifies an argument with the atom of a text.
    pub(crate) fn unify_text(&mut self, cell: Cell, text: &str) -> Result<bool, Stop> {
        let atom = self.world.symbols.intern_passing(text)?;
        self.unify_atom(cell, atom)
    }

    /// Returns the atom of a text of any length.
    pub(crate) fn new_atom(&mut self, text: &str) -> Result<Atom, Throw> {
        self.room_for_text(text.len(), Life::Kept)?;
        Ok(match *text.as_bytes() {
            [byte] => self.world.symbols.intern_char(char::from(byte))?,
            _ => self.world.symbols.intern_passing(text)?,
        })
    }

    /// Returns the atoms of texts.
    pub(crate) fn atoms_of<T: AsRef<str>>(&mut self, texts: &[T]) -> Result<Vec<Cell>, Stop> {
        let mut atoms = with_room(texts.len())?;
        for text in texts {
            atoms.put(Cell::atom(
                self.world.symbols.intern_passing(text.as_ref())?,
            ))?;
        }
        Ok(atoms)
    }

    /// Checks that there is memory for a text of `bytes` bytes.
    pub(crate) fn room_for_text(&self, bytes: usize, life: Life) -> Result<(), Throw> {
        if bytes >= LONG_TEXT {
            self.store.room_outside(bytes as u64, life)?;
            self.store.watch.did_bytes(bytes);
        }
        Ok(())
    }

    /// Unifies an argument with a string.
    pub(crate) fn unify_string(&mut self, cell: Cell, text: &str) -> Result<bool, Throw> {
        let string = self.store.new_string(text)?;
        Ok(self.unify(cell, string)?)
    }

    /// Unifies an argument with a list.
    pub(crate) fn unify_items(&mut self, cell: Cell, items: &[Cell]) -> Result<bool, Throw> {
        let list = self.store.list_of(items)?;
        Ok(self.unify(cell, list)?)
    }

    /// Unifies an argument with the list of a text's characters or codes. The argument must be a list of such
    /// elements, or a partial one.
    pub(crate) fn unify_text_list(
        &mut self,
        cell: Cell,
        text: &str,
        kind: TextKind,
    ) -> Result<bool, Throw> {
        if let View::String(addr) = self.store.view(cell) {
            return Ok(self.store.text(addr) == text);
        }
        self.check_list_result(cell)?;
        let list = self.text_list(text, kind)?;
        if self.unify(cell, list)? {
            return Ok(true);
        }
        self.list_text(cell, kind)?;
        Ok(false)
    }

    /// Builds the list of a text's characters or codes.
    pub(crate) fn text_list(&mut self, text: &str, kind: TextKind) -> Result<Cell, Throw> {
        let nil = Cell::atom(atoms::NIL);
        Ok(match kind {
            TextKind::Codes => self.store.code_list(text, nil)?,
            TextKind::Chars => self.store.char_list(text, nil, &mut self.world.symbols)?,
        })
    }
}

/// Checks that there is room on the heap for `count` objects of `words` words each.
pub(crate) fn room_for(m: &Machine, count: usize, words: usize) -> Result<(), Throw> {
    let free = ((m.store.heap.end - m.store.heap_top) / WORD) as usize;
    match count.checked_mul(words) {
        Some(total) if total <= free => Ok(m.store.reserve(total)?),
        _ => Err(Stop.into()),
    }
}

/// Unifies the arguments with the next matching row, from `state` on. Used by builtins whose solutions are a short
/// table with the same rows at each call.
pub(crate) fn next_row(
    m: &mut Machine,
    args: &[Cell],
    rows: &[impl AsRef<[Cell]>],
    state: Option<i64>,
) -> Result<Step, Stop> {
    let from = state.map_or(0, |state| usize::try_from(state).unwrap_or(usize::MAX));
    let rows = rows.get(from..).unwrap_or_default();
    let mut fits = |row: &_| m.store.each_unifiable(args, AsRef::as_ref(row));
    let Some(index) = rows.iter().try_position(&mut fits)? else {
        return Ok(Step::Fail);
    };
    let more = rows[index + 1..].iter().try_position(fits)?.is_some();
    Ok(match (m.unify_all(args, rows[index].as_ref())?, more) {
        (true, true) => Step::More((from + index) as i64 + 1),
        (true, false) => Step::Last,
        (false, _) => Step::Fail,
    })
}

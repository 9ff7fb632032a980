//! The operator table (ISO 13211-1, 6.3.4.4, with the entries of today's systems).
#![forbid(unsafe_code)]

use super::atom_table::{Atom, FastBuild, Symbols, atoms};
use super::growth::{Grow, GrowAt, GrowMap, GrowTable, Within};
use super::named::named;
use super::stop::Stop;
use indexmap::IndexMap;

named! {
    /// The type of an operator: its position and the priorities of its arguments.
    #[derive(Hash)]
    OpType {
        /// Infix, both arguments of lower priority.
        Xfx "xfx",
        /// Infix, right associative.
        Xfy "xfy",
        /// Infix, left associative.
        Yfx "yfx",
        /// Prefix, argument of at most the same priority.
        Fy "fy",
        /// Prefix, argument of lower priority.
        Fx "fx",
        /// Postfix, argument of lower priority.
        Xf "xf",
        /// Postfix, argument of at most the same priority.
        Yf "yf",
    }
}

impl OpType {
    /// Returns the atom of the spelling.
    pub(crate) fn atom(self) -> Atom {
        match self {
            OpType::Xfx => atoms::XFX,
            OpType::Xfy => atoms::XFY,
            OpType::Yfx => atoms::YFX,
            OpType::Fy => atoms::FY,
            OpType::Fx => atoms::FX,
            OpType::Xf => atoms::XF,
            OpType::Yf => atoms::YF,
        }
    }

    /// Returns the position of the operator relative to its arguments.
    pub(crate) fn class(self) -> OpClass {
        match self {
            OpType::Xfx | OpType::Xfy | OpType::Yfx => OpClass::Infix,
            OpType::Fy | OpType::Fx => OpClass::Prefix,
            OpType::Xf | OpType::Yf => OpClass::Postfix,
        }
    }
}

/// The position of an operator.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OpClass {
    /// An operator before its argument.
    Prefix,
    /// An operator between its arguments.
    Infix,
    /// An operator after its argument.
    Postfix,
}

/// An operator definition: priority (1 to 1200) and type.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct OpDef {
    /// 1 binds tightest, 1200 loosest.
    pub(crate) priority: u16,
    /// Kind and associativity.
    pub(crate) op_type: OpType,
}

impl OpDef {
    /// Returns the greatest priority of the left argument.
    pub(crate) fn left_max(self) -> u16 {
        match self.op_type {
            OpType::Yfx | OpType::Yf => self.priority,
            _ => self.priority - 1,
        }
    }
    /// Returns the greatest priority of the right argument.
    pub(crate) fn right_max(self) -> u16 {
        match self.op_type {
            OpType::Xfy | OpType::Fy => self.priority,
            _ => self.priority - 1,
        }
    }
}

/// Number of the first atoms whose classes are noted; the system's atoms are among these.
const NOTED: usize = 1 << 12;

/// A definition in its table.
#[derive(Copy, Clone, Debug)]
struct Entry {
    /// The definition; priority 0 means that it was removed.
    def: OpDef,
    /// The number of the definition, greater than those of the definitions before.
    number: u64,
    /// Whether no program has changed the definition.
    system: bool,
}

/// The operators that a module sees, in order of definition.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpTable {
    defs: IndexMap<(Atom, OpClass), Entry, FastBuild>,
    /// The names of [`ISO_DIFFERENCES`].
    faced: Vec<Atom>,
    /// The number of the next definition.
    next: u64,
    /// Number of definitions that were removed and still have an entry.
    gone: usize,
    /// A bound: no atom of this number or a greater one was ever an operator.
    bound: u32,
    /// For each of the first atoms, a bit for each class in which it is an operator.
    first: Vec<u8>,
}

impl OpTable {
    /// Returns the default table.
    pub(crate) fn new(symbols: &mut Symbols) -> Result<OpTable, Stop> {
        let mut table = OpTable::default();
        for &(priority, op_type, names) in DEFAULTS {
            for name in names.split(' ') {
                let atom = symbols.intern(name)?;
                table.define(atom, priority, op_type, true)?;
            }
        }
        for &(_, name, ..) in ISO_DIFFERENCES {
            table.faced.put(symbols.intern(name)?)?;
        }
        table.apply_iso(false)?;
        Ok(table)
    }

    /// Switches the operators that no program has changed to their definitions with the flag `iso`, or without it.
    pub(crate) fn apply_iso(&mut self, iso: bool) -> Result<(), Stop> {
        for (nth, &(op_type, _, here, strict)) in ISO_DIFFERENCES.iter().enumerate() {
            self.add_of_system(self.faced[nth], if iso { strict } else { here }, op_type)?;
        }
        Ok(())
    }

    /// Defines an operator; priority 0 removes it.
    pub(crate) fn add(&mut self, name: Atom, priority: u16, op_type: OpType) -> Result<(), Stop> {
        self.define(name, priority, op_type, false)
    }

    /// Removes an operator that only a program has defined.
    pub(crate) fn remove(&mut self, name: Atom, op_type: OpType) -> Result<(), Stop> {
        self.define(name, 0, op_type, true)
    }

    /// Defines an operator of the system, unless a program has changed it.
    pub(crate) fn add_of_system(
        &mut self,
        name: Atom,
        priority: u16,
        op_type: OpType,
    ) -> Result<(), Stop> {
        let entry = self.defs.get(&(name, op_type.class()));
        if entry.is_none_or(|entry| entry.system) {
            self.define(name, priority, op_type, true)?;
        }
        Ok(())
    }

    /// Returns a copy of the table.
    pub(crate) fn copy(&self) -> Result<OpTable, Stop> {
        let mut defs = IndexMap::default();
        for (&key, &entry) in &self.defs {
            defs.put_entry(key, entry)?;
        }
        let mut copy = OpTable {
            defs,
            next: self.next,
            gone: self.gone,
            bound: self.bound,
            ..OpTable::default()
        };
        copy.faced.put_all(self.faced.iter().copied())?;
        copy.first.put_all(self.first.iter().copied())?;
        Ok(copy)
    }

    /// Returns the approximate number of bytes that the table takes.
    pub(crate) fn bytes(&self) -> u64 {
        let entry = size_of::<((Atom, OpClass), Entry)>() + 2 * size_of::<usize>();
        (self.defs.len() * entry + self.first.len()) as u64
    }

    fn define(
        &mut self,
        name: Atom,
        priority: u16,
        op_type: OpType,
        system: bool,
    ) -> Result<(), Stop> {
        let key = (name, op_type.class());
        if priority != 0 {
            self.defs.make_room()?;
        }
        self.bound = self.bound.max(name.0 + 1);
        self.note_class(name, op_type.class(), priority != 0)?;
        let def = OpDef { priority, op_type };
        match self.defs.get_mut(&key) {
            Some(old) => {
                self.gone += usize::from(priority == 0);
                self.gone -= usize::from(old.def.priority == 0);
                (old.def, old.system) = (def, system);
            }
            None if priority == 0 => {}
            None => {
                let number = self.next;
                let entry = Entry {
                    def,
                    number,
                    system,
                };
                self.defs.put_within((key, entry));
                self.next += 1;
            }
        }
        // Entries are removed together: to remove each one alone would need a walk through the table.
        if self.gone > 16 + self.defs.len() / 2 {
            // If a program has removed an operator of the system, its entry stays.
            self.defs
                .retain(|_, entry| entry.def.priority != 0 || !entry.system);
            let gone = self.defs.values().filter(|entry| entry.def.priority == 0);
            self.gone = gone.count();
        }
        Ok(())
    }

    /// Notes whether an atom is an operator of this class.
    fn note_class(&mut self, name: Atom, class: OpClass, is_op: bool) -> Result<(), Stop> {
        let index = name.0 as usize;
        if index >= NOTED {
            return Ok(());
        }
        if index >= self.first.len() {
            self.first.fill_to(index + 1, 0)?;
        }
        let bit = 1 << class as u8;
        self.first[index] = self.first[index] & !bit | if is_op { bit } else { 0 };
        Ok(())
    }

    /// Returns the definition of `name` as an operator of this class.
    pub(crate) fn get(&self, name: Atom, class: OpClass) -> Option<OpDef> {
        if name.0 >= self.bound {
            return None;
        }
        if let Some(classes) = self.first.get(name.0 as usize)
            && classes & 1 << class as u8 == 0
        {
            return None;
        }
        let entry = self.defs.get(&(name, class))?;
        (entry.def.priority != 0).then_some(entry.def)
    }

    /// Returns whether the atom is an operator of this class by the system's own definition.
    pub(crate) fn is_system(&self, name: Atom, class: OpClass) -> bool {
        let entry = self.defs.get(&(name, class));
        entry.is_some_and(|entry| entry.system && entry.def.priority != 0)
    }

    /// Returns the prefix definition.
    pub(crate) fn prefix(&self, name: Atom) -> Option<OpDef> {
        self.get(name, OpClass::Prefix)
    }

    /// Returns the infix definition.
    pub(crate) fn infix(&self, name: Atom) -> Option<OpDef> {
        self.get(name, OpClass::Infix)
    }

    /// Returns the postfix definition.
    pub(crate) fn postfix(&self, name: Atom) -> Option<OpDef> {
        self.get(name, OpClass::Postfix)
    }

    /// Returns whether this is the name of an infix or postfix operator, which comes after an operand.
    pub(crate) fn continues(&self, symbols: &Symbols, name: &str) -> bool {
        symbols
            .find(name)
            .is_some_and(|name| self.infix(name).is_some() || self.postfix(name).is_some())
    }

    /// Returns whether `name` is an operator of any class.
    pub(crate) fn is_op(&self, name: Atom) -> bool {
        self.prefix(name).is_some() || self.infix(name).is_some() || self.postfix(name).is_some()
    }

    /// Returns every definition, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Atom, OpDef)> + '_ {
        self.iter_from(0).map(|(_, name, def)| (name, def))
    }

    /// Returns every definition that a program has changed, in order. Priority 0 means that the definition was
    /// removed.
    pub(crate) fn changes(&self) -> impl Iterator<Item = (Atom, OpDef)> + '_ {
        let changed = self.defs.iter().filter(|(_, entry)| !entry.system);
        changed.map(|(&(name, _), entry)| (name, entry.def))
    }

    /// Returns every definition of this number or a greater one, with its number, in order.
    pub(crate) fn iter_from(&self, number: u64) -> impl Iterator<Item = (u64, Atom, OpDef)> + '_ {
        let defs = self.defs.as_slice();
        let start = defs.partition_point(|_, entry| entry.number < number);
        let defs = defs.get_range(start..).unwrap_or_default().iter();
        defs.filter(|(_, entry)| entry.def.priority != 0)
            .map(|(&(name, _), entry)| (entry.number, name, entry.def))
    }
}

/// ISO 6.3.4.4 table 7 and Cor.2, then operators that programs for other systems expect.
const DEFAULTS: &[(u16, OpType, &str)] = &[
    (1200, OpType::Xfx, ":- -->"),
    (1200, OpType::Fx, ":- ?-"),
    (1100, OpType::Xfy, ";"),
    (1050, OpType::Xfy, "-> *->"),
    (1000, OpType::Xfy, ","),
    (900, OpType::Fy, "\\+"),
    (
        700,
        OpType::Xfx,
        "= \\= == \\== @< @> @=< @>= =.. is =:= =\\= < > =< >= =@= \\=@= as >:< :<",
    ),
    (600, OpType::Xfy, ":"),
    (500, OpType::Yfx, "+ - /\\ \\/"),
    (400, OpType::Yfx, "* / // rem mod div << >> rdiv divmod"),
    (200, OpType::Xfx, "**"),
    (200, OpType::Xfy, "^"),
    (200, OpType::Fy, "- + \\"),
    (
        1150,
        OpType::Fx,
        "dynamic discontiguous initialization meta_predicate multifile",
    ),
    (1150, OpType::Fx, "module_transparent public table"),
    (1, OpType::Fx, "$"),
];

/// Operators that depend on the flag `iso`: the priority without it and with it; 0 for no operator.
const ISO_DIFFERENCES: &[(OpType, &str, u16, u16)] = &[
    (OpType::Xfx, "=>", 1200, 0),
    (OpType::Xfy, "|", 1105, 1100),
    (OpType::Xfx, ":=", 800, 0),
    (OpType::Yfx, "xor", 400, 500),
    (OpType::Fx, "volatile", 1150, 0),
    (OpType::Fx, "thread_local", 1150, 0),
    (OpType::Fx, "thread_initialization", 1150, 0),
    (OpType::Fx, "count_memo", 1150, 0),
];

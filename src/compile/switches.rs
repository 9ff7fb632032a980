//! The code of a node that switches on a part: by its tag, then by constant or functor.

use super::index::{Builder, key_tag, knowing, known_tag};
use super::selector::{EIGENVARIABLE, Match, Pattern, passes};
use crate::base::growth::{Gather, Grow, with_room, zeros};
use crate::base::stop::Stop;
use crate::code::instruction::{Op, encode, hash_key};
use crate::ir::key::{BOXED_TABLE, Key};
use crate::ir::selection::{Knowledge, Known, Path};
use crate::store::cell::tag;

/// A clause, and its pattern at the part that is switched on.
type Patterned = (u32, Pattern);

/// Places in a set of clauses, in chains by their keys. Making them may take a large part of the time to load facts.
struct Groups {
    /// Each key with its first and its last place, in the order of the first places.
    groups: Vec<(Key, u32, u32)>,
    /// The next place of the same key; the last place refers to itself.
    next: Vec<u32>,
    /// Places of clauses that any key fits.
    any: Vec<u32>,
}

impl Groups {
    fn new(set: &[Patterned]) -> Result<Groups, Stop> {
        // Unused room takes no memory.
        let mut found = Groups {
            groups: with_room(set.len())?,
            next: with_room(set.len())?,
            any: Vec::new(),
        };
        // A hash table of numbers of groups, from 1 on.
        let mask = (set.len() as u64 * 2).next_power_of_two() - 1;
        let mut slots = zeros(mask as usize / 2 + 1)?;
        let half = |slots: &[u64], slot: u64| (slots[slot as usize / 2] >> (slot % 2 * 32)) as u32;
        for (place, &(_, pattern)) in set.iter().enumerate() {
            let place = place as u32;
            found.next.put(place)?;
            let Pattern::Key(key) = pattern else {
                found.any.put(place)?;
                continue;
            };
            let mut slot = hash_key(key.word(), mask);
            loop {
                let number = half(&slots, slot) as usize;
                if number == 0 {
                    found.groups.put((key, place, place))?;
                    slots[slot as usize / 2] |= (found.groups.len() as u64) << (slot % 2 * 32);
                    break;
                }
                let group = &mut found.groups[number - 1];
                if group.0 == key {
                    found.next[group.2 as usize] = place;
                    group.2 = place;
                    break;
                }
                slot = (slot + 1) & mask;
            }
        }
        Ok(found)
    }

    /// Returns the clauses of a group and those that any key fits, in order.
    fn clauses(
        &self,
        set: &[Patterned],
        (_, first, last): (Key, u32, u32),
    ) -> Result<Vec<u32>, Stop> {
        let mut any = self.any.iter().copied().peekable();
        let mut clauses = Vec::new();
        let mut place = first;
        loop {
            while let Some(before) = any.next_if(|&other| other < place) {
                clauses.put(set[before as usize].0)?;
            }
            clauses.put(set[place as usize].0)?;
            if place == last {
                break;
            }
            place = self.next[place as usize];
        }
        clauses.put_all(any.map(|place| set[place as usize].0))?;
        Ok(clauses)
    }

    /// Returns the clauses that any key fits.
    fn others(&self, set: &[Patterned]) -> Result<Vec<u32>, Stop> {
        self.any.iter().map(|&place| set[place as usize].0).gather()
    }
}

impl Builder<'_> {
    /// Returns whether a clause with this pattern at the part may match if the part has this tag or is an
    /// eigenvariable.
    fn fits(&self, (clause, pattern): Patterned, known: Known, knowledge: &Knowledge) -> bool {
        let selector = &self.clauses[clause as usize];
        let free = matches!(known, Known::Tag(tag::REF | tag::ATT));
        match pattern {
            Pattern::Below => true,
            Pattern::Key(key) if known == EIGENVARIABLE => key == Key::EIGENVARIABLE,
            Pattern::Key(key) => free || Some(key_tag(key)) == known_tag(known),
            Pattern::Var(var) => {
                let mut types = selector.types(var);
                let fails = types.any(|test| passes(test, known) == Some(false));
                !fails || (free && self.head(clause, knowledge) != Match::Reads)
            }
        }
    }

    pub(super) fn switch(
        &mut self,
        set: &[u32],
        mut knowledge: Knowledge,
        path: Path,
    ) -> Result<(), Stop> {
        let register = self.register(&mut knowledge, path)?;
        let patterned = |&clause: &u32| (clause, self.clauses[clause as usize].pattern(path));
        let set: Vec<Patterned> = set.iter().map(patterned).gather()?;
        let mut by_tag = by_tag(&set)?;
        if let Some((key, others)) = self.only_key(&set, &knowledge) {
            return self.branch_on(&set, knowledge, (path, key), others);
        }
        let at = self.words.len();
        self.words.put(encode(Op::SwitchOnTerm, register, 0, 0))?;
        self.words.put_all([self.target.fail.bits(); 8])?;
        for with in [
            tag::REF,
            tag::ATT,
            tag::LST,
            tag::BOX,
            tag::CON,
            tag::INT,
            tag::STR,
        ] {
            let known = match with {
                tag::LST => Known::Exact(Key::LIST),
                _ => Known::Tag(with),
            };
            let knowledge = knowing(&knowledge, path, known);
            let word = at + 1 + with as usize;
            if by_tag.is_some() && matches!(with, tag::REF | tag::ATT) {
                self.leads(word, clauses_of(&set)?, knowledge)?;
                continue;
            }
            let mut fitting =
                |known: Known, knowledge: &Knowledge| -> Result<Vec<Patterned>, Stop> {
                    if let Some(by_tag) = &mut by_tag {
                        return Ok(std::mem::take(&mut by_tag[with as usize]));
                    }
                    let fits = |&clause: &Patterned| self.fits(clause, known, knowledge);
                    set.iter().copied().filter(fits).gather()
                };
            let constants = if with == tag::STR && self.separates_eigenvariables(&set) {
                let knowledge = knowing(&knowledge, path, EIGENVARIABLE);
                Some(clauses_of(&fitting(EIGENVARIABLE, &knowledge)?)?)
            } else {
                None
            };
            let fitting = fitting(known, &knowledge)?;
            match with {
                tag::CON | tag::INT => {
                    let op = Op::SwitchOnConstant;
                    self.table(word, (&fitting, None), knowledge, path, op)?;
                }
                tag::BOX => {
                    let op = Op::SwitchOnStructure;
                    self.table(word, (&fitting, None), knowledge, path, op)?;
                }
                tag::STR => {
                    let op = Op::SwitchOnStructure;
                    self.table(word, (&fitting, constants), knowledge, path, op)?;
                }
                _ => self.leads(word, clauses_of(&fitting)?, knowledge)?,
            }
        }
        Ok(())
    }

    /// Returns the only value that some of these clauses need, if all other values have the same one clause or none.
    /// Variables do not count as values here.
    fn only_key(&self, set: &[Patterned], knowledge: &Knowledge) -> Option<(Key, Option<u32>)> {
        let keys = set.iter().filter_map(|&(_, pattern)| match pattern {
            Pattern::Key(key) => Some(key),
            _ => None,
        });
        let key = keys.clone().next()?;
        // Only unification distinguishes boxed values.
        let plain = key != Key::EIGENVARIABLE && key_tag(key) != tag::BOX;
        let plain = plain && !self.separates_eigenvariables(set);
        if !plain || keys.clone().any(|other| other != key) {
            return None;
        }
        let others = |with: u64| {
            let open = |&&(clause, pattern): &&Patterned| {
                !matches!(pattern, Pattern::Key(_))
                    && self.fits((clause, pattern), Known::Tag(with), knowledge)
            };
            let mut clauses = set.iter().filter(open).map(|&(clause, _)| clause);
            match (clauses.next(), clauses.next()) {
                (first, None) => Some(first),
                _ => None,
            }
        };
        let first = others(tag::LST)?;
        let mut tags = [tag::BOX, tag::CON, tag::INT, tag::STR].into_iter();
        tags.all(|with| others(with) == Some(first))
            .then_some((key, first))
    }

    /// Emits a branch on three cases: the part is this value, a variable, or anything else.
    fn branch_on(
        &mut self,
        set: &[Patterned],
        mut knowledge: Knowledge,
        (path, key): (Path, Key),
        others: Option<u32>,
    ) -> Result<(), Stop> {
        let register = self.register(&mut knowledge, path)?;
        let op = if key == Key::LIST {
            Op::BranchOnList
        } else if key.is_structure() {
            Op::BranchOnStructure
        } else {
            Op::BranchOnConstant
        };
        self.words.put(encode(op, register, 0, 0))?;
        if key != Key::LIST {
            self.words.put(key.word())?;
        }
        let at = self.words.len();
        self.words.put_all([self.target.fail.bits(); 4])?;
        let known = Known::Exact(key);
        let fits = |&clause: &Patterned| self.fits(clause, known, &knowledge);
        let asking: Vec<Patterned> = set.iter().copied().filter(fits).gather()?;
        self.leads(at, clauses_of(&asking)?, knowing(&knowledge, path, known))?;
        for (word, with) in [(at + 1, tag::REF), (at + 2, tag::ATT)] {
            let known = Known::Tag(with);
            let fits = |&clause: &Patterned| self.fits(clause, known, &knowledge);
            let fitting: Vec<Patterned> = set.iter().copied().filter(fits).gather()?;
            self.leads(
                word,
                clauses_of(&fitting)?,
                knowing(&knowledge, path, known),
            )?;
        }
        if let Some(clause) = others {
            self.words[at + 3] = self.entries[clause as usize].address.bits();
        }
        Ok(())
    }

    /// Returns whether one of these clauses distinguishes an eigenvariable from structures.
    fn separates_eigenvariables(&self, set: &[Patterned]) -> bool {
        set.iter().any(|&(clause, pattern)| match pattern {
            Pattern::Var(var) => self.clauses[clause as usize].separates_eigenvariables(var),
            _ => false,
        })
    }

    /// Sets the word `word` to a hash table over the constants or functors of an argument. `constants` are the
    /// clauses for eigenvariables, if these are a case of their own.
    fn table(
        &mut self,
        word: usize,
        (set, constants): (&[Patterned], Option<Vec<u32>>),
        knowledge: Knowledge,
        path: Path,
        op: Op,
    ) -> Result<(), Stop> {
        let mut found = Groups::new(set)?;
        // At most one clause for any value: the head of the clause decides.
        let among = |clause: &u32| set.iter().any(|(other, _)| other == clause);
        let constants = constants.filter(|some| set.len() > 1 || !some.iter().all(among));
        if constants.is_some() {
            found.groups.retain(|&(key, ..)| key != Key::EIGENVARIABLE);
        } else if found.groups.is_empty() || (found.any.is_empty() && set.len() == 1) {
            return self.leads(word, clauses_of(set)?, knowledge);
        }
        let register = knowledge.column(path).map_or(0, |column| column.register);
        let at = self.words.len();
        self.words[word] = at as u64;
        self.relocations.put(word)?;
        let count = found.groups.len() + usize::from(constants.is_some());
        let boxed = knowledge
            .column(path)
            .and_then(|column| known_tag(column.known))
            == Some(tag::BOX);
        // Boxed values with equal keys may differ.
        let known = |key: Key| match boxed {
            true => knowledge.clone(),
            false => knowing(&knowledge, path, Known::Exact(key)),
        };
        if count == 1 && !boxed {
            let (key, clauses) = match (constants, found.groups.first()) {
                (None, Some(&group)) => (group.0, found.clauses(set, group)?),
                (constants, _) => (Key::EIGENVARIABLE, constants.unwrap_or_default()),
            };
            let op = match op {
                Op::SwitchOnConstant => Op::SwitchOnOneConstant,
                _ => Op::SwitchOnOneStructure,
            };
            self.words.put(encode(op, register, 0, 0))?;
            self.words.put_all([key.word(), 0, 0])?;
            self.leads(at + 2, clauses, known(key))?;
            self.leads(at + 3, found.others(set)?, knowledge)?;
            return Ok(());
        }
        let size = (count * 2).next_power_of_two();
        let mask = size as u64 - 1;
        self.words.put(encode(op, register, 0, 0))?;
        self.words
            .put(if boxed { mask | BOXED_TABLE } else { mask })?;
        self.words.put(0)?;
        self.words.put_all(std::iter::repeat_n(0, size * 2))?;
        for &group in &found.groups {
            let (key, first, last) = group;
            let place = self.place_in_table(at, mask, key);
            if first == last && found.any.is_empty() {
                // The usual case: no decision is left.
                let clause = set[first as usize].0;
                self.words[place] = self.entries[clause as usize].address.bits();
            } else {
                self.leads(place, found.clauses(set, group)?, known(key))?;
            }
        }
        if let Some(clauses) = constants {
            let place = self.place_in_table(at, mask, Key::EIGENVARIABLE);
            self.leads(place, clauses, known(Key::EIGENVARIABLE))?;
        }
        self.leads(at + 2, found.others(set)?, knowledge)?;
        Ok(())
    }

    /// Puts a key into the hash table at `at`. Returns the place of its target.
    fn place_in_table(&mut self, at: usize, mask: u64, key: Key) -> usize {
        let word = key.word();
        let mut slot = hash_key(word, mask);
        while self.words[at + 3 + 2 * slot as usize] != 0 {
            slot = (slot + 1) & mask;
        }
        let place = at + 3 + 2 * slot as usize;
        self.words[place] = word;
        place + 1
    }
}

/// Returns the clauses by the tags of their patterns, if no pattern is a variable.
fn by_tag(set: &[Patterned]) -> Result<Option<[Vec<Patterned>; 8]>, Stop> {
    let mut counts = [0; 8];
    for &(_, pattern) in set {
        let Pattern::Key(key) = pattern else {
            return Ok(None);
        };
        counts[key_tag(key) as usize] += 1;
    }
    let mut by_tag: [Vec<Patterned>; 8] = Default::default();
    for (some, count) in by_tag.iter_mut().zip(counts) {
        *some = with_room(count)?;
    }
    for &(clause, pattern) in set {
        if let Pattern::Key(key) = pattern {
            by_tag[key_tag(key) as usize].put((clause, pattern))?;
        }
    }
    Ok(Some(by_tag))
}

fn clauses_of(set: &[Patterned]) -> Result<Vec<u32>, Stop> {
    set.iter().map(|&(clause, _)| clause).gather()
}

//! Gives away a part of a search: the branches of its oldest choice point that no machine has taken. No goal under
//! way may cut these branches.
#![forbid(unsafe_code)]

use super::path::{ALL, Step, number_of};
use crate::base::atom_table::FastSet;
use crate::base::growth::{Gather, GrowSet};
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::code::frame_map::{BARRIER, LEVEL_SLOTS, level_slots};
use crate::code::instruction::NO_OWN_FRAME;
use crate::machine::frames::layout::{ChoiceKind, cp, env};
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::store::address::{ChoiceAddr, CodeAddr, EnvAddr};
use crate::store::cell::{Cell, WORD};
use crate::store::raw;
use std::ops::Range;

/// The choice points that the goals under way may cut.
pub(super) struct Bounds {
    /// The goals may cut choice points that are newer than this one.
    level: ChoiceAddr,
    /// The goals may cut choice points that protect environments at this address or later.
    env: EnvAddr,
    /// The environments that were looked at.
    seen: FastSet<u64>,
    /// The first environment of the search.
    first: EnvAddr,
    /// The code that runs bodies as terms. Its environments do not show what they may cut.
    bodies: [Range<CodeAddr>; 2],
    /// Maximum number of environments to look at. If there are more, any choice point may be cut.
    most: usize,
}

impl Bounds {
    /// Returns whether no goal may cut this choice point.
    pub(super) fn allow(&self, b: ChoiceAddr) -> bool {
        b <= self.level && b.get(cp::ENV_TOP) <= self.env
    }

    /// Adds the goals of these environments.
    fn look(&mut self, m: &Machine, mut e: EnvAddr, mut cont: CodeAddr) -> Result<(), Stop> {
        while e >= self.first && !self.seen.contains(&e.bits()) {
            if self.seen.len() >= self.most {
                self.level = ChoiceAddr::NONE;
                break;
            }
            self.seen.put_new(e.bits())?;
            let site = raw::word(cont - WORD);
            let mut own = NO_OWN_FRAME;
            if stubs::resumes(cont) {
                own = raw::word(e.slot(3));
            } else if self.bodies.iter().any(|code| code.contains(&cont)) {
                self.env = self.env.min(e);
            } else {
                self.look_at(m, e, site);
            }
            (cont, e) = (e.get(env::CP), e.get(env::CE));
            if own != NO_OWN_FRAME && e >= self.first {
                self.look_at(m, e, own);
                (cont, e) = (e.get(env::CP), e.get(env::CE));
            }
        }
        Ok(())
    }

    /// Adds a goal; the frame map `site` describes its environment.
    fn look_at(&mut self, m: &Machine, e: EnvAddr, site: u64) {
        let mut levels = level_slots(site);
        if site & BARRIER != 0 && (site & 0xffff) as usize > LEVEL_SLOTS {
            self.env = self.env.min(e);
        }
        while levels != 0 {
            let slot = u64::from(levels.trailing_zeros());
            let level = m.cell_choice(raw::cell(e.slot(slot)));
            self.level = self.level.min(level);
            levels &= levels - 1;
        }
    }
}

impl Machine {
    /// Takes away a part of the search and returns its path. The part directly follows the rest. Returns `None` if no
    /// part is known to be independent. The environment is `e`; the other registers are up to date.
    ///
    /// # Errors
    /// Returns an error if memory runs out: no part was taken.
    pub(crate) fn split_branches(&mut self, e: EnvAddr) -> Result<Option<Vec<Step>>, Stop> {
        let newest = self.choice;
        let Some(branches) = &mut self.run.branches else {
            return Ok(None);
        };
        branches.drop_newer(newest);
        let after = branches.open.get(branches.first_open..).unwrap_or_default();
        let found = after
            .iter()
            .position(|&place| branches.taken[place].has_more());
        let Some(found) = found else {
            branches.first_open = branches.open.len();
            branches.want_more();
            return Ok(None);
        };
        branches.first_open += found;
        let place = branches.open[branches.first_open];
        let taken = branches.taken[place];
        let base = branches.base;
        if !self.is_independent(taken.choice, base, e)? {
            return Ok(None);
        }
        let from = self.middle(taken.choice, taken.step);
        self.measure(e);
        let Some(branches) = &mut self.run.branches else {
            return Ok(None);
        };
        if branches.given.is_some() {
            let path = branches.decisions_to(place)?;
            if path.is_some() {
                branches.taken[place].step.end = from;
                self.note_given(taken.choice, from - taken.step.branch - 1);
            }
            return Ok(path);
        }
        let mut since = branches.began;
        let steps = branches.taken[..=place].iter().map(|taken| {
            let before = std::mem::replace(&mut since, taken.since);
            Step {
                number: number_of(taken.number, taken.made.wrapping_sub(before)),
                end: taken.step.branch + 1,
                ..taken.step
            }
        });
        let mut path: Vec<Step> = steps.gather()?;
        if let Some(last) = path.last_mut() {
            (last.branch, last.end) = (from, taken.step.end);
        }
        branches.taken[place].step.end = from;
        self.note_given(taken.choice, from - taken.step.branch - 1);
        Ok(Some(path))
    }

    /// Returns whether earlier branches have led to solutions at this step of the path that was given away last.
    pub(crate) fn has_led(&self, step: usize) -> bool {
        let branches = self.run.branches.as_ref();
        let taken = branches.and_then(|branches| branches.taken.get(step));
        taken.is_none_or(|taken| taken.led)
    }

    /// Returns the first branch of a choice point to give away. If the number of remaining branches is known, half of
    /// them are given away, else all.
    fn middle(&self, b: ChoiceAddr, step: Step) -> u32 {
        let next = step.branch + 1;
        if !matches!(self.choice_kind(b), ChoiceKind::Native(_)) {
            return next;
        }
        let known = self.native_branches(b);
        let left = match (known.map(u32::try_from), step.end) {
            (Some(Ok(left)), ALL) => left,
            (Some(Ok(left)), end) => left.min(end - next),
            (None, end) if end != ALL => end - next,
            _ => return next,
        };
        next + left / 2
    }

    /// Returns the number of branches of the choice point of a builtin that no machine has taken, if known.
    pub(super) fn native_branches(&self, b: ChoiceAddr) -> Option<u64> {
        let ChoiceKind::Native(native) = self.choice_kind(b) else {
            return None;
        };
        let registers = self.choice_args(b);
        let args = (0..registers).map(|index| self.choice_arg(b, index));
        let args: Vec<Cell> = args.gather().ok()?;
        // Held cells follow the state.
        let arity = self.native_arity(b);
        let (args, state) = args.get(..arity).zip(args.get(arity))?;
        match (native.remaining)(self, args, state.int_value())? {
            Number::Int(left) => u64::try_from(left).ok(),
            _ => Some(u64::MAX),
        }
    }

    /// Returns whether the branches of this noted choice point stay in this machine.
    fn keeps_branches(&self, b: ChoiceAddr) -> bool {
        let branches = self.run.branches.iter();
        let mut taken = branches.flat_map(|branches| branches.taken.iter());
        taken.any(|taken| taken.choice == b && taken.stays)
    }

    /// Returns whether no goal under way cuts branches of this choice point, and these branches cut no older choice
    /// point.
    fn is_independent(&self, b: ChoiceAddr, base: ChoiceAddr, e: EnvAddr) -> Result<bool, Stop> {
        let mut at = b;
        while at > base {
            // Choice points of goals that are collected, caught, cleaned up after, or conditions, even if these have
            // succeeded. Also those that are not noted.
            if at.get(cp::ALT) != stubs::next_branch() || self.keeps_branches(at) {
                return Ok(false);
            }
            at = at.get(cp::PREV);
        }
        let system = &self.world.foundation.system;
        let bodies = [system.conjunction, system.soft_if_then].map(|id| {
            let clause = self.world.predicates.get(id).clauses.all().next();
            clause.map_or(CodeAddr::NONE..CodeAddr::NONE, |clause| clause.addresses())
        });
        let bounds = self.bounds(base, e, (bodies, usize::MAX))?;
        Ok(bounds.allow(b))
    }

    /// Returns the bounds of the choice points that the goals of a search under way may cut. `bodies` is the code
    /// that runs bodies as terms, and `most` is the maximum number of environments to look at.
    pub(super) fn bounds(
        &self,
        base: ChoiceAddr,
        e: EnvAddr,
        (bodies, most): ([Range<CodeAddr>; 2], usize),
    ) -> Result<Bounds, Stop> {
        let mut bounds = Bounds {
            level: ChoiceAddr::MAX,
            env: EnvAddr::MAX,
            seen: FastSet::default(),
            first: base.get(cp::ENV_TOP),
            bodies,
            most,
        };
        bounds.look(self, e, self.cont)?;
        let mut at = self.choice;
        while at > base {
            let (e, cont) = (at.get(cp::ENV), at.get(cp::CONT));
            match self.alternative_frame(self.alternative(at)) {
                Some(own) if own != NO_OWN_FRAME => {
                    bounds.look_at(self, e, own);
                    if e >= bounds.first {
                        bounds.look(self, e.get(env::CE), e.get(env::CP))?;
                    }
                }
                _ => bounds.look(self, e, cont)?,
            }
            at = at.get(cp::PREV);
        }
        Ok(bounds)
    }
}

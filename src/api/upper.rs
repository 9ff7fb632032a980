//! The layers above the machine as it sees them.

use crate::base::room::Gather;
use crate::base::stop::Stop;
use crate::base::symbol::{Atom, Functor};
use crate::machine::contexts::assumption::Assumed;
use crate::machine::control::throw::Throw;
use crate::machine::events::recorder;
use crate::machine::events::trace::Trace;
use crate::machine::events::tracer::{self, InClause};
use crate::machine::state::Machine;
use crate::machine::upper::{Held, Upper};
use crate::program::predicate::PredId;
use crate::store::address::CodeAddr;
use crate::store::cell::Cell;
use crate::{builtins, diagnose, library, load, lolli, tools};

/// All layers of this program.
pub(super) struct All;

impl Upper<Machine> for All {
    fn link(&self, m: &mut Machine, id: PredId, node: Option<usize>) -> Result<CodeAddr, Stop> {
        builtins::database::clause_index::link(m, id, node)
    }

    fn assume_declared(&self, m: &mut Machine) -> Result<(), Throw> {
        builtins::linear::contexts::assume_declared(m)
    }

    fn autoload(&self, m: &mut Machine, id: PredId) -> Result<bool, Throw> {
        library::prelude::autoload(m, id)
    }

    fn compile_clause(&self, m: &mut Machine, id: PredId, position: i64) -> Result<(), Throw> {
        builtins::database::stored::compile_asserted(m, id, position)
    }

    fn load_module(&self, m: &mut Machine, module: Atom) -> Result<(), Throw> {
        library::prelude::load_module(m, module)
    }

    fn declares(&self, m: &mut Machine, id: PredId) -> Result<(), Stop> {
        load::reload::note_declared(m, id)
    }

    fn formula(&self, m: &mut Machine, id: PredId, assumed: Assumed) -> Result<Cell, Stop> {
        builtins::linear::explain::formula(m, id, assumed)
    }

    fn heed_occurs_check(&self, m: &mut Machine) -> Result<(), Throw> {
        library::prelude::heed_occurs_check(m)
    }

    fn trace_context(
        &self,
        m: &mut Machine,
        event: recorder::Event,
        terms: &[Cell],
    ) -> Result<(), Stop> {
        builtins::linear::explain::trace_context(m, event, terms)
    }

    fn draw(
        &self,
        m: &mut Machine,
        event: recorder::Event,
        terms: &[Cell],
        at: Option<(u32, u32)>,
    ) -> Result<(), Stop> {
        builtins::linear::search_tree::draw(m, event, terms, at)
    }

    fn trace_port(&self, m: &mut Machine, event: &tracer::Event) -> Result<tracer::Command, Stop> {
        tools::tracing::trace_port(m, event)
    }

    fn undefined(&self, m: &mut Machine, functor: Functor, trace: &Trace) -> Result<(), Stop> {
        lolli::session::tell_undefined(m, functor, trace)
    }

    fn user_clause(&self, m: &Machine, at: CodeAddr) -> Option<InClause> {
        diagnose::origin::user_clause(m, at).ok().flatten()
    }

    fn held(&self, m: &mut Machine, held: &mut Held) -> Result<(), Stop> {
        load::held::held(m, held)
    }

    fn forgotten(&self, m: &mut Machine, gone: &[PredId]) {
        load::held::forgotten(m, gone);
    }

    fn abbreviated(&self, m: &Machine, args: &[Cell]) -> Box<[String]> {
        // What there is no room for is left out.
        diagnose::messages::abbreviated(m, args)
            .or_else(|Stop| Ok(args.iter().map(|_| "...".to_owned()).gather()?.into()))
            .unwrap_or_else(|Stop| Box::default())
    }

    fn lolli_text(&self, m: &Machine, term: Cell) -> String {
        builtins::linear::lolli_text::lolli_text(m, term)
    }
}

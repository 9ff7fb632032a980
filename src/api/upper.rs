//! The layers above the machine, as the machine sees them.

use crate::base::atom_table::{Atom, Functor};
use crate::base::growth::Gather;
use crate::base::stop::Stop;
use crate::machine::contexts::assumption::Assumed;
use crate::machine::control::throw::Throw;
use crate::machine::events::recorder;
use crate::machine::events::trace::Trace;
use crate::machine::events::tracer::{self, InClause};
use crate::machine::search::memo::NotRemembered;
use crate::machine::state::Machine;
use crate::machine::upper_layers::{Held, Upper};
use crate::program::predicate::PredId;
use crate::store::address::CodeAddr;
use crate::store::cell::Cell;
use crate::{builtins, diagnose, library, load, lolli, tools};

/// All layers of this program.
pub(super) struct All;

/// Defines methods that call functions of the layers:
/// `name(machine, arguments) -> result = function;`.
macro_rules! done_by {
    ($($name:ident($m:ty $(, $arg:ident: $of:ty)*) -> $result:ty = $function:path;)*) => {
        $(fn $name(&self, m: $m $(, $arg: $of)*) -> $result {
            $function(m $(, $arg)*)
        })*
    };
}

impl Upper<Machine> for All {
    done_by! {
        link(&mut Machine, id: PredId, node: Option<usize>) -> Result<CodeAddr, Stop> = builtins::database::clause_index::link;
        assume_declared(&mut Machine) -> Result<(), Throw> = builtins::linear::contexts::assume_declared;
        autoload(&mut Machine, id: PredId) -> Result<bool, Throw> = library::prelude::autoload;
        compile_clause(&mut Machine, id: PredId, position: i64) -> Result<(), Throw> = builtins::database::stored::compile_asserted;
        load_module(&mut Machine, module: Atom) -> Result<(), Throw> = library::prelude::load_module;
        declares(&mut Machine, id: PredId) -> Result<(), Stop> = load::reload::note_declared;
        formula(&mut Machine, id: PredId, assumed: Assumed) -> Result<Cell, Stop> = builtins::linear::explain::formula;
        respect_occurs_check(&mut Machine) -> Result<(), Throw> = library::prelude::obey_occurs_check;
        trace_context(&mut Machine, event: recorder::Event, terms: &[Cell]) -> Result<(), Stop> = builtins::linear::explain::trace_context;
        draw(&mut Machine, event: recorder::Event, terms: &[Cell], at: Option<(u32, u32)>) -> Result<(), Stop> = builtins::linear::search_tree::draw;
        trace_port(&mut Machine, event: &tracer::Event) -> Result<tracer::Command, Stop> = tools::tracing::trace_port;
        undefined(&mut Machine, functor: Functor, trace: &Trace) -> Result<(), Stop> = lolli::session::warn_undefined;
        not_remembered(&mut Machine, id: PredId, why: NotRemembered, caller: CodeAddr) -> Result<(), Stop> = diagnose::not_remembered::report_not_remembered;
        hold_symbols(&mut Machine, held: &mut Held) -> Result<(), Stop> = load::held::held;
        lolli_text(&Machine, term: Cell) -> String = builtins::linear::lolli_text::lolli_text;
    }

    fn user_clause(&self, m: &Machine, at: CodeAddr) -> Option<InClause> {
        diagnose::origin::user_clause(m, at).ok().flatten()
    }

    fn on_forgotten(&self, m: &mut Machine, gone: &[PredId]) {
        load::held::forget_predicates(m, gone);
    }

    fn abbreviated(&self, m: &Machine, args: &[Cell]) -> Box<[String]> {
        // Arguments that do not fit into memory are left out.
        diagnose::messages::abbreviated(m, args)
            .or_else(|Stop| Ok(args.iter().map(|_| "...".to_owned()).gather()?.into()))
            .unwrap_or_else(|Stop| Box::default())
    }
}

//! The check of the exports of a file that defines a module.

use crate::base::stop::Stop;
use crate::builtins::database::modules::undefined_exports;
use crate::machine::state::Machine;
use crate::source::diagnostic::Severity;
use crate::source::loading::loader;
use crate::source::report::report_at;
use crate::source::term_texts::indicator_text;

/// Reports the exports of the module of the present file that nothing defines. The file has been
/// read to its end.
pub(super) fn check_exports(m: &mut Machine) -> Result<(), Stop> {
    let Some(loading) = loader(m).stack.last() else {
        return Ok(());
    };
    let (module, Some(span)) = (loading.module, loading.heading) else {
        return Ok(());
    };
    for functor in undefined_exports(m, module)? {
        let name = indicator_text(m, functor)?;
        let module = m.world.symbols.text(module).to_owned();
        let message = format!("the exported procedure {module}:{name} is not defined");
        report_at(m, Severity::Error, span, message, None)?;
    }
    Ok(())
}

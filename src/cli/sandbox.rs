//! The option `--sandbox`: the resources outside the engine that programs may use.

use wamlet::{Capabilities, Clock, Engine, EngineBuilder, Input, Random};

/// What the text may reach outside of the engine.
#[derive(clap::Args, Clone, Debug, Default)]
pub(crate) struct Sandbox {
    /// Confine the program to GRANTS, such as read:DIR,env:NAME or pure
    #[arg(
        long,
        value_name = "GRANTS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        value_parser = grants
    )]
    sandbox: Option<Grants>,
}

/// Grants, as the user writes them.
#[derive(Clone, Debug)]
pub(crate) struct Grants {
    capabilities: Capabilities,
    /// Whether the command shows the output of the program, which may not write to the standard streams itself.
    pure: bool,
    /// Whether the program may read the standard input.
    reads: bool,
}

impl Sandbox {
    /// Sets the grants for an engine.
    pub(crate) fn set(&self, builder: EngineBuilder) -> EngineBuilder {
        match &self.sandbox {
            Some(grants) => builder.capabilities(grants.capabilities.clone()),
            None => builder.capabilities(Capabilities::full()),
        }
    }

    /// Shows the output of a program without grants.
    pub(crate) fn show_output(&self, engine: &mut Engine) {
        if self.sandbox.as_ref().is_some_and(|grants| grants.pure) {
            engine.set_output(std::io::stdout());
            engine.set_error_output(std::io::stderr());
        }
    }

    /// Lets the command read the standard input for the prompt or for a typed program, if the program itself may not.
    pub(crate) fn read_queries(&self, engine: &mut Engine) {
        if self.sandbox.as_ref().is_some_and(|grants| !grants.reads) {
            engine.set_query_input(std::io::stdin());
        }
    }
}

/// Parses grants.
fn grants(text: &str) -> Result<Grants, String> {
    let mut words = text.split(',').filter(|word| !word.is_empty()).peekable();
    let pure = words.next_if(|word| *word == "pure").is_some();
    let _ = words.next_if(|word| !pure && *word == "script");
    let mut capabilities = match pure {
        // The program and the queries both belong to the user.
        true => Capabilities::pure().host_scope(false),
        false => Capabilities::script().stdin(Input::Process),
    };
    let mut reads = !pure;
    for word in words {
        let (kind, of) = word
            .split_once(':')
            .map_or((word, None), |(kind, of)| (kind, Some(of)));
        if of == Some("") {
            return Err(format!("a name must follow `{word}`"));
        }
        capabilities = match (kind, of) {
            // A directory has the same name in the program.
            ("read", Some(folder)) => capabilities.read(folder, folder),
            ("write", Some(folder)) => capabilities.write(folder, folder),
            ("load", Some(folder)) => capabilities.load(folder, folder),
            ("env", Some(name)) => capabilities.env([name]),
            ("env", None) => capabilities.all_env(),
            ("process", Some(program)) => capabilities.processes([program]),
            ("process", None) => capabilities.all_processes(),
            ("stdin", None) => {
                reads = true;
                capabilities.stdin(Input::Process)
            }
            ("clock", None) => capabilities.clock(Clock::System),
            ("random", None) => capabilities.random(Random::System),
            _ => {
                return Err(format!(
                    "{word} is not a grant; grants are such as read:DIR or env:NAME"
                ));
            }
        };
    }
    Ok(Grants {
        capabilities,
        pure,
        reads,
    })
}

#[cfg(test)]
mod tests {
    use super::grants;

    #[test]
    fn grants_are_named() {
        for text in [
            "",
            "pure",
            "script",
            "read:a,write:b,load:.",
            "pure,env:LANG,env,process:ls,process,stdin",
        ] {
            assert!(grants(text).is_ok(), "{text}");
        }
        for text in [
            "full",
            "read",
            "pure,script",
            "read:a,pure",
            "clock:1",
            "x:y",
        ] {
            assert!(grants(text).is_err(), "{text}");
        }
        assert!(grants("pure").is_ok_and(|grants| grants.pure));
        assert!(grants("read:a").is_ok_and(|grants| !grants.pure));
    }
}

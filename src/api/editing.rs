//! Services for editors of programs or queries: tokens, brackets, ends of queries, and completions of names.

use super::engine::Engine;
use crate::base::atom_table::{Functor, Symbols, atoms};
use crate::base::flags::Lexis;
use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::builtins::system::flags::flag_names;
use crate::diagnose::similar::known_predicates;
use crate::library::prelude::library_names;
use crate::program::module::Module;
use crate::text::clause_extent::ClauseExtent;
use crate::text::lexemes::{Lexeme, lexemes};
use crate::text::write_atom::{needs_quotes, push_quoted};
use std::ops::Range;
use std::sync::Arc;

/// Maximum number of atoms of programs that completions offer. With more atoms, completions offer none of them.
const MOST_ATOMS: usize = 20_000;
/// Maximum number of names in one completion.
const MOST_NAMES: usize = 500;

/// The language of an engine at one moment: its operators, its flags and the names of its program. It does not need
/// the engine any more, so an editor can keep it while queries run.
#[derive(Clone, Debug, Default)]
pub struct Language {
    lexis: Lexis,
    /// Sorted names of predicates.
    predicates: Arc<[String]>,
    atoms: Arc<[String]>,
    flags: Arc<[String]>,
    libraries: Arc<[String]>,
    /// Modules with the names that each exports.
    exports: Arc<[(String, Vec<String>)]>,
}

/// Names that complete a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// The bytes of the text that a name replaces.
    pub range: Range<usize>,
    /// The names in order, quoted where necessary.
    pub names: Vec<String>,
}

impl Engine {
    /// Returns the present language without the names for [`Language::completions`]. The time does not depend on
    /// the size of the program.
    pub fn lexical_language(&self) -> Language {
        Language {
            lexis: self.machine.world.flags.lexis().with_module_goals(
                self.machine
                    .ops()
                    .is_ok_and(|ops| ops.is_op(atoms::MODULE_GOAL)),
            ),
            ..Language::default()
        }
    }

    /// Returns the present language with all names of the program, sorted. An editor calls this when it needs the
    /// names.
    pub fn language(&mut self) -> Language {
        let lexical = self.lexical_language();
        let machine = &mut self.machine;
        let predicates = known_predicates(machine, atoms::USER).unwrap_or_default();
        let predicates = displayed_names(&machine.world.symbols, &predicates);
        let flags = flag_names(machine).unwrap_or_default().into_iter();
        let flags = flags.map(|flag| as_written(machine.world.symbols.text(flag)));
        let known_flags = sorted(flags.gather());
        let libraries = library_names(machine).unwrap_or_default();
        let symbols = &machine.world.symbols;
        let known = sorted(Ok(program_atoms(symbols)));
        let names_of = |module: &Module| displayed_names(symbols, &module.export_order);
        let exports: Vec<(String, Vec<String>)> = machine
            .world
            .modules
            .iter()
            .map(|(name, module)| (as_written(symbols.text(name)), names_of(module)))
            .filter(|(_, names)| !names.is_empty())
            .gather()
            .unwrap_or_default();
        Language {
            predicates: predicates.into(),
            atoms: known.into(),
            flags: known_flags.into(),
            libraries: libraries.into(),
            exports: exports.into(),
            ..lexical
        }
    }
}

/// Returns the atoms of programs as names, or none if there are very many.
fn program_atoms(symbols: &Symbols) -> Vec<String> {
    let mut found = Vec::new();
    let mut from = symbols.first_own();
    while let Some((atom, next)) = symbols.next_atom(from) {
        from = next;
        let text = symbols.text(atom);
        // Longer atoms are texts, not names.
        if text.len() > 1
            && text.len() <= 40
            && !text.starts_with('$')
            && (found.put(as_written(text)).is_err() || found.len() > MOST_ATOMS)
        {
            return Vec::new();
        }
    }
    found
}

fn as_written(name: &str) -> String {
    if needs_quotes(name) {
        let mut text = String::with_capacity(name.len() + 2);
        // Names from this table are short, so the memory suffices.
        let _ = push_quoted(&mut text, name, '\'', true);
        text
    } else {
        name.to_owned()
    }
}

impl Language {
    /// Returns the offset after the full stop of the first clause or query in a text. Returns `None` if the text
    /// has no full stop yet, so that the editor must read more lines.
    pub fn clause_end(&self, text: &str) -> Option<usize> {
        ClauseExtent::typed(self.lexis).end_of(text)
    }

    /// Returns the tokens and comments of a text in order, with their ranges of bytes.
    pub fn lexemes(&self, text: &str) -> Vec<(Range<usize>, Lexeme)> {
        // If there is not enough memory, the text has no lexemes.
        let found = lexemes(text, self.lexis).unwrap_or_default();
        found
            .into_iter()
            .map(|(span, lexeme)| (span.start as usize..span.end as usize, lexeme))
            .gather()
            .unwrap_or_default()
    }

    /// Returns the offset of the bracket at the byte `at`, or right before it, and that of its partner. Both are
    /// offsets in bytes. The partner is `None` if the text has no matching bracket of the same kind.
    pub fn brackets(&self, text: &str, at: usize) -> Option<(usize, Option<usize>)> {
        let brackets: Vec<(usize, u8)> = self
            .lexemes(text)
            .into_iter()
            .filter(|(range, lexeme)| *lexeme == Lexeme::Punctuation && range.len() == 1)
            .map(|(range, _)| (range.start, text.as_bytes()[range.start]))
            .filter(|(_, byte)| b"()[]{}".contains(byte))
            .gather()
            .unwrap_or_default();
        let position = |place: usize| brackets.iter().position(|&(start, _)| start == place);
        let here = position(at).or_else(|| position(at.checked_sub(1)?))?;
        let (place, byte) = brackets[here];
        let opens = b"([{".contains(&byte);
        let mut open = Vec::new();
        let after = &brackets[here..];
        let before = &brackets[..=here];
        let mut along: Box<dyn Iterator<Item = &(usize, u8)>> = if opens {
            Box::new(after.iter())
        } else {
            Box::new(before.iter().rev())
        };
        let other = along.find_map(|&(start, byte)| {
            if b"([{".contains(&byte) == opens {
                let full = open.put(byte).is_err();
                return full.then_some((start, false));
            }
            let fits = open.pop().is_some_and(|first| partner(first) == byte);
            (open.is_empty() || !fits).then_some((start, fits))
        });
        let other = other.filter(|&(_, fits)| fits).map(|(start, _)| start);
        Some((place, other))
    }

    /// Returns the names that can complete the text at the byte `at`, at most 500. Inside `set_prolog_flag` and
    /// `current_prolog_flag` these are flags, inside `library` libraries, and after `Module:` the exports of that
    /// module. Elsewhere they are the variables of the text, predicates and atoms of programs.
    pub fn completions(&self, text: &str, at: usize) -> Completions {
        let before = text.get(..at).unwrap_or(text);
        let pieces = self.lexemes(before);
        let nothing = Completions {
            range: at..at,
            names: Vec::new(),
        };
        let Some((range, lexeme)) = pieces.last().filter(|(range, _)| range.end == before.len())
        else {
            return nothing;
        };
        let typed = &before[range.clone()];
        let piece = |index: usize| {
            pieces
                .len()
                .checked_sub(index)
                .and_then(|at| pieces.get(at))
        };
        let text_of = |index: usize, wanted: Lexeme| {
            let (range, _) = piece(index).filter(|(_, lexeme)| *lexeme == wanted)?;
            Some(&before[range.clone()])
        };
        let argument_of = text_of(2, Lexeme::Punctuation)
            .filter(|open| *open == "(")
            .and_then(|_| text_of(3, Lexeme::Functor));
        let exported = |module: &str| {
            let found = self.exports.iter().find(|(name, _)| name == module);
            found.map(|(_, names)| &names[..])
        };
        // Right after the colon, no name has been started.
        if (typed, lexeme) == (":", &Lexeme::Atom)
            && let Some((module, Lexeme::Atom)) = piece(2)
            && module.end == range.start
            && let Some(names) = exported(&before[module.clone()])
        {
            return Completions {
                range: at..at,
                names: beginning_with(names, ""),
            };
        }
        let known = match (
            argument_of,
            text_of(2, Lexeme::Atom),
            text_of(3, Lexeme::Atom),
        ) {
            (Some("set_prolog_flag" | "current_prolog_flag"), ..) => Some(&*self.flags),
            (Some("library"), ..) => Some(&*self.libraries),
            (_, Some(":"), Some(module)) => exported(module),
            _ => None,
        };
        match known.filter(|_| *lexeme == Lexeme::Atom) {
            Some(known) => Completions {
                range: range.clone(),
                names: beginning_with(known, typed),
            },
            None => self.plain_completions(text, typed, range, *lexeme),
        }
    }

    fn plain_completions(
        &self,
        text: &str,
        typed: &str,
        range: &Range<usize>,
        lexeme: Lexeme,
    ) -> Completions {
        let names = match lexeme {
            Lexeme::Variable => sorted(
                self.lexemes(text)
                    .into_iter()
                    .filter(|(place, lexeme)| *lexeme == Lexeme::Variable && place != range)
                    .map(|(place, _)| text[place].to_owned())
                    .filter(|name| name.starts_with(typed) && name != typed)
                    .gather(),
            ),
            Lexeme::Atom | Lexeme::Functor | Lexeme::Wrong => {
                let mut names = beginning_with(&self.predicates, typed);
                let _ = names.put_all(beginning_with(&self.atoms, typed));
                let mut names = sorted(Ok(names));
                names.truncate(MOST_NAMES);
                names
            }
            _ => Vec::new(),
        };
        Completions {
            range: range.clone(),
            names,
        }
    }
}

/// Sorts names and removes duplicates. Returns no names if there was not enough memory for them.
fn sorted(names: Result<Vec<String>, Stop>) -> Vec<String> {
    let mut names = names.unwrap_or_default();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the names of predicates as Prolog writes them, without internal ones of the system.
fn displayed_names(symbols: &Symbols, functors: &[Functor]) -> Vec<String> {
    let names = functors.iter().map(|&functor| symbols.name_text(functor));
    let shown = names.filter(|name| !name.starts_with('$'));
    sorted(shown.map(as_written).gather())
}

/// Returns the names in a sorted table that start with `beginning`.
fn beginning_with(names: &[String], beginning: &str) -> Vec<String> {
    let from = names.partition_point(|name| name.as_str() < beginning);
    names[from..]
        .iter()
        .take_while(|name| name.starts_with(beginning))
        .take(MOST_NAMES)
        .cloned()
        .gather()
        .unwrap_or_default()
}

fn partner(bracket: u8) -> u8 {
    match bracket {
        b'(' => b')',
        b')' => b'(',
        b'[' => b']',
        b']' => b'[',
        b'{' => b'}',
        _ => b'{',
    }
}

#[cfg(test)]
mod tests {
    use super::Engine;

    #[test]
    fn matching_brackets() {
        let language = Engine::new().unwrap().language();
        let text = "p([X|{a}], ')')";
        assert_eq!(language.brackets(text, 1), Some((1, Some(14))));
        assert_eq!(language.brackets(text, 15), Some((14, Some(1))));
        assert_eq!(language.brackets(text, 9), Some((8, Some(2))));
        assert_eq!(language.brackets(text, 4), None);
        assert_eq!(language.brackets("(a]", 0), Some((0, None)));
        assert_eq!(language.brackets("(a", 0), Some((0, None)));
    }

    #[test]
    fn completions() {
        let mut engine = Engine::new().unwrap();
        engine.consult_text("t", "my_pred(my_value).").unwrap();
        let language = engine.language();
        let names = |text: &str| language.completions(text, text.len()).names;
        assert_eq!(names("X = 1, my_"), ["my_pred", "my_value"]);
        assert_eq!(names("atom_len"), ["atom_length"]);
        assert_eq!(names("foldl(Xs, Result), R"), ["Result"]);
        assert_eq!(names("set_prolog_flag(double_q"), ["double_quotes"]);
        assert_eq!(names("use_module(library(asso"), ["assoc"]);
        assert_eq!(
            names("use_module(library(dcg"),
            ["dcg/basics", "dcg/high_order"]
        );
        assert_eq!(names("X = a, lists:appe"), ["append"]);
        assert!(names("X = a, lists:").contains(&"append".to_owned()));
        assert_eq!(names("X = nosuch:"), names("X = a, nosuch :"));
        assert!(names("permut").contains(&"permutation".to_owned()));
        assert_eq!(names("X = \"ab"), [] as [&str; 0]);
        assert_eq!(names(""), [] as [&str; 0]);
    }
}

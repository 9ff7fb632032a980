//! Files of tests: the places of their queries and answers, and the programs of the queries.
//! Long because files of queries, programs and documents are read in the same way.

use super::answers::{self, Answers};
use super::blocks::{Piece, blocks};
use crate::api::leave;
use crate::base::atom_table::Symbols;
use crate::base::growth::{Gather, Grow, GrowText, joined_by};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::io::os_names::text_of_os;
use crate::source::encoding_directive::read_program_file;
use crate::source::program_names::is_lolli;
use crate::text::ast::Ast;
use crate::text::lolli::reader::ModuleReader;
use crate::text::query_tests::{
    Part, Parts, QueryText, Syntax, blank_out, is_answer, tests_of_program,
};
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The directive that makes a session of the tests of a file.
const SESSION: &str = "session";
/// The directive that limits the inferences of each test of a file.
const MAX_STEPS: &str = "max_steps";
/// The text that begins a module of Lolli with a name.
const MODULE: &str = "MODULE ";

/// The language of queries and answers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// Prolog.
    Prolog,
    /// Lolli.
    Lolli,
}

impl Language {
    pub(super) fn syntax(self) -> Syntax {
        match self {
            Language::Prolog => Syntax::Prolog,
            Language::Lolli => Syntax::Lolli,
        }
    }

    /// Returns the answer for a query without a solution.
    pub(super) fn failure(self) -> &'static str {
        match self {
            Language::Prolog => "false",
            Language::Lolli => "no",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Language::Prolog => "Prolog",
            Language::Lolli => "Lolli",
        })
    }
}

/// A part of the program that is loaded before a test.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Program {
    /// A file of Prolog.
    File(PathBuf),
    /// A text of Prolog, under a name that stands for its file.
    Text {
        /// The name.
        name: String,
        /// The text.
        text: Arc<str>,
    },
    /// The image of a program, under a name that stands for its file.
    Image {
        /// The name.
        name: String,
        /// The bytes.
        image: Arc<[u8]>,
    },
    /// The file of a Lolli module, in whose context queries run.
    Module(PathBuf),
    /// The text of a Lolli module, in whose context queries run, under a name that stands for its file.
    ModuleText {
        /// The name.
        name: String,
        /// The text.
        text: Arc<str>,
    },
}

impl Program {
    /// Converts the text into a module of Lolli. The module is called `document` if the text does not name it.
    fn into_module(self) -> Program {
        match self {
            Program::Text { name, text } if text.trim_start().starts_with(MODULE) => {
                Program::ModuleText { name, text }
            }
            // The name takes the place of a fence: no text moves to another line or column.
            Program::Text { name, text } => Program::ModuleText {
                name,
                text: format!("{MODULE}document.{text}").into(),
            },
            other => other,
        }
    }
}

/// A query with its expected answers.
#[derive(Clone, Debug)]
pub struct Test {
    /// The line of the query, from 1.
    pub line: usize,
    /// The label before the query.
    pub label: Option<String>,
    /// The goal, without `?-` and full stop.
    pub query: String,
    /// The language of the query and its answers.
    pub language: Language,
    /// The beginnings of the lines of `query`: in `query`, and in the file.
    pub(super) lines: Vec<(usize, usize)>,
    /// The place of the query in the file, with label and full stop.
    pub(super) whole: Range<usize>,
    /// The place of the answer in the file.
    pub(super) answer: Option<Range<usize>>,
    pub(super) answers: Answers,
}

impl Test {
    /// Returns whether the test has no answer yet.
    pub fn is_new(&self) -> bool {
        matches!(self.answers, Answers::Absent)
    }

    /// Returns the place in the file of a byte of the query.
    pub(super) fn place_of(&self, at: usize) -> usize {
        let line = self.lines.iter().rev().find(|&&(start, _)| start <= at);
        line.map_or(at, |&(start, place)| place + (at - start))
    }
}

/// A text in a file of tests that is neither a test nor part of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// The error.
    pub message: String,
    /// The place, in bytes of the file.
    pub(super) place: Range<usize>,
}

/// Tests that run one after the other on one engine.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The range of the tests, among those of the file.
    pub(super) tests: Range<usize>,
    /// The number of the setup that is loaded before.
    pub(super) setup: usize,
}

/// The programs and settings before tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Setup {
    pub(super) programs: Vec<Program>,
    /// The file whose module the queries run in.
    pub(super) within: Option<PathBuf>,
    /// The limit of inferences of each test, if the file sets it.
    pub(super) steps: Option<u64>,
    /// The head of the module of Lolli, if it has parameters. Then queries name the module with its arguments.
    pub(super) head: Option<String>,
}

impl Setup {
    /// Returns whether this is the file name of a module that a query loads.
    pub(super) fn is_of_module(&self, name: &str) -> bool {
        let mut programs = self.programs.iter();
        programs.any(
            |program| matches!(program, Program::Module(path) if text_of_os(path.as_os_str()) == name),
        )
    }
}

/// A file with tests: `.queries`, a program (`.pl`, `.ll`), or a Markdown document (`.md`).
#[derive(Clone, Debug)]
pub struct TestFile {
    pub(super) path: PathBuf,
    pub(super) text: Arc<str>,
    tests: Vec<Test>,
    faults: Vec<Fault>,
    pub(super) groups: Vec<Group>,
    pub(super) setups: Vec<Setup>,
    /// The head `NAME Parameter …` of the module of Lolli in whose context queries run, if it has parameters.
    head: Option<String>,
}

/// The kind of a file, by the ending of its name.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Queries,
    Program(Language),
    Document,
}

fn kind(path: &Path) -> Kind {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("queries") => Kind::Queries,
        Some("md" | "markdown") => Kind::Document,
        _ if is_lolli(&path.to_string_lossy()) => Kind::Program(Language::Lolli),
        _ => Kind::Program(Language::Prolog),
    }
}

/// Reads the text of a file as programs are read.
#[expect(
    clippy::disallowed_methods,
    reason = "the host runs tests of its own files"
)]
fn text_of(path: &Path) -> io::Result<String> {
    match read_program_file(leave(), &text_of_os(path.as_os_str()), &|_| Ok(())) {
        Ok((text, _)) => Ok(text),
        // The system reports errors of the file itself.
        Err(error) => Err(match std::fs::File::open(path) {
            Ok(_) => io::Error::new(io::ErrorKind::InvalidData, error.to_string()),
            Err(error) => error,
        }),
    }
}

/// Returns the number in `max_steps(Number)`, or a message if the argument is no number. Returns none for another
/// directive.
fn max_steps(directive: &str) -> Option<Result<u64, String>> {
    let argument = directive.strip_prefix(MAX_STEPS)?.strip_prefix('(')?;
    let argument = argument.strip_suffix(')')?.trim();
    let digits = argument.chars().filter(|c| *c != '_').gather_text();
    let number = digits.unwrap_or_default().parse();
    Some(
        number.map_err(|_| {
            format!("{MAX_STEPS}(Number): `{argument}` is not a number of inferences")
        }),
    )
}

impl TestFile {
    /// Reads a file. The program of `NAME.queries` may be `NAME.pl` or `NAME.ll` in the same folder.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is no plain file (which might have no end), or is no text.
    #[expect(
        clippy::disallowed_methods,
        reason = "the host runs tests of its own files"
    )]
    pub fn read(path: impl AsRef<Path>) -> io::Result<TestFile> {
        let path = path.as_ref();
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::other("not a plain file"));
        }
        let mut file = TestFile::parse(path, &text_of(path)?);
        if kind(path) == Kind::Queries {
            let beside: Vec<Program> = programs_in_folder(path).collect_bounded();
            file.prepend_program(&beside);
        }
        Ok(file)
    }

    /// Finds the tests in the text of the file `path`, whose ending gives the kind of the file. Queries of `NAME.queries` are
    /// of Lolli if `NAME.ll` is in the same folder.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn parse(path: impl AsRef<Path>, text: &str) -> TestFile {
        let path = path.as_ref();
        let mut file = TestFile {
            path: path.to_owned(),
            text: text.into(),
            tests: Vec::new(),
            faults: Vec::new(),
            groups: Vec::new(),
            setups: Vec::new(),
            head: None,
        };
        let found = match kind(path) {
            Kind::Queries => file.queries(),
            Kind::Program(language) => file.program_tests(language),
            Kind::Document => file.document(),
        };
        if found.is_err() {
            file.faults.push(Fault {
                line: 1,
                message: "not enough memory for the tests of this file".to_owned(),
                place: 0..0,
            });
        }
        file
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the tests of the file, in order.
    pub fn tests(&self) -> &[Test] {
        &self.tests
    }

    /// Returns the texts that are neither tests nor parts of a program.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Keeps the tests for which `keep` is true. In a session it also keeps the tests before them.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn retain(&mut self, keep: impl Fn(&Test) -> bool) {
        let mut kept = Vec::new();
        for group in std::mem::take(&mut self.groups) {
            let tests = &self.tests[group.tests.clone()];
            let Some(last) = tests.iter().rposition(&keep) else {
                continue;
            };
            let start = kept.len();
            kept.extend_from_slice(&tests[..=last]);
            self.groups.push(Group {
                tests: start..kept.len(),
                setup: group.setup,
            });
        }
        self.tests = kept;
    }

    /// Adds programs to load before the tests, and before the programs that the file itself loads.
    pub fn prepend_program(&mut self, programs: &[Program]) {
        for setup in &mut self.setups {
            setup.programs.splice(0..0, programs.iter().cloned());
        }
    }

    /// Returns the programs that are loaded before the tests.
    pub fn program(&self) -> &[Program] {
        self.setups.last().map_or(&[], |setup| &setup.programs)
    }

    fn name(&self) -> String {
        text_of_os(self.path.as_os_str())
    }

    /// Adds a fault at a place.
    fn fault(
        &mut self,
        lines: &mut Lines,
        place: Range<usize>,
        message: String,
    ) -> Result<(), Stop> {
        let line = lines.line(&self.text, place.start);
        self.faults.put(Fault {
            line,
            message,
            place,
        })
    }

    /// Adds the test of a query in a piece of the text.
    fn add(
        &mut self,
        query: &QueryText,
        piece: &Piece,
        language: Language,
        lines: &mut Lines,
    ) -> Result<(), Stop> {
        let text = Arc::clone(&self.text);
        let slice = |span: Span| piece.slice(span);
        let whole = piece.range(query.whole);
        let line = lines.line(&text, whole.start);
        if !slice(query.whole).ends_with('.') {
            let length = slice(query.whole).trim_end().len();
            let end = query.whole.start as usize + length;
            let end = piece.range(Span::new(0, end)).end;
            let message = "the query does not end with `.`";
            return self.fault(lines, end..end, message.to_owned());
        }
        if let Some(end) = end_before_swallowed_answer(slice(query.goal), query.answer, language) {
            let end = piece.place(query.goal.start as usize + end);
            let message = "the query does not end with `.`, so its answer is read as a part of it";
            return self.fault(lines, end..end, message.to_owned());
        }
        if let Some(head) = &self.head
            && language == Language::Lolli
            && !slice(query.goal).contains("--o")
        {
            let message = format!(
                "the module has parameters; give its arguments in the query: `{head} --o Goal`"
            );
            let place = piece.range(query.goal);
            return self.faults.put(Fault {
                line,
                message,
                place,
            });
        }
        let answers = match query.answer {
            None => Answers::Absent,
            Some(answer) => {
                let line = lines.line(&text, piece.place(answer.start as usize));
                answers::split(slice(answer), line, language)
            }
        };
        let goal = slice(query.goal);
        let begin = query.goal.end as usize - goal.trim_start().len();
        self.tests.put(Test {
            line,
            label: query.label.map(|label| slice(label).to_owned()),
            lines: piece.lines(begin..query.goal.end as usize)?,
            query: goal.trim().to_owned(),
            language,
            whole,
            answer: query.answer.map(|answer| piece.range(answer)),
            answers,
        })
    }

    /// Groups the tests from number `first` on: into one session, or each by itself.
    fn group(&mut self, first: usize, session: bool) -> Result<(), Stop> {
        let setup = self.setups.len() - 1;
        let end = self.tests.len();
        let step = if session { (end - first).max(1) } else { 1 };
        let groups = (first..end).step_by(step).map(|start| Group {
            tests: start..start + step,
            setup,
        });
        self.groups.put_all(groups)
    }

    /// Finds the tests of a `.queries` file.
    #[expect(
        clippy::disallowed_methods,
        reason = "the host runs tests of its own files"
    )]
    fn queries(&mut self) -> Result<(), Stop> {
        let text = Arc::clone(&self.text);
        let of_lolli = self.path.with_extension("ll").is_file();
        let language = match of_lolli {
            true => Language::Lolli,
            false => Language::Prolog,
        };
        if of_lolli && let Ok(module) = text_of(&self.path.with_extension("ll")) {
            self.head = head_with_parameters(&module)?;
        }
        let mut lines = Lines::default();
        let (mut session, mut steps) = (false, None);
        let mut directives = Directives::new(&text);
        let piece = Piece::whole(&text)?;
        for part in Parts::new(&text, language.syntax()) {
            let span = match part {
                Part::Query(query) => {
                    self.add(&query, &piece, language, &mut lines)?;
                    continue;
                }
                Part::Clause(span) => span,
            };
            let place = span.start as usize..span.end as usize;
            let clause = &text[place.clone()];
            let directive = clause.strip_prefix(":-");
            let directive = directive.map(|text| text.trim_end_matches('.').trim());
            match directive {
                Some(SESSION) => session = true,
                Some(directive) if let Some(number) = max_steps(directive) => match number {
                    Ok(number) => steps = Some(number),
                    Err(message) => self.fault(&mut lines, place, message)?,
                },
                Some(_) => directives.keep(span)?,
                None => {
                    let indented = text[..place.start].ends_with([' ', '\t']);
                    let answer = match indented {
                        true => "; write an answer on the line below its query",
                        false => "",
                    };
                    let message = format!("this is not a query, directive or comment{answer}");
                    self.fault(&mut lines, place, message)?;
                }
            }
        }
        let programs = directives.finish(&self.name())?;
        let programs = programs.into_iter().gather()?;
        self.setups.put(Setup {
            programs,
            within: None,
            steps,
            head: self.head.clone(),
        })?;
        self.group(0, session)
    }

    /// Finds the tests in a program.
    fn program_tests(&mut self, language: Language) -> Result<(), Stop> {
        let text = Arc::clone(&self.text);
        let mut lines = Lines::default();
        let tests = tests_of_program(&text, language.syntax())?;
        if language == Language::Lolli {
            self.head = head_with_parameters(&text)?;
        }
        let piece = match tests.is_empty() {
            true => Piece::default(),
            false => Piece::whole(&text)?,
        };
        for query in tests {
            self.add(&query, &piece, language, &mut lines)?;
        }
        let path = self.path.clone();
        let (program, within) = match language {
            Language::Prolog => (Program::File(path.clone()), Some(path)),
            Language::Lolli => (Program::Module(path), None),
        };
        self.setups.put(Setup {
            programs: vec![program],
            within,
            steps: None,
            head: self.head.clone(),
        })?;
        self.group(0, false)
    }

    /// Finds the tests in the blocks of a document. Each block with queries is a session.
    fn document(&mut self) -> Result<(), Stop> {
        let text = Arc::clone(&self.text);
        let mut lines = Lines::default();
        let mut program = Directives::new(&text);
        let mut module = Directives::new(&text);
        for block in blocks(&text)? {
            if block.fresh {
                program = Directives::new(&text);
                module = Directives::new(&text);
                self.head = None;
            }
            let first = self.tests.len();
            let piece = &block.piece;
            for part in Parts::new(&piece.text, block.language.syntax()) {
                match part {
                    Part::Query(query) => {
                        self.add(&query, piece, block.language, &mut lines)?;
                    }
                    Part::Clause(span) if block.language == Language::Prolog => {
                        program.keep_all(piece.parts(span)?)?;
                    }
                    Part::Clause(span) => {
                        // A name begins another module.
                        if piece.slice(span).starts_with(MODULE) {
                            module = Directives::new(&text);
                            self.head = head_with_parameters(piece.slice(span))?;
                        }
                        module.keep_all(piece.parts(span)?)?;
                    }
                }
            }
            let module = module.finish(&self.name())?.map(Program::into_module);
            let programs = program.finish(&self.name())?.into_iter().chain(module);
            let programs = programs.gather()?;
            let setup = Setup {
                programs,
                within: None,
                steps: None,
                head: self.head.clone(),
            };
            if self.tests.len() > first {
                if self.setups.last() != Some(&setup) {
                    self.setups.put(setup)?;
                }
                self.group(first, true)?;
            }
        }
        Ok(())
    }
}

/// Returns `NAME Parameter …` if the module of Lolli with this text has parameters.
fn head_with_parameters(text: &str) -> Result<Option<String>, Stop> {
    let (mut symbols, mut ast) = (Symbols::new()?, Ast::new());
    let module = ModuleReader::new(text, &mut symbols, &mut ast)?;
    let names = module.name.iter().chain(&module.params);
    let names = names.map(|name| &*name.text).gather()?;
    let head = (names.len() > 1).then(|| joined_by(&names, " "));
    head.transpose()
}

/// Returns the end of a query of Lolli without full stop, if the answer under it was read as its last argument.
fn end_before_swallowed_answer(
    goal: &str,
    answer: Option<Span>,
    language: Language,
) -> Option<usize> {
    let (before, last) = goal.rsplit_once('\n')?;
    let last = format!("{}.", last.trim());
    let swallowed = language == Language::Lolli && answer.is_none();
    (swallowed && is_answer(&last, language.syntax())).then(|| before.trim_end().len())
}

/// Returns the programs in the folder of a file of queries.
#[expect(
    clippy::disallowed_methods,
    reason = "the host runs tests of its own files"
)]
fn programs_in_folder(path: &Path) -> impl Iterator<Item = Program> {
    let files = ["pl", "ll"].map(|ending| path.with_extension(ending));
    let programs = [Program::File, Program::Module];
    let files = files
        .into_iter()
        .zip(programs)
        .filter(|(path, _)| path.is_file());
    files.map(|(path, program)| program(path))
}

/// The clauses and directives of a file, each at its old place. The other text is blanked out.
#[derive(Clone)]
struct Directives<'t> {
    whole: &'t str,
    kept: Vec<Span>,
}

impl<'t> Directives<'t> {
    fn new(whole: &'t str) -> Directives<'t> {
        Directives {
            whole,
            kept: Vec::new(),
        }
    }

    fn keep(&mut self, span: Span) -> Result<(), Stop> {
        self.kept.put(span)
    }

    fn keep_all(&mut self, spans: Vec<Span>) -> Result<(), Stop> {
        self.kept.put_all(spans)
    }

    /// Returns a program of the kept text, if there is any.
    fn finish(&self, name: &str) -> Result<Option<Program>, Stop> {
        if self.kept.is_empty() {
            return Ok(None);
        }
        let mut text = String::new();
        let mut at = 0;
        for span in &self.kept {
            let (start, end) = (span.start as usize, span.end as usize);
            blank_out(self.whole.get(at..start).unwrap_or_default(), &mut text)?;
            text.put_str(self.whole.get(start..end).unwrap_or_default())?;
            at = end;
        }
        text.put('\n')?;
        Ok(Some(Program::Text {
            name: name.to_owned(),
            text: text.into(),
        }))
    }
}

/// A counter for the lines of places that are queried in order.
#[derive(Default)]
struct Lines {
    at: usize,
    before: usize,
}

impl Lines {
    fn line(&mut self, text: &str, place: usize) -> usize {
        if place < self.at {
            *self = Lines::default();
        }
        let passed = text.as_bytes().get(self.at..place).unwrap_or_default();
        self.before += passed.iter().filter(|&&byte| byte == b'\n').count();
        self.at = place;
        self.before + 1
    }
}

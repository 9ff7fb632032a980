//! Runs the cases under `tests/cases` and the queries of `programs` through the public interface.
//!
//! `docs/testing.md` describes the format. These tests do the same as `wamlet test --choices`, and more: `$TMP` in a file
//! or in its program is a new folder for that file, deleted at the end. With the environment variable `CASES` set, only
//! files run whose path contains its value. The cases of `tests/cases/memory` run only in the configuration of little
//! memory, those of `tests/cases/large` only in the default one.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use wamlet::testing::{Format, Program, Settings, TestFile, run};
use wamlet::{Capabilities, Engine};

/// Settings under which every case must give the same answers.
#[derive(Clone, Copy, Debug)]
struct Configuration {
    /// The name, used for folders.
    name: &'static str,
    /// Bytes of memory for terms; `None` for the default.
    memory: Option<usize>,
    /// Collect garbage at every call.
    collect_always: bool,
    /// Select clauses by indexes. Without indexes, a query may leave a last choice point that only fails.
    indexing: bool,
    /// Load programs from their images, which other engines make.
    images: bool,
    /// Have the tracer follow all goals.
    traced: bool,
    /// Run instructions in a loop.
    looping: bool,
    /// Set the flag `iso` before anything is loaded.
    iso: bool,
    /// The number of successive forks: run cases in a fork (of a fork …) of the engine that loaded the program.
    forks: u8,
    /// Run cases in an engine that did other work and was reset.
    reset: bool,
}

const DEFAULT: Configuration = Configuration {
    name: "default",
    memory: None,
    collect_always: false,
    indexing: true,
    images: false,
    traced: false,
    looping: false,
    iso: false,
    forks: 0,
    reset: false,
};

/// A garbage collection at every call: a cell that it does not see is lost at once.
const COLLECTING: Configuration = Configuration {
    name: "collecting",
    memory: Some(SMALL_MEMORY),
    collect_always: true,
    ..DEFAULT
};

/// Little memory: its areas are close together, and an area that overflows is reported.
const SMALL: Configuration = Configuration {
    name: "small",
    memory: Some(SMALL_MEMORY),
    ..DEFAULT
};

/// All clauses are tried in order: the clauses that an index skips must fail.
const UNINDEXED: Configuration = Configuration {
    name: "unindexed",
    indexing: false,
    ..DEFAULT
};

/// Programs are loaded from images.
const IMAGES: Configuration = Configuration {
    name: "images",
    images: true,
    ..DEFAULT
};

/// The tracer follows all goals and prints none. Answers and choice points must be the same.
const TRACED: Configuration = Configuration {
    name: "traced",
    traced: true,
    ..DEFAULT
};

/// Instructions run in a loop, as with compilers that do not turn calls into jumps.
const LOOPING: Configuration = Configuration {
    name: "looping",
    looping: true,
    ..DEFAULT
};

/// The flag `iso`. A case that needs the flag sets it in its file, with `:- set_prolog_flag(iso, true).`
const STRICT: Configuration = Configuration {
    name: "strict",
    iso: true,
    ..DEFAULT
};

/// A fork has everything that its original had.
const FORKED: Configuration = Configuration {
    name: "forked",
    forks: 1,
    ..DEFAULT
};

/// A fork of a fork also has everything.
const FORKED_TWICE: Configuration = Configuration {
    name: "forked_twice",
    forks: 2,
    ..DEFAULT
};

/// An engine after a reset is as it was before.
const RESET: Configuration = Configuration {
    name: "reset",
    reset: true,
    ..DEFAULT
};

const SMALL_MEMORY: usize = 16 << 20;

/// Number of inferences that a case may make. Each case takes far fewer, unless it never ends.
const STEPS: u64 = 4_000_000_000;

/// Bytes of stack, which must be enough for any program: no instruction leaves a frame behind, and no algorithm recurs on
/// terms.
const STACK: usize = 256 << 10;

#[test]
fn cases_give_their_answers() {
    assert!(CALLS.len() > 1000, "{} cases", CALLS.len());
}

#[test]
fn cases_give_their_answers_in_a_loop() {
    run_folder("tests/cases", LOOPING);
}

#[test]
fn cases_of_the_standard_give_their_answers_with_the_flag_iso() {
    run_folder("tests/cases/iso", STRICT);
}

#[test]
fn cases_give_their_answers_in_little_memory() {
    run_folder("tests/cases", SMALL);
}

#[test]
fn cases_give_their_answers_with_a_collection_at_every_call() {
    run_folder("tests/cases", COLLECTING);
}

#[test]
fn cases_give_their_answers_without_indexes() {
    run_folder("tests/cases", UNINDEXED);
}

#[test]
fn cases_give_their_answers_by_way_of_images() {
    run_folder("tests/cases", IMAGES);
}

#[test]
fn programs_give_their_answers_by_way_of_images() {
    run_folder("programs", IMAGES);
}

#[test]
fn cases_give_their_answers_while_goals_are_traced() {
    run_folder("tests/cases", TRACED);
}

#[test]
fn forks_give_the_answers_of_cases() {
    run_folder("tests/cases", FORKED);
}

#[test]
fn forks_of_forks_give_the_answers_of_cases() {
    run_folder("tests/cases", FORKED_TWICE);
}

#[test]
fn engines_that_were_reset_give_the_answers_of_cases() {
    run_folder("tests/cases", RESET);
}

#[test]
fn programs_give_their_answers() {
    run_folder("programs", DEFAULT);
}

/// The examples in the documents: sessions of Prolog and of Lolli.
#[test]
fn the_documents_show_correct_answers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("README.md")];
    for entry in fs::read_dir(root.join("docs")).expect("the documents") {
        let path = entry.expect("an entry").path();
        files.extend(
            Some(path).filter(|path| path.extension().is_some_and(|ending| ending == "md")),
        );
    }
    files.sort();
    let files: Vec<TestFile> = files
        .iter()
        .map(|path| TestFile::read(path).expect("a document"))
        .collect();
    let tests: usize = files.iter().map(|file| file.tests().len()).sum();
    assert!(tests > 40, "{tests} examples");
    let report = run(&files, &DEFAULT.settings());
    assert_eq!(
        report.status(),
        0,
        "{}",
        report.render(&files, Format::Human)
    );
}

impl Configuration {
    fn settings(&self) -> Settings {
        let mut builder = Engine::builder()
            .capabilities(Capabilities::full())
            .collect_at_every_call(self.collect_always)
            .clause_indexing(self.indexing)
            .trace_silently(self.traced)
            .loop_dispatch(self.looping)
            .iso(self.iso);
        if let Some(bytes) = self.memory {
            builder = builder.memory_limit(bytes);
        }
        Settings::default()
            .engine(builder)
            .max_steps(Some(STEPS))
            .choices(self.indexing)
            .forks(self.forks)
            .reset(self.reset)
            .stack_size(STACK)
    }
}

/// Files whose numbers of calls vary: a clock ends their cases, their goals race, or they look at names. After an
/// exception, other threads stop at different points.
const OTHER_CALLS: &[&str] = &[
    "loading/reloading.queries",
    "large/bounded.queries",
    "large/captures_within_captures.queries",
    "large/goals_that_unfold.queries",
    "large/limits_within_limits.queries",
    "library/cleanups_under_limits.queries",
    "library/swi_libraries.queries",
    "library/threads.queries",
    "library/threads_numbers.queries",
    "library/time.queries",
    "database/inspection.queries",
];

/// Files whose numbers of calls vary when goals are traced. Goals that switch the tracer also query its state. A recovery
/// goal is called after the goals that the ball woke. Solutions that are shown are counted one by one, and no counts are
/// remembered. Compiled lambda expressions are called as written.
const OTHER_CALLS_TRACED: &[&str] = &[
    "attributed/not_unifiable.queries",
    "constraints/counting.queries",
    "database/random_changes.queries",
    "io/portray.queries",
    "library/aggregates.queries",
    "library/count_memo.queries",
    "library/counted_at_once.queries",
    "library/counted_lists.queries",
    "library/tabling.queries",
    "library/yall_compiled.queries",
];

/// Files whose numbers of calls vary in copies of engines. Sets order elements by hashes of atoms, which are different
/// there. Copies of a snapshot have all libraries, so goals that go through all predicates find more.
const OTHER_CALLS_COPIED: &[&str] = &["database/properties.queries", "library/nb_set.queries"];

/// The number of calls of each case, by file, line and query.
type Calls = BTreeMap<(PathBuf, usize, String), u64>;

/// The calls in the default configuration. The other configurations must make as many.
static CALLS: LazyLock<Calls> = LazyLock::new(|| run_files("tests/cases", DEFAULT));

/// Runs every case file under `folder` and checks that the cases make as many calls as in the default configuration.
fn run_folder(folder: &str, configuration: Configuration) {
    let calls = run_files(folder, configuration);
    // Without indexes, choice points remain, whose alternatives may make calls.
    if folder != "tests/cases" || !configuration.indexing {
        return;
    }
    let traced = OTHER_CALLS_TRACED.iter().filter(|_| configuration.traced);
    let is_copy = configuration.forks > 0 || configuration.reset;
    let copied = OTHER_CALLS_COPIED.iter().filter(|_| is_copy);
    let left_out: Vec<&str> = OTHER_CALLS
        .iter()
        .chain(traced)
        .chain(copied)
        .copied()
        .collect();
    let others: Vec<String> = calls
        .iter()
        .filter(|((path, ..), _)| !left_out.iter().any(|other| path.ends_with(other)))
        .filter_map(|(case, calls)| {
            let usual = CALLS.get(case).filter(|usual| *usual != calls)?;
            let (path, line, query) = case;
            Some(format!(
                "{}:{line}: {calls}, not {usual}: {query}",
                path.display()
            ))
        })
        .collect();
    assert!(
        others.is_empty(),
        "other numbers of calls:\n{}",
        others.join("\n")
    );
}

/// Runs every case file under `folder`, several at a time.
fn run_files(folder: &str, configuration: Configuration) -> Calls {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let filter = env::var("CASES").unwrap_or_default();
    let mut files = Vec::new();
    collect(&root.join(folder), &mut files).expect("a folder of case files");
    files.retain(|file| file.to_string_lossy().contains(&filter));
    if configuration.memory.is_some() || !configuration.indexing || configuration.traced {
        // These cases need more than little memory.
        files.retain(|file| !file.starts_with(root.join("tests/cases/large")));
    }
    if configuration.traced {
        // These cases run in constant space, but not when they are traced.
        files.retain(|file| !file.ends_with("linear/loops.queries"));
        files.retain(|file| !file.ends_with("linear/deep.queries"));
    }
    if configuration.images {
        // These cases need a source text.
        files.retain(|file| !file.ends_with("loading/load_context.queries"));
    }
    if !configuration.indexing {
        // These cases examine the choice points that clause selection leaves.
        files.retain(|file| !file.ends_with("iso/clause_selection.queries"));
    }
    if configuration.memory.is_none() || configuration.collect_always {
        // These cases fill the memory. That takes long with much memory or with many collections.
        files.retain(|file| !file.starts_with(root.join("tests/cases/memory")));
    }
    files.sort();
    let own = Folder(env::temp_dir().join(format!(
        "wamlet-cases-{}-{}-{}",
        std::process::id(),
        configuration.name,
        folder.replace('/', "-")
    )));
    let files: Vec<TestFile> = files
        .iter()
        .map(|file| read(file, root, &own.0, configuration))
        .collect();
    let report = run(&files, &configuration.settings());
    assert!(
        report.results.is_empty() == files.is_empty() && report.status() == 0,
        "{}",
        report.render(&files, Format::Human)
    );
    let calls = report.results.iter().map(|result| {
        let file = &files[result.file];
        let query = file.tests()[result.test].query.clone();
        ((file.path().to_owned(), result.line, query), result.steps)
    });
    calls.collect()
}

/// A folder that is deleted on drop.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder for temporary files may keep the rest.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Reads a case file. `$TMP` is a new folder for this file.
fn read(path: &Path, root: &Path, own: &Path, configuration: Configuration) -> TestFile {
    let shown = path.strip_prefix(root).unwrap_or(path);
    let own = own.join(shown.with_extension(""));
    fs::create_dir_all(&own).expect("a folder");
    let own = own.to_string_lossy().into_owned();
    let text = |path: &Path| {
        let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        text.replace("$TMP", &own)
    };
    let mut file = TestFile::parse(path, &text(path));
    let mut programs = Vec::new();
    let program = path.with_extension("pl");
    if program.exists() {
        // The program has its own name, so that files that it loads are found beside it.
        let name = program.to_string_lossy().into_owned();
        let text = text(&program);
        programs.push(if configuration.images {
            Program::Image {
                image: image_of(&name, &text).into(),
                name: program.with_extension("wam").to_string_lossy().into_owned(),
            }
        } else {
            Program::Text {
                name,
                text: text.into(),
            }
        });
    }
    programs.extend(
        Some(path.with_extension("ll"))
            .filter(|path| path.exists())
            .map(Program::Module),
    );
    file.prepend_program(&programs);
    file
}

/// Returns the image of a program.
fn image_of(name: &str, text: &str) -> Vec<u8> {
    let builder = Engine::builder().capabilities(Capabilities::full());
    let mut maker = builder.build().expect("there is memory");
    maker.capture_output();
    maker.set_input_text("");
    let (report, image) = maker
        .compile_text(name, text)
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    image.unwrap_or_else(|| panic!("{name}: {:?}", report.errors))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path
            .extension()
            .is_some_and(|extension| extension == "queries")
        {
            files.push(path);
        }
    }
    Ok(())
}

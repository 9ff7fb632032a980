//! Capabilities that a host grants to the programs of an engine, and those that it withholds.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};
use wamlet::{
    Capabilities, Capability, Clock, Engine, Error, GuestPath, HostFiles, Input, MemoryFiles,
    NoFiles, Output, Random,
};

/// A new temporary folder, deleted on drop.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("wamlet_capabilities_{}_{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("it works");
        Folder(path)
    }

    /// Adds a file to the folder.
    fn with(self, name: &str, text: &str) -> Folder {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it works")).expect("it works");
        fs::write(path, text).expect("it works");
        self
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn engine(capabilities: Capabilities) -> Engine {
    Engine::builder()
        .capabilities(capabilities)
        .build()
        .expect("it works")
}

/// Returns the answer of a goal as text, `no`, the refused capability, or the error.
fn ask(engine: &mut Engine, goal: &str) -> String {
    let error_text = |error: Error| match error.refused() {
        Some(capability) => capability.to_string(),
        None => error.formal_text().unwrap_or(error.message()).to_owned(),
    };
    match engine.query_once(goal) {
        Ok(Some(solution)) => solution.to_string(),
        Ok(None) => "no".to_owned(),
        Err(error) => error_text(error),
    }
}

#[test]
fn engines_start_with_the_capabilities_of_a_script() {
    let mut engine = Engine::new().expect("it works");
    engine.capture_output();
    for goal in ["get_time(_)", "_ is random(3)", "write(a)", "sleep(0)"] {
        assert!(
            engine.query_once(goal).expect("it works").is_some(),
            "{goal}"
        );
    }
    for (goal, capability) in [
        ("exists_file(a)", Capability::Read),
        ("tell(a)", Capability::Write),
        ("getenv('PATH', _)", Capability::Environment),
        ("shell(true)", Capability::Processes),
        ("get_char(_)", Capability::Stdin),
    ] {
        let error = engine.query_once(goal).unwrap_err();
        assert_eq!(error.refused(), Some(capability), "{goal}");
        let context = "context(system:";
        assert!(error.ball_text().contains(context), "{}", error.ball_text());
    }
    let error = engine.query_once("atom_length(_, _)").unwrap_err();
    assert_eq!(error.refused(), None);
}

#[test]
fn a_program_of_the_host_loads_files_below_its_folder() {
    let main = ":- include('sub/part').\n:- use_module(sub/module).\n\
                here(D) :- prolog_load_context(directory, D).\n:- here(D), assertz(was_in(D)).\n";
    let folder = Folder::new()
        .with("program/main.pl", main)
        .with("program/sub/part.pl", "part(1).\n")
        .with(
            "program/sub/module.pl",
            ":- module(module, [exported/1]).\nexported(2).\n",
        )
        .with("outside.pl", "outside(1).\n");
    let mut engine = engine(Capabilities::pure());
    let report = engine
        .consult_file(folder.0.join("program/main"))
        .expect("it works");
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(ask(&mut engine, "part(X), exported(Y)"), "X = 1,\nY = 2");
    let at = |name: &str| folder.0.join(name).display().to_string();
    let part = at("program/sub/part.pl");
    assert_eq!(ask(&mut engine, &format!("consult('{part}')")), "true");
    for goal in [
        format!("open('{part}', read, _)"),
        format!("exists_file('{part}')"),
        format!("consult('{}')", at("outside.pl")),
        format!("consult('{}')", at("program/../outside")),
        format!("directory_files('{}', _)", at("program")),
    ] {
        assert_eq!(ask(&mut engine, &goal), "read", "{goal}");
    }
    // The host itself is not limited.
    assert!(
        engine
            .consult_file(folder.0.join("outside.pl"))
            .expect("it works")
            .is_clean()
    );
    assert_eq!(ask(&mut engine, "outside(X)"), "X = 1");
}

#[cfg(unix)]
#[test]
fn a_program_that_the_host_names_may_be_a_link() {
    let folder = Folder::new()
        .with(
            "elsewhere/real.pl",
            "real(1).\n:- catch(consult(beside), E, true), assertz(met(E)).\n",
        )
        .with("elsewhere/beside.pl", "beside(1).\n")
        .with("program/other.pl", "other(1).\n");
    let link = folder.0.join("program/main.pl");
    std::os::unix::fs::symlink("../elsewhere/real.pl", &link).expect("it works");
    std::os::unix::fs::symlink("../elsewhere", folder.0.join("program/up")).expect("it works");
    let mut engine = engine(Capabilities::pure());
    assert!(engine.consult_file(&link).expect("it works").is_clean());
    assert_eq!(
        ask(&mut engine, "real(X), met(error(E, _))"),
        "X = 1,\nE = permission_error(use, capability, read)"
    );
    let up = folder.0.join("program/up/beside.pl");
    assert_eq!(
        ask(&mut engine, &format!("consult('{}')", up.display())),
        "read"
    );
}

/// Goals of an engine that has a directory as `/d`, with `/d/kept` denied, and their answers.
const WRITES: &[(&str, &str)] = &[
    (
        "open('/d/new.txt', write, S), write(S, new), close(S), size_file('/d/new.txt', N)",
        "N = 3",
    ),
    (
        "open('/d/new.txt', append, S), write(S, er), close(S), size_file('/d/new.txt', N)",
        "N = 5",
    ),
    (
        "working_directory(_, '/d'), exists_file('old.txt'), working_directory(D, '/')",
        "D = '/d/'",
    ),
    (
        "make_directory_path('/d/a/b'), exists_directory('/d/a/b')",
        "true",
    ),
    (
        "rename_file('/d/new.txt', '/d/a/b/moved.txt'), directory_files('/d/a/b', L)",
        "L = ['.', .., 'moved.txt']",
    ),
    ("rename_file('/d/old.txt', '/old.txt')", "write"),
    (
        "delete_file('/d/a/b/moved.txt'), delete_directory('/d/a/b')",
        "true",
    ),
    ("delete_file('/d/none')", "existence_error(file, '/d/none')"),
    (
        "set_prolog_flag(tmp_dir, '/d'), tmp_file(x, F), \\+ exists_file(F)",
        "F = '/d/wamlet_x_0'",
    ),
    (
        "tmp_file_stream(utf8, F, S), close(S), exists_file(F)",
        "write",
    ),
    ("exists_file('/d/kept/secret.txt')", "read"),
    ("exists_file('/d/kept/none.txt')", "read"),
    ("open('/d/kept/new.txt', write, _)", "write"),
    ("delete_directory('/d/kept')", "write"),
    ("rename_file('/d/kept', '/d/other')", "write"),
    ("rename_file('/d', '/e')", "write"),
    ("link_file('kept/secret.txt', '/d/l', symbolic)", "write"),
    (
        "link_file('/d/old.txt', '/d/hard', hard), size_file('/d/hard', N)",
        "N = 3",
    ),
    ("link_file('old.txt', '/d/a/soft', symbolic)", "true"),
    (
        "link_file('../old.txt', '/d/a/right', symbolic), size_file('/d/a/right', N)",
        "N = 3",
    ),
    (
        "link_file('../../../../etc/passwd', '/d/a/out', symbolic)",
        "write",
    ),
];

#[test]
fn directories_are_written_below_their_names_only() {
    let folder = Folder::new()
        .with("data/old.txt", "old")
        .with("data/kept/secret.txt", "s");
    let data = folder.0.join("data");
    let capabilities = Capabilities::pure()
        .read("/d", &data)
        .write("/d", &data)
        .deny("/d/kept");
    let mut engine = engine(capabilities);
    for (goal, answer) in WRITES {
        let goal = goal.replace(
            "tmp_file_stream(utf8, F, S)",
            "set_prolog_flag(tmp_dir, '/tmp'), tmp_file_stream(utf8, F, S)",
        );
        let found = ask(&mut engine, &goal);
        let value = found.lines().last().expect("it works").to_owned();
        assert!(
            value == *answer || found == *answer,
            "{goal}: {found}; {answer}"
        );
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("kept", data.join("way")).expect("it works");
        std::os::unix::fs::symlink("kept/made.txt", data.join("hole")).expect("it works");
        assert_eq!(ask(&mut engine, "exists_file('/d/way/secret.txt')"), "read");
        assert_eq!(
            ask(&mut engine, "open('/d/way/new.txt', write, _)"),
            "write"
        );
        assert_eq!(ask(&mut engine, "open('/d/hole', write, _)"), "write");
        assert!(!data.join("kept/made.txt").exists());
    }
}

#[test]
fn files_may_be_in_memory() {
    let files = MemoryFiles::new()
        .with("/a/b.pl", "b(1).\n:- include(c).\n")
        .with("/a/c.pl", "c(2).\n");
    let mut engine = engine(Capabilities::pure().files(Arc::new(files.clone())));
    for (goal, answer) in [
        ("consult('/a/b'), b(X), c(Y)", "X = 1,\nY = 2"),
        ("directory_files('/a', L)", "L = ['.', .., 'b.pl', 'c.pl']"),
        ("directory_files('/', L)", "L = ['.', .., a]"),
        ("open('/out', write, _S), write(_S, one), close(_S)", "true"),
        (
            "open('/out', append, _S), write(_S, ' two'), close(_S), read_file_to_string('/out', T, [])",
            "T = \"one two\"",
        ),
        (
            "make_directory('/d'), rename_file('/a', '/d/a'), exists_file('/d/a/b.pl')",
            "true",
        ),
        ("exists_directory('/a')", "no"),
        (
            "expand_file_name('/d/a/*.pl', L)",
            "L = ['/d/a/b.pl', '/d/a/c.pl']",
        ),
        (
            "delete_directory('/d')",
            "permission_error(delete, directory, '/d')",
        ),
        (
            "open('/no/such', write, _)",
            "existence_error(source_sink, '/no/such')",
        ),
        ("delete_file('/out'), exists_file('/out')", "no"),
    ] {
        assert_eq!(ask(&mut engine, goal), answer, "{goal}");
    }
    assert!(files.get("/out").is_none());
    assert_eq!(files.get("d/a/c.pl").as_deref(), Some(&b"c(2).\n"[..]));
    let mut refusing = self::engine(Capabilities::pure().files(Arc::new(NoFiles)));
    assert_eq!(ask(&mut refusing, "exists_file(x)"), "read");
    assert_eq!(ask(&mut refusing, "consult(x)"), "read");
    assert_eq!(ask(&mut refusing, "open(x, write, _)"), "write");
}

#[test]
fn file_systems_that_panic_break_nothing() {
    struct Panics;
    impl HostFiles for Panics {
        fn open(&self, _: &GuestPath, _: wamlet::FileMode) -> std::io::Result<wamlet::HostFile> {
            panic!("open")
        }
        fn metadata(&self, _: &GuestPath) -> std::io::Result<wamlet::FileMetadata> {
            panic!("metadata")
        }
        fn list(&self, _: &GuestPath) -> std::io::Result<Vec<String>> {
            panic!("list")
        }
    }
    let mut engine = engine(Capabilities::pure().files(Arc::new(Panics)));
    assert!(engine.query_once("open(x, read, _)").is_err());
    assert!(engine.query_once("directory_files(x, _)").is_err());
    assert_eq!(ask(&mut engine, "X = 1"), "X = 1");
}

#[test]
fn clocks_and_random_numbers_are_those_of_the_host() {
    let time = UNIX_EPOCH + Duration::from_secs(86_400);
    let capabilities = Capabilities::pure()
        .clock(Clock::Fixed(time))
        .random(Random::Seed(7));
    let mut numbers = Vec::new();
    for _ in 0..2 {
        let mut engine = engine(capabilities.clone());
        assert_eq!(
            ask(&mut engine, "get_time(T), X is realtime"),
            "T = 86400.0,\nX = 86400"
        );
        assert_eq!(
            ask(&mut engine, "sleep(1000), statistics(walltime, [T, _])"),
            "T = 0"
        );
        assert_eq!(ask(&mut engine, "X is cputime"), "X = 0.0");
        numbers.push(ask(&mut engine, "X is random(1_000_000_000)"));
    }
    assert_eq!(numbers[0], numbers[1]);
}

#[test]
fn variables_are_granted_by_name() {
    let mut engine = engine(Capabilities::pure().env(["WAMLET_TEST_A", "PATH"]));
    assert!(ask(&mut engine, "getenv('PATH', P), atom(P)").starts_with("P = "));
    for (goal, answer) in [
        ("getenv('WAMLET_TEST_A', _)", "no"),
        ("getenv('HOME', _)", "environment"),
        ("getenv('WAMLET_TEST_NO', _)", "environment"),
        (
            "setenv('WAMLET_TEST_A', x), getenv('WAMLET_TEST_A', V)",
            "V = x",
        ),
        ("setenv('LD_PRELOAD', x)", "environment"),
        ("unsetenv('HOME')", "environment"),
        ("expand_file_name('/$WAMLET_TEST_A/y', L)", "L = ['/x/y']"),
        ("expand_file_name('~', _)", "environment"),
        ("current_prolog_flag(pid, _)", "environment"),
    ] {
        assert_eq!(ask(&mut engine, goal), answer, "{goal}");
    }
}

#[cfg(unix)]
#[test]
fn programs_are_granted_by_name() {
    let mut engine = engine(Capabilities::pure().processes(["true", "false"]));
    for (goal, answer) in [
        ("shell(true)", "true"),
        ("shell('false', S)", "S = 1"),
        ("shell('true a b=c ./d', S)", "S = 0"),
        ("shell(ls)", "processes"),
        ("shell('true; ls')", "processes"),
        ("shell('true $(ls)')", "processes"),
        ("shell('/bin/true')", "processes"),
        ("shell('X=1 true')", "processes"),
        ("shell('true\nls')", "processes"),
        ("shell('')", "processes"),
    ] {
        assert_eq!(ask(&mut engine, goal), answer, "{goal}");
    }
}

/// A writer that keeps the bytes, so that a test can read them.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("it works").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn standard_streams_are_those_of_the_host() {
    let written = Written::default();
    let capabilities = Capabilities::pure()
        .stdin(Input::Text("given. ".to_owned()))
        .stdout(Output::sink(written.clone()));
    let mut engine = engine(capabilities);
    assert_eq!(
        ask(
            &mut engine,
            "read(X), print(X), format(user_error, ' too', [])"
        ),
        "X = given"
    );
    engine.flush_output().expect("it works");
    assert_eq!(&*written.0.lock().expect("it works"), b"given too");
    let mut engine = self::engine(Capabilities::pure());
    engine.set_input_text("of(host). ");
    assert_eq!(ask(&mut engine, "read(X), write(kept)"), "X = of(host)");
    assert_eq!(engine.take_output(), "kept");
}

#[test]
fn streams_are_counted() {
    for (capabilities, most) in [
        (Capabilities::pure(), 64),
        (Capabilities::script(), 64),
        (Capabilities::full(), 256),
        (Capabilities::pure().streams(5), 5),
    ] {
        let mut engine = engine(capabilities);
        let open = "catch((repeat, open_null_stream(_), fail), error(E, _), true), \
                    findall(S, (stream_property(S, mode(_)), \\+ stream_property(S, alias(_))), L), length(L, N)";
        let solution = engine
            .query_once(open)
            .expect("it works")
            .expect("it works");
        assert_eq!(
            solution.get("E").expect("it works").to_string(),
            "resource_error(streams)"
        );
        assert_eq!(solution.get("N").and_then(|n| n.as_integer()), Some(most));
    }
}

#[test]
fn the_tracer_reads_no_keys_where_there_is_no_standard_input() {
    let mut engine = engine(Capabilities::pure());
    let goal = "set_stream(user_input, tty(true)), set_stream(user_output, tty(true)), \
                trace, atom_length(abc, N), notrace, nodebug";
    assert_eq!(ask(&mut engine, goal), "N = 3");
    assert!(engine.take_error_output().contains("atom_length"));
}

#[test]
fn unread_output_is_limited_by_memory() {
    let builder = Engine::builder().capabilities(Capabilities::pure());
    let mut engine = builder.memory_limit(16 << 20).build().expect("it works");
    let goal = "repeat, write(user_error, abcdefghijklmnopqrstuvwxyz), fail";
    let error = engine.query_once(goal).expect_err("an error");
    assert_eq!(*error.kind(), wamlet::ErrorKind::Resource);
    assert!(engine.take_error_output().len() < 64 << 20);
    assert_eq!(ask(&mut engine, "write(user_error, a), X = 1"), "X = 1");
}

//! Sessions at a terminal, as a person sees them: `tests/terminal/NAME.session`.
//!
//! The first line is the command: `wamlet`, or `sh` for a shell in which to type commands. `TERM=KIND` before it
//! selects another kind of terminal. `FILE:` with indented lines after it makes a file. A line that begins with
//! `< ` is input, with keys as `<Enter>`, `<Tab>`, `<Up>`, `<C-c>`; `<Pause>` waits for a second and a half. The
//! lines up to the next input must appear on the screen, each as a whole line and below the lines before. A line
//! after `~ ` may disappear again. `#` begins a comment.
#![cfg(all(feature = "cli", unix))]

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

#[path = "support/process.rs"]
#[expect(dead_code, reason = "processes are started on a terminal here")]
mod process;

use process::Folder;

const ROWS: u16 = 200;
const COLUMNS: u16 = 90;
/// Longest time until a line appears, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// A terminal without output for this time waits for keys.
const QUIET: Duration = Duration::from_millis(60);

/// Variables of the environment that a session must not inherit.
const OF_THE_PERSON: [&str; 6] = [
    "CI",
    "NO_COLOR",
    "VISUAL",
    "EDITOR",
    "WAMLET_PATH",
    "INSIDE_EMACS",
];

/// The path of the command.
const WAMLET: &str = env!("CARGO_BIN_EXE_wamlet");

/// Number of sessions that run at the same time. They mostly wait.
const AT_A_TIME: usize = 4;

/// The time in which a person thinks.
const PAUSE: Duration = Duration::from_millis(1500);

/// A command on its own terminal.
struct Terminal {
    screen: vt100::Parser,
    /// The whole output, with colours.
    raw: Vec<u8>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    child: Box<dyn portable_pty::Child + Send + Sync>,
    ended: bool,
}

impl Terminal {
    fn start(folder: &Path, args: &[&str], (kind, no_color): (&str, bool)) -> Terminal {
        let wamlet = CommandBuilder::new(WAMLET);
        Terminal::start_command(folder, wamlet, args, (kind, no_color))
    }

    /// Starts a shell that finds the command.
    fn start_shell(folder: &Path, kind: &str) -> Terminal {
        let mut shell = CommandBuilder::new("sh");
        let found = Path::new(WAMLET).parent().into_iter().map(Path::to_owned);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let places = found.chain(std::env::split_paths(&path));
        shell.env("PATH", std::env::join_paths(places).expect("folders"));
        shell.env("PS1", "$ ");
        shell.env_remove("ENV");
        Terminal::start_command(folder, shell, &[], (kind, false))
    }

    fn start_command(
        folder: &Path,
        mut command: CommandBuilder,
        args: &[&str],
        (kind, no_color): (&str, bool),
    ) -> Terminal {
        let size = PtySize {
            rows: ROWS,
            cols: COLUMNS,
            ..PtySize::default()
        };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        command.args(args);
        command.cwd(folder);
        command.env("HOME", folder);
        command.env("XDG_STATE_HOME", folder);
        command.env("TERM", kind);
        for variable in OF_THE_PERSON {
            command.env_remove(variable);
        }
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let child = pair.slave.spawn_command(command).expect("a process");
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().expect("its output");
        let keys = pair.master.take_writer().expect("its keys");
        let (send, output) = channel();
        std::thread::spawn(move || {
            // The master side stays open as long as it is read.
            let _master = pair.master;
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if send.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Terminal {
            screen: vt100::Parser::new(ROWS, COLUMNS, 0),
            raw: Vec::new(),
            keys,
            output,
            child,
            ended: false,
        }
    }

    /// Reads output that arrives within this time. Returns whether there was any.
    fn look(&mut self, time: Duration) -> bool {
        match self.output.recv_timeout(time) {
            Ok(bytes) => {
                self.screen.process(&bytes);
                self.raw.extend(bytes);
                true
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => {
                self.ended = true;
                false
            }
        }
    }

    fn rows(&self) -> Vec<String> {
        let rows = self.screen.screen().rows(0, COLUMNS);
        rows.map(|row| row.trim_end().to_owned()).collect()
    }

    /// Types keys as soon as the terminal is quiet.
    fn keys(&mut self, keys: &[u8]) {
        while self.look(QUIET) {}
        self.keys.write_all(keys).expect("a process that reads");
        self.keys.flush().expect("a process that reads");
    }

    /// Waits for a line in row `row` or below. Returns the number of the row after it.
    fn await_line(&mut self, line: &str, row: usize) -> Option<usize> {
        let start = Instant::now();
        loop {
            let rows = self.rows();
            if let Some(found) = rows.iter().skip(row).position(|shown| shown == line) {
                return Some(row + found + 1);
            }
            if (self.ended && !self.look(QUIET)) || start.elapsed() > PATIENCE {
                return None;
            }
            self.look(QUIET);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the bytes of keys: text, and names in angle brackets.
fn bytes_of(keys: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = keys;
    while let Some(first) = rest.chars().next() {
        let named = rest.strip_prefix('<').and_then(|inner| {
            let (name, after) = inner.split_once('>')?;
            let key: &[u8] = match name {
                "Enter" => b"\r",
                "Tab" => b"\t",
                "Space" => b" ",
                "Up" => b"\x1b[A",
                "Down" => b"\x1b[B",
                "Left" => b"\x1b[D",
                "Home" => b"\x01",
                "C-c" => b"\x03",
                "C-d" => b"\x04",
                "C-r" => b"\x12",
                "Paste" => b"\x1b[200~",
                "EndPaste" => b"\x1b[201~",
                "Newline" => b"\n",
                _ => return None,
            };
            Some((key, after))
        });
        match named {
            Some((key, after)) => {
                bytes.extend(key);
                rest = after;
            }
            None => {
                let (char, after) = rest.split_at(first.len_utf8());
                bytes.extend(char.as_bytes());
                rest = after;
            }
        }
    }
    bytes
}

/// Plays a session. Returns an error with the first missing line.
fn play(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).expect("a readable session");
    let folder = Folder::new();
    let mut lines = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .peekable();
    let command = lines.next().unwrap_or_default();
    let mut args: Vec<&str> = command.split_whitespace().collect();
    let kind = args.first().and_then(|word| word.strip_prefix("TERM="));
    args.drain(..usize::from(kind.is_some()));
    let kind = kind.unwrap_or("xterm-256color");
    while let Some(file) = lines.next_if(|line| line.ends_with(':') && !line.starts_with(' ')) {
        let mut text = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("    ")) {
            text.push_str(&line[4..]);
            text.push('\n');
        }
        folder.file(file.trim_end_matches(':'), &text);
    }
    let mut terminal = match args[..] {
        ["sh"] => Terminal::start_shell(&folder.0, kind),
        ["wamlet", ref args @ ..] => Terminal::start(&folder.0, args, (kind, false)),
        _ => return Err(format!("{}: no such command", path.display())),
    };
    let mut row = 0;
    for line in lines {
        if let Some(keys) = line.strip_prefix("< ") {
            for (number, keys) in keys.split("<Pause>").enumerate() {
                if number > 0 {
                    std::thread::sleep(PAUSE);
                }
                terminal.keys(&bytes_of(keys));
            }
        } else if !line.is_empty() {
            let passing = line.strip_prefix("~ ");
            let seen = terminal
                .await_line(passing.unwrap_or(line), row)
                .ok_or_else(|| {
                    let seen = terminal.rows().join("\n");
                    let seen = seen.trim_end();
                    format!("{}: not seen: {line}\n{seen}\n", path.display())
                })?;
            if passing.is_none() {
                row = seen;
            }
        }
    }
    Ok(())
}

fn sessions() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terminal");
    let entries = std::fs::read_dir(folder).expect("the folder of sessions");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "session"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn sessions_match_their_files() {
    let paths = sessions();
    assert!(paths.len() > 2, "too few sessions");
    let next = AtomicUsize::new(0);
    let failed: Vec<String> = std::thread::scope(|scope| {
        let players: Vec<_> = (0..AT_A_TIME)
            .map(|_| {
                scope.spawn(|| {
                    let mut failed = Vec::new();
                    while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                        failed.extend(play(path).err());
                    }
                    failed
                })
            })
            .collect();
        let results = players.into_iter().map(|player| player.join());
        results
            .flat_map(|failed| failed.expect("a player"))
            .collect()
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn colours_can_be_disabled() {
    let coloured = |no_color: bool| {
        let folder = Folder::new();
        let mut terminal = Terminal::start(&folder.0, &["-q"], ("xterm-256color", no_color));
        terminal.keys(b"X = 1 .");
        terminal.await_line("?- X = 1 .", 0).expect("the query");
        terminal.raw.windows(5).any(|bytes| bytes == b"\x1b[33m")
    };
    assert!(coloured(false));
    assert!(!coloured(true));
}

/// The paste has no marks, and arrives while the process reads.
#[test]
fn a_pasted_line_is_not_drawn_for_each_character() {
    let folder = Folder::new();
    let mut terminal = Terminal::start(&folder.0, &["-q"], ("xterm-256color", false));
    terminal.await_line("?-", 0).expect("the prompt");
    while terminal.look(QUIET) {}
    let before = terminal.raw.len();
    let items: Vec<String> = (0..3000).map(|item| item.to_string()).collect();
    let query = format!("length([{}],\rN).\rX = N.\r", items.join(","));
    let mut keys = std::mem::replace(&mut terminal.keys, Box::new(std::io::sink()));
    let writer = std::thread::spawn({
        let query = query.clone();
        move || {
            for piece in query.as_bytes().chunks(512) {
                keys.write_all(piece).expect("a process that reads");
            }
            // The terminal exists as long as its keys.
            keys
        }
    });
    terminal.await_line("N = 3000.", 0).expect("the answer");
    terminal.await_line("X = N.", 0).expect("the second answer");
    drop(writer.join().expect("it is written"));
    let shown = terminal.raw.len() - before;
    // If the prompt drew the whole line each time, each number would have colours.
    assert!(
        shown < 100 * query.len(),
        "{shown} bytes for {}",
        query.len()
    );
}

#[test]
fn messages_of_loading_and_listings_have_colours() {
    let shown = |no_color: bool| {
        let folder = Folder::new();
        folder.file("likes.pl", "likes(X, Y) :- friend(X, Y).\nfriend(a b).\n");
        let mut terminal =
            Terminal::start(&folder.0, &["-q", "likes.pl"], ("xterm-256color", no_color));
        terminal.keys(b"listing(likes).\r");
        terminal.await_line("true.", 0).expect("the listing");
        String::from_utf8_lossy(&terminal.raw).into_owned()
    };
    let (coloured, plain) = (shown(false), shown(true));
    assert!(
        coloured.contains("\x1b[1;31merror\x1b[0m: syntax error"),
        "{coloured}"
    );
    assert!(
        coloured.contains("\x1b[34mlikes\x1b[0m(\x1b[33mX"),
        "{coloured}"
    );
    for text in ["likes.pl:2:10: error: syntax error", "likes(X, Y) :-"] {
        assert!(plain.contains(text), "{plain}");
    }
}

#[test]
fn a_paste_of_many_lines_is_taken_at_once() {
    let folder = Folder::new();
    let mut terminal = Terminal::start(&folder.0, &["-q"], ("xterm-256color", false));
    let mut text = String::from("Xs = [");
    for number in 1..120 {
        text.push_str(&format!("item({number}, 'text', \"s\"),\n"));
    }
    text.push_str("last], length(Xs, N), N > 0.");
    let mut keys = b"\x1b[200~".to_vec();
    keys.extend(text.replace('\n', "\r").bytes());
    keys.extend(b"\x1b[201~");
    terminal.keys(&keys);
    terminal.keys(b"\r");
    terminal.await_line("N = 120.", 0).expect("the answer");
}

/// Returns the reported seconds of a query after a person has looked at its answer for a while.
fn reported_seconds(file: &str, text: &str, query: &str, answer: &str) -> f64 {
    let folder = Folder::new();
    folder.file(file, text);
    let args = ["-q", "--time", file];
    let mut terminal = Terminal::start(&folder.0, &args, ("xterm-256color", false));
    terminal.keys(format!("{query}\r").as_bytes());
    let shown = |terminal: &Terminal, part: &str| {
        let rows = terminal.rows();
        rows.into_iter().find(|row| row.contains(part))
    };
    let start = Instant::now();
    while shown(&terminal, answer).is_none() && start.elapsed() < PATIENCE {
        terminal.look(QUIET);
    }
    std::thread::sleep(PAUSE);
    terminal.keys(b"\r");
    let start = Instant::now();
    while shown(&terminal, " seconds").is_none() && start.elapsed() < PATIENCE {
        terminal.look(QUIET);
    }
    let row = shown(&terminal, " seconds").expect("the time of the query");
    let number = row.split_whitespace().nth_back(1).expect("a number");
    number.parse().expect("a number of seconds")
}

#[test]
fn the_time_of_a_query_excludes_that_of_the_person() {
    let prolog = reported_seconds("p.pl", "p(1).\np(2).\n", "p(X).", "X = 1");
    assert!(prolog < PAUSE.as_secs_f64(), "{prolog}");
    let lolli = reported_seconds("m.ll", "MODULE m.\np 1.\np 2.\n", "p X.", "X_1 <- 1");
    assert!(lolli < PAUSE.as_secs_f64(), "{lolli}");
}

/// For each solution, time/1 reports the time of that solution alone.
#[test]
fn the_time_of_a_further_solution_is_its_own() {
    let goal = "time((numlist(1, 20000, L), maplist(integer, L), X = 1 ; X = 2)), X = 2";
    let ran = std::process::Command::new(WAMLET)
        .args(["-g", goal])
        .output();
    let errors = String::from_utf8(ran.expect("a process").stderr).expect("text");
    let counts: Vec<u64> = errors
        .lines()
        .filter_map(|line| line.strip_prefix("% ")?.split_once(" inferences"))
        .map(|(count, _)| count.replace(',', "").parse().expect("a number"))
        .collect();
    assert_eq!(counts.len(), 2, "{errors}");
    assert!(counts[0] > 20_000 && counts[1] < 100, "{counts:?}");
}

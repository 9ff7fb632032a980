//! Sessions of Lolli: input and output.
//!
//! A file `tests/cases/lolli/NAME.session` looks like a session at a terminal. These lines are input: a
//! line that begins with `?- `, with the lines after it up to one that ends in `.`; a `;` at the end of
//! an answer; and the empty line before `yes`. Lines that begin with `! ` are parts of the messages, in
//! order. Lines that begin with `%` are comments. All other lines are output. The numbers of variables
//! are ignored. Modules are found in the folder of the file.

use std::fs;
use std::path::{Path, PathBuf};

use wamlet::{Capabilities, Engine};

/// The content of a file.
#[derive(Default)]
struct Session {
    typed: String,
    printed: Vec<String>,
    messages: Vec<String>,
}

impl Session {
    fn parse(text: &str) -> Session {
        let mut session = Session::default();
        let mut lines = text.lines().filter(|line| !line.starts_with('%'));
        while let Some(line) = lines.next() {
            if let Some(query) = line.strip_prefix("?- ") {
                session.type_line(query);
                let mut last = query;
                while !last.trim_end().ends_with('.') {
                    last = lines.next().expect("a query ends in `.`");
                    session.type_line(last);
                }
            } else if let Some(message) = line.strip_prefix("! ") {
                session.messages.push(message.to_owned());
            } else if !line.is_empty() {
                if line.ends_with(';') {
                    session.type_line(";");
                } else if line == "yes" {
                    session.type_line("");
                }
                session.printed.push(plain(line));
            }
        }
        session
    }

    fn type_line(&mut self, line: &str) {
        self.typed.push_str(line);
        self.typed.push('\n');
    }
}

/// Returns a line without the numbers of variables, and without blanks at its end.
fn plain(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line.trim_end();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = rest[first.len_utf8()..]
            .find(|c| !is_word(c))
            .map_or(rest.len(), |end| end + first.len_utf8());
        if !is_word(first) && first != '!' {
            text.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let (word, after) = rest.split_at(end);
        let digit = |at: &usize| word[*at..].starts_with(|c: char| c.is_ascii_digit());
        let is_number = |at: &usize| digit(at) && (first == '!' || word[..*at].ends_with('_'));
        let start = (1..word.len()).find(is_number);
        match start.filter(|_| !first.is_lowercase() && !first.is_ascii_digit()) {
            None => text.push_str(word),
            Some(start) => {
                text.push_str(&word[..start]);
                text.push('N');
                text.push_str(word[start..].trim_start_matches(|c: char| c.is_ascii_digit()));
            }
        }
        rest = after;
    }
    text
}

/// Runs a session and returns the first difference from its file.
fn run(file: &Path, collect_always: bool) -> Result<(), String> {
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let session = Session::parse(&text);
    let builder = Engine::builder()
        .capabilities(Capabilities::full())
        .collect_at_every_call(collect_always);
    let mut engine = builder.build().map_err(|error| error.to_string())?;
    engine.capture_output();
    engine.capture_error_output();
    engine.print_diagnostics(true);
    engine.set_input_text(session.typed.as_str());
    engine.add_module_folder(file.parent().expect("a folder"));
    engine
        .lolli_session(&[])
        .map_err(|error| error.to_string())?;
    let output = engine.take_output();
    let errors = engine.take_error_output();
    let printed: Vec<String> = output
        .lines()
        .filter(|line| !line.is_empty())
        .map(plain)
        .collect();
    let common = printed
        .iter()
        .zip(&session.printed)
        .take_while(|(a, b)| a == b)
        .count();
    if common < printed.len().max(session.printed.len()) {
        let line = |lines: &[String]| lines.get(common).cloned().unwrap_or_default();
        return Err(format!(
            "line {} of the output:\n  wanted: {}\n  got:    {}\n{errors}",
            common + 1,
            line(&session.printed),
            line(&printed)
        ));
    }
    let mut rest = errors.as_str();
    for message in &session.messages {
        match rest.find(message.as_str()) {
            Some(at) => rest = &rest[at + message.len()..],
            None => return Err(format!("no message `{message}` in the rest:\n{rest}")),
        }
    }
    Ok(())
}

#[test]
fn sessions_give_their_output() {
    run_all(false);
}

#[test]
fn sessions_give_their_output_with_a_collection_at_every_call() {
    run_all(true);
}

fn run_all(collect_always: bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/lolli");
    let entries = fs::read_dir(&folder).expect("a folder of sessions");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "session"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let failures: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let difference = run(file, collect_always).err()?;
            Some(format!("{}: {difference}", file.display()))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn numbers_of_variables_are_ignored() {
    assert_eq!(
        plain("X_12 <- f Y_3 x1 !c7 __4solved"),
        "X_N <- f Y_N x1 !cN __Nsolved"
    );
    assert_eq!(plain("a_1 b2 c_ "), "a_1 b2 c_");
}

//! Plain English: phrases that make a sentence hard to read, long sentences, headings that are clauses,
//! and comments of items that are questions. It reads the documents, all comments, and the literals of `src`, which are
//! mostly messages.

use super::{files_under, read, refuse};

/// Maximum number of words of a sentence in a document or a message.
const MOST_WORDS: usize = 25;
/// Maximum number of words of a sentence in a comment.
const MOST_WORDS_OF_COMMENTS: usize = 30;

/// Phrases that are not used. Each part of a phrase is a word, or alternatives between `|`.
const PHRASES: &[&str] = &[
    "tell|tells|told|telling",
    "so many|much|few|often",
    "own accord",
    "is|are|was|were concerned",
    "matter|matters of",
    "the same of",
    "of|to whom",
    "of which",
    "come|comes|came to|of",
    "is|are|be|was|were|been met|asked",
    "but for",
    "nor is|are|do|does|was|were|has|have|can|may|will",
    "one's",
    "if need be",
    "of theirs",
    "there it",
    "that|this much|many",
    "as many as there",
    "none so",
    "otherwise than",
    "let go",
    "given anew",
];

/// Phrases that are right before this word.
const PHRASES_BEFORE: &[(&str, &str)] =
    &[("so long", "as"), ("stand|stands|stood|standing", "for")];

/// Phrases that questions may have.
const CLAUSES: &[&str] = &[
    "what is|was|were|are|has|have|had|of|comes|come|came|goes|lies|lay|holds",
    "what belongs|belong|remains|remain|can|may|must|no|one",
];

/// Words that such phrases may have: `what is wrong`.
const KNOWN: &[&str] = &["wrong", "true"];

/// Words with which a heading begins that is a clause.
const HEADING_BEGINS: &str = "what|how|where|when|why|who|which|if|whether|that";
/// Verbs that make a heading a clause.
const HEADING_HAS: &str = "is|are|has|have|does|do|was|were|can|may";

/// A run of text between blank lines.
struct Paragraph {
    line: usize,
    kind: Kind,
    text: String,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Plain,
    Heading,
    /// The comment of an item of Rust.
    Item,
    /// A literal of Rust.
    Literal,
}

/// Collects the paragraphs of a text.
#[derive(Default)]
struct Paragraphs {
    done: Vec<Paragraph>,
    open: Option<Paragraph>,
    in_block: bool,
    /// Whether the line belongs to an example, which begins with a query.
    in_example: bool,
}

impl Paragraphs {
    fn end(&mut self) {
        self.done.extend(self.open.take());
    }

    fn alone(&mut self, line: usize, kind: Kind, text: &str) {
        self.end();
        let text = text.to_owned();
        self.done.push(Paragraph { line, kind, text });
    }

    /// Adds a line of Markdown, as documents and comments have it.
    fn add(&mut self, line: usize, kind: Kind, text: &str) {
        let text = text.trim();
        if text.starts_with("```") {
            self.end();
            self.in_block = !self.in_block;
        } else if self.in_block {
        } else if text.is_empty() {
            self.end();
            self.in_example = false;
        } else if self.in_example || text.starts_with("?- ") {
            self.end();
            self.in_example = true;
        } else if let (Kind::Plain, Some(heading)) = (kind, text.strip_prefix('#'))
            && heading.starts_with([' ', '#'])
        {
            self.alone(line, Kind::Heading, heading.trim_start_matches('#'));
        } else if text.starts_with('|') {
            for cell in text.split('|').filter(|cell| !cell.trim().is_empty()) {
                self.alone(line, Kind::Plain, cell);
            }
        } else {
            let item = item_of_list(text);
            if item.is_some() || self.open.as_ref().is_some_and(|open| open.kind != kind) {
                self.end();
            }
            let open = self.open.get_or_insert_with(|| Paragraph {
                line,
                kind,
                text: String::new(),
            });
            open.text.push(' ');
            open.text.push_str(item.unwrap_or(text));
        }
    }
}

/// The text of an item of a list, without its mark.
fn item_of_list(line: &str) -> Option<&str> {
    let numbered = line.split_once(". ").filter(|(number, _)| {
        !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
    });
    let marked = line.strip_prefix("- ").or(line.strip_prefix("* "));
    marked.or(numbered.map(|(_, text)| text))
}

/// The paragraphs of a file, by the comments that its language has.
fn paragraphs(path: &str, text: &str) -> Vec<Paragraph> {
    let mut found = Paragraphs::default();
    for (number, line) in (1..).zip(text.lines()) {
        let trimmed = line.trim_start();
        if path.ends_with(".md") {
            found.add(number, Kind::Plain, line);
        } else if path.ends_with(".rs") {
            match trimmed.strip_prefix("//") {
                Some(rest) if rest.starts_with('/') => found.add(number, Kind::Item, &rest[1..]),
                Some(rest) => {
                    let comment = rest.strip_prefix('!').unwrap_or(rest);
                    found.add(number, Kind::Plain, comment);
                }
                None => {
                    found.end();
                    found.in_block = false;
                    if path.starts_with("src/") {
                        for literal in literals(trimmed) {
                            found.alone(number, Kind::Literal, &literal.replace("\\n", ". "));
                        }
                    }
                }
            }
        } else {
            // `%% name(Arguments)` begins an entry of the manual.
            match trimmed.strip_prefix('%') {
                Some(rest) if !rest.starts_with(['%', '!']) => found.add(number, Kind::Plain, rest),
                _ => found.end(),
            }
        }
    }
    found.end();
    found.done
}

/// The literals of a line of code that consist of several words.
fn literals(line: &str) -> impl Iterator<Item = &str> {
    let parts = line.split('"').skip(1).step_by(2);
    parts.filter(|part| part.split_whitespace().count() > 2)
}

/// The text without code, targets of links and marks.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for (index, part) in text.split('`').enumerate() {
        match index % 2 {
            0 => plain.push_str(part),
            _ => plain.push('X'),
        }
    }
    let mut pieces = plain.split("](");
    let mut without = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        without.push_str(piece.split_once(')').map_or(piece, |(_, rest)| rest));
    }
    without.replace("**", "").replace(['[', ']'], "")
}

/// The sentences of a text, and whether each is a question. A colon and a semicolon end one, too.
fn sentences(text: &str) -> Vec<(Vec<String>, bool)> {
    let (mut found, mut words) = (Vec::new(), Vec::new());
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if !bare.is_empty() {
            words.push(bare.to_lowercase());
        }
        let end = word.trim_end_matches([')', '"', '\'']);
        if end.ends_with(['.', '?', '!', ':', ';']) && !matches!(end, "e.g." | "i.e." | "cf.") {
            found.push((std::mem::take(&mut words), end.ends_with('?')));
        }
    }
    found.push((words, false));
    found
}

/// Returns whether a list of words begins with a phrase.
fn begins(words: &[String], phrase: &str) -> bool {
    let mut words = words.iter();
    let mut parts = phrase.split(' ');
    parts.all(|part| {
        let word = words.next();
        word.is_some_and(|word| part.split('|').any(|known| known == word))
    })
}

/// The phrases of a sentence that are not used.
fn phrases(words: &[String], is_question: bool) -> Vec<String> {
    let mut found = Vec::new();
    for at in 0..words.len() {
        let rest = &words[at..];
        let is_known = words
            .get(at + 2)
            .is_some_and(|word| KNOWN.contains(&word.as_str()));
        let clauses = CLAUSES.iter().filter(|_| !is_question && !is_known);
        let plain = PHRASES.iter().chain(clauses);
        let unless = PHRASES_BEFORE.iter().filter_map(|(phrase, next)| {
            let after = rest.get(phrase.split(' ').count());
            (after.map(String::as_str) != Some(*next)).then_some(phrase)
        });
        found.extend(
            plain
                .chain(unless)
                .filter(|phrase| begins(rest, phrase))
                .map(|phrase| {
                    let count = phrase.split(' ').count();
                    rest[..count].join(" ")
                }),
        );
    }
    if !is_question && words.len() > 1 && words[0] == "who" {
        found.push("Who …".to_owned());
    }
    found
}

/// The faults of a paragraph.
fn faults(path: &str, paragraph: &Paragraph) -> Vec<String> {
    let text = plain(&paragraph.text);
    let sentences = sentences(&text);
    if paragraph.kind == Kind::Heading {
        let words = sentences.concat_words();
        let has_verb = |word: &String| HEADING_HAS.split('|').any(|verb| verb == word);
        let is_clause = begins(&words, HEADING_BEGINS) || words.iter().any(has_verb);
        // One word is the name of a library or of a predicate.
        let is_clause = is_clause && words.len() > 1;
        let fault = format!("the heading is a clause: {}", paragraph.text.trim());
        return is_clause.then_some(fault).into_iter().collect();
    }
    let is_comment = !path.ends_with(".md") && paragraph.kind != Kind::Literal;
    let most = if is_comment {
        MOST_WORDS_OF_COMMENTS
    } else {
        MOST_WORDS
    };
    let mut found = Vec::new();
    for (words, is_question) in &sentences {
        found.extend(
            phrases(words, *is_question)
                .iter()
                .map(|phrase| format!("`{phrase}`")),
        );
        if words.len() > most {
            let begin = words[..6].join(" ");
            found.push(format!("{} words: {begin} …", words.len()));
        }
    }
    if paragraph.kind == Kind::Item
        && let Some((words, true)) = sentences.first()
    {
        found.push(format!(
            "a question: {} …",
            words[..words.len().min(5)].join(" ")
        ));
    }
    found
}

trait ConcatWords {
    fn concat_words(&self) -> Vec<String>;
}

impl ConcatWords for Vec<(Vec<String>, bool)> {
    fn concat_words(&self) -> Vec<String> {
        self.iter().flat_map(|(words, _)| words.clone()).collect()
    }
}

/// Programs of published documents, which stay as they were published.
const PUBLISHED: &[&str] = &[
    "programs/cubes.pl",
    "programs/enigma.pl",
    "programs/fillin.pl",
    "programs/nut1.pl",
];

/// All texts, by their paths.
fn texts() -> Vec<(String, String)> {
    let starts = [
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "docs",
        "src",
        "prelude",
        "programs",
        "tests",
        "benches",
        "examples",
    ];
    let files = starts.iter().flat_map(|start| files_under(start));
    let files = files.filter(|(path, _)| {
        let own = path.starts_with("prelude") || path.starts_with("programs");
        let is_text = path.ends_with(".md") || path.ends_with(".rs");
        !PUBLISHED.contains(&path.as_str()) && (is_text || own && path.ends_with(".pl"))
    });
    files.map(|(path, place)| (path, read(&place))).collect()
}

#[test]
fn texts_are_plain_english() {
    let mut offenders = Vec::new();
    for (path, text) in texts() {
        for paragraph in paragraphs(&path, &text) {
            let found = faults(&path, &paragraph).into_iter();
            offenders.extend(found.map(|fault| format!("{path}:{}: {fault}", paragraph.line)));
        }
    }
    refuse("sentences that are hard to read", &offenders);
}

#[test]
fn faults_of_sentences_are_found() {
    let found = |path: &str, text: &str| -> Vec<String> {
        let paragraphs = paragraphs(path, text);
        paragraphs
            .iter()
            .flat_map(|found| faults(path, found))
            .collect()
    };
    assert_eq!(
        found("a.md", "It is told of the `told of` there."),
        ["`told`"]
    );
    assert_eq!(
        found("a.md", "# What is there\n\nWhat is it? A stand for it."),
        ["the heading is a clause: What is there"]
    );
    assert_eq!(
        found("src/a.rs", "/// Is it late?\nfn a() { b(\"nor is it\"); }"),
        ["a question: is it late …", "`nor is`"]
    );
    assert_eq!(found("a.pl", "% What is\n% no list."), ["`what is`"]);
    let long = "word ".repeat(26);
    assert_eq!(
        found("a.md", &long),
        ["26 words: word word word word word word …"]
    );
    assert!(found("a.md", "```\nso many\n```\n").is_empty());
}

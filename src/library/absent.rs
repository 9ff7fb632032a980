//! Libraries of SWI-Prolog that Wamlet does not have, and what to use in place of them: for messages, and for the
//! table in `docs/from-swi-prolog.md`.

/// Names of absent libraries, and what to use. A name that ends in `/` is that of a folder, one that ends in `_` the
/// beginning of a name. A name that stands before a folder which holds it comes first.
const ABSENT: &[(&[&str], &str)] = &[
    (
        &[
            "json",
            "http/json",
            "http/http_json",
            "http/json_convert",
            "term_to_json",
        ],
        "read and write JSON in the Rust program that embeds Wamlet, or by grammar rules with library(dcg/basics)",
    ),
    (&["http/dcg_basics"], "library(dcg/basics)"),
    (
        &[
            "http/",
            "pengines",
            "pengines_",
            "mqi",
            "stomp",
            "redis",
            "redis_",
            "socket",
            "ssl",
            "udp_broadcast",
            "tipc/",
        ],
        "serve from a Rust program that embeds Wamlet (docs/embedding.md); shell/2 runs a client such as curl",
    ),
    (
        &["semweb/", "rdf", "rdf_"],
        "keep triples as facts such as rdf(S, P, O); convert RDF files to facts by another program",
    ),
    (
        &[
            "sgml",
            "sgml_",
            "xpath",
            "pwp",
            "xsdp_types",
            "c14n2",
            "saml",
            "xmldsig",
            "xmlenc",
        ],
        "convert the document to facts by another program, or parse it in the Rust program that embeds Wamlet",
    ),
    (
        &["archive", "zlib", "zip"],
        "unpack the files before the program reads them, as by shell/2",
    ),
    (
        &["odbc", "bdb", "rocksdb", "prosqlite"],
        "export tables as facts, or give access by a predicate in Rust (docs/embedding.md)",
    ),
    (
        &["shlib", "qpforeign"],
        "write the predicates in Rust (docs/embedding.md)",
    ),
    (
        &[
            "pce",
            "pce_",
            "gui_tracer",
            "emacs/",
            "trace/",
            "threadutil",
            "prolog_trace",
            "prolog_breakpoints",
        ],
        "there is no graphical interface; trace/0 and spy/1 debug at the prompt, and `wamlet tree` draws a search",
    ),
    (
        &["prolog_pack", "prolog_install", "git"],
        "copy the pack, and add its folder: user:file_search_path(library, 'pack/prolog')",
    ),
    (
        &["chr", "chr/"],
        "Constraint Handling Rules are not supported; library(when) and dif/2 delay goals",
    ),
    (
        &[
            "clpb", "clpr", "clpq", "clpqr", "simplex", "nb_clp", "bounds", "inclpr", "clp/",
        ],
        "library(clpfd) has constraints over integers; there are none over other domains",
    ),
    (
        &["pcre"],
        "split_string/4, sub_atom/5, or grammar rules with library(dcg/basics)",
    ),
    (&["process"], "shell/1 and shell/2"),
    (
        &["csv"],
        "read_line_to_string/2 and split_string/4, or grammar rules with library(dcg/basics)",
    ),
    (
        &["yaml", "protobufs", "protobufs/"],
        "parse the text in the Rust program that embeds Wamlet, or by grammar rules",
    ),
    (&["optparse"], "argv_options/3 of library(main)"),
    (
        &["settings"],
        "create_prolog_flag/3 and current_prolog_flag/2, or facts in a file of their own",
    ),
    (
        &["uri", "url", "iri_scheme/"],
        "split_string/4, or grammar rules with library(dcg/basics)",
    ),
    (
        &[
            "md5",
            "sha",
            "crypto",
            "crypt",
            "hash_stream",
            "base64",
            "base32",
            "uuid",
        ],
        "write a predicate in Rust over a crate (docs/embedding.md); term_hash/2 gives small hashes",
    ),
    (
        &[
            "prolog_xref",
            "prolog_source",
            "prolog_colour",
            "prolog_codewalk",
            "prolog_clause",
            "prolog_metainference",
            "prolog_format",
            "prolog_deps",
            "prolog_autoload",
            "prolog_config",
            "prolog_versions",
            "prolog_history",
        ],
        "read_term/2 reads a program term by term; the loader itself warns of what is undefined",
    ),
    (
        &["persistency"],
        "write facts by listing/1, and load them by consult/1",
    ),
    (
        &["record"],
        "arg/3, setarg/3 and functor/3, or clauses that name the arguments",
    ),
    (&["dicts"], "library(assoc) or library(pairs)"),
    (
        &["hashtable", "tables", "table", "table_util", "nb_rbtrees"],
        "library(assoc), library(rbtrees) or facts",
    ),
    (&["oset"], "library(ordsets)"),
    (&["pprint"], "print/1 or portray_clause/1"),
    (
        &["readln", "console_input"],
        "read_line_to_string/2 and split_string/4",
    ),
    (
        &["lazy_lists", "edit", "streams", "prolog_stream", "iostream"],
        "phrase_from_file/2 of library(pure_input) reads lazily",
    ),
    (
        &["editline", "readline"],
        "the prompt edits lines without a library",
    ),
    (
        &["qsave"],
        "`wamlet compile` makes an image of a program (docs/images.md)",
    ),
    (
        &["sandbox"],
        "limit queries: --max-steps, --timeout, call_with_inference_limit/3 (docs/resilience.md)",
    ),
    (
        &[
            "snowball",
            "porter_stem",
            "isub",
            "double_metaphone",
            "unicode",
            "unicode/",
        ],
        "write a predicate in Rust over a crate",
    ),
    (
        &["test_cover", "test_wizard"],
        "`wamlet test --coverage` (docs/testing.md)",
    ),
    (
        &["pldoc", "pldoc/", "doc_", "latex2html", "latex2html/"],
        "leave the directive out; comments stay comments",
    ),
    (&["memfile"], "with_output_to/2 and open_string/2"),
    (
        &["thread_pool", "paxos", "streampool", "broadcast"],
        "there is one thread; call the goals one after the other",
    ),
    (
        &["intercept"],
        "catch/3 and throw/1, or global variables (b_setval/2)",
    ),
    (
        &[
            "increval",
            "wfs",
            "coinduction",
            "prolog_wrap",
            "prolog_jiti",
        ],
        "table/1 without these extensions",
    ),
    (
        &[
            "unix",
            "uid",
            "rlimit",
            "syslog",
            "crypt",
            "tty",
            "www_browser",
        ],
        "shell/2, or a predicate in Rust",
    ),
    (
        &["dialect/"],
        "expects_dialect/1 of this dialect; put a file library(dialect/NAME) of your own beside the program",
    ),
];

/// What to use in place of a library that does not exist. `None` if nothing is known of it.
pub(crate) fn in_place_of(library: &str) -> Option<&'static str> {
    let is_meant = |name: &&str| match name.ends_with('/') || name.ends_with('_') {
        true => library.starts_with(*name),
        false => library == *name,
    };
    let rows = ABSENT.iter();
    rows.filter(|(names, _)| names.iter().any(is_meant))
        .map(|&(_, instead)| instead)
        .next()
}

/// The table of absent libraries, in Markdown.
#[cfg(test)]
fn table() -> String {
    let mut text = String::from("| library | what to use |\n|---|---|\n");
    for (names, instead) in ABSENT {
        let names = names.iter().filter(|name| is_absent(name));
        let names: Vec<String> = names
            .map(|name| match name.ends_with('/') || name.ends_with('_') {
                true => format!("`{name}…`"),
                false => format!("`{name}`"),
            })
            .collect();
        if !names.is_empty() {
            text.push_str(&format!("| {} | {instead} |\n", names.join(", ")));
        }
    }
    text
}

/// Is no library of this name there?
#[cfg(test)]
fn is_absent(name: &str) -> bool {
    super::prelude::LIBRARIES
        .iter()
        .all(|(known, _)| *known != name)
}

#[cfg(test)]
mod tests {
    use super::{in_place_of, table};
    use std::path::Path;

    #[test]
    fn names_folders_and_beginnings_are_known() {
        for name in ["http/http_open", "pce_main", "clpb", "semweb/rdf11", "chr"] {
            assert!(in_place_of(name).is_some(), "{name}");
        }
        assert_eq!(in_place_of("http/dcg_basics"), Some("library(dcg/basics)"));
        for name in ["lists", "http", "clpfd", "clpb2", "chronology"] {
            assert_eq!(in_place_of(name), None, "{name}");
        }
    }

    #[test]
    fn the_page_has_the_table() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/from-swi-prolog.md");
        let page = std::fs::read_to_string(&path).unwrap();
        let (begin, end) = ("<!-- absent libraries -->\n", "<!-- end -->\n");
        let (before, rest) = page.split_once(begin).expect("the table begins");
        let (present, after) = rest.split_once(end).expect("the table ends");
        let wanted = table();
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, [before, begin, &wanted, end, after].concat()).unwrap();
            return;
        }
        assert!(
            present == wanted,
            "the table is stale: run the tests with UPDATE_GOLDEN=1"
        );
    }
}

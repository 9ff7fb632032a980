//! Rules about rooms, which are the folders of `src`: the allowed imports between rooms, and the text of their heads.
//! The file `cycles` checks imports between files of one room.

use super::{File, package_root, read, refuse, rust_files};
use std::collections::{BTreeMap, BTreeSet};

/// Every module directly under `src/` with its layer. A module imports only modules of lower layers, and itself.
const LAYERS: &[(&str, u32)] = &[
    ("base", 0),
    ("data_tests", 0),
    ("store", 1),
    ("ir", 1),
    ("arith", 1),
    ("io", 1),
    ("text", 2),
    ("code", 2),
    ("fd", 2),
    ("front", 3),
    ("compile", 4),
    ("program", 4),
    ("machine", 5),
    ("builtins", 6),
    ("source", 7),
    ("library", 8),
    ("image", 9),
    ("diagnose", 9),
    ("load", 10),
    ("tools", 11),
    ("lolli", 12),
    ("api", 13),
    ("testing", 14),
];

/// Allowed imports between modules of one layer: importer, imported, reason.
const SAME_LAYER: &[(&str, &str, &str)] = &[(
    "ir",
    "store",
    "a constant of a clause is the cell that its code will hold",
)];

/// Imports that the layers allow but the tests forbid: importer, imported, reason.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "machine",
        "text",
        "the machine runs code and neither reads nor writes terms",
    ),
    (
        "machine",
        "front",
        "the machine runs code and does not translate clauses",
    ),
    ("machine", "compile", "the machine receives finished code"),
];

fn layer(module: &str) -> Option<u32> {
    LAYERS
        .iter()
        .find(|(name, _)| *name == module)
        .map(|(_, layer)| *layer)
}

fn listed(list: &[(&str, &str, &str)], from: &str, to: &str) -> Option<String> {
    list.iter()
        .find(|row| row.0 == from && row.1 == to)
        .map(|row| row.2.to_owned())
}

/// Returns the reason why the module `from` may not import `to`, or `None` if the import is allowed.
fn import_fault(from: &str, to: &str) -> Option<String> {
    let (Some(from_layer), Some(to_layer)) = (layer(from), layer(to)) else {
        let unknown = if layer(from).is_none() { from } else { to };
        return Some(format!("`{unknown}` has no layer in tests/tidy"));
    };
    if let Some(reason) = listed(REFUSED, from, to) {
        return Some(format!("`{from}` may not import `{to}`: {reason}"));
    }
    if to_layer < from_layer || from == to || listed(SAME_LAYER, from, to).is_some() {
        return None;
    }
    Some(format!(
        "`{from}` (layer {from_layer}) may not import `{to}` (layer {to_layer})"
    ))
}

#[test]
fn modules_import_lower_layers_only() {
    let mut offenders = Vec::new();
    for file in rust_files(&["src"]).iter().filter(|file| !file.is_root()) {
        let module = file.module().expect("a file under src");
        let imports = file.crate_modules();
        // Names of macros that modules export to each other begin with `__`.
        for (line, import) in imports
            .into_iter()
            .filter(|(_, name)| !name.starts_with("__"))
        {
            // The command is a program that uses the public interface, so it may name only itself.
            let fault = if module == "cli" {
                (import != "cli").then(|| format!("`cli` may not import `crate::{import}`"))
            } else if layer(&import).is_none() && file.path.ends_with("tests.rs") {
                None
            } else {
                import_fault(module, &import)
            };
            offenders.extend(fault.map(|fault| format!("{}:{line}: {fault}", file.path)));
        }
        if module != "cli" && layer(module).is_none() {
            offenders.push(format!(
                "{}: `{module}` has no layer in tests/tidy",
                file.path
            ));
        }
    }
    refuse("imports against the layers", &offenders);
}

/// Checks that the head of each room lists the rooms that the code of the room imports.
#[test]
fn heads_of_rooms_list_what_they_see() {
    let mut seen: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in rust_files(&["src"]) {
        let is_test = file.path.contains("tests") || file.path.ends_with("manual_page.rs");
        let Some(room) = file
            .module()
            .filter(|room| layer(room).is_some() && !is_test)
        else {
            continue;
        };
        let tests = file.source.code.find("#[cfg(test)]\nmod tests");
        let tests_line = tests.map_or(usize::MAX, |at| file.source.line_of(at));
        let imports = file.crate_modules().into_iter();
        let imports = imports
            .filter(|(line, name)| *line < tests_line && name != room && layer(name).is_some());
        let seen = seen.entry(room.to_owned()).or_default();
        seen.extend(imports.map(|(_, name)| name));
    }
    let mut offenders = Vec::new();
    for (room, seen) in seen {
        let head = read(&package_root().join(format!("src/{room}/mod.rs")));
        let lines = head.lines().map_while(|line| line.strip_prefix("//!"));
        let sees: Vec<&str> = lines
            .skip_while(|line| !line.starts_with(" Sees "))
            .collect();
        let sees = sees.concat();
        let sees = sees.split('.').next().unwrap_or_default();
        let listed: BTreeSet<String> = sees
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        if listed != seen {
            let seen: Vec<String> = seen.into_iter().collect();
            offenders.push(format!("src/{room}/mod.rs: sees {}", seen.join(", ")));
        }
    }
    refuse("heads that do not say what their rooms see", &offenders);
}

/// Checks that the head of each room, and of each folder in a room, describes the content of the folder. The head also
/// says which content belongs elsewhere, and names that place. The head of a room lists the rooms that it sees.
#[test]
fn heads_of_folders_describe_their_content() {
    let mut offenders = Vec::new();
    for file in rust_files(&["src"]) {
        let names: Vec<&str> = file.path.split('/').collect();
        let is_room = match names[..] {
            [_, _, "mod.rs"] => true,
            [_, _, _, "mod.rs"] => false,
            _ => continue,
        };
        let lines = file.source.lines.iter();
        let head: Vec<&String> = lines.take_while(|line| line.starts_with("//! ")).collect();
        let sees = head.iter().position(|line| line.starts_with("//! Sees "));
        let head = &head[..sees.unwrap_or(head.len())];
        if is_room && sees.is_none() {
            offenders.push(format!("{}: does not say what it sees", file.path));
        }
        if head.len() < 2 {
            let lines = head.len();
            offenders.push(format!("{}: a head of {lines} lines", file.path));
        }
        if !head.iter().any(|line| line.contains('`')) {
            offenders.push(format!("{}: names no other place", file.path));
        }
    }
    refuse(
        "heads of folders (at least two lines, with another place in back quotes)",
        &offenders,
    );
}

/// Checks that no file allows growth that ends the process if the system refuses memory. An item that cannot grow
/// otherwise has an `expect` with the reason.
#[test]
fn no_file_allows_growth_that_may_abort() {
    let allows = |file: &File| {
        let text = read(&package_root().join(&file.path));
        let lists = text.split("allow(").skip(1);
        let mut lists = lists.filter_map(|rest| rest.split(')').next());
        lists.any(|lints| lints.contains("disallowed_methods"))
    };
    let files = rust_files(&["src"]).into_iter().filter(allows);
    let offenders: Vec<String> = files.map(|file| file.path).collect();
    refuse("files that allow `disallowed_methods`", &offenders);
}

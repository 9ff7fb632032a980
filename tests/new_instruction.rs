//! An instruction is added to a copy of the sources as the section of docs/ARCHITECTURE.md says: three files, and
//! the one that emits it. It takes some minutes, so `.ci/nightly` runs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What the program is made of.
const SOURCES: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "clippy.toml",
    "src",
    "prelude",
    "benches",
    "docs",
    "tests",
];

/// A copy of the sources, which is deleted in the end.
struct Copy(PathBuf);

impl Copy {
    fn new() -> Copy {
        let folder = std::env::temp_dir().join(format!("wamlet-copy-{}", std::process::id()));
        for name in SOURCES {
            copy(
                &Path::new(env!("CARGO_MANIFEST_DIR")).join(name),
                &folder.join(name),
            );
        }
        Copy(folder)
    }

    /// Puts a text before the first place where another one stands in a file.
    fn insert(&self, file: &str, before: &str, text: &str) {
        let path = self.0.join(file);
        let whole = fs::read_to_string(&path).expect("the file");
        let at = whole
            .find(before)
            .unwrap_or_else(|| panic!("{file} has no `{before}`"));
        fs::write(&path, format!("{}{text}{}", &whole[..at], &whole[at..]))
            .expect("a writable file");
    }

    fn cargo(&self, arguments: &[&str]) -> Output {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(arguments).current_dir(&self.0);
        cargo.env("CARGO_TARGET_DIR", self.0.join("target"));
        cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
        cargo.output().expect("cargo")
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // What is left is in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        fs::create_dir_all(to.parent().expect("a folder")).expect("a new folder");
        fs::copy(from, to).expect("a copy");
        return;
    }
    for entry in fs::read_dir(from).expect("the folder") {
        let path = entry.expect("an entry").path();
        copy(&path, &to.join(path.file_name().expect("a name")));
    }
}

#[test]
#[ignore = "builds the program twice"]
fn an_instruction_is_a_row_a_body_and_what_emits_it() {
    let sources = Copy::new();
    sources.insert(
        "src/code/instruction.rs",
        "    /// Backtracks.\n",
        "    /// Does nothing.\n    Stay \"stay\" 1 [];\n",
    );
    // Without a body it does not compile, and the compiler names it.
    let refused = sources.cargo(&["check", "--release", "--locked", "--lib"]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && said.contains("Op::Stay"),
        "{said}"
    );
    sources.insert(
        "src/machine/dispatch/endings.rs",
        "/// `fail`\n",
        "/// `stay`\n#[inline(always)]\npub(crate) fn stay(_: &mut Machine, mut r: Regs, _: u64) -> Regs {\n    \
         step(&mut r, 1);\n    r\n}\n\n",
    );
    sources.insert(
        "src/machine/dispatch/forms.rs",
        "            fast Fail => endings::fail_op,\n",
        "            fast Stay => endings::stay,\n",
    );
    sources.insert(
        "src/compile/generate.rs",
        "self.emit_begun(Op::Fail, 0, 0, 0);",
        "self.emit_begun(Op::Stay, 0, 0, 0);\n                ",
    );
    fs::write(sources.0.join("stay.pl"), "p :- fail.\np :- write(done).\n").expect("a file");
    let run = [
        "run",
        "--release",
        "--locked",
        "--",
        "-g",
        "p, halt",
        "stay.pl",
    ];
    let output = sources.cargo(&run);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "done", "{said}");
    let output = sources.cargo(&["run", "--release", "--locked", "--", "--listing", "stay.pl"]);
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("stay"),
        "the listing shows it"
    );
}

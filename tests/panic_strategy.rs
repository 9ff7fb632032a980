//! How the crate may be built: with unwinding panics alone.

/// With `panic = "abort"` a limit that is met inside a builtin would end the process. The compiler ends with other
/// errors here, as it is given no other crates: whether it gives that of the crate is what counts.
#[test]
fn the_crate_refuses_a_profile_that_aborts() {
    let compiler = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let refuses = |panic: &str| {
        let compiled = std::process::Command::new(&compiler)
            .args([
                "--edition",
                "2024",
                "--crate-type",
                "lib",
                "--emit",
                "dep-info",
            ])
            .args(["-o", "/dev/null", "-C", panic, "src/lib.rs"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("the compiler");
        let messages = String::from_utf8_lossy(&compiled.stderr);
        messages.contains("error: Wamlet needs `panic = \"unwind\"`")
    };
    assert!(refuses("panic=abort"));
    assert!(!refuses("panic=unwind"));
}

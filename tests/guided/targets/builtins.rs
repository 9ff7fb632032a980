//! See `wamlet_guided::builtins`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wamlet_guided::builtins(bytes));

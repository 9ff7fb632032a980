//! See `wamlet_guided::machine`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wamlet_guided::machine(bytes));

//! See `wamlet_guided::collections`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wamlet_guided::collections(bytes));

//! See `wamlet_guided::reader`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wamlet_guided::reader(bytes));

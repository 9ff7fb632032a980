//! See `wamlet_guided::images`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wamlet_guided::images(bytes));

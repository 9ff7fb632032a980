//! See `wamlet_guided::lolli`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wamlet_guided::lolli(bytes));

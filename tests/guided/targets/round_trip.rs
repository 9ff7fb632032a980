//! See `wamlet_guided::round_trip`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wamlet_guided::round_trip(bytes));

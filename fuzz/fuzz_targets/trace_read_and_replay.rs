//! Whatever bytes come, reading them as a trace and replaying it either works or names a line and a reason.
//!
//! Run with `cargo fuzz run trace_read_and_replay`; the files of `tests/traces` are a good beginning for the corpus.
//! To get past the chain of hashes, the input is also taken as the lines of a trace without hashes, and chained anew.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tandem_core::trace::{Replay, Trace, rechain};
use tandem_gnomes::Gnomes;

fn read(bytes: &[u8]) {
    match Trace::read_bytes(bytes) {
        Ok(trace) => {
            if let Err(error) = Replay::<Gnomes>::new(trace) {
                assert!(error.line > 0 && !error.reason.is_empty());
            }
        }
        Err(error) => assert!(error.line > 0 && !error.reason.is_empty()),
    }
}

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        read(rechain(text).as_bytes());
    }
});

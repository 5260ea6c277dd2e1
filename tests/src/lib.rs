//! Whole-project tests live in this package's integration tests.

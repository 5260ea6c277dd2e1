//! The proxy in front of a mock upstream, over real sockets.

#[path = "../support/mod.rs"]
mod support;

mod abuse;
mod calls;
mod edges;
mod faults;
mod others;
mod shapes;
mod spend;
mod stop;
mod tape;

//! The Tandem server: the static site, the proxy for language models, and the data sink, in one binary.
//!
//! # The tour
//!
//! [`Config`] says what is on: each of the three parts is, if its section is there. [`Server`] opens what is configured
//! and serves it until it is told to stop. [`site`] is the static site alone, which needs no configuration: static hosting
//! elsewhere does as well, since the site is plain files.
//!
//! A page asks for a session (`POST /v1/session`) and sends its token ([`Claims`], signed by a [`Signer`]) with every
//! call. A model call passes the limits of rate, the caps, and the budgets, each in a module of its own, before upstream
//! hears of it. A chunk of data is on the disk before it is acknowledged.
//!
//! `docs/server.md` is the manual.
//!
//! *Architecture Invariant:* a key is a [`Secret`], which no log, error or debug print shows.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used))]

mod app;
mod body;
mod budget;
mod caller;
mod config;
mod data;
mod error;
mod limit;
mod listen;
mod log;
mod metrics;
mod names;
mod origin;
mod proxy;
mod secret;
mod session;
mod site;
mod token;

pub use app::{AppError, Server};
pub use config::{Config, ConfigError, ENV_PREFIX, Site as SiteSettings};
pub use error::ApiError;
pub use listen::{ListenError, listen, serve};
pub use names::is_plain as is_plain_name;
pub use secret::Secret;
pub use site::{SiteError, site};
pub use token::{Claims, Signer, TokenError};

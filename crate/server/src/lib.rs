//! The Tandem server: the static site over HTTP.
//!
//! [`site`] makes the router of one directory, [`listen`] takes a port, [`serve`] answers until it is told to stop.
//! The program `tandem-server` is those three behind a command line.
//!
//! Static hosting elsewhere needs nothing of this: the site is plain files.
//! What a good static host does, this one does too: right MIME types (a browser refuses to stream wasm otherwise),
//! compression, revalidation by ETag, long caching of files whose name carries their hash, ranges, a page for 404.

#![deny(clippy::unwrap_used, clippy::expect_used)]

mod config;
mod error;
mod listen;
mod names;
mod secret;
mod site;
mod token;

pub use config::{Config, ConfigError, ENV_PREFIX};
pub use error::ApiError;
pub use listen::{ListenError, listen, serve};
pub use secret::Secret;
pub use site::{SiteError, site};
pub use token::{Claims, Signer, TokenError};

//! `tandem-server`: serves the Tandem site from a directory until Ctrl-C or SIGTERM.

#![deny(clippy::unwrap_used, clippy::expect_used)]

use std::env;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;

/// Serve the Tandem site.
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// The directory with the finished site.
    #[arg(long, default_value = "www/site")]
    dir: PathBuf,
    /// The address to listen on; 0.0.0.0 lets other machines in.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// The port to listen on; 0 takes any free one.
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Take the next free port if this one is taken.
    #[arg(long)]
    or_next: bool,
    /// Open the site in the browser, if there is one.
    #[arg(long)]
    open: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Cli::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(cli: Cli) -> Result<()> {
    let app = tandem_server::site(&cli.dir)?;
    let listener = tandem_server::listen(cli.host, cli.port, cli.or_next).await?;
    let address = listener.local_addr().context("the port has no address")?;
    // The one line on standard output: programs that start this server read its address there.
    let url = format!("http://{address}");
    writeln!(io::stdout(), "{url}").context("cannot print the address")?;
    eprintln!("Serving {} at {url} (Ctrl-C ends it).", cli.dir.display());
    if cli.open && has_screen() {
        let opened = tokio::task::spawn_blocking({
            let url = url.clone();
            move || opener::open_browser(url)
        });
        tokio::spawn(async move {
            if !matches!(opened.await, Ok(Ok(()))) {
                eprintln!("No browser could be opened: open {url} yourself.");
            }
        });
    }
    tandem_server::serve(listener, app, told_to_stop()).await.context("the server failed")
}

/// Whether this machine shows windows: without a screen, opening a browser could start one in the terminal.
fn has_screen() -> bool {
    !cfg!(target_os = "linux") || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some())
}

/// Resolves on Ctrl-C, or on SIGTERM where there is such a thing.
async fn told_to_stop() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        () = interrupted => {}
        () = terminated => {}
    }
}

//! `tandem-server`: serves the Tandem site, the proxy for language models and the data sink, as configured.

#![deny(clippy::unwrap_used, clippy::expect_used)]

use std::env;
use std::io::{self, IsTerminal as _, Write};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};
use tandem_server::{Claims, Config, Server, Signer, SiteSettings, is_plain_name};
use tracing_subscriber::EnvFilter;

/// Serve the Tandem site, the proxy for language models and the data sink.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: Serve,
}

#[derive(Subcommand)]
enum Command {
    /// Serve until Ctrl-C or SIGTERM; what is done without a command too.
    Serve(Serve),
    /// Say what is wrong with a configuration.
    Check {
        /// The configuration, TOML.
        file: PathBuf,
    },
    /// Print a session token, for tests.
    Token(Token),
}

#[derive(Args)]
struct Serve {
    /// The configuration, TOML; without one, the site alone is served.
    #[arg(long)]
    config: Option<PathBuf>,
    /// The directory with the finished site; `www/site` if there is no configuration.
    #[arg(long)]
    dir: Option<PathBuf>,
    /// The address to listen on; 0.0.0.0 lets other machines in.
    #[arg(long)]
    host: Option<IpAddr>,
    /// The port to listen on; 0 takes any free one.
    #[arg(long)]
    port: Option<u16>,
    /// Take the next free port if this one is taken.
    #[arg(long)]
    or_next: bool,
    /// Open the site in the browser, if there is one.
    #[arg(long)]
    open: bool,
}

#[derive(Args)]
struct Token {
    /// The configuration with the secret, TOML.
    #[arg(long)]
    config: Option<PathBuf>,
    /// The study.
    #[arg(long)]
    study: String,
    /// The participant.
    #[arg(long)]
    participant: String,
    /// The condition.
    #[arg(long, default_value = "test")]
    condition: String,
    /// How long it is good, in seconds; the configuration's time if left out.
    #[arg(long)]
    seconds: Option<u64>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        None => serve(cli.serve),
        Some(Command::Serve(options)) => serve(options),
        Some(Command::Check { file }) => check(&file),
        Some(Command::Token(options)) => token(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", with_causes(&error));
            ExitCode::FAILURE
        }
    }
}

/// An error and what it came from, each told once: some messages have their cause in them.
fn with_causes(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

#[tokio::main]
async fn serve(options: Serve) -> Result<()> {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    let to_terminal = io::stderr().is_terminal();
    tracing_subscriber::fmt().with_env_filter(filter).with_ansi(to_terminal).with_writer(io::stderr).init();
    let mut config = Config::load(options.config.as_deref())?;
    let dir = options.dir.or_else(|| {
        let alone = options.config.is_none() && config.site.is_none();
        alone.then(|| PathBuf::from("www/site"))
    });
    if let Some(dir) = dir {
        config.site = Some(SiteSettings { dir });
    }
    config.listen.host = options.host.unwrap_or(config.listen.host);
    config.listen.port = options.port.unwrap_or(config.listen.port);
    // The command line may have made an open server public.
    config.check()?;
    for warning in config.warnings() {
        tracing::warn!("{warning}");
    }
    let listener = tandem_server::listen(config.listen.host, config.listen.port, options.or_next).await?;
    let address = listener.local_addr().context("the port has no address")?;
    let site = config.site.as_ref().map(|site| site.dir.display().to_string());
    let server = Server::open(config, listener)?;
    // The one line on standard output: programs that start this server read its address there.
    let url = format!("http://{address}");
    writeln!(io::stdout(), "{url}").context("cannot print the address")?;
    match site {
        Some(dir) => eprintln!("Serving {dir} at {url} (Ctrl-C ends it)."),
        None => eprintln!("Serving at {url} (Ctrl-C ends it)."),
    }
    if options.open && has_screen() {
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
    server.run(told_to_stop()).await;
    Ok(())
}

fn check(file: &Path) -> Result<()> {
    let config = Config::load(Some(file))?;
    config.check_files().with_context(|| file.display().to_string())?;
    for warning in config.warnings() {
        eprintln!("warning: {warning}");
    }
    println!("{} is a good configuration.", file.display());
    Ok(())
}

fn token(options: &Token) -> Result<()> {
    let config = Config::load(options.config.as_deref())?;
    let Some(secret) = &config.session.secret else {
        bail!("session.secret is not configured; a token signed by anything else would be good nowhere");
    };
    for name in [&options.study, &options.participant, &options.condition] {
        if !is_plain_name(name) {
            bail!("{name:?} is no plain name: letters, digits, dashes and underscores, at most 64");
        }
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?.as_secs();
    let claims = Claims {
        study: options.study.clone(),
        participant: options.participant.clone(),
        condition: options.condition.clone(),
        expires: now + options.seconds.unwrap_or(config.session.seconds),
    };
    println!("{}", Signer::new(secret).token(&claims));
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::with_causes;
    use anyhow::anyhow;

    #[test]
    fn each_cause_is_told_once() {
        let told = |message: &str| with_causes(&anyhow!("the folder is locked").context(message.to_owned()));
        assert_eq!(told("data.dir"), "data.dir: the folder is locked");
        assert_eq!(told("data.dir: the folder is locked"), "data.dir: the folder is locked");
    }
}

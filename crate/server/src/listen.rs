//! Ports, and the life of the server on one.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;

/// How many ports after a taken one are tried.
const NEXT_PORTS: u16 = 50;

/// How long running answers may take once the server is told to stop.
const GRACE: Duration = Duration::from_secs(3);

/// Why no port could be had.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// Somebody else listens there.
    #[error("port {port} of {host} is taken; choose another with --port, or let --or-next look for one")]
    Taken {
        /// The address asked for.
        host: IpAddr,
        /// The port asked for.
        port: u16,
    },
    /// All ports that were tried are taken.
    #[error("ports {first} to {last} of {host} are all taken; choose another with --port")]
    AllTaken {
        /// The address asked for.
        host: IpAddr,
        /// The first port tried.
        first: u16,
        /// The last port tried.
        last: u16,
    },
    /// The address is not this machine's, or the port is not for this user.
    #[error("cannot listen on {address}: {cause}")]
    Refused {
        /// The address asked for.
        address: SocketAddr,
        /// What the system says.
        cause: io::Error,
    },
}

/// Takes a port; 0 means any free one, and with `or_next` a taken port gives way to the next free one.
pub async fn listen(host: IpAddr, port: u16, or_next: bool) -> Result<TcpListener, ListenError> {
    let last = if or_next { port.saturating_add(NEXT_PORTS) } else { port };
    for candidate in port..=last {
        let address = SocketAddr::new(host, candidate);
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(cause) if cause.kind() == io::ErrorKind::AddrInUse => {}
            Err(cause) => return Err(ListenError::Refused { address, cause }),
        }
    }
    Err(if or_next { ListenError::AllTaken { host, first: port, last } } else { ListenError::Taken { host, port } })
}

/// Answers requests until `stop` resolves; then running answers get a few seconds to end.
pub async fn serve(listener: TcpListener, app: Router, stop: impl Future<Output = ()>) -> io::Result<()> {
    let (told, hears) = tokio::sync::oneshot::channel::<()>();
    let server = axum::serve(listener, app).with_graceful_shutdown(async move {
        // A dropped sender says the same as a message: stop.
        let _ = hears.await;
    });
    let server = async { server.await };
    tokio::pin!(server);
    tokio::select! {
        ended = &mut server => return ended,
        () = stop => drop(told),
    }
    // An answer nobody reads must not keep the server alive.
    tokio::time::timeout(GRACE, server).await.unwrap_or(Ok(()))
}

//! Ports, and the life of the server on one.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_service::Service as _;

/// How many ports after a taken one are tried.
const NEXT_PORTS: u16 = 50;

/// How long running answers may take once the server is told to stop.
const GRACE: Duration = Duration::from_secs(3);

/// How long answers that were told to end have for it.
const LAST_WORDS: Duration = Duration::from_secs(2);

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

/// How a server deals with its connections.
#[derive(Clone, Copy, Debug)]
pub struct Manners {
    /// How long running answers may take once the server is told to stop.
    pub stop: Duration,
    /// How long a request's head may take.
    pub head: Duration,
    /// The most connections at once.
    pub connections: usize,
}

impl Default for Manners {
    /// 3 s, 20 s, 2000 connections.
    fn default() -> Self {
        Self { stop: GRACE, head: Duration::from_secs(20), connections: 2000 }
    }
}

/// Answers requests until `stop` resolves; then running answers get a few seconds to end.
pub async fn serve(listener: TcpListener, app: Router, stop: impl Future<Output = ()>) -> io::Result<()> {
    serve_with(listener, app, Manners::default(), stop, || {}).await;
    Ok(())
}

/// The same with other manners. Where answers do not end in time, `cut` is called, which may end them; a little later
/// they are dropped.
pub(crate) async fn serve_with(
    listener: TcpListener,
    app: Router,
    manners: Manners,
    stop: impl Future<Output = ()>,
    cut: impl FnOnce(),
) {
    let connections = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(manners.connections));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(manners.head);
    tokio::pin!(stop);
    loop {
        let (stream, peer, place) = tokio::select! {
            () = &mut stop => break,
            taken = take(&listener, &places) => match taken {
                Some(taken) => taken,
                None => continue,
            },
        };
        let app = app.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            app.clone().call(request)
        });
        let connection = connections.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // Clients that break off or send nonsense are nothing to report.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    // An answer nobody reads must not keep the server alive.
    let ended = connections.shutdown();
    tokio::pin!(ended);
    if tokio::time::timeout(manners.stop, &mut ended).await.is_err() {
        cut();
        let _ = tokio::time::timeout(LAST_WORDS, ended).await;
    }
}

/// The next connection, once there is a place for it; nothing if it failed.
async fn take(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, peer)) => {
            // Words of a stream are to be sent when they come.
            let _ = stream.set_nodelay(true);
            Some((stream, peer, place))
        }
        Err(error) => {
            // A client that left is its own affair; without file handles it helps to wait for some to be closed.
            if !matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset) {
                tracing::warn!(cause = %error, "a connection could not be taken");
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            None
        }
    }
}

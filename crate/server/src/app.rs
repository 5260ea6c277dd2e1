//! All parts together.

use crate::config::{Config, Data};
use crate::data::{OpenError, Room, Store};
use crate::error::ApiError;
use crate::limit::{self, Limits};
use crate::listen::{Manners, serve_with};
use crate::log::Log;
use crate::metrics::{self, Metrics};
use crate::proxy::{self, Proxy, ProxyError};
use crate::site::{SiteError, site};
use crate::token::Signer;
use crate::{data, origin, session};
use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::HeaderValue;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, get, post};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Why a server cannot be made from a configuration.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The site.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// The data sink.
    #[error("data.dir: {0}")]
    Data(#[from] OpenError),
    /// The proxy.
    #[error(transparent)]
    Proxy(#[from] ProxyError),
    /// The log.
    #[error("log.file: {0}")]
    Log(std::io::Error),
    /// The port.
    #[error("the port has no address: {0}")]
    Port(std::io::Error),
    /// The system has no chance to give.
    #[error("no secret could be drawn: {0}")]
    Chance(#[from] getrandom::Error),
}

/// What the parts share.
pub struct App {
    pub(crate) config: Config,
    pub(crate) signer: Signer,
    pub(crate) limits: Limits,
    pub(crate) origins: Vec<HeaderValue>,
    pub(crate) proxy: Option<Proxy>,
    pub(crate) log: Log,
    pub(crate) metrics: Metrics,
    store: Option<Arc<Store>>,
    stop: watch::Sender<bool>,
    numbers: AtomicU64,
}

/// Who sends a request, as far as the network knows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub IpAddr);

impl App {
    /// Opens everything that is configured. `address` is where the server listens.
    pub fn open(config: Config, address: SocketAddr) -> Result<Arc<Self>, AppError> {
        let now = seconds_since_1970();
        let signer = config.session.secret.as_ref().map_or_else(Signer::drawn, |secret| Ok(Signer::new(secret)))?;
        let store = config.data.as_ref().map(|data| {
            let room = Room { session_bytes: data.session_bytes, sessions: data.sessions, all_bytes: data.all_bytes };
            Store::open(&data.dir, room).map(Arc::new)
        });
        Ok(Arc::new(Self {
            signer,
            limits: Limits::new(&config.limits),
            origins: origin::allowed(&config, address),
            proxy: config.proxy.as_ref().map(|proxy| Proxy::open(proxy, now)).transpose()?,
            log: Log::open(&config.log).map_err(AppError::Log)?,
            metrics: Metrics::default(),
            store: store.transpose()?,
            stop: watch::Sender::new(false),
            // Two runs of the server name their calls differently too.
            numbers: AtomicU64::new(now << 24),
            config,
        }))
    }

    /// The router of everything that is configured. It must be served with the socket's address known
    /// (`into_make_service_with_connect_info`).
    pub fn router(self: &Arc<Self>) -> Result<Router, AppError> {
        let api = Router::new()
            .route("/v1/session", post(session::give))
            .route("/v1/chat/completions", post(proxy::chat))
            .route("/v1/models", get(proxy::models))
            .route("/v1/data/{study}/{participant}/{session}", post(data::append))
            .route("/v1/data/{file}", get(data::export))
            .route("/v1/{*rest}", any(no_such_call))
            .route("/metrics", get(metrics::page))
            .method_not_allowed_fallback(no_such_call)
            .layer(middleware::from_fn_with_state(Arc::clone(self), know_peer))
            .layer(origin::cors(self.origins.clone()))
            .layer(middleware::from_fn_with_state(Arc::clone(self), origin::refuse_foreign))
            .with_state(Arc::clone(self));
        let whole = api.route("/healthz", get(async || "ok"));
        Ok(match &self.config.site {
            Some(own) => whole.fallback_service(site(&own.dir)?),
            None => whole.fallback(no_such_call),
        })
    }

    /// The data sink, if it is on.
    pub(crate) fn data(&self) -> Option<(&Arc<Store>, &Data)> {
        self.store.as_ref().zip(self.config.data.as_ref())
    }

    /// Seconds since 1970.
    pub(crate) fn now(&self) -> u64 {
        seconds_since_1970()
    }

    /// A number that no other call of this server has.
    pub(crate) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// How long a request's body may take.
    pub(crate) fn request_patience(&self) -> Duration {
        Duration::from_secs(self.config.listen.request_seconds)
    }

    /// Tells running model calls to end now; they are settled.
    pub fn cut(&self) {
        self.stop.send_replace(true);
    }

    /// Resolves when running calls are to end.
    pub(crate) fn cut_off(&self) -> watch::Receiver<bool> {
        self.stop.subscribe()
    }
}

fn seconds_since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

async fn no_such_call() -> ApiError {
    ApiError::new(404, "no_such_call", "there is no such call here")
}

/// Finds out who the peer is, and whether it asks too often.
async fn know_peer(
    State(app): State<Arc<App>>,
    ConnectInfo(socket): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = limit::peer(socket, request.headers(), app.config.listen.trusted_hops);
    if let Err(error) = app.limits.peer(peer) {
        return error.into_response();
    }
    request.extensions_mut().insert(Peer(peer));
    next.run(request).await
}

/// Everything that is configured, opened and ready to be served.
pub struct Server {
    app: Arc<App>,
    router: Router,
    listener: TcpListener,
    manners: Manners,
}

impl Server {
    /// Opens what is configured, to be served on a port that was taken.
    pub fn open(config: Config, listener: TcpListener) -> Result<Self, AppError> {
        let address = listener.local_addr().map_err(AppError::Port)?;
        let manners = Manners {
            stop: Duration::from_secs(config.listen.stop_seconds),
            head: Duration::from_secs(config.listen.request_seconds),
            connections: config.listen.connections,
        };
        let app = App::open(config, address)?;
        let router = app.router()?;
        Ok(Self { app, router, listener, manners })
    }

    /// Serves until `stop` resolves. Then no more connections are taken, running answers may end, and those that do not
    /// are cut and settled.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { app, router, listener, manners } = self;
        serve_with(listener, router, manners, stop, || app.cut()).await;
    }
}

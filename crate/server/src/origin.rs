//! Which pages may call.
//!
//! A browser says with each call which page it comes from. Pages that are not in the list are refused here, and browsers
//! are told so in their own way (CORS). This protects people who visit a foreign page; it is no authentication, since a
//! program may say whatever it likes or nothing.

use crate::app::App;
use crate::config::Config;
use crate::error::ApiError;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

/// The origins that may call: those configured, and on a loopback address the server's own.
pub fn allowed(config: &Config, address: SocketAddr) -> Vec<HeaderValue> {
    let mut origins = config.cors.origins.clone();
    if address.ip().is_loopback() {
        let port = address.port();
        origins.extend(["127.0.0.1", "localhost", "[::1]"].map(|host| match port {
            80 => format!("http://{host}"),
            port => format!("http://{host}:{port}"),
        }));
    }
    origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok()).collect()
}

/// What browsers are told.
pub fn cors(origins: Vec<HeaderValue>) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST])
        // Client libraries send headers of their own.
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([header::RETRY_AFTER])
        .max_age(Duration::from_secs(600))
}

/// Refuses calls of foreign pages. A call without an origin is not from a page of another origin.
pub async fn refuse_foreign(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut origins = request.headers().get_all(header::ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (None, _) => next.run(request).await,
        (Some(origin), None) if app.origins.contains(origin) => next.run(request).await,
        _ => {
            ApiError::new(403, "origin", "pages of this origin may not call; the list is cors.origins").into_response()
        }
    }
}

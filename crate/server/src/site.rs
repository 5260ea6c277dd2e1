//! One directory as a web site.

use std::path::{Path, PathBuf};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, get_service};
use tower_http::compression::CompressionLayer;
use tower_http::services::ServeDir;

/// For files whose name carries the hash of their content: they never change.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// For everything else: keep it, but ask whether it changed (a 304 costs next to nothing).
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// Why a directory cannot be served as a site.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// There is no such directory.
    #[error("{} is not a directory; build the site with `cargo xtask build`, or name another with --dir", .0.display())]
    NoDirectory(PathBuf),
    /// The directory holds no start page.
    #[error("{} holds no index.html, so it is not a finished site", .0.display())]
    NoIndex(PathBuf),
}

/// The router that serves the site in `dir`, and `ok` at `/healthz`.
///
/// A missing page answers 404 with the site's own `404.html`, if it has one.
pub fn site(dir: &Path) -> Result<Router, SiteError> {
    if !dir.is_dir() {
        return Err(SiteError::NoDirectory(dir.to_owned()));
    }
    if !dir.join("index.html").is_file() {
        return Err(SiteError::NoIndex(dir.to_owned()));
    }
    let missing = get(not_found).with_state(dir.join("404.html"));
    let files = ServeDir::new(dir).ignore_multi_range_requests(true).fallback(missing);
    Ok(Router::new()
        .route("/healthz", get(async || "ok"))
        .fallback_service(get_service(files))
        .layer(middleware::from_fn(refuse_double_slashes))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn(describe)))
}

/// The site's own page for what is not there, or a plain line.
async fn not_found(State(page): State<PathBuf>) -> Response {
    match tokio::fs::read_to_string(page).await {
        Ok(page) => (StatusCode::NOT_FOUND, Html(page)).into_response(),
        Err(_) => (StatusCode::NOT_FOUND, "404: there is no such page here.\n").into_response(),
    }
}

/// `//pkg` names no page: answered with the redirect of `/pkg`, it would send the browser to a host called pkg.
async fn refuse_double_slashes(request: Request, next: Next) -> Response {
    if request.uri().path().contains("//") {
        return (StatusCode::NOT_FOUND, "404: there is no such page here.\n").into_response();
    }
    next.run(request).await
}

/// Adds what caches and browsers need to know about an answer.
async fn describe(request: Request, next: Next) -> Response {
    let for_ever = carries_hash(request.uri().path());
    let mut response = next.run(request).await;
    let found = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, if for_ever && found { FOR_EVER } else { REVALIDATE });
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // A strong tag promises the same bytes, and the compressed ones are others.
    if headers.contains_key(header::CONTENT_ENCODING)
        && let Some(strong) = headers.get(header::ETAG).filter(|tag| tag.as_bytes().starts_with(b"\""))
        && let Ok(weak) = HeaderValue::from_bytes(&[b"W/", strong.as_bytes()].concat())
    {
        headers.insert(header::ETAG, weak);
    }
    response
}

/// Whether a path names a file as Vite names its products: `assets/board-B3x9_aQz.js`.
///
/// A hash of lower-case letters alone is taken for a word (`my-document.css`): asking once too often does no harm.
fn carries_hash(path: &str) -> bool {
    const HASH: usize = 8;
    let Some((dir, file)) = path.rsplit_once('/') else { return false };
    let Some((stem, _)) = file.rsplit_once('.') else { return false };
    let Some(split) = stem.len().checked_sub(HASH + 1) else { return false };
    let (_, hash) = stem.as_bytes().split_at(split);
    dir.ends_with("/assets")
        && hash[0] == b'-'
        && hash[1..].iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte))
        && !hash[1..].iter().all(u8::is_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::carries_hash;

    #[test]
    fn only_hashed_assets_are_kept_for_ever() {
        for path in ["/assets/index-B3x9_aQz.js", "/sub/assets/style-DiwrgTda.css", "/assets/a.b-B3x9-aQz.js"] {
            assert!(carries_hash(path), "{path}");
        }
        for path in [
            "/",
            "/sw.js",
            "/pkg/a-B3x9_aQz.js",
            "/assets/logo.svg",
            "/assets/my-document.css",
            "/assets/-.js",
            "/assets/é-a.js",
        ] {
            assert!(!carries_hash(path), "{path}");
        }
    }
}

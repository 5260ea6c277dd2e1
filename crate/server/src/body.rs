//! What comes in: headers and bodies, with limits.

use crate::error::ApiError;
use axum::body::Body;
use axum::http::{HeaderMap, header};
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use std::time::Duration;

/// The token or key of `Authorization: Bearer ..`. More than one such header is none.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let (Some(only), None) = (all.next(), all.next()) else { return None };
    let (scheme, token) = only.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// Whether the body is said to be of one of these types.
pub fn is_of_type(headers: &HeaderMap, types: &[&str]) -> bool {
    let mut all = headers.get_all(header::CONTENT_TYPE).iter();
    let (Some(only), None) = (all.next(), all.next()) else { return false };
    let essence = only.to_str().ok().and_then(|text| text.split(';').next()).map(str::trim);
    essence.is_some_and(|essence| types.iter().any(|one| one.eq_ignore_ascii_case(essence)))
}

/// The whole body, if it is not too large and comes in time.
pub async fn read(body: Body, headers: &HeaderMap, limit: usize, patience: Duration) -> Result<Bytes, ApiError> {
    let too_large = || ApiError::new(413, "too_large", format!("the body may have at most {limit} bytes"));
    let promised = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if promised.is_some_and(|promised| promised > limit) {
        return Err(too_large());
    }
    let whole = async {
        let mut stream = body.into_data_stream();
        let mut whole = BytesMut::new();
        while let Some(piece) = stream.next().await {
            let piece = piece.map_err(|_| ApiError::new(400, "body", "the body broke off"))?;
            if whole.len() + piece.len() > limit {
                return Err(too_large());
            }
            whole.extend_from_slice(&piece);
        }
        Ok(whole.freeze())
    };
    tokio::time::timeout(patience, whole)
        .await
        .unwrap_or_else(|_| Err(ApiError::new(408, "slow", "the body did not come in time")))
}

/// Refuses a body that is not said to be JSON. A page of another origin can send other types without asking first.
pub fn json_only(headers: &HeaderMap) -> Result<(), ApiError> {
    if is_of_type(headers, &["application/json"]) {
        return Ok(());
    }
    Err(ApiError::new(400, "content_type", "the content type must be application/json"))
}

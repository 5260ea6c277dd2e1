//! `POST /v1/session`: a session for a participant of a study.

use crate::app::{App, Peer};
use crate::body;
use crate::caller::Caller;
use crate::error::ApiError;
use crate::names;
use crate::token::Claims;
use axum::Json;
use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// More is not needed to name three names.
const BYTES: usize = 1024;

/// Who wants a session.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    study: String,
    participant: String,
    condition: String,
}

/// A session.
#[derive(Serialize)]
pub struct Given {
    /// To be sent with every call: `Authorization: Bearer TOKEN`.
    token: String,
    /// When it ends, in seconds since 1970.
    expires: u64,
    study: String,
    participant: String,
    condition: String,
}

/// `POST /v1/session` with `{"study":..,"participant":..,"condition":..}`.
pub async fn give(
    State(app): State<Arc<App>>,
    Extension(Peer(peer)): Extension<Peer>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Given>, ApiError> {
    app.limits.session(peer)?;
    body::json_only(&headers)?;
    let body = body::read(body, &headers, BYTES, app.request_patience()).await?;
    let wanted: Wanted =
        serde_json::from_slice(&body).map_err(|error| ApiError::new(400, "body", error.to_string()))?;
    let Wanted { study, participant, condition } = wanted;
    for (field, name) in [("study", &study), ("participant", &participant), ("condition", &condition)] {
        if !names::is_plain(name) {
            return Err(ApiError::new(400, "name", format!("{field} must be {}", names::RULE)));
        }
    }
    let known = app.config.session.studies.get(&study);
    // In an open server tokens are not looked at, but a page may ask for one all the same.
    if known.is_none() && !app.config.open {
        return Err(ApiError::new(403, "no_study", "there is no such study"));
    }
    let conditions = known.map(|study| study.conditions.as_slice()).unwrap_or_default();
    if !conditions.is_empty() && !conditions.contains(&condition) {
        return Err(ApiError::new(403, "no_condition", "the study has no such condition"));
    }
    let expires = app.now() + app.config.session.seconds;
    let claims = Claims { study, participant, condition, expires };
    let token = app.signer.token(&claims);
    let Claims { study, participant, condition, .. } = claims;
    Ok(Json(Given { token, expires, study, participant, condition }))
}

impl App {
    /// Who calls; an error if the token is missing, forged or has ended.
    pub fn caller(&self, headers: &HeaderMap) -> Result<Caller, ApiError> {
        Caller::read(headers, &self.signer, self.config.open, self.now())
    }
}

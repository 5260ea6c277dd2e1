//! The data sink: traces come in as numbered chunks and go out to the researcher.
//!
//! `POST /v1/data/{study}/{participant}/{session}?chunk=N` takes whole lines of JSON and answers once they are on the
//! disk. What is said in [`store`] about what is never lost, is said for this.

mod export;
mod store;

pub use store::{OpenError, Place, Room, Store, StoreError, Stored};

use crate::app::App;
use crate::body;
use crate::error::ApiError;
use axum::Json;
use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;

/// The content types of JSON Lines. None of them may be sent by a page of another origin without its asking first.
const JSON_LINES: [&str; 3] = ["application/x-ndjson", "application/jsonl", "application/json-lines"];

/// Which chunk it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbered {
    chunk: u64,
}

/// What is answered to a chunk that is on the disk.
#[derive(Serialize)]
pub struct Acknowledged {
    /// Its number.
    chunk: u64,
    /// The number that is wanted next.
    next: u64,
    /// Bytes in the session's file.
    bytes: u64,
}

/// `POST /v1/data/{study}/{participant}/{session}?chunk=N`.
pub async fn append(
    State(app): State<Arc<App>>,
    Path((study, participant, session)): Path<(String, String, String)>,
    numbered: Result<Query<Numbered>, QueryRejection>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Acknowledged>, ApiError> {
    let result = store(&app, Place { study, participant, session }, numbered, &headers, body).await;
    let outcome = match &result {
        Ok((_, Stored { again: false, .. })) => "stored",
        Ok(_) => "again",
        Err(error) => error.code(),
    };
    app.metrics.chunk(outcome);
    result.map(|(chunk, stored)| Json(Acknowledged { chunk, next: stored.next, bytes: stored.bytes }))
}

async fn store(
    app: &Arc<App>,
    place: Place,
    numbered: Result<Query<Numbered>, QueryRejection>,
    headers: &HeaderMap,
    body: Body,
) -> Result<(u64, Stored), ApiError> {
    let Some((store, config)) = app.data() else { return Err(off()) };
    let caller = app.caller(headers)?;
    app.limits.data(&caller)?;
    if !caller.may_write(&place.study, &place.participant) {
        let what = "the session token is for another study or participant";
        return Err(ApiError::new(403, "other_session", what));
    }
    let Query(Numbered { chunk: number }) =
        numbered.map_err(|error| ApiError::new(400, "chunk_number", format!("?chunk=N is needed: {error}")))?;
    if !body::is_of_type(headers, &JSON_LINES) {
        let what = "the content type must be application/x-ndjson";
        return Err(ApiError::new(400, "content_type", what));
    }
    let chunk = body::read(body, headers, config.chunk_bytes, app.request_patience()).await?;
    check_lines(&chunk)?;
    let store = Arc::clone(store);
    let stored = tokio::task::spawn_blocking(move || store.append(&place, number, &chunk))
        .await
        .map_err(|_| ApiError::new(500, "internal", "the chunk could not be stored; send it again"))?;
    stored.map(|stored| (number, stored)).map_err(refusal)
}

fn off() -> ApiError {
    ApiError::new(404, "off", "this server keeps no data")
}

/// Whole lines, each a JSON object: what is stored can be read again, line by line.
fn check_lines(chunk: &[u8]) -> Result<(), ApiError> {
    let wrong = |what: String| Err(ApiError::new(400, "not_json_lines", what));
    let Ok(text) = str::from_utf8(chunk) else { return wrong("the chunk is not UTF-8".to_owned()) };
    if !text.ends_with('\n') {
        return wrong("the chunk must be whole lines, each ended by a line feed".to_owned());
    }
    for (index, line) in text[..text.len() - 1].split('\n').enumerate() {
        let is_object = line.starts_with('{') && serde_json::from_str::<&RawValue>(line).is_ok();
        if !is_object || line.ends_with('\r') {
            return wrong(format!("line {} of the chunk is no JSON object", index + 1));
        }
    }
    Ok(())
}

fn refusal(error: StoreError) -> ApiError {
    let words = error.to_string();
    match error {
        StoreError::Name(_) => ApiError::new(400, "name", words),
        StoreError::Gap { wanted } => ApiError::new(422, "gap", words).with("wanted", wanted),
        StoreError::Differs { .. } => ApiError::new(422, "differs", words),
        StoreError::SessionFull(_) => ApiError::new(413, "session_full", words),
        StoreError::Sessions(_) => ApiError::new(429, "sessions", words),
        StoreError::Full => ApiError::new(507, "full", words),
        StoreError::Damaged => {
            tracing::error!("a session's register promises more than its data have; nothing was changed");
            ApiError::new(500, "damaged", words)
        }
        StoreError::Io(cause) => {
            tracing::error!(%cause, "a chunk could not be stored");
            let full = matches!(
                cause.kind(),
                std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded | std::io::ErrorKind::FileTooLarge
            );
            let status = if full { 507 } else { 500 };
            ApiError::new(status, "not_stored", "the chunk could not be stored; keep it and send it again").after(5)
        }
    }
}

/// `GET /v1/data/{study}.zip` and `GET /v1/data/{study}.csv`, with the researcher's key.
pub async fn export(
    State(app): State<Arc<App>>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let Some((store, config)) = app.data() else { return Err(off()) };
    let offered = body::bearer(&headers)
        .ok_or_else(|| ApiError::new(401, "no_key", "the researcher's key is needed: Authorization: Bearer KEY"))?;
    if !config.key.as_ref().is_some_and(|key| key.is(offered)) {
        return Err(ApiError::new(401, "wrong_key", "this is not the researcher's key"));
    }
    let nothing = || ApiError::new(404, "no_study", "there are no data of this study; ask for STUDY.zip or STUDY.csv");
    let (study, ending) = file.rsplit_once('.').ok_or_else(nothing)?;
    let form = export::Form::of(ending).ok_or_else(nothing)?;
    if !crate::names::is_plain(study) {
        return Err(nothing());
    }
    let (store, study) = (Arc::clone(store), study.to_owned());
    let written = tokio::task::spawn_blocking(move || export::write(&store, &study, form)).await;
    let written = written.map_err(std::io::Error::other).flatten().map_err(|cause| {
        tracing::error!(%cause, "data could not be exported");
        ApiError::new(500, "internal", "the data could not be read")
    })?;
    let (written, length) = written.ok_or_else(nothing)?;
    let stream = tokio_util::io::ReaderStream::new(tokio::fs::File::from_std(written));
    Response::builder()
        .header(header::CONTENT_TYPE, form.content_type())
        .header(header::CONTENT_LENGTH, length)
        .header(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{file}\""))
        .header(header::CACHE_CONTROL, "no-store")
        .body(Body::from_stream(stream))
        .map_err(|_| ApiError::new(500, "internal", "the answer could not be made"))
}

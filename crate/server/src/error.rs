//! What is answered when something is refused or fails: `{"error":{"message":..,"type":..,"code":..}}` with a status.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tandem_llm::chat::ErrorBody;

/// An error for the one who called. It tells what would be right; it never holds a key or a path of this machine.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiError {
    /// The HTTP status.
    pub status: StatusCode,
    /// The error.
    pub body: Box<ErrorBody>,
    /// Seconds after which to try again.
    pub retry_after: Option<u64>,
    /// Further fields of the answer.
    pub more: Option<Box<(&'static str, Value)>>,
}

impl ApiError {
    /// An error with a status, a code for programs, and words for people. The type follows from the status.
    pub fn new(status: u16, code: &str, message: impl Into<String>) -> Self {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let kind = match status.as_u16() {
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            429 => "rate_limit_error",
            500.. => "server_error",
            _ => "invalid_request_error",
        };
        Self { status, body: Box::new(ErrorBody::new(message, kind, code)), retry_after: None, more: None }
    }

    /// The same, with the time after which to try again; at least a second.
    pub fn after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// The same, with one more field beside `error`.
    pub fn with(mut self, field: &'static str, value: impl Into<Value>) -> Self {
        self.more = Some(Box::new((field, value.into())));
        self
    }

    /// The code, for logs.
    pub fn code(&self) -> &str {
        self.body.code.as_deref().unwrap_or_default()
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let ErrorBody { message, kind, code } = *self.body;
        let mut body = json!({"error": {"message": message, "type": kind, "code": code}});
        if let Some((field, value)) = self.more.map(|more| *more) {
            body[field] = value;
        }
        let mut response = (self.status, Json(body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

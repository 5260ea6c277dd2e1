//! Who calls.

use crate::body;
use crate::error::ApiError;
use crate::token::{Claims, Signer};
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};

/// A participant of a study: what limits and budgets are counted by. A new token for the same one is no new start.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Who {
    /// The study.
    pub study: String,
    /// The participant.
    pub participant: String,
}

/// Who calls, and what they may.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The participant; in an open server everybody is the same one.
    pub who: Who,
    /// The condition.
    pub condition: String,
    open: bool,
}

impl Caller {
    /// Reads and checks the token in the headers. In an open server whatever is there is not looked at: client
    /// libraries insist on sending some key.
    pub fn read(headers: &HeaderMap, signer: &Signer, open: bool, now: u64) -> Result<Self, ApiError> {
        if open {
            let who = Who { study: "open".to_owned(), participant: "open".to_owned() };
            return Ok(Self { who, condition: "open".to_owned(), open });
        }
        let token = body::bearer(headers).ok_or_else(|| {
            let what = "a session token is needed: Authorization: Bearer TOKEN, from POST /v1/session";
            ApiError::new(401, "no_token", what)
        })?;
        let claims = signer.check(token, now).map_err(|error| ApiError::new(401, "bad_token", error.to_string()))?;
        let Claims { study, participant, condition, expires: _ } = claims;
        Ok(Self { who: Who { study, participant }, condition, open })
    }

    /// Whether data of this participant of this study are the caller's own.
    pub fn may_write(&self, study: &str, participant: &str) -> bool {
        self.open || (self.who.study == study && self.who.participant == participant)
    }
}

//! Session tokens: who somebody is, for a while, signed by the server.
//!
//! A token is `t1.CLAIMS.SIGNATURE`: the claims are JSON, the signature is HMAC-SHA-256 over the first two parts, and
//! both are base64 in its form for URLs. Nothing is looked up to check one, so a server that starts again with the same
//! secret knows the tokens it gave. The signature is checked before the claims are read.

use crate::names;
use crate::secret::Secret;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// What a token begins with.
const VERSION: &str = "t1";

/// No token is longer.
const LONGEST: usize = 1024;

/// Who has a session, and until when.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// The study.
    pub study: String,
    /// The participant.
    pub participant: String,
    /// The condition.
    pub condition: String,
    /// When the token ends, in seconds since 1970.
    pub expires: u64,
}

/// Why a token is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// It is not of this server, or was changed.
    #[error("the session token is not one of this server's; ask for a new one at POST /v1/session")]
    Forged,
    /// It has ended.
    #[error("the session token has expired; ask for a new one at POST /v1/session")]
    Expired,
}

/// Makes and checks tokens.
#[derive(Clone)]
pub struct Signer {
    mac: Hmac<Sha256>,
}

impl Signer {
    /// Signs with a secret.
    pub fn new(secret: &Secret) -> Self {
        Self::of(secret.expose().as_bytes())
    }

    /// Signs with a secret drawn now, which ends with the process.
    pub fn drawn() -> Result<Self, getrandom::Error> {
        let mut secret = [0; 32];
        getrandom::fill(&mut secret)?;
        Ok(Self::of(&secret))
    }

    fn of(secret: &[u8]) -> Self {
        // A key of 32 bytes whatever the secret's length; the rest of the block stays zero, as HMAC has it.
        let key = Sha256::digest(secret);
        let mut block = hmac::digest::Key::<Hmac<Sha256>>::default();
        block[..key.len()].copy_from_slice(&key);
        Self { mac: Hmac::new(&block) }
    }

    /// The token of these claims.
    pub fn token(&self, claims: &Claims) -> String {
        // Texts and a number: writing them cannot fail.
        let json = serde_json::to_vec(claims).unwrap_or_default();
        let signed = format!("{VERSION}.{}", URL_SAFE_NO_PAD.encode(json));
        let signature = self.mac.clone().chain_update(&signed).finalize().into_bytes();
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    /// The claims of a token, if it is good at this time (seconds since 1970).
    pub fn check(&self, token: &str, now: u64) -> Result<Claims, TokenError> {
        if token.len() > LONGEST {
            return Err(TokenError::Forged);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenError::Forged)?;
        let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| TokenError::Forged)?;
        self.mac.clone().chain_update(signed).verify_slice(&signature).map_err(|_| TokenError::Forged)?;
        let json = signed.strip_prefix(VERSION).and_then(|rest| rest.strip_prefix('.')).ok_or(TokenError::Forged)?;
        let json = URL_SAFE_NO_PAD.decode(json).map_err(|_| TokenError::Forged)?;
        let claims: Claims = serde_json::from_slice(&json).map_err(|_| TokenError::Forged)?;
        let named = [&claims.study, &claims.participant, &claims.condition];
        if !named.into_iter().all(|name| names::is_plain(name)) {
            return Err(TokenError::Forged);
        }
        if claims.expires <= now { Err(TokenError::Expired) } else { Ok(claims) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn signer(secret: &str) -> Signer {
        Signer::new(&Secret::new(secret))
    }

    fn claims() -> Claims {
        let text = |text: &str| text.to_owned();
        Claims { study: text("pilot"), participant: text("P07"), condition: text("comm"), expires: 1000 }
    }

    #[test]
    fn a_token_is_good_until_it_ends_and_only_here() {
        let token = signer("a").token(&claims());
        assert_eq!(signer("a").check(&token, 999), Ok(claims()));
        assert_eq!(signer("a").check(&token, 1000), Err(TokenError::Expired));
        assert_eq!(signer("b").check(&token, 0), Err(TokenError::Forged));
        assert_eq!(Signer::drawn().unwrap().check(&token, 0), Err(TokenError::Forged));
    }

    #[test]
    fn signed_claims_that_are_no_names_are_refused() {
        let signer = signer("a");
        let token = signer.token(&Claims { participant: "../x".to_owned(), ..claims() });
        assert_eq!(signer.check(&token, 0), Err(TokenError::Forged));
    }

    proptest! {
        #[test]
        fn no_other_text_is_a_token(place in 0_usize..200, with in any::<char>(), cut in 0_usize..200) {
            let signer = signer("a");
            let token = signer.token(&claims());
            let mut changed: Vec<char> = token.chars().collect();
            let place = place % changed.len();
            changed[place] = with;
            let changed: String = changed.into_iter().collect();
            prop_assert!(changed == token || signer.check(&changed, 0).is_err(), "{changed}");
            prop_assert!(signer.check(&token[..cut.min(token.len() - 1)], 0).is_err());
        }

        #[test]
        fn any_text_is_no_token(text in ".*") {
            prop_assert!(signer("a").check(&text, 0).is_err());
        }
    }
}

//! One call for all requests with the same idempotency key.
//!
//! The idea: the first request with a key makes the call, and while it runs others with the key wait for its reply. A
//! reply is kept for a while and given again. If the call failed or its client went away there is nothing to give, and
//! the next request makes a call of its own.

use crate::caller::Who;
use crate::error::ApiError;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tandem_llm::chat::Reply;
use tokio::sync::watch;

/// No more keys are remembered.
const MOST: usize = 10_000;

type Key = (Who, String);

struct Known {
    /// Of the request's body.
    hash: [u8; 32],
    since: Instant,
    reply: watch::Receiver<Option<Arc<Reply>>>,
}

type Table = Arc<Mutex<HashMap<Key, Known>>>;

/// The keys of the last while.
pub(super) struct Idempotency {
    table: Table,
    keep: Duration,
}

/// What to do with a request.
pub(super) enum Begin {
    /// Make the call, and fill the slot.
    Fresh(Slot),
    /// Give this reply again.
    Known(Arc<Reply>),
}

/// The place for a reply. Dropped empty, it lets the next request make the call.
pub(super) struct Slot {
    table: Table,
    key: Key,
    reply: watch::Sender<Option<Arc<Reply>>>,
    filled: bool,
}

impl Idempotency {
    pub(super) fn new(keep: Duration) -> Self {
        Self { table: Table::default(), keep }
    }

    /// Says what to do with a request with this key; waits if one with the same key is under way.
    pub(super) async fn begin(
        &self,
        who: &Who,
        key: &str,
        hash: [u8; 32],
        patience: Duration,
    ) -> Result<Begin, ApiError> {
        let key = (who.clone(), key.to_owned());
        let deadline = tokio::time::Instant::now() + patience;
        loop {
            let mut reply = match self.look(&key, hash)? {
                Ok(slot) => return Ok(Begin::Fresh(slot)),
                Err(reply) => reply,
            };
            match tokio::time::timeout_at(deadline, reply.wait_for(Option::is_some)).await {
                Ok(Ok(reply)) => {
                    if let Some(reply) = reply.as_ref() {
                        return Ok(Begin::Known(Arc::clone(reply)));
                    }
                }
                // The other call is over without a reply.
                Ok(Err(_)) => {}
                Err(_) => return Err(ApiError::new(504, "deadline_total", "the call took too long in all")),
            }
        }
    }

    /// A slot of its own, or where the reply will be.
    #[expect(clippy::type_complexity, reason = "used once")]
    fn look(&self, key: &Key, hash: [u8; 32]) -> Result<Result<Slot, watch::Receiver<Option<Arc<Reply>>>>, ApiError> {
        let mut table = lock(&self.table);
        let now = Instant::now();
        if table.len() >= MOST / 2 || table.get(key).is_some_and(|known| now - known.since > self.keep) {
            table.retain(|_, known| now - known.since <= self.keep || known.reply.borrow().is_none());
        }
        if let Some(known) = table.get(key) {
            if known.hash != hash {
                let what = "this Idempotency-Key was used for another request";
                return Err(ApiError::new(422, "idempotency_key", what));
            }
            return Ok(Err(known.reply.clone()));
        }
        if table.len() >= MOST {
            return Err(ApiError::new(429, "idempotency_keys", "too many idempotency keys are in use").after(60));
        }
        let (sender, receiver) = watch::channel(None);
        table.insert(key.clone(), Known { hash, since: now, reply: receiver });
        Ok(Ok(Slot { table: Arc::clone(&self.table), key: key.clone(), reply: sender, filled: false }))
    }
}

impl Slot {
    /// Keeps the reply, and gives it to all who wait.
    pub(super) fn done(mut self, reply: Reply) {
        self.filled = true;
        self.reply.send_replace(Some(Arc::new(reply)));
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if !self.filled {
            lock(&self.table).remove(&self.key);
        }
    }
}

fn lock(table: &Table) -> MutexGuard<'_, HashMap<Key, Known>> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_keys_are_remembered_and_no_more() {
        let idempotency = Idempotency::new(Duration::from_secs(60));
        let who = Who { study: "s".to_owned(), participant: "p".to_owned() };
        let look = |key: usize| idempotency.look(&(who.clone(), key.to_string()), [0; 32]);
        let mut slots: Vec<_> = (0..MOST).map(|key| look(key).ok().and_then(Result::ok).unwrap()).collect();
        let refused = look(MOST).err().unwrap();
        assert_eq!((refused.status.as_u16(), refused.code()), (429, "idempotency_keys"));
        assert!(look(0).is_ok_and(|known| known.is_err()), "a key that is known is waited for");
        slots.pop();
        assert!(look(MOST).is_ok(), "a call that is over makes room");
    }
}

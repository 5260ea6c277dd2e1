//! How often, and how much at once.

use crate::caller::{Caller, Who};
use crate::config::Limits as Settings;
use crate::error::ApiError;
use axum::http::HeaderMap;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::collections::HashMap;
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Keys that were not seen for a while are forgotten when there are more than this.
const MANY: usize = 10_000;

/// All limits of rate and of calls at once.
pub struct Limits {
    peers: Rate<IpAddr>,
    sessions: Rate<IpAddr>,
    calls: Rate<Who>,
    data: Rate<Who>,
    running: Arc<Semaphore>,
    running_of: Arc<Mutex<HashMap<Who, u32>>>,
    at_once: u32,
}

/// A call that runs. It is over when this is dropped.
pub struct Running {
    who: Who,
    running_of: Arc<Mutex<HashMap<Who, u32>>>,
    _permit: OwnedSemaphorePermit,
}

impl Limits {
    /// Limits as configured.
    pub fn new(settings: &Settings) -> Self {
        Self {
            peers: Rate::new(settings.peer_per_minute),
            sessions: Rate::new(settings.sessions_per_minute),
            calls: Rate::new(settings.session_per_minute),
            data: Rate::new(settings.session_per_minute),
            running: Arc::new(Semaphore::new(settings.calls as usize)),
            running_of: Arc::default(),
            at_once: settings.session_calls,
        }
    }

    /// A request of this peer.
    pub fn peer(&self, peer: IpAddr) -> Result<(), ApiError> {
        self.peers.check(&block(peer), "peer_rate", "there are too many requests from this address")
    }

    /// A new session for this peer.
    pub fn session(&self, peer: IpAddr) -> Result<(), ApiError> {
        self.sessions.check(&block(peer), "session_rate", "there are too many new sessions from this address")
    }

    /// A chunk of data.
    pub fn data(&self, caller: &Caller) -> Result<(), ApiError> {
        self.data.check(&caller.who, "data_rate", "this session sends data too often")
    }

    /// A model call: it may begin, and runs until what is returned is dropped.
    pub fn call(&self, caller: &Caller) -> Result<Running, ApiError> {
        self.calls.check(&caller.who, "call_rate", "this session calls too often")?;
        let busy = |what| ApiError::new(429, "too_many_at_once", what).after(1);
        let permit = Arc::clone(&self.running)
            .try_acquire_owned()
            .map_err(|_| busy("too many calls run on this server at the moment"))?;
        let mut running_of = self.running_of.lock().unwrap_or_else(PoisonError::into_inner);
        let count = running_of.entry(caller.who.clone()).or_default();
        if *count >= self.at_once {
            return Err(busy("too many calls of this session run at the moment"));
        }
        *count += 1;
        Ok(Running { who: caller.who.clone(), running_of: Arc::clone(&self.running_of), _permit: permit })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut running_of = self.running_of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = running_of.get_mut(&self.who) {
            *count -= 1;
            if *count == 0 {
                running_of.remove(&self.who);
            }
        }
    }
}

/// So many a minute by key, in bursts up to all of them.
struct Rate<K: Hash + Eq + Clone> {
    limiter: DefaultKeyedRateLimiter<K>,
    clock: DefaultClock,
}

impl<K: Hash + Eq + Clone> Rate<K> {
    fn new(per_minute: u32) -> Self {
        let quota = Quota::per_minute(NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN));
        Self { limiter: RateLimiter::keyed(quota), clock: DefaultClock::default() }
    }

    fn check(&self, key: &K, code: &str, what: &str) -> Result<(), ApiError> {
        if self.limiter.len() > MANY {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(key).map_err(|until| {
            let wait = until.wait_time_from(self.clock.now());
            ApiError::new(429, code, what).after(wait.as_millis().div_ceil(1000).try_into().unwrap_or(60))
        })
    }
}

/// The peer of a request: the socket's, or with trusted hops what the outermost trusted proxy saw, so many entries from
/// the right of `X-Forwarded-For`. What stands further left was written by the client and says nothing.
pub fn peer(socket: SocketAddr, headers: &HeaderMap, trusted_hops: usize) -> IpAddr {
    let forwarded = || {
        let lists = headers.get_all("x-forwarded-for").iter().filter_map(|list| list.to_str().ok());
        let entries: Vec<&str> = lists.flat_map(|list| list.split(',')).map(str::trim).collect();
        let entry = entries.get(entries.len().checked_sub(trusted_hops)?)?;
        entry.parse().ok().or_else(|| entry.parse::<SocketAddr>().ok().map(|address| address.ip()))
    };
    if trusted_hops == 0 { socket.ip() } else { forwarded().unwrap_or(socket.ip()) }
}

/// What counts as one peer: an IPv4 address, or the /56 of an IPv6 address, which is what a household is given.
fn block(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - 56)))),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer_of(lists: &[&str], hops: usize) -> String {
        let mut headers = HeaderMap::new();
        for list in lists {
            headers.append("x-forwarded-for", list.parse().unwrap());
        }
        peer("192.0.2.1:5000".parse().unwrap(), &headers, hops).to_string()
    }

    #[test]
    fn the_peer_is_the_sockets_whatever_a_header_says() {
        assert_eq!(peer_of(&["203.0.113.9"], 0), "192.0.2.1");
    }

    #[test]
    fn hops_are_counted_from_the_right() {
        assert_eq!(peer_of(&["203.0.113.9, 198.51.100.7"], 1), "198.51.100.7");
        assert_eq!(peer_of(&["203.0.113.9, 198.51.100.7"], 2), "203.0.113.9");
        assert_eq!(peer_of(&["203.0.113.9", "198.51.100.7"], 1), "198.51.100.7");
        assert_eq!(peer_of(&["1.1.1.1, [2001:db8::1]:443"], 1), "2001:db8::1");
        assert_eq!(peer_of(&["203.0.113.9"], 2), "192.0.2.1");
        assert_eq!(peer_of(&["203.0.113.9, nonsense"], 1), "192.0.2.1");
        assert_eq!(peer_of(&[], 1), "192.0.2.1");
    }

    #[test]
    fn a_household_is_one_peer() {
        let block = |text: &str| block(text.parse().unwrap());
        assert_eq!(block("2001:db8:0:1200::1"), block("2001:db8:0:12ff:ffff::2"));
        assert_ne!(block("2001:db8:0:1200::1"), block("2001:db8:0:1300::1"));
        assert_eq!(block("::ffff:192.0.2.1"), block("192.0.2.1"));
        assert_ne!(block("192.0.2.1"), block("192.0.2.2"));
    }

    #[test]
    fn a_new_v6_address_of_the_same_household_is_no_new_start() {
        let limits = Limits::new(&Settings { peer_per_minute: 3, ..Settings::default() });
        let peer = |last: u16| format!("2001:db8:0:1200::{last:x}").parse().unwrap();
        assert!((1..=3).all(|last| limits.peer(peer(last)).is_ok()));
        let error = limits.peer(peer(4)).unwrap_err();
        assert_eq!((error.status.as_u16(), error.code()), (429, "peer_rate"));
        assert!(error.retry_after.is_some_and(|seconds| (1..=20).contains(&seconds)));
        assert!(limits.peer("2001:db8:0:1300::1".parse().unwrap()).is_ok());
    }
}

//! Budgets that are never overspent.
//!
//! The idea: before a call its worst case is reserved, in all scopes at once, and a call whose worst case does not fit
//! is not made. After it, what it really used takes the place of the reservation. Whatever happens to a call, the
//! reservation is settled: by its outcome, or, if it is dropped on the way, at its worst case, since upstream may have
//! worked for all of it. So at any time what is spent and what may yet be spent are within the limits together.

mod journal;

pub use journal::JournalError;

use crate::caller::Who;
use crate::config::{Budget, Budgets, Model};
use journal::{Journal, Line};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Amounts {
    /// Calls.
    pub requests: u64,
    /// Tokens, asked and replied together.
    pub tokens: u64,
    /// Money, in thousand-millionths of the currency.
    pub nanos: u64,
}

impl Amounts {
    fn plus(self, other: Self) -> Self {
        Self {
            requests: self.requests.saturating_add(other.requests),
            tokens: self.tokens.saturating_add(other.tokens),
            nanos: self.nanos.saturating_add(other.nanos),
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            requests: self.requests.saturating_sub(other.requests),
            tokens: self.tokens.saturating_sub(other.tokens),
            nanos: self.nanos.saturating_sub(other.nanos),
        }
    }
}

/// What a model's tokens cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prices {
    /// Of one token asked, in billionths of a thousandth of the currency.
    input: u64,
    /// Of one token replied.
    output: u64,
}

impl Prices {
    /// The prices of a configured model, rounded up.
    pub fn of(model: &Model) -> Self {
        // A price of a million in the currency is the same number of one in its millionths; checked to be 0 to 1e6.
        let pico = |price: Option<f64>| (price.unwrap_or(0.0) * 1e6).ceil() as u64;
        Self { input: pico(model.input_price), output: pico(model.output_price) }
    }

    /// One call with so many tokens asked and replied. Money is rounded up.
    pub fn call(self, asked: u64, replied: u64) -> Amounts {
        let cost = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
        let pico = cost(asked, self.input) + cost(replied, self.output);
        let nanos = u64::try_from(pico.div_ceil(1000)).unwrap_or(u64::MAX);
        Amounts { requests: 1, tokens: asked.saturating_add(replied), nanos }
    }
}

/// A call that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the budget of {what} {scope} is used up")]
pub struct Exceeded {
    /// Whose budget.
    pub scope: Scope,
    /// Of what.
    pub what: &'static str,
}

/// Why a call may not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReserveError {
    /// It does not fit.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// It could not be written down.
    #[error("the file of budgets cannot be written: {0}")]
    Journal(#[from] std::io::Error),
}

/// Whose budget it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One participant's.
    Session,
    /// One day's.
    Day,
    /// Of everything.
    All,
}

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Session => "of this session",
            Self::Day => "of this day",
            Self::All => "of this server",
        })
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Account {
    spent: Amounts,
    reserved: Amounts,
}

impl Account {
    /// What of a limit would be exceeded by this much more.
    fn exceeded(&self, limit: &Budget, more: Amounts) -> Option<&'static str> {
        let sum = self.spent.plus(self.reserved).plus(more);
        let over = |limit: Option<u64>, sum: u64| limit.is_some_and(|limit| sum > limit);
        if over(limit.requests, sum.requests) {
            return Some("calls");
        }
        if over(limit.tokens, sum.tokens) {
            return Some("tokens");
        }
        // Rounded down: the limit is checked to be 0 to 1e6.
        over(limit.money.map(|money| (money * 1e9) as u64), sum.nanos).then_some("money")
    }
}

#[derive(Default)]
struct Accounts {
    sessions: BTreeMap<Who, Account>,
    day: Account,
    /// Which day, counted from 1970.
    today: u64,
    all: Account,
    next: u64,
}

impl Accounts {
    /// A new day has a new account; what was reserved before is settled in the others only.
    fn turn_to(&mut self, day: u64) {
        if day > self.today {
            self.today = day;
            self.day = Account::default();
        }
    }

    fn each(&mut self, who: &Who, day: u64, mut change: impl FnMut(&mut Account)) {
        change(self.sessions.entry(who.clone()).or_default());
        change(&mut self.all);
        if day == self.today {
            change(&mut self.day);
        }
    }
}

/// All accounts.
pub struct Ledger {
    limits: Budgets,
    accounts: Mutex<Accounts>,
    journal: Option<Journal>,
}

/// Seconds of a day.
const DAY: u64 = 24 * 60 * 60;

impl Ledger {
    /// Opens the accounts, with what was spent before if a file is configured.
    pub fn open(limits: &Budgets, now: u64) -> Result<Self, JournalError> {
        let mut accounts = Accounts { today: now / DAY, ..Accounts::default() };
        let journal = limits.file.as_deref().map(|file: &Path| Journal::open(file, &mut accounts)).transpose()?;
        Ok(Self { limits: limits.clone(), accounts: Mutex::new(accounts), journal })
    }

    /// Reserves the worst case of a call.
    pub fn reserve(self: &Arc<Self>, who: &Who, worst: Amounts, now: u64) -> Result<Reservation, ReserveError> {
        let mut accounts = self.accounts();
        let day = now / DAY;
        accounts.turn_to(day);
        let day = accounts.today.max(day);
        let session = accounts.sessions.get(who).copied().unwrap_or_default();
        let scopes = [
            (Scope::Session, session, &self.limits.session),
            (Scope::Day, accounts.day, &self.limits.day),
            (Scope::All, accounts.all, &self.limits.all),
        ];
        for (scope, account, limit) in scopes {
            if let Some(what) = account.exceeded(limit, worst) {
                return Err(Exceeded { scope, what }.into());
            }
        }
        let id = accounts.next;
        if let Some(journal) = &self.journal {
            journal.write(&Line::Reserved { id, who: who.clone(), day, worst })?;
        }
        accounts.next += 1;
        accounts.each(who, day, |account| account.reserved = account.reserved.plus(worst));
        Ok(Reservation { ledger: Arc::clone(self), id, who: who.clone(), day, worst, used: worst })
    }

    /// What was spent and is reserved in all.
    pub fn totals(&self) -> (Amounts, Amounts) {
        let all = self.accounts().all;
        (all.spent, all.reserved)
    }

    fn accounts(&self) -> MutexGuard<'_, Accounts> {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settle(&self, reservation: &Reservation) {
        let Reservation { id, who, day, worst, used, .. } = reservation;
        let mut accounts = self.accounts();
        if let Some(journal) = &self.journal
            && let Err(cause) = journal.write(&Line::Settled { id: *id, used: *used })
        {
            tracing::warn!(%cause, "a call is settled, but not in the file of budgets, which keeps its worst case");
        }
        accounts.each(who, *day, |account| {
            account.reserved = account.reserved.minus(*worst);
            account.spent = account.spent.plus(*used);
        });
    }
}

/// The worst case of a call, kept free for it. Dropping it settles the call: at what [`Reservation::used`] said, or at
/// the worst case.
pub struct Reservation {
    ledger: Arc<Ledger>,
    id: u64,
    who: Who,
    day: u64,
    worst: Amounts,
    used: Amounts,
}

impl Reservation {
    /// Says what the call used, as far as is known now.
    pub fn used(&mut self, used: Amounts) {
        self.used = used;
    }

    /// What was reserved.
    pub fn worst(&self) -> Amounts {
        self.worst
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let over = self.used.tokens.saturating_sub(self.worst.tokens);
        if over > 0 {
            tracing::warn!(
                over,
                "upstream counts more tokens than the worst case; raise proxy.budgets.template_tokens"
            );
        }
        self.ledger.settle(self);
    }
}

#[cfg(test)]
mod tests;

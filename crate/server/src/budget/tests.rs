use super::*;
use proptest::prelude::*;
use std::fs;

fn who(name: &str) -> Who {
    Who { study: "pilot".to_owned(), participant: name.to_owned() }
}

fn tokens(tokens: u64) -> Amounts {
    Amounts { requests: 1, tokens, nanos: 0 }
}

fn limited(session: Option<u64>, day: Option<u64>, all: Option<u64>) -> Budgets {
    let budget = |tokens| Budget { tokens, ..Budget::default() };
    Budgets { session: budget(session), day: budget(day), all: budget(all), ..Budgets::default() }
}

fn open(budgets: &Budgets, now: u64) -> Arc<Ledger> {
    Arc::new(Ledger::open(budgets, now).unwrap())
}

fn refused(ledger: &Arc<Ledger>, name: &str, worst: Amounts, now: u64) -> Option<Exceeded> {
    match ledger.reserve(&who(name), worst, now) {
        Ok(_) => None,
        Err(ReserveError::Exceeded(exceeded)) => Some(exceeded),
        Err(ReserveError::Journal(error)) => panic!("{error}"),
    }
}

#[test]
fn each_scope_holds_by_itself() {
    let ledger = open(&limited(Some(10), Some(15), Some(18)), 0);
    let spend = |name: &str, used: u64, now: u64| drop(ledger.reserve(&who(name), tokens(used), now).unwrap());
    spend("a", 10, 0);
    assert_eq!(refused(&ledger, "a", tokens(1), 0), Some(Exceeded { scope: Scope::Session, what: "tokens" }));
    assert_eq!(refused(&ledger, "b", tokens(6), 0), Some(Exceeded { scope: Scope::Day, what: "tokens" }));
    spend("b", 5, 0);
    assert_eq!(refused(&ledger, "c", tokens(4), DAY), Some(Exceeded { scope: Scope::All, what: "tokens" }));
    spend("c", 3, DAY);
}

#[test]
fn what_was_not_used_is_free_again_and_what_is_not_said_is_not() {
    let ledger = open(&limited(None, None, Some(10)), 0);
    let mut call = ledger.reserve(&who("a"), tokens(10), 0).unwrap();
    assert!(refused(&ledger, "a", tokens(1), 0).is_some());
    call.used(tokens(4));
    drop(call);
    let call = ledger.reserve(&who("a"), tokens(6), 0).unwrap();
    drop(call);
    assert!(refused(&ledger, "a", tokens(1), 0).is_some());
    assert_eq!(ledger.totals(), (Amounts { requests: 2, tokens: 10, nanos: 0 }, Amounts::default()));
}

#[test]
fn a_call_over_midnight_counts_on_the_day_it_began() {
    let ledger = open(&limited(None, Some(10), None), 0);
    let call = ledger.reserve(&who("a"), tokens(10), DAY - 1).unwrap();
    let next = ledger.reserve(&who("a"), tokens(10), DAY).unwrap();
    drop(call);
    assert!(refused(&ledger, "a", tokens(1), DAY).is_some());
    drop(next);
    // A clock that goes back opens no new budget.
    assert!(refused(&ledger, "a", tokens(1), DAY - 1).is_some());
}

#[test]
fn money_is_counted_up() {
    let model = |input, output| Model {
        name: None,
        aliases: Vec::new(),
        provider: String::new(),
        upstream: None,
        input_price: Some(input),
        output_price: Some(output),
    };
    let prices = Prices::of(&model(0.1, 0.4));
    assert_eq!(prices.call(1_000_000, 0).nanos, 100_000_000);
    assert_eq!(prices.call(1_000_000, 1_000_000).nanos, 500_000_000);
    assert_eq!(Prices::of(&model(0.000_001, 0.0)).call(1, 0).nanos, 1);
    let budget = Budget { money: Some(0.5), ..Budget::default() };
    let ledger = open(&Budgets { all: budget, ..Budgets::default() }, 0);
    drop(ledger.reserve(&who("a"), prices.call(1_000_000, 999_999), 0).unwrap());
    assert_eq!(refused(&ledger, "a", prices.call(0, 2), 0).unwrap().what, "money");
}

#[test]
fn spending_outlives_the_process_and_what_was_under_way_counts_in_full() {
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join("budgets.jsonl");
    let budgets = Budgets { file: Some(file.clone()), ..limited(Some(100), None, None) };
    let ledger = open(&budgets, 0);
    let mut settled = ledger.reserve(&who("a"), tokens(50), 0).unwrap();
    settled.used(tokens(20));
    drop(settled);
    let under_way = ledger.reserve(&who("a"), tokens(30), 0).unwrap();
    assert!(matches!(Ledger::open(&budgets, 0), Err(JournalError::InUse(_))));
    // As a killed process leaves it: no settlement, and a line that breaks off.
    let mut left = fs::read_to_string(&file).unwrap();
    left.push_str("{\"line\":\"reserved\",\"id\":7,");
    drop(under_way);
    drop(ledger);
    fs::write(&file, left).unwrap();
    for _ in 0..2 {
        let again = open(&budgets, 0);
        assert_eq!(again.totals().0, Amounts { requests: 2, tokens: 50, nanos: 0 });
        assert!(refused(&again, "a", tokens(51), 0).is_some());
    }
    fs::write(&file, "{\"line\":\"nonsense\"}\n").unwrap();
    assert!(matches!(Ledger::open(&budgets, 0), Err(JournalError::Line { line: 1, .. })));
}

#[test]
fn fifty_threads_at_the_edge_never_overspend() {
    let ledger = open(&limited(None, None, Some(1000)), 0);
    std::thread::scope(|scope| {
        for thread in 0..50_u64 {
            let ledger = &ledger;
            scope.spawn(move || {
                for step in 0..200 {
                    let Ok(mut call) = ledger.reserve(&who("a"), tokens(30), 0) else { continue };
                    let (spent, reserved) = ledger.totals();
                    assert!(spent.tokens + reserved.tokens <= 1000);
                    if (thread + step) % 3 > 0 {
                        call.used(tokens((thread + step) % 31));
                    }
                }
            });
        }
    });
    let (spent, reserved) = ledger.totals();
    assert!((971..=1000).contains(&spent.tokens), "{spent:?}");
    assert_eq!(reserved, Amounts::default());
}

proptest! {
    #[test]
    fn spent_and_reserved_are_within_the_limit(
        calls in prop::collection::vec((0_u64..40, 0_u64..40, any::<bool>()), 0..60),
        limit in 0_u64..200,
    ) {
        let ledger = open(&limited(None, None, Some(limit)), 0);
        let mut running = Vec::new();
        for (worst, used, end) in calls {
            if let Ok(mut call) = ledger.reserve(&who("a"), tokens(worst), 0) {
                call.used(tokens(used.min(worst)));
                running.push(call);
            }
            if end && !running.is_empty() {
                running.remove(0);
            }
            let (spent, reserved) = ledger.totals();
            prop_assert!(spent.tokens + reserved.tokens <= limit);
        }
        drop(running);
        prop_assert_eq!(ledger.totals().1, Amounts::default());
    }
}

//! A session that runs by itself.
//!
//! The player owns the timers and the clock. Its clock counts session time: it stands still while paused and runs faster
//! at a higher speed, so that a watched game has the same timing in its trace at any speed. It also asks the language
//! model, if the settings name an endpoint; without one the agent is told so at once, and does what it does without. Other
//! questions go to the owner, who answers them. The owner hears everything through one function, message by message:
//! views, trace lines, questions, the end.

use crate::clock::monotonic_millis;
use crate::failure::Failure;
use crate::game;
use crate::language::{Call, Endpoint, LanguageSettings};
use crate::settings::Settings;
use crate::table::{Happening, Outcome, Table};
use crate::value::{from_js, to_js};
use gloo::timers::callback::Timeout;
use js_sys::Function;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use tandem_core::trace::Trace;
use tandem_core::{Answer, Faculty, Fault, Millis, Question, Seat, Ticket};
use tandem_llm::ask;
use tandem_llm::exchange;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// A session with its own timers, for a worker or a page.
#[wasm_bindgen]
pub struct Player(Rc<RefCell<Running>>);

#[wasm_bindgen]
impl Player {
    /// Opens and begins a session with `{world, seed?, config?, seats, pace?, host?, language?}`. `tell` is called with every
    /// message, never before this call has returned.
    ///
    /// # Errors
    /// A setting is wrong; the failure names it.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: JsValue, tell: Function) -> Result<Player, JsValue> {
        let settings: Settings = from_js(settings, "settings")?;
        let endpoint = settings.language.as_ref().map(Endpoint::new).transpose()?;
        Ok(Self::begin(game::open(&settings)?, endpoint, tell, Happening::Start {}))
    }

    /// Opens a session as its trace left it and goes on. `language` is as in the settings; a trace does not say where
    /// models are asked.
    ///
    /// # Errors
    /// The trace cannot be gone on with; the failure names line and reason.
    pub fn resume(trace: &str, tell: Function, language: JsValue) -> Result<Player, JsValue> {
        let language: Option<LanguageSettings> = from_js(language, "language")?;
        let endpoint = language.as_ref().map(Endpoint::new).transpose()?;
        let trace = Trace::read(trace).map_err(Failure::from)?;
        let first = if trace.lines().is_empty() { Happening::Start {} } else { Happening::Resume {} };
        Ok(Self::begin(game::resume(&trace)?, endpoint, tell, first))
    }

    /// A person acts.
    ///
    /// # Errors
    /// The rules do not allow it; nothing has changed.
    pub fn act(&self, seat: u8, action: JsValue) -> Result<(), JsValue> {
        let action: Value = from_js(action, "action")?;
        Ok(Running::feed(&self.0, Happening::Act { seat: Seat(seat), action })?)
    }

    /// A person talks.
    ///
    /// # Errors
    /// The world does not take these words; nothing has changed.
    pub fn say(&self, seat: u8, text: String) -> Result<(), JsValue> {
        Ok(Running::feed(&self.0, Happening::Say { seat: Seat(seat), text })?)
    }

    /// Answers a question that was told as `{type: "ask", ticket, question}`: `{reply: …}`, or `{failed: {broken: "why"}}`.
    /// An answer nobody waits for any more is ignored.
    ///
    /// # Errors
    /// It is no answer.
    pub fn answer(&self, ticket: u32, answer: JsValue) -> Result<(), JsValue> {
        let answer: Answer = from_js(answer, "answer")?;
        if !self.0.borrow().table.waits_for(Ticket(ticket)) {
            return Ok(());
        }
        Running::answered(&Rc::downgrade(&self.0), Happening::Answer { ticket: Ticket(ticket), answer, record: None });
        Ok(())
    }

    /// Stops the clock.
    pub fn pause(&self) {
        let mut running = self.0.borrow_mut();
        running.clock.pause();
        running.stepping = false;
        running.timers.clear();
    }

    /// Lets the clock run again.
    pub fn go(&self) {
        self.0.borrow_mut().clock.go();
        Running::open_mail(&self.0);
        Running::arm(&self.0);
    }

    /// Jumps to the next thing that is due, and does it.
    ///
    /// # Errors
    /// None in practice: what is due can be done.
    pub fn step(&self) -> Result<(), JsValue> {
        if Running::open_mail(&self.0) {
            return Ok(());
        }
        let next = self.0.borrow().table.next_wake();
        let Some((ticket, at)) = next else { return Ok(()) };
        {
            let mut running = self.0.borrow_mut();
            // What an agent is told because of this step is still part of it.
            running.stepping = !running.clock.runs();
            // An answer is under way: it is the next thing, not the end of its time.
            if running.stepping && running.table.waits_for(ticket) {
                return Ok(());
            }
            running.clock.jump_to(at);
        }
        Ok(Running::feed(&self.0, Happening::Wake { ticket })?)
    }

    /// How fast the clock runs: 1 as the session was set, 4 four times faster.
    ///
    /// # Errors
    /// The speed is not a number above zero.
    pub fn set_speed(&self, speed: f64) -> Result<(), JsValue> {
        if !(speed.is_finite() && speed > 0.0) {
            return Err(
                Failure::new("config", format!("{speed} is not a speed; 1 is as set, 4 four times faster")).into()
            );
        }
        {
            let mut running = self.0.borrow_mut();
            running.clock.set_speed(speed);
            running.timers.clear();
        }
        Running::arm(&self.0);
        Ok(())
    }

    /// What a seat may know; only for seats at which people sit, or any if no person plays.
    ///
    /// # Errors
    /// The seat is not the page's to look at.
    pub fn view(&self, seat: u8) -> Result<JsValue, JsValue> {
        let running = self.0.borrow();
        if !running.table.open_seats().contains(&Seat(seat)) {
            return Err(Failure::new("hidden", format!("seat {seat} is not yours to look at")).into());
        }
        to_js(&running.table.view(Seat(seat))?)
    }

    /// The whole state, once the game is over or if no person plays.
    ///
    /// # Errors
    /// A person is still playing.
    pub fn reveal(&self) -> Result<JsValue, JsValue> {
        to_js(&self.0.borrow().table.reveal()?)
    }

    /// The trace so far.
    pub fn trace(&self) -> String {
        self.0.borrow().table.trace()
    }

    fn begin(table: Box<dyn Table>, endpoint: Option<Endpoint>, tell: Function, first: Happening) -> Self {
        let clock = Clock::starting_at(table.now());
        let running = Running {
            table,
            clock,
            endpoint,
            tell,
            timers: BTreeMap::new(),
            calls: BTreeMap::new(),
            mail: Vec::new(),
            stepping: false,
            first: None,
        };
        let player = Self(Rc::new(RefCell::new(running)));
        let weak = Rc::downgrade(&player.0);
        player.0.borrow_mut().first = Some(Timeout::new(0, move || Running::feed_later(&weak, first)));
        player
    }
}

/// The player's inside, shared with its timers, which hold it weakly: dropping the player ends it.
struct Running {
    table: Box<dyn Table>,
    clock: Clock,
    endpoint: Option<Endpoint>,
    tell: Function,
    timers: BTreeMap<Ticket, Timeout>,
    /// Questions to the language model under way.
    calls: BTreeMap<Ticket, Call>,
    /// Answers that came while the clock stood.
    mail: Vec<Happening>,
    /// The clock stands, but for one step, which waits for an answer.
    stepping: bool,
    first: Option<Timeout>,
}

impl Running {
    /// Feeds an event and lets its effects happen.
    fn feed(this: &Rc<RefCell<Self>>, happening: Happening) -> Result<(), Failure> {
        let (outcomes, thinking, tell) = {
            let mut running = this.borrow_mut();
            let at = running.clock.now();
            let outcomes = running.table.handle(at, happening)?;
            (outcomes, running.thinking(), running.tell.clone())
        };
        for outcome in outcomes {
            if let Outcome::Ask(_, ticket, Question { to: Faculty::Language, body, within }) = &outcome {
                Self::ask(this, *ticket, body, *within);
                continue;
            }
            // The borrow ends before the owner is told: it may well call back.
            let message = this.borrow().message(outcome);
            if let Some(message) = message {
                send(&tell, &message);
            }
        }
        if let Some(seat) = thinking {
            send(&tell, &json!({ "type": "thinking", "seat": seat }));
        }
        Self::give_up_calls(this);
        Self::arm(this);
        Ok(())
    }

    /// Asks the language model. Where there is none, the agent is told so.
    fn ask(this: &Rc<RefCell<Self>>, ticket: Ticket, body: &Value, within: Millis) {
        let weak = Rc::downgrade(this);
        let mut running = this.borrow_mut();
        let Some(endpoint) = &running.endpoint else {
            let answer = Answer::Failed(Fault::Absent);
            let absent = Happening::Answer { ticket, answer, record: None };
            return spawn_local(async move { Self::answered(&weak, absent) });
        };
        let told = move |outcome: exchange::Outcome| {
            let record = serde_json::to_value(&outcome.record).ok();
            Self::answered(&weak, Happening::Answer { ticket, answer: ask::answer(&outcome.result), record });
        };
        let call = endpoint.ask(body, within, told);
        running.calls.insert(ticket, call);
    }

    /// Feeds an answer, or keeps it while the clock stands.
    fn answered(weak: &Weak<RefCell<Self>>, answer: Happening) {
        let Some(this) = weak.upgrade() else { return };
        let waits = {
            let mut running = this.borrow_mut();
            let stepping = std::mem::take(&mut running.stepping);
            !running.clock.runs() && !stepping
        };
        if waits {
            this.borrow_mut().mail.push(answer);
        } else {
            Self::feed_later(weak, answer);
        }
    }

    /// Ends the calls whose answers nobody waits for any more.
    fn give_up_calls(this: &Rc<RefCell<Self>>) {
        let mut running = this.borrow_mut();
        let open = |ticket: &Ticket| running.table.waits_for(*ticket);
        let over: Vec<Ticket> = running.calls.keys().copied().filter(|ticket| !open(ticket)).collect();
        let ended: Vec<Option<Call>> = over.iter().map(|ticket| running.calls.remove(ticket)).collect();
        drop(running);
        drop(ended);
    }

    /// Feeds the answers that came while the clock stood. False if there were none.
    fn open_mail(this: &Rc<RefCell<Self>>) -> bool {
        let mail = std::mem::take(&mut this.borrow_mut().mail);
        let any = !mail.is_empty();
        for answered in mail {
            Self::feed_later(&Rc::downgrade(this), answered);
        }
        any
    }

    /// Feeds an event that nobody waits for: a failure becomes a message.
    fn feed_later(weak: &Weak<RefCell<Self>>, happening: Happening) {
        let Some(this) = weak.upgrade() else { return };
        if let Err(failure) = Self::feed(&this, happening) {
            let tell = this.borrow().tell.clone();
            send(&tell, &json!({ "type": "failure", "failure": failure }));
        }
    }

    /// Sets the timer of the next thing that is due, unless the clock stands.
    fn arm(this: &Rc<RefCell<Self>>) {
        let mut running = this.borrow_mut();
        let next = running.table.next_wake();
        let Some((ticket, at)) = next else { return running.timers.clear() };
        if !running.clock.runs() {
            return;
        }
        running.timers.retain(|armed, _| *armed == ticket);
        if running.timers.contains_key(&ticket) {
            return;
        }
        let delay = running.clock.until(at);
        let weak = Rc::downgrade(this);
        let ring = move || {
            if let Some(this) = weak.upgrade() {
                // Timers may ring a little early; the session's clock then takes the moment that was asked for.
                this.borrow_mut().clock.jump_to(at);
            }
            Self::feed_later(&weak, Happening::Wake { ticket });
        };
        running.timers.insert(ticket, Timeout::new(delay, ring));
    }

    /// The agent that is to move, if it is one's move.
    fn thinking(&self) -> Option<Seat> {
        let seat = self.table.turn()?;
        let open = self.table.open_seats();
        (open.len() == usize::from(self.table.seats()) || !open.contains(&seat)).then_some(seat)
    }

    fn message(&self, outcome: Outcome) -> Option<Value> {
        Some(match outcome {
            Outcome::Save(line) => json!({ "type": "line", "line": line }),
            Outcome::Over(outcome, digest) => json!({ "type": "over", "outcome": outcome, "digest": digest }),
            Outcome::Show(news) => {
                let open = self.table.open_seats();
                let view = |seat: u8| {
                    let open = open.contains(&Seat(seat));
                    if open { self.table.view(Seat(seat)).unwrap_or_default() } else { Value::Null }
                };
                let views: Vec<Value> = (0..self.table.seats()).map(view).collect();
                json!({ "type": "view", "views": views, "news": for_seats(news, &open), "turn": self.table.turn(), "now": self.table.now() })
            }
            Outcome::Ask(seat, ticket, Question { to, body, within }) => {
                let question = json!({ "seat": seat, "to": to, "body": body, "within": within });
                json!({ "type": "ask", "ticket": ticket, "question": question })
            }
            Outcome::Wake(..) => return None,
        })
    }
}

/// The news that concerns the given seats.
fn for_seats(news: Value, seats: &[Seat]) -> Value {
    let Value::Array(news) = news else { return news };
    let concerns = |told: &Value| {
        let audience = told.get("to").cloned().unwrap_or_default();
        serde_json::from_value::<tandem_core::Audience>(audience)
            .is_ok_and(|audience| seats.iter().any(|seat| audience.includes(*seat)))
    };
    Value::Array(news.into_iter().filter(concerns).collect())
}

/// Tells the owner. If the owner's function throws, that is the owner's affair: the game goes on.
fn send(tell: &Function, message: &Value) {
    if let Ok(message) = to_js(message) {
        let _ = tell.call1(&JsValue::NULL, &message);
    }
}

/// Session time, driven by the browser's monotonic clock.
struct Clock {
    /// Session time at the last change of pace.
    base: f64,
    /// The browser's time then.
    since: f64,
    speed: f64,
    running: bool,
}

impl Clock {
    fn starting_at(session: Millis) -> Self {
        Self { base: session.0 as f64, since: monotonic_millis(), speed: 1.0, running: true }
    }

    fn exact(&self) -> f64 {
        if self.running { self.base + (monotonic_millis() - self.since) * self.speed } else { self.base }
    }

    fn now(&self) -> Millis {
        Millis(self.exact().max(0.0) as u64)
    }

    fn runs(&self) -> bool {
        self.running
    }

    fn rebase(&mut self, base: f64) {
        self.base = base;
        self.since = monotonic_millis();
    }

    fn pause(&mut self) {
        self.rebase(self.exact());
        self.running = false;
    }

    fn go(&mut self) {
        self.rebase(self.exact());
        self.running = true;
    }

    fn set_speed(&mut self, speed: f64) {
        self.rebase(self.exact());
        self.speed = speed;
    }

    fn jump_to(&mut self, at: Millis) {
        self.rebase(self.exact().max(at.0 as f64));
    }

    /// Browser milliseconds until session time `at`.
    fn until(&self, at: Millis) -> u32 {
        ((at.0 as f64 - self.exact()) / self.speed).clamp(0.0, f64::from(i32::MAX)).ceil() as u32
    }
}

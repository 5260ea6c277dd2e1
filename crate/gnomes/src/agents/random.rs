//! The random partner: any step that its own walls allow, each as likely as the others. The floor to compare with.

use crate::{Action, Gnomes, News, View};
use rand::seq::IndexedRandom;
use tandem_core::{Agent, Deed, Stream, Thought};

/// The random partner.
pub struct Random;

impl Agent<Gnomes> for Random {
    fn think(&mut self, view: &View, _: &[News], stream: &mut Stream) -> Thought<Action> {
        if view.turn != Some(view.seat) {
            return Thought::idle();
        }
        Thought::just(Deed::Act(view.open.choose(stream).copied().unwrap_or(Action::Stay)))
    }
}

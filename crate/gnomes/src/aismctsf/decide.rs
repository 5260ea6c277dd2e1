//! SELECTBESTACTION: from the tree and the partner's flag to the next step and the flag in return (lines 35-53).

use super::{Actions, Branch, Tree};
use crate::Flag;
use rand::Rng;
use rand::seq::IndexedRandom;

/// What the search comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The ego's next action.
    pub action: u8,
    /// The flag to send: what the partner should do next, or the kind of answer.
    pub flag: Flag<u8>,
    /// All own actions.
    pub root: Vec<Branch>,
    /// The partner's replies to the chosen action.
    pub replies: Vec<Branch>,
}

/// Decides. `valid` are the ego's valid actions here; `refused` tells which replies are known to be refused after an own
/// action. A Reject among the inputs has been entered into the ego's memory before the search; here it sends nothing.
pub fn decide(
    tree: &Tree,
    input: Flag<u8>,
    valid: Actions,
    refused: impl Fn(u8) -> Actions,
    chance: &mut impl Rng,
) -> Decision {
    let root = tree.branches(&[]);
    let most = root.iter().map(|branch| branch.visits).max().unwrap_or_default();
    let best: Vec<u8> = root.iter().filter(|branch| branch.visits == most).map(|branch| branch.action).collect();
    let wished = input.action().filter(|action| best.contains(action));
    let action = wished.or_else(|| best.choose(chance).copied()).unwrap_or_default();

    let replies = tree.branches(&[action]);
    let flag = match input {
        Flag::Inquiry => Flag::Inquiry,
        Flag::Do(asked) if valid & (1 << asked) == 0 => Flag::Reject,
        Flag::Do(_) | Flag::Accept | Flag::Reject | Flag::None => {
            let known = refused(action);
            let open = replies.iter().filter(|reply| reply.visits > 0 && known & (1 << reply.action) == 0);
            // Replies have few visits each, so equals are common; of these the one that did best.
            let most =
                open.max_by(|one, other| (one.visits.cmp(&other.visits)).then(one.value.total_cmp(&other.value)));
            most.map_or(Flag::None, |reply| Flag::Do(reply.action))
        }
    };
    Decision { action, flag, root, replies }
}

//! A Guide written by hand; the teacher of the trained one.
//!
//! The idea: say once, well, which piece it is, and then speak only when the gripper's movement shows that something is
//! amiss. The first reference is chosen for what the Follower will make of it: the tiles that agree with its words must
//! all be the target's, and if the target is out of sight the words should name its position, since a Follower walks to
//! a position. After that: silence while the gripper comes nearer; a yes when it hesitates on a good way; a direction, or
//! once the target is in sight another reference, when it stands still or strays; "take" on the target.
//!
//! It does not know what kind of Follower it has: it goes by what the gripper does.

use super::Guide;
use crate::language::{Descriptor, Meaning, Situation, meaning};
use crate::sight::REACH;
use crate::{Area, Cell, Direction, Intent, Order};
use rand::Rng;

/// The hand-written Guide.
#[derive(Clone, Debug, Default)]
pub struct Heuristic {
    /// Where the gripper was a step ago.
    before: Option<Cell>,
    /// The way it was told to go, while it still goes there.
    heading: Option<Direction>,
    /// It was last told to go on, and has not moved since.
    confirmed: bool,
}

impl Guide for Heuristic {
    fn begin(&mut self) {
        *self = Self::default();
    }

    fn intend(&mut self, situation: Situation, _: u32, _: &mut dyn Rng) -> Intent {
        let intent = self.choose(situation);
        self.before = Some(situation.gripper);
        self.confirmed = intent == Intent::Confirm || self.confirmed && intent == Intent::Silence;
        match intent {
            Intent::Go(direction) => self.heading = Some(direction),
            Intent::Refer(_) | Intent::Take | Intent::Decline => self.heading = None,
            Intent::Silence | Intent::Confirm => {}
        }
        intent
    }
}

impl Heuristic {
    fn choose(&mut self, situation: Situation) -> Intent {
        let Situation { board, target, gripper } = situation;
        if board.piece_at(gripper) == Some(target) {
            return Intent::Take;
        }
        let Some(before) = self.before else { return opening(situation) };
        let far = |from: Cell| nearest(situation, from).distance(from);
        let waited = before == gripper;
        let nearer = far(gripper) < far(before);
        if nearer {
            self.confirmed = false;
        }
        // Told to go straight on, it would soon go too far.
        let turning = self
            .heading
            .is_some_and(|way| gripper.after(way, board.size()).is_none_or(|next| far(next) >= far(gripper)));
        if waited && !self.confirmed && !turning && far(gripper) > 1 {
            return Intent::Confirm;
        }
        if nearer && !turning {
            return Intent::Silence;
        }
        redirect(situation)
    }
}

/// The first words: what leads a Follower to the target, as far as words alone can.
fn opening(situation: Situation) -> Intent {
    let seen = in_sight(situation);
    let useful = |order: &Order| {
        let named = words(*order, situation);
        let reach = reached(named, situation);
        // All that agrees is the target's; out of sight the position leads there.
        (reach.target > 0 && reach.others == 0, seen || named.area.is_some(), reach.target)
    };
    let best = Order::ALL.into_iter().max_by_key(useful);
    Intent::Refer(best.unwrap_or(Order::Pcs))
}

/// Words for a gripper that stands or strays: a reference if the target is in sight, else the way to go.
fn redirect(situation: Situation) -> Intent {
    if in_sight(situation) {
        let clear = |order: &Order| {
            let reach = reached(words(*order, situation), situation);
            reach.target > 0 && reach.others == 0
        };
        if let Some(order) = Order::ALL.into_iter().rev().find(clear) {
            return Intent::Refer(order);
        }
    }
    Intent::Go(way(situation))
}

/// The direction to the target in which more of the way lies.
fn way(situation: Situation) -> Direction {
    let (from, to) = (situation.gripper, nearest(situation, situation.gripper));
    if from.x.abs_diff(to.x) >= from.y.abs_diff(to.y) {
        if to.x < from.x { Direction::Left } else { Direction::Right }
    } else if to.y < from.y {
        Direction::Up
    } else {
        Direction::Down
    }
}

/// What the reference by this order would name.
fn words(order: Order, situation: Situation) -> Descriptor {
    match meaning(Intent::Refer(order), situation) {
        Meaning::Refer(named) => named,
        _ => Descriptor::default(),
    }
}

/// How many tiles agree with a description.
struct Reach {
    target: usize,
    others: usize,
}

fn reached(named: Descriptor, Situation { board, target, .. }: Situation) -> Reach {
    let mut reach = Reach { target: 0, others: 0 };
    for (number, piece) in board.pieces().iter().enumerate() {
        let looks = named.color.is_none_or(|color| color == piece.color)
            && named.shape.is_none_or(|shape| shape == piece.shape);
        let lies = |cell: &Cell| named.area.is_none_or(|area| area == Area::of(*cell, board.size()));
        let tiles = if looks { piece.tiles().iter().filter(|cell| lies(cell)).count() } else { 0 };
        *if number == target { &mut reach.target } else { &mut reach.others } += tiles;
    }
    reach
}

/// The target's tile nearest to a cell.
fn nearest(Situation { board, target, .. }: Situation, from: Cell) -> Cell {
    board.pieces()[target].tiles().into_iter().min_by_key(|tile| tile.distance(from)).unwrap_or(from)
}

/// Whether the Follower sees a tile of the target.
fn in_sight(Situation { board, target, gripper }: Situation) -> bool {
    let near = |tile: &Cell| tile.x.abs_diff(gripper.x) <= REACH && tile.y.abs_diff(gripper.y) <= REACH;
    board.pieces()[target].tiles().iter().any(near)
}

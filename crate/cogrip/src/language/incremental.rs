//! The Incremental Algorithm (Algorithm 1, after Dale and Reiter).
//!
//! The idea: go through the properties in order of preference and name each one that tells the target from some
//! distractor not yet told apart; stop when none is left. If no property tells anything apart, name them all.

use super::Descriptor;
use crate::board::MOST;
use crate::intent::{Order, Property};
use crate::symbol::Symbol;

/// The properties to name, in no order.
pub type Named = Descriptor;

/// Which properties of `target` tell it from the `distractors` (fewer than [`MOST`]), by this order.
pub fn incremental(target: Symbol, distractors: impl Iterator<Item = Symbol> + Clone, order: Order) -> Named {
    let mut named = Named::default();
    let mut left = [true; MOST];
    for property in order.properties() {
        let mut excluded = false;
        let mut any_left = false;
        for (distractor, left) in distractors.clone().zip(&mut left) {
            if *left && !shares(target, distractor, property) {
                (*left, excluded) = (false, true);
            }
            any_left |= *left;
        }
        if excluded {
            name(&mut named, target, property);
        }
        if !any_left {
            break;
        }
    }
    if named.is_empty() {
        order.properties().into_iter().for_each(|property| name(&mut named, target, property));
    }
    named
}

fn shares(one: Symbol, other: Symbol, property: Property) -> bool {
    match property {
        Property::Position => one.area == other.area,
        Property::Color => one.color == other.color,
        Property::Shape => one.shape == other.shape,
    }
}

fn name(named: &mut Named, target: Symbol, property: Property) {
    match property {
        Property::Position => named.area = Some(target.area),
        Property::Color => named.color = Some(target.color),
        Property::Shape => named.shape = Some(target.shape),
    }
}

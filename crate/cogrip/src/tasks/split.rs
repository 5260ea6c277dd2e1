//! Which symbols may be targets of which tasks.
//!
//! The idea: one colour is held out for each shape, in rotation, so that six shapes' worth of combinations is never
//! seen at all; the other 360 symbols are shuffled once and cut into three parts (Table 1).

use crate::symbol::{Area, Color, Shape, Symbol};
use rand::seq::SliceRandom;
use tandem_core::Seed;

/// Target symbols of the three sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splits {
    /// 275 symbols.
    pub train: Vec<Symbol>,
    /// 25 symbols.
    pub val: Vec<Symbol>,
    /// 60 symbols.
    pub test: Vec<Symbol>,
}

impl Splits {
    /// Shuffles and cuts.
    pub fn new(seed: Seed) -> Self {
        let mut symbols = known();
        symbols.shuffle(&mut seed.stream("cogrip/splits"));
        let test = symbols.split_off(300);
        let val = symbols.split_off(275);
        Self { train: symbols, val, test }
    }
}

/// The 360 symbols that pieces have: all but one colour of each shape (P red, X green, T blue, Z yellow, W brown,
/// U purple, N red, F green, Y blue).
pub fn known() -> Vec<Symbol> {
    let held_out = |shape: Shape| Color::ALL[shape as usize % Color::ALL.len()];
    let mut symbols = Vec::with_capacity(360);
    for shape in Shape::ALL {
        for color in Color::ALL.into_iter().filter(|color| *color != held_out(shape)) {
            symbols.extend(Area::AROUND.map(|area| Symbol { shape, color, area }));
        }
    }
    symbols
}

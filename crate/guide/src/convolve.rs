//! A 3 x 3 convolution over chosen tiles, with ReLU.
//!
//! The idea: eight output channels of four tiles are summed at once, which keeps the sums in registers; kernels are laid
//! out so that the eight weights of a tap and an input lie together. Each tile's sums are made in the same order whichever
//! tiles are chosen beside it, so computing few tiles or all gives the same bits.

use crate::network::{TAPS, WIDTH};

/// Output channels summed at once.
const LANES: usize = 8;
/// Tiles summed at once.
const TILES: usize = 4;

/// A feature of a tile.
pub type Feature = [f32; WIDTH];

/// A plane of features, row by row, with a zero feature at its end that stands for what lies beyond the edge.
#[derive(Clone, Debug)]
pub struct Plane {
    features: Vec<Feature>,
}

impl Plane {
    /// All zero.
    pub fn new(tiles: usize) -> Self {
        Self { features: vec![[0.0; WIDTH]; tiles + 1] }
    }

    /// The feature of a tile.
    pub fn get(&self, tile: usize) -> &Feature {
        &self.features[tile]
    }

    /// Puts a feature in a tile's place.
    pub fn set(&mut self, tile: usize, feature: Feature) {
        self.features[tile] = feature;
    }

    /// Every tile's feature.
    pub fn tiles(&self) -> &[Feature] {
        &self.features[..self.features.len() - 1]
    }
}

/// The neighbours of each tile of a square board, one for each tap; the board's tile count stands for "beyond the edge".
pub fn neighbours(side: usize) -> Vec<[usize; TAPS]> {
    let tiles = side * side;
    let at = |tile: usize, tap: usize| {
        let (x, y) = (tile % side + tap % 3, tile / side + tap / 3);
        let inside = (1..=side).contains(&x) && (1..=side).contains(&y);
        if inside { (y - 1) * side + x - 1 } else { tiles }
    };
    (0..tiles).map(|tile| std::array::from_fn(|tap| at(tile, tap))).collect()
}

/// A kernel, laid out for [`Kernel::convolve`].
#[derive(Clone, Debug)]
pub struct Kernel {
    /// `[block of 8 outputs][tap][input][output in the block]`.
    weight: Vec<[f32; LANES]>,
    bias: Feature,
}

impl Kernel {
    /// From `[output][input][tap]`.
    pub fn new(weight: &[f32], bias: &[f32]) -> Self {
        let mut laid = Vec::with_capacity(weight.len() / LANES);
        for block in 0..WIDTH / LANES {
            for tap in 0..TAPS {
                for input in 0..WIDTH {
                    let of = |lane| weight[((block * LANES + lane) * WIDTH + input) * TAPS + tap];
                    laid.push(std::array::from_fn(of));
                }
            }
        }
        Self { weight: laid, bias: std::array::from_fn(|output| bias[output]) }
    }

    /// Computes the chosen tiles of `output` from `input`.
    pub fn convolve(&self, input: &Plane, neighbours: &[[usize; TAPS]], tiles: &[usize], output: &mut Plane) {
        for group in tiles.chunks(TILES) {
            // A group that is not full does its last tile several times.
            let places: [usize; TILES] = std::array::from_fn(|n| group[n.min(group.len() - 1)]);
            for block in 0..WIDTH / LANES {
                let weights = &self.weight[block * TAPS * WIDTH..][..TAPS * WIDTH];
                let mut sums = [[0.0_f32; LANES]; TILES];
                for tap in 0..TAPS {
                    let from: [&Feature; TILES] = std::array::from_fn(|n| &input.features[neighbours[places[n]][tap]]);
                    let weights: &[[f32; LANES]; WIDTH] = match weights[tap * WIDTH..][..WIDTH].try_into() {
                        Ok(weights) => weights,
                        Err(_) => continue,
                    };
                    for channel in 0..WIDTH {
                        for (sum, from) in sums.iter_mut().zip(&from) {
                            for (sum, weight) in sum.iter_mut().zip(&weights[channel]) {
                                *sum += from[channel] * weight;
                            }
                        }
                    }
                }
                for (place, sum) in places.iter().zip(&sums) {
                    let lanes = &mut output.features[*place][block * LANES..][..LANES];
                    for ((lane, sum), bias) in lanes.iter_mut().zip(sum).zip(&self.bias[block * LANES..]) {
                        *lane = (sum + bias).max(0.0);
                    }
                }
            }
        }
    }
}

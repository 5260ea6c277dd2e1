//! A 3 x 3 convolution over chosen tiles, with ReLU.
//!
//! The idea: what came out of a ReLU is nearly half zeros, and a zero adds nothing, so each tile carries the list of its
//! channels that are not. 32 output channels are summed at once, which keeps the sums in registers; kernels are laid out so
//! that their weights for a tap and an input lie together. Each tile's sums are made in the same order whichever tiles are
//! chosen beside it, so computing few tiles or all gives the same bits.

use crate::network::{TAPS, WIDTH};

/// Output channels summed at once.
const LANES: usize = 32;

/// A feature of a tile.
pub type Feature = [f32; WIDTH];

/// The channels of a feature that are not zero, in order.
#[derive(Clone, Copy, Debug)]
struct Active {
    channels: [u8; WIDTH],
    count: usize,
}

impl Active {
    const NONE: Self = Self { channels: [0; WIDTH], count: 0 };

    fn of(feature: &Feature) -> Self {
        let mut active = Self::NONE;
        for (channel, value) in feature.iter().enumerate() {
            active.channels[active.count] = channel as u8;
            active.count += usize::from(*value != 0.0);
        }
        active
    }
}

/// A plane of features, row by row, with a zero feature at its end that stands for what lies beyond the edge.
#[derive(Clone, Debug)]
pub struct Plane {
    features: Vec<Feature>,
    active: Vec<Active>,
}

impl Plane {
    /// All zero.
    pub fn new(tiles: usize) -> Self {
        Self { features: vec![[0.0; WIDTH]; tiles + 1], active: vec![Active::NONE; tiles + 1] }
    }

    /// The feature of a tile.
    pub fn get(&self, tile: usize) -> &Feature {
        &self.features[tile]
    }

    /// Puts a feature in a tile's place.
    pub fn set(&mut self, tile: usize, feature: Feature) {
        self.features[tile] = feature;
        self.active[tile] = Active::of(&feature);
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

/// The weights of a block of outputs for a tap, by input.
type Block = [[f32; LANES]; WIDTH];

/// A kernel, laid out for [`Kernel::convolve`].
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Blocks of outputs, each with a part for every tap.
    blocks: Vec<Block>,
    bias: Feature,
}

impl Kernel {
    /// From `[output][input][tap]`.
    pub fn new(weight: &[f32], bias: &[f32]) -> Self {
        let mut blocks = vec![[[0.0; LANES]; WIDTH]; WIDTH / LANES * TAPS];
        for (number, block) in blocks.iter_mut().enumerate() {
            let (outputs, tap) = (number / TAPS * LANES, number % TAPS);
            for (input, lanes) in block.iter_mut().enumerate() {
                *lanes = std::array::from_fn(|lane| weight[((outputs + lane) * WIDTH + input) * TAPS + tap]);
            }
        }
        Self { blocks, bias: std::array::from_fn(|output| bias[output]) }
    }

    /// Computes the chosen tiles of `output` from `input`.
    pub fn convolve(&self, input: &Plane, neighbours: &[[usize; TAPS]], tiles: &[usize], output: &mut Plane) {
        // Block by block: the weights of one stay near while the tiles pass.
        for (blocks, first) in self.blocks.chunks_exact(TAPS).zip((0..WIDTH).step_by(LANES)) {
            for tile in tiles {
                let mut sums = [0.0_f32; LANES];
                for (block, neighbour) in blocks.iter().zip(&neighbours[*tile]) {
                    let (feature, active) = (&input.features[*neighbour], &input.active[*neighbour]);
                    for channel in &active.channels[..active.count] {
                        // Below WIDTH as it is; said so that nobody checks it here.
                        let channel = usize::from(*channel) % WIDTH;
                        let value = feature[channel];
                        sums.iter_mut().zip(&block[channel]).for_each(|(sum, weight)| *sum += value * weight);
                    }
                }
                let lanes = &mut output.features[*tile][first..first + LANES];
                for ((lane, sum), bias) in lanes.iter_mut().zip(&sums).zip(&self.bias[first..]) {
                    *lane = (sum + bias).max(0.0);
                }
            }
        }
        for tile in tiles {
            output.active[*tile] = Active::of(&output.features[*tile]);
        }
    }
}

//! The encoder on the CPU: from a board and a gripper to 128 features.
//!
//! The idea: within an episode only the gripper's tile changes. So the board is encoded once without a gripper; with the
//! gripper somewhere, only what its tile can reach is computed anew: 9 tiles of the second layer, 25 of the third and 49 of
//! the fourth, instead of all 441 each. What came out is kept for the tile: coming back costs nothing. The first layer, a
//! map of a tile's five channels, knows only a few kinds of tiles, and so the second layer is a sum of look-ups.
//!
//! Law: the features are the same bits whether they were computed like this or all anew.

use crate::convolve::{Feature, Kernel, Plane, neighbours};
use crate::network::{Convolution, Encoder, TAPS, WIDTH};
use tandem_cogrip::observation::SIDE;
use tandem_cogrip::{Board, Cell, Color};

/// The tiles of the boards the network knows.
pub const TILES: usize = SIDE * SIDE;
/// Kinds of tiles: white or one of six colours, with or without the gripper, of the target or not.
pub const KINDS: usize = 7 * 2 * 2;

/// A kind of tile, by number: below [`KINDS`].
pub type Kind = usize;

/// The encoder, its batch norms folded in.
pub struct Vision {
    first: Convolution,
    second: Convolution,
    /// Of a kind of tile: what it adds to a tile of the second layer, by where it lies from there. Made when wanted.
    look_up: Vec<Option<Box<[Feature; TAPS]>>>,
    third: Kernel,
    fourth: Kernel,
    neighbours: Vec<[usize; TAPS]>,
}

/// A board, encoded without a gripper.
pub struct Scene {
    kinds: Vec<Kind>,
    second: Plane,
    third: Plane,
    fourth: Plane,
    /// The features for the gripper's tile, once computed.
    known: Vec<Option<Box<Feature>>>,
}

impl Vision {
    /// From trained weights.
    pub fn new(encoder: &Encoder) -> Self {
        let [first, second, third, fourth] = &encoder.convolutions;
        let kernel = |convolution: &Convolution| {
            let (weight, bias) = convolution.folded();
            Kernel::new(&weight, &bias)
        };
        let folded = |convolution: &Convolution| {
            let (weight, bias) = convolution.folded();
            Convolution { weight, bias, ..convolution.clone() }
        };
        Self {
            first: folded(first),
            second: folded(second),
            look_up: vec![None; KINDS],
            third: kernel(third),
            fourth: kernel(fourth),
            neighbours: neighbours(SIDE),
        }
    }

    /// Encodes a board without a gripper; `None` if it is not of the side the network knows.
    pub fn begin(&mut self, board: &Board, target: usize) -> Option<Scene> {
        Some(self.scene(kinds(board, target)?))
    }

    /// Encodes a board without a gripper from the kinds of its [`TILES`] tiles.
    pub fn scene(&mut self, kinds: Vec<Kind>) -> Scene {
        let mut scene = Scene {
            kinds,
            second: Plane::new(TILES),
            third: Plane::new(TILES),
            fourth: Plane::new(TILES),
            known: vec![None; TILES],
        };
        let all: Vec<usize> = (0..TILES).collect();
        self.encode(&mut scene, &all, &all, &all);
        scene
    }

    /// The features with the gripper on a tile.
    pub fn features(&mut self, scene: &mut Scene, gripper: Cell) -> Feature {
        let at = index(gripper);
        if let Some(known) = &scene.known[at] {
            return **known;
        }
        let [second, third, fourth] = [1, 2, 3].map(|reach| around(gripper, reach));
        let kept = [keep(&scene.second, &second), keep(&scene.third, &third), keep(&scene.fourth, &fourth)];
        let bare = scene.kinds[at];
        scene.kinds[at] = with_gripper(bare);
        self.encode(scene, &second, &third, &fourth);
        let features = greatest(&scene.fourth);
        scene.kinds[at] = bare;
        let [before_second, before_third, before_fourth] = kept;
        put_back(&mut scene.second, &second, before_second);
        put_back(&mut scene.third, &third, before_third);
        put_back(&mut scene.fourth, &fourth, before_fourth);
        scene.known[at] = Some(Box::new(features));
        features
    }

    /// The same, all computed anew: what [`Vision::features`] must equal.
    pub fn features_from_nothing(&mut self, board: &Board, target: usize, gripper: Cell) -> Option<Feature> {
        let mut scene = self.begin(board, target)?;
        scene.kinds[index(gripper)] = with_gripper(scene.kinds[index(gripper)]);
        let all: Vec<usize> = (0..TILES).collect();
        self.encode(&mut scene, &all, &all, &all);
        Some(greatest(&scene.fourth))
    }

    /// Computes the chosen tiles of each layer from the layer before.
    fn encode(&mut self, scene: &mut Scene, second: &[usize], third: &[usize], fourth: &[usize]) {
        for tile in second {
            let feature = self.second(&scene.kinds, *tile);
            scene.second.set(*tile, feature);
        }
        self.third.convolve(&scene.second, &self.neighbours, third, &mut scene.third);
        self.fourth.convolve(&scene.third, &self.neighbours, fourth, &mut scene.fourth);
    }

    /// A tile of the second layer, by look-up.
    fn second(&mut self, kinds: &[Kind], tile: usize) -> Feature {
        let mut sum = [0.0; WIDTH];
        for tap in 0..TAPS {
            let neighbour = self.neighbours[tile][tap];
            if neighbour == TILES {
                continue;
            }
            let kind = kinds[neighbour];
            if self.look_up[kind].is_none() {
                self.look_up[kind] = Some(self.looked_up(kind));
            }
            if let Some(features) = &self.look_up[kind] {
                sum.iter_mut().zip(&features[tap]).for_each(|(sum, more)| *sum += more);
            }
        }
        std::array::from_fn(|channel| (sum[channel] + self.second.bias[channel]).max(0.0))
    }

    /// What a kind of tile adds to the second layer's tiles around it.
    fn looked_up(&self, kind: Kind) -> Box<[Feature; TAPS]> {
        let seen = channels(kind);
        let first: Feature = std::array::from_fn(|output| {
            let row = &self.first.weight[output * seen.len()..][..seen.len()];
            let sum: f32 = row.iter().zip(&seen).map(|(weight, seen)| weight * seen).sum();
            (sum + self.first.bias[output]).max(0.0)
        });
        let mut features = Box::new([[0.0; WIDTH]; TAPS]);
        for (tap, feature) in features.iter_mut().enumerate() {
            for (output, sum) in feature.iter_mut().enumerate() {
                let row = &self.second.weight[output * WIDTH * TAPS..][..WIDTH * TAPS];
                *sum = (0..WIDTH).map(|input| row[input * TAPS + tap] * first[input]).sum();
            }
        }
        features
    }
}

/// The kinds of a board's tiles, row by row, without a gripper; `None` if it is not of the side the network knows.
pub fn kinds(board: &Board, target: usize) -> Option<Vec<Kind>> {
    if usize::from(board.size()) != SIDE {
        return None;
    }
    let mut kinds = vec![kind(None, false, false); TILES];
    for (number, piece) in board.pieces().iter().enumerate() {
        for cell in piece.tiles() {
            kinds[index(cell)] = kind(Some(piece.color), false, number == target);
        }
    }
    Some(kinds)
}

/// The kind of a tile.
fn kind(color: Option<Color>, gripper: bool, target: bool) -> Kind {
    let color = color.map_or(0, |color| color as usize + 1);
    color * 4 + usize::from(gripper) * 2 + usize::from(target)
}

/// The kind of a tile once the gripper is there.
pub fn with_gripper(kind: Kind) -> Kind {
    kind | 2
}

/// The five channels of a kind of tile, as in [`tandem_cogrip::observation`].
pub fn channels(kind: Kind) -> [f32; 5] {
    let color = (kind / 4).checked_sub(1).map(|color| Color::ALL[color]);
    let [red, green, blue] = color.map_or([1.0; 3], |color| color.rgb().map(|part| f32::from(part) / 255.0));
    let unless = |set: bool| if set { 0.0 } else { 1.0 };
    [red, green, blue, unless(kind & 2 != 0), unless(kind & 1 != 0)]
}

fn index(cell: Cell) -> usize {
    usize::from(cell.y) * SIDE + usize::from(cell.x)
}

/// The tiles at most `reach` away from a cell, across and along.
fn around(cell: Cell, reach: u8) -> Vec<usize> {
    let span = |at: u8| at.saturating_sub(reach)..=(at + reach).min(SIDE as u8 - 1);
    span(cell.y).flat_map(|y| span(cell.x).map(move |x| index(Cell::new(x, y)))).collect()
}

fn keep(plane: &Plane, tiles: &[usize]) -> Vec<Feature> {
    tiles.iter().map(|tile| *plane.get(*tile)).collect()
}

fn put_back(plane: &mut Plane, tiles: &[usize], features: Vec<Feature>) {
    tiles.iter().zip(features).for_each(|(tile, feature)| plane.set(*tile, feature));
}

/// The greatest value of each channel over all tiles.
fn greatest(plane: &Plane) -> Feature {
    let mut most = [f32::NEG_INFINITY; WIDTH];
    for feature in plane.tiles() {
        most.iter_mut().zip(feature).for_each(|(most, value)| *most = most.max(*value));
    }
    most
}

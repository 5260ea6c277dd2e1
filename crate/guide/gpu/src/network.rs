//! The network as tensors: the same parameters as [`tandem_guide::network`], on any device of burn's.
//!
//! The idea: a 3 x 3 convolution of some tiles is a `select` of their neighbours' features and one matrix product, and the
//! tiles that the gripper's can reach (9 in the second layer, 25 in the third, 49 in the fourth) are computed anew on top of
//! the board encoded without a gripper, as on the CPU. Many grippers on one board are many such patches side by side, so
//! a batch has the dispatches of a single step. The first layer knows 28 kinds of tiles, so the second is the product of a
//! matrix of ones and zeros, which says what lies around a tile, and a table. Both heads run as one: the actor's and the
//! critic's layers lie beside each other in one matrix, so one reading gives the logits and the value.

use burn::tensor::activation::{relu, sigmoid, tanh};
use burn::tensor::{Device, Int, Tensor, TensorData};
use tandem_cogrip::Cell;
use tandem_cogrip::observation::{CHANNELS, SIDE};
use tandem_guide::Output;
use tandem_guide::convolve::neighbours;
use tandem_guide::network::{Convolution, Encoder, HIDDEN, Head, INTENTS, Linear, TAPS, WIDTH};
use tandem_guide::vision::{KINDS, Kind, TILES, channels, with_gripper};

/// The numbers that come back for a position: the logits and the value.
const OUTPUTS: usize = INTENTS + 1;
/// The row of a plane that stands for what lies beyond the edge: all zero.
const BEYOND: usize = TILES;
/// The row of a plane where the first patch begins.
const PATCHES: usize = TILES + 1;
/// How far from the gripper a tile of the second, third and fourth layer can feel it.
const REACH: [usize; 3] = [1, 2, 3];
/// Columns of what lies around a tile: one a tap and kind, one for the bias, filled up to a multiple of four, which is
/// what a GPU likes to read at once.
const AROUND: usize = (TAPS * KINDS + 1).next_multiple_of(4);

/// A map of rows: `weight` is `[inputs, outputs]`, `bias` is `[1, outputs]`.
struct Map {
    weight: Tensor<2>,
    bias: Tensor<2>,
}

impl Map {
    fn new(weight: Vec<f32>, bias: Vec<f32>, device: &Device) -> Self {
        let (inputs, outputs) = (weight.len() / bias.len(), bias.len());
        Self { weight: matrix(weight, [inputs, outputs], device), bias: matrix(bias, [1, outputs], device) }
    }

    fn of(&self, rows: Tensor<2>) -> Tensor<2> {
        rows.matmul(self.weight.clone()) + self.bias.clone()
    }
}

/// The network on a device, its batch norms folded in.
pub struct Network {
    device: Device,
    /// What a tap and kind adds to the tile in the second layer, and its bias: `[AROUND, 128]`.
    second: Tensor<2>,
    /// From 9 x 128 features to 128.
    third: Map,
    fourth: Map,
    /// From the features and the last output to the four gates.
    lstm: Map,
    /// Actor and critic beside each other.
    heads: [Map; 3],
    neighbours: Vec<[usize; TAPS]>,
}

/// A board encoded without a gripper: planes of 441 tiles' features, and a row of zeros that stands for beyond the edge.
pub struct Scene {
    kinds: Vec<Kind>,
    second: Tensor<2>,
    third: Tensor<2>,
    fourth: Tensor<2>,
}

/// What is remembered of an episode, one row a position: the LSTM's output and its cell.
pub struct Memory {
    output: Tensor<2>,
    cell: Tensor<2>,
}

impl Network {
    /// From trained weights.
    pub fn new(encoder: &Encoder, head: &Head, device: &Device) -> Self {
        let [first, second, third, fourth] = encoder.convolutions.each_ref();
        let wide = |convolution: &Convolution| {
            let (weight, bias) = convolution.folded();
            Map::new(by_tap(&weight), bias, device)
        };
        Self {
            second: look_up(first, second, device),
            third: wide(third),
            fourth: wide(fourth),
            lstm: cell(head, device),
            heads: std::array::from_fn(|layer| beside(&head.actor[layer], &head.critic[layer], layer == 0, device)),
            neighbours: neighbours(SIDE),
            device: device.clone(),
        }
    }

    /// Encodes a board given by the kinds of its tiles, row by row, without a gripper; `None` if it has other than 441 tiles
    /// or a kind that there is not.
    pub fn scene(&self, kinds: Vec<Kind>) -> Option<Scene> {
        if kinds.len() != TILES || kinds.iter().any(|kind| *kind >= KINDS) {
            return None;
        }
        let all = || (0..TILES).map(Some);
        let zeros = Tensor::zeros([1, WIDTH], &self.device);
        let bordered = |plane: Tensor<2>| Tensor::cat(vec![plane, zeros.clone()], 0);
        let around = all().map(|tile| self.around(&kinds, tile));
        let second = bordered(self.second(around));
        let third = bordered(self.convolve(&self.third, second.clone(), self.taps(all(), |tile| tile)));
        let fourth = bordered(self.convolve(&self.fourth, third.clone(), self.taps(all(), |tile| tile)));
        Some(Scene { kinds, second, third, fourth })
    }

    /// Nothing remembered, for a batch of positions.
    pub fn memory(&self, batch: usize) -> Memory {
        let zeros = Tensor::zeros([batch, WIDTH], &self.device);
        Memory { output: zeros.clone(), cell: zeros }
    }

    /// The features with the gripper on each of the tiles: `[batch, 128]`.
    pub fn features(&self, scene: &Scene, grippers: &[Cell]) -> Tensor<2> {
        let patches: Vec<Patch> = grippers.iter().enumerate().map(|(number, at)| Patch::new(number, *at)).collect();
        let mut kinds = scene.kinds.clone();
        let mut around = Vec::with_capacity(grippers.len() * 9);
        for patch in &patches {
            let bare = kinds[patch.gripper()];
            kinds[patch.gripper()] = with_gripper(bare);
            around.extend(patch.tiles(REACH[0]).map(|tile| self.around(&kinds, tile)));
            kinds[patch.gripper()] = bare;
        }
        let with = |plane: &Tensor<2>, patches: Tensor<2>| Tensor::cat(vec![plane.clone(), patches], 0);
        // Where the features of the next layer's tiles come from: the patch, or the board without a gripper.
        let taps = |reach: [usize; 2]| {
            let of = |patch: &Patch| self.taps(patch.tiles(reach[1]), |tile| patch.row(tile, reach[0]));
            patches.iter().flat_map(of).collect::<Vec<i32>>()
        };
        let second = with(&scene.second, self.second(around.into_iter()));
        let third = with(&scene.third, self.convolve(&self.third, second, taps([REACH[0], REACH[1]])));
        let fourth = with(&scene.fourth, self.convolve(&self.fourth, third, taps([REACH[1], REACH[2]])));
        let boards = patches.iter().flat_map(|patch| (0..TILES).map(|tile| patch.row(tile, REACH[2]) as i32)).collect();
        let boards = fourth.select(0, self.indices(boards)).reshape([grippers.len(), TILES, WIDTH]);
        boards.max_dim(1).reshape([grippers.len(), WIDTH])
    }

    /// A step: features in, memory changed, and `[batch, 15]` out, each row the logits and the value.
    pub fn decide(&self, features: Tensor<2>, memory: &mut Memory) -> Tensor<2> {
        let inputs = Tensor::cat(vec![features, memory.output.clone()], 1);
        let gates = self.lstm.of(inputs);
        let [input, forget, new, output] =
            [0, 1, 2, 3].map(|gate| gates.clone().slice([0..gates.dims()[0], gate * WIDTH..(gate + 1) * WIDTH]));
        memory.cell = sigmoid(forget) * memory.cell.clone() + sigmoid(input) * tanh(new);
        memory.output = sigmoid(output) * tanh(memory.cell.clone());
        let [first, second, third] = &self.heads;
        third.of(tanh(second.of(tanh(first.of(memory.output.clone())))))
    }

    /// What lies around a tile, as ones in a row of [`AROUND`] numbers. All zero where there is no tile.
    fn around(&self, kinds: &[Kind], tile: Option<usize>) -> [f32; AROUND] {
        let mut row = [0.0; AROUND];
        let Some(tile) = tile else { return row };
        for (tap, neighbour) in self.neighbours[tile].iter().enumerate().filter(|(_, tile)| **tile != BEYOND) {
            row[kinds[*neighbour] * TAPS + tap] = 1.0;
        }
        row[KINDS * TAPS] = 1.0;
        row
    }

    /// Tiles of the second layer, from what lies around them.
    fn second(&self, around: impl ExactSizeIterator<Item = [f32; AROUND]>) -> Tensor<2> {
        let shape = [around.len(), AROUND];
        relu(matrix(around.flatten().collect(), shape, &self.device).matmul(self.second.clone()))
    }

    /// The rows where the neighbours of tiles lie, nine a tile; `row` says where a tile's features are.
    fn taps(&self, tiles: impl Iterator<Item = Option<usize>>, row: impl Fn(usize) -> usize) -> Vec<i32> {
        let of = |tile: Option<usize>| tile.map_or([BEYOND; TAPS], |tile| self.neighbours[tile]);
        let row = |tile| if tile == BEYOND { BEYOND } else { row(tile) };
        tiles.flat_map(of).map(|tile| row(tile) as i32).collect()
    }

    /// A 3 x 3 convolution with ReLU of the tiles whose neighbours lie in the given rows.
    fn convolve(&self, map: &Map, plane: Tensor<2>, taps: Vec<i32>) -> Tensor<2> {
        let tiles = taps.len() / TAPS;
        relu(map.of(plane.select(0, self.indices(taps)).reshape([tiles, TAPS * WIDTH])))
    }

    fn indices(&self, rows: Vec<i32>) -> Tensor<1, Int> {
        let count = rows.len();
        Tensor::from_data(TensorData::new(rows, [count]), &self.device)
    }
}

/// The rows that came back, as outputs.
pub fn outputs(rows: &[f32]) -> Vec<Output> {
    let output = |row: &[f32]| Output { logits: std::array::from_fn(|intent| row[intent]), value: row[INTENTS] };
    rows.chunks_exact(OUTPUTS).map(output).collect()
}

/// The tiles around one of a batch's grippers.
struct Patch {
    number: usize,
    x: usize,
    y: usize,
}

impl Patch {
    fn new(number: usize, gripper: Cell) -> Self {
        Self { number, x: usize::from(gripper.x), y: usize::from(gripper.y) }
    }

    fn gripper(&self) -> usize {
        self.y * SIDE + self.x
    }

    /// The tiles at most `reach` away, row by row; `None` for one beyond the edge, so that all patches are alike.
    fn tiles(&self, reach: usize) -> impl Iterator<Item = Option<usize>> {
        let span = 2 * reach + 1;
        (0..span * span).map(move |at| {
            let x = (self.x + at % span).checked_sub(reach).filter(|x| *x < SIDE)?;
            let y = (self.y + at / span).checked_sub(reach).filter(|y| *y < SIDE)?;
            Some(y * SIDE + x)
        })
    }

    /// The row where a tile's features are: in this patch if it is near enough, and else on the board.
    fn row(&self, tile: usize, reach: usize) -> usize {
        let span = 2 * reach + 1;
        let across = (tile % SIDE + reach).checked_sub(self.x).filter(|across| *across < span);
        let along = (tile / SIDE + reach).checked_sub(self.y).filter(|along| *along < span);
        match across.zip(along) {
            Some((across, along)) => PATCHES + self.number * span * span + along * span + across,
            None => tile,
        }
    }
}

fn matrix(numbers: Vec<f32>, shape: [usize; 2], device: &Device) -> Tensor<2> {
    Tensor::from_data(TensorData::new(numbers, shape), device)
}

/// From `[output][input]` to `[input][output]`.
fn transposed(weight: &[f32], inputs: usize) -> Vec<f32> {
    let outputs = weight.len() / inputs;
    (0..weight.len()).map(|at| weight[at % outputs * inputs + at / outputs]).collect()
}

/// A 3 x 3 kernel from `[output][input][tap]` to `[tap][input][output]`.
fn by_tap(weight: &[f32]) -> Vec<f32> {
    let from = |at: usize| (at % WIDTH * WIDTH + at / WIDTH % WIDTH) * TAPS + at / WIDTH / WIDTH;
    (0..weight.len()).map(|at| weight[from(at)]).collect()
}

/// What each kind of tile adds to the second layer's tiles around it, row `kind * 9 + tap`, and then the bias.
fn look_up(first: &Convolution, second: &Convolution, device: &Device) -> Tensor<2> {
    let (weight, bias) = first.folded();
    let first = Map::new(transposed(&weight, CHANNELS), bias, device);
    let kinds = matrix((0..KINDS).flat_map(channels).collect(), [KINDS, CHANNELS], device);
    let (weight, mut bias) = second.folded();
    // `[tap][input][output]`: nine products, one a tap, come out beside each other as `[input][tap][output]`.
    let by_tap = by_tap(&weight);
    let from = |at: usize| (at / WIDTH % TAPS * WIDTH + at / WIDTH / TAPS) * WIDTH + at % WIDTH;
    let beside = (0..by_tap.len()).map(|at| by_tap[from(at)]).collect();
    let table = relu(first.of(kinds)).matmul(matrix(beside, [WIDTH, TAPS * WIDTH], device));
    let rest = AROUND - KINDS * TAPS;
    bias.resize(rest * WIDTH, 0.0);
    Tensor::cat(vec![table.reshape([KINDS * TAPS, WIDTH]), matrix(bias, [rest, WIDTH], device)], 0)
}

/// The LSTM's two maps as one, of the features with the memory's output beside them.
fn cell(head: &Head, device: &Device) -> Map {
    let (features, memory) = (&head.from_features, &head.from_memory);
    let mut weight = transposed(&features.weight, features.inputs);
    weight.extend(transposed(&memory.weight, memory.inputs));
    let bias = features.bias.iter().zip(&memory.bias).map(|(one, other)| one + other).collect();
    Map::new(weight, bias, device)
}

/// A layer of the actor and one of the critic as one: on the same inputs, or each on its own half of them.
fn beside(actor: &Linear, critic: &Linear, shared: bool, device: &Device) -> Map {
    let (left, right) = (actor.bias.len(), critic.bias.len());
    let inputs = if shared { WIDTH } else { 2 * HIDDEN };
    let mut weight = vec![0.0; inputs * (left + right)];
    let mut put = |linear: &Linear, row: usize, column: usize| {
        for (at, number) in linear.weight.iter().enumerate() {
            weight[(row + at % linear.inputs) * (left + right) + column + at / linear.inputs] = *number;
        }
    };
    put(actor, 0, 0);
    put(critic, if shared { 0 } else { HIDDEN }, left);
    Map::new(weight, [actor.bias.as_slice(), &critic.bias].concat(), device)
}

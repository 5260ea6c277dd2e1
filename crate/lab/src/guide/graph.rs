//! The network as a graph that gradients flow through: the same as [`tandem_guide`] computes by hand.

use super::parameters::flat;
use burn::tensor::activation::{relu, sigmoid, tanh};
use burn::tensor::module::conv2d;
use burn::tensor::ops::ConvOptions;
use burn::tensor::{Device, Tensor};
use tandem_cogrip::observation::{CHANNELS, SIDE};
use tandem_guide::network::{HIDDEN, INTENTS, WIDTH};

/// Tensors of a convolution with its batch norm: weight, bias, scale, shift, running mean, running variance.
pub const TENSORS: usize = 6;
/// Where the running mean is among them; the running variance follows.
pub const MEAN: usize = 4;
/// Tiles to each side of the gripper that its own tile can reach through the convolutions.
pub const REACH: usize = 3;
/// The side of the cut around a gripper that decides about all tiles in reach.
pub const CUT: usize = 2 * (2 * REACH) + 1;
/// Added to a variance before its root is taken.
const EPSILON: f32 = 1e-5;

/// Mean and variance of each channel over a batch, `[1, 128, 1, 1]`.
#[derive(Clone)]
pub struct Moments {
    /// Mean.
    pub mean: Tensor<4>,
    /// Variance.
    pub variance: Tensor<4>,
}

impl Moments {
    fn of(x: &Tensor<4>) -> Self {
        let mean = x.clone().mean_dims(&[0, 2, 3]);
        let variance = (x.clone() - mean.clone()).powf_scalar(2.0).mean_dims(&[0, 2, 3]);
        Self { mean, variance }
    }

    fn running(p: &[Tensor<1>]) -> Self {
        let fixed = |at: usize| p[at].clone().detach().reshape(CHANNEL);
        Self { mean: fixed(MEAN), variance: fixed(MEAN + 1) }
    }
}

const CHANNEL: [usize; 4] = [1, WIDTH, 1, 1];

fn convolution(x: Tensor<4>, p: &[Tensor<1>], layer: usize, padding: usize) -> Tensor<4> {
    let kernel = if layer == 0 { [WIDTH, CHANNELS, 1, 1] } else { [WIDTH, WIDTH, 3, 3] };
    let padding = if layer == 0 { 0 } else { padding };
    let options = ConvOptions::new([1, 1], [padding, padding], [1, 1], 1);
    conv2d(x, p[0].clone().reshape(kernel), Some(p[1].clone()), options)
}

fn normed(x: Tensor<4>, p: &[Tensor<1>], moments: &Moments) -> Tensor<4> {
    let scale = p[2].clone().reshape(CHANNEL) / (moments.variance.clone() + EPSILON).sqrt();
    relu((x - moments.mean.clone()) * scale + p[3].clone().reshape(CHANNEL))
}

fn of_layer(p: &[Tensor<1>], layer: usize) -> &[Tensor<1>] {
    &p[layer * TENSORS..][..TENSORS]
}

/// Features of whole images, `[n, 5, 21, 21]` to `[n, 128]`, with the running means and variances.
pub fn encode(p: &[Tensor<1>], images: Tensor<4>) -> Tensor<2> {
    let [count, ..] = images.dims();
    let mut x = images;
    for layer in 0..4 {
        let p = of_layer(p, layer);
        x = normed(convolution(x, p, layer, 1), p, &Moments::running(p));
    }
    x.reshape([count, WIDTH, SIDE * SIDE]).max_dim(2).reshape([count, WIDTH])
}

/// Boards, each with as many grippers.
pub struct Views {
    /// Boards without a gripper, `[boards, 5, 21, 21]`.
    pub boards: Tensor<4>,
    /// Cuts around the grippers, `[boards * grippers, 5, 13, 13]`.
    pub cuts: Tensor<4>,
    /// For each layer's output of a cut, of the side 13, 11, 9, 7: 1 on the board, 0 beyond, `[cuts, 1, side, side]`.
    pub inside: [Tensor<4>; 4],
    /// 0 for the tiles in a gripper's reach, 1 for the others, `[boards, grippers, 1, 441]`.
    pub beyond: Tensor<4>,
}

impl Views {
    /// The same, ready for gradients to flow beside them.
    pub fn tracked(self) -> Self {
        Self {
            boards: Tensor::from_inner(self.boards),
            cuts: Tensor::from_inner(self.cuts),
            inside: self.inside.map(Tensor::from_inner),
            beyond: Tensor::from_inner(self.beyond),
        }
    }
}

/// What the batch norms go by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Norms {
    /// The moments of the batch, taken from the boards alone.
    Batch,
    /// The running moments.
    Running,
}

/// Features of every gripper of a batch, `[boards * grippers, 128]`, and the moments of each layer that it went by.
///
/// The idea: a gripper changes only what lies in its reach. So each board is encoded once without one, and for each gripper
/// only a cut of 13 x 13 tiles around it; the greatest values come from the cut and from the board outside of it. That is a
/// quarter of the work of whole images, and the same result.
pub fn encode_views(p: &[Tensor<1>], views: Views, norms: Norms) -> (Tensor<2>, Vec<Moments>) {
    let Views { boards, cuts, inside, beyond } = views;
    let [count, grippers, ..] = beyond.dims();
    let (mut board, mut cut) = (boards, cuts);
    let mut all = Vec::with_capacity(4);
    for (layer, inside) in inside.into_iter().enumerate() {
        let p = of_layer(p, layer);
        board = convolution(board, p, layer, 1);
        let moments = match norms {
            Norms::Batch => Moments::of(&board),
            Norms::Running => Moments::running(p),
        };
        board = normed(board, p, &moments);
        cut = normed(convolution(cut, p, layer, 0), p, &moments) * inside;
        all.push(moments);
    }
    let near = cut.reshape([count * grippers, WIDTH, (2 * REACH + 1) * (2 * REACH + 1)]).max_dim(2);
    let far = (board.reshape([count, 1, WIDTH, SIDE * SIDE]) * beyond).max_dim(3);
    let features = near.reshape([count * grippers, WIDTH]).max_pair(far.reshape([count * grippers, WIDTH]));
    (features, all)
}

fn linear(x: Tensor<2>, weight: &Tensor<1>, bias: &Tensor<1>, outputs: usize) -> Tensor<2> {
    let [_, inputs] = x.dims();
    x.matmul(weight.clone().reshape([outputs, inputs]).transpose()) + bias.clone().reshape([1, outputs])
}

/// Logits `[n, 14]` and values `[n]` of episodes side by side. The rows of `features`, `[n, 128]`, and of the results are
/// step by step; in each step come the episodes that are not over, the longest first, and `alive` says how many those are.
/// Gradients flow back to the start of each episode.
pub fn decide(p: &[Tensor<1>], features: Tensor<2>, alive: &[usize], device: &Device) -> (Tensor<2>, Tensor<1>) {
    let [rows, _] = features.dims();
    let from_features = linear(features, &p[0], &p[1], 4 * WIDTH);
    let recurrent = p[2].clone().reshape([4 * WIDTH, WIDTH]).transpose();
    let bias = p[3].clone().reshape([1, 4 * WIDTH]);
    let mut count = alive.first().copied().unwrap_or(0);
    let nothing: Tensor<2> = Tensor::from_inner(flat(vec![0.0; count * WIDTH], device).reshape([count, WIDTH]));
    let (mut output, mut cell) = (nothing.clone(), nothing);
    let mut outputs = Vec::with_capacity(alive.len());
    let mut row = 0;
    for now in alive.iter().copied() {
        if now < count {
            output = output.slice([0..now, 0..WIDTH]);
            cell = cell.slice([0..now, 0..WIDTH]);
            count = now;
        }
        let gates = from_features.clone().slice([row..row + now, 0..4 * WIDTH])
            + output.matmul(recurrent.clone())
            + bias.clone();
        row += now;
        let gate = |number: usize| gates.clone().slice([0..now, number * WIDTH..(number + 1) * WIDTH]);
        cell = sigmoid(gate(1)) * cell + sigmoid(gate(0)) * tanh(gate(2));
        output = sigmoid(gate(3)) * tanh(cell.clone());
        outputs.push(output.clone());
    }
    let outputs = Tensor::cat(outputs, 0);
    let logits = through(&p[4..10], outputs.clone(), INTENTS);
    let values = through(&p[10..16], outputs, 1).reshape([rows]);
    (logits, values)
}

/// Two hidden layers with tanh, and a linear one.
fn through(p: &[Tensor<1>], x: Tensor<2>, outputs: usize) -> Tensor<2> {
    let x = tanh(linear(x, &p[0], &p[1], HIDDEN));
    let x = tanh(linear(x, &p[2], &p[3], HIDDEN));
    linear(x, &p[4], &p[5], outputs)
}

//! The network's shape and its parameters (section 3.5, appendix A.3): four convolutions, the greatest value of each
//! channel over the board, an LSTM, and two small heads.

use tandem_cogrip::Intent;
use tandem_cogrip::observation::CHANNELS;

/// Channels of the convolutions, of the LSTM's input and of its memory.
pub const WIDTH: usize = 128;
/// Units of each hidden layer of the heads.
pub const HIDDEN: usize = 64;
/// Outputs of the actor.
pub const INTENTS: usize = Intent::ALL.len();
/// Taps of a 3 x 3 convolution, row by row.
pub const TAPS: usize = 9;
/// Added to a variance before its root is taken.
const EPSILON: f32 = 1e-5;

/// A linear map: `weight` is `outputs` rows of `inputs` numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// Rows, one an output.
    pub weight: Vec<f32>,
    /// One number an output.
    pub bias: Vec<f32>,
    /// Numbers of a row.
    pub inputs: usize,
}

/// A convolution with its batch norm, as trained. `weight` is `[output][input][tap]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Convolution {
    /// Kernel.
    pub weight: Vec<f32>,
    /// Bias.
    pub bias: Vec<f32>,
    /// Batch norm: scale.
    pub gamma: Vec<f32>,
    /// Batch norm: shift.
    pub beta: Vec<f32>,
    /// Batch norm: running mean.
    pub mean: Vec<f32>,
    /// Batch norm: running variance.
    pub variance: Vec<f32>,
}

impl Convolution {
    /// Kernel and bias with the batch norm in them.
    pub fn folded(&self) -> (Vec<f32>, Vec<f32>) {
        let outputs = self.bias.len();
        let scale: Vec<f32> =
            (0..outputs).map(|output| self.gamma[output] / (self.variance[output] + EPSILON).sqrt()).collect();
        let row = self.weight.len() / outputs;
        let weight = self.weight.iter().enumerate().map(|(at, weight)| weight * scale[at / row]).collect();
        let bias = (0..outputs).map(|o| (self.bias[o] - self.mean[o]) * scale[o] + self.beta[o]).collect();
        (weight, bias)
    }
}

/// The vision encoder: a 1 x 1 convolution and three of 3 x 3. Shared by the Guides of all Followers.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoder {
    /// In the order of the data.
    pub convolutions: [Convolution; 4],
}

/// What follows the encoder: one for each Follower.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// LSTM, from the features: rows for the input, forget, cell and output gates.
    pub from_features: Linear,
    /// LSTM, from its own last output.
    pub from_memory: Linear,
    /// 128-64-64-14, tanh between.
    pub actor: [Linear; 3],
    /// 128-64-64-1, tanh between.
    pub critic: [Linear; 3],
}

/// A part of the network: its tensors by name, with their shapes.
pub trait Part: Sized {
    /// Names and shapes, in a fixed order.
    fn shapes() -> Vec<(String, Vec<usize>)>;

    /// Made from tensors in that order, each as long as its shape says.
    fn from_tensors(tensors: Vec<Vec<f32>>) -> Self;

    /// The tensors in that order.
    fn tensors(&self) -> Vec<&[f32]>;

    /// How many numbers are trained: all but the running means and variances.
    fn parameters() -> usize {
        let trained = |name: &str| !name.ends_with("mean") && !name.ends_with("variance");
        let shapes = Self::shapes();
        shapes.iter().filter(|(name, _)| trained(name)).map(|(_, shape)| shape.iter().product::<usize>()).sum()
    }
}

impl Part for Encoder {
    fn shapes() -> Vec<(String, Vec<usize>)> {
        let mut shapes = Vec::new();
        for number in 0..4 {
            let kernel = if number == 0 { vec![WIDTH, CHANNELS, 1, 1] } else { vec![WIDTH, WIDTH, 3, 3] };
            shapes.push((format!("convolution.{number}.weight"), kernel));
            for name in ["bias", "gamma", "beta", "mean", "variance"] {
                shapes.push((format!("convolution.{number}.{name}"), vec![WIDTH]));
            }
        }
        shapes
    }

    fn from_tensors(tensors: Vec<Vec<f32>>) -> Self {
        let mut tensors = tensors.into_iter();
        let mut next = || tensors.next().unwrap_or_default();
        let convolutions = std::array::from_fn(|_| Convolution {
            weight: next(),
            bias: next(),
            gamma: next(),
            beta: next(),
            mean: next(),
            variance: next(),
        });
        Self { convolutions }
    }

    fn tensors(&self) -> Vec<&[f32]> {
        self.convolutions
            .iter()
            .flat_map(|one| [&one.weight, &one.bias, &one.gamma, &one.beta, &one.mean, &one.variance])
            .map(Vec::as_slice)
            .collect()
    }
}

impl Part for Head {
    fn shapes() -> Vec<(String, Vec<usize>)> {
        let mut shapes = Vec::new();
        let mut linear = |name: String, outputs: usize, inputs: usize| {
            shapes.push((format!("{name}.weight"), vec![outputs, inputs]));
            shapes.push((format!("{name}.bias"), vec![outputs]));
        };
        linear("lstm.from_features".into(), 4 * WIDTH, WIDTH);
        linear("lstm.from_memory".into(), 4 * WIDTH, WIDTH);
        for (name, outputs) in [("actor", INTENTS), ("critic", 1)] {
            linear(format!("{name}.0"), HIDDEN, WIDTH);
            linear(format!("{name}.1"), HIDDEN, HIDDEN);
            linear(format!("{name}.2"), outputs, HIDDEN);
        }
        shapes
    }

    fn from_tensors(tensors: Vec<Vec<f32>>) -> Self {
        let mut tensors = tensors.into_iter();
        let mut linear = |inputs: usize| {
            let mut next = || tensors.next().unwrap_or_default();
            Linear { weight: next(), bias: next(), inputs }
        };
        let (from_features, from_memory) = (linear(WIDTH), linear(WIDTH));
        let actor = [linear(WIDTH), linear(HIDDEN), linear(HIDDEN)];
        let critic = [linear(WIDTH), linear(HIDDEN), linear(HIDDEN)];
        Self { from_features, from_memory, actor, critic }
    }

    fn tensors(&self) -> Vec<&[f32]> {
        let all = [&self.from_features, &self.from_memory].into_iter().chain(&self.actor).chain(&self.critic);
        all.flat_map(|linear| [linear.weight.as_slice(), linear.bias.as_slice()]).collect()
    }
}

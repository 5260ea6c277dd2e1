//! The LSTM and the two heads on the CPU.

use crate::convolve::Feature;
use crate::network::{HIDDEN, Head, INTENTS, Linear, WIDTH};
use rand::{Rng, RngExt};
use tandem_cogrip::Intent;

/// What the Guide makes of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// The actor's logits, one an intent, in the order of [`tandem_cogrip::Intent::ALL`].
    pub logits: [f32; INTENTS],
    /// The critic's value: the reward it expects.
    pub value: f32,
}

impl Output {
    /// The distribution over intents.
    pub fn distribution(&self) -> [f64; INTENTS] {
        let most = self.logits.iter().fold(f32::NEG_INFINITY, |most, logit| most.max(*logit));
        let weights = self.logits.map(|logit| libm::exp(f64::from(logit - most)));
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// An intent, as likely as the distribution says.
    pub fn draw(&self, chance: &mut dyn Rng) -> Intent {
        let distribution = self.distribution();
        let mut left: f64 = chance.random();
        let drawn = distribution.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        // Rounding may leave a little more than all shares: then the last that can be.
        let number = drawn.or_else(|| distribution.iter().rposition(|share| *share > 0.0));
        Intent::ALL[number.unwrap_or(0)]
    }

    /// The likeliest intent's number; the first of equals.
    pub fn likeliest(&self) -> usize {
        let better = |best: usize, at: usize| if self.logits[at] > self.logits[best] { at } else { best };
        (1..INTENTS).fold(0, better)
    }
}

/// What it remembers of an episode: the LSTM's output and its cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// The output of the step before.
    pub output: Feature,
    /// The cell.
    pub cell: Feature,
}

impl Default for Memory {
    /// At the start of an episode: nothing.
    fn default() -> Self {
        Self { output: [0.0; WIDTH], cell: [0.0; WIDTH] }
    }
}

/// A linear map with its weights laid out by input, so that outputs are summed side by side.
struct Map {
    /// `[input][output]`.
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Map {
    fn new(linear: &Linear) -> Self {
        let outputs = linear.bias.len();
        let at = |at: usize| linear.weight[at % outputs * linear.inputs + at / outputs];
        Self { weight: (0..linear.weight.len()).map(at).collect(), bias: linear.bias.clone() }
    }

    /// Adds to `sums` what the inputs give.
    fn add(&self, inputs: &[f32], sums: &mut [f32]) {
        for (input, row) in inputs.iter().zip(self.weight.chunks_exact(sums.len())) {
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += input * weight);
        }
        sums.iter_mut().zip(&self.bias).for_each(|(sum, bias)| *sum += bias);
    }
}

/// A head, ready to step.
pub struct Mind {
    from_features: Map,
    from_memory: Map,
    actor: [Map; 3],
    critic: [Map; 3],
}

impl Mind {
    /// From trained weights.
    pub fn new(head: &Head) -> Self {
        Self {
            from_features: Map::new(&head.from_features),
            from_memory: Map::new(&head.from_memory),
            actor: head.actor.each_ref().map(Map::new),
            critic: head.critic.each_ref().map(Map::new),
        }
    }

    /// One step: takes the features in, changes the memory, and says what it makes of it.
    pub fn step(&self, features: &Feature, memory: &mut Memory) -> Output {
        let mut gates = [0.0; 4 * WIDTH];
        self.from_features.add(features, &mut gates);
        self.from_memory.add(&memory.output, &mut gates);
        for at in 0..WIDTH {
            let [input, forget, new, output] = [0, 1, 2, 3].map(|gate| gates[gate * WIDTH + at]);
            memory.cell[at] = sigmoid(forget) * memory.cell[at] + sigmoid(input) * libm::tanhf(new);
            memory.output[at] = sigmoid(output) * libm::tanhf(memory.cell[at]);
        }
        let logits = through(&self.actor, &memory.output);
        let [value] = through(&self.critic, &memory.output);
        Output { logits, value }
    }
}

/// Two hidden layers with tanh, and a linear one.
fn through<const OUTPUTS: usize>([first, second, third]: &[Map; 3], inputs: &[f32]) -> [f32; OUTPUTS] {
    let (mut one, mut two, mut outputs) = ([0.0; HIDDEN], [0.0; HIDDEN], [0.0; OUTPUTS]);
    first.add(inputs, &mut one);
    second.add(&one.map(libm::tanhf), &mut two);
    third.add(&two.map(libm::tanhf), &mut outputs);
    outputs
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

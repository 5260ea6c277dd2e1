//! Weights drawn by chance, for whoever has to compare two makers of one network.

use rand::RngExt;
use tandem_cogrip::{Cell, Split};
use tandem_core::{Seed, Stream};
use tandem_guide::head::{Memory, Mind};
use tandem_guide::network::{Encoder, Head, INTENTS, Linear, Part, WIDTH};
use tandem_guide::{Cpu, Guide};

/// A part with small weights drawn by chance; variances are positive.
fn drawn<P: Part>(chance: &mut Stream) -> P {
    let tensor = |(name, shape): (String, Vec<usize>)| {
        let inputs: usize = shape[1..].iter().product();
        let spread = (2.0 / inputs as f32).sqrt();
        let (low, high) =
            if name.ends_with("variance") || name.ends_with("gamma") { (0.5, 1.5) } else { (-spread, spread) };
        (0..shape.iter().product()).map(|_| chance.random_range(low..high)).collect()
    };
    P::from_tensors(P::shapes().into_iter().map(tensor).collect())
}

/// An encoder and a head.
pub fn parts(seed: u64) -> (Encoder, Head) {
    let mut chance = Seed::new(seed).unwrap().stream("weights");
    (drawn(&mut chance), drawn(&mut chance))
}

/// The same, but so that the decisions hang on the position: with weights by chance alone the features saturate the LSTM and
/// every position gives nearly the same logits. What the LSTM takes in is made to have mean 0 and variance 1 over a few
/// positions, and the logits mean 0.
pub fn lively(seed: u64) -> (Encoder, Head) {
    let (encoder, mut head) = parts(seed);
    let positions = positions(Cpu::new(&encoder, &head));
    let mean =
        |channel: usize| positions.iter().map(|features| features[channel]).sum::<f32>() / positions.len() as f32;
    let means: Vec<f32> = (0..WIDTH).map(mean).collect();
    let spread = |channel: usize| {
        let square = |features: &[f32; WIDTH]| (features[channel] - means[channel]).powi(2);
        (positions.iter().map(square).sum::<f32>() / positions.len() as f32).sqrt().max(0.01)
    };
    let spreads: Vec<f32> = (0..WIDTH).map(spread).collect();
    let Linear { weight, bias, .. } = &mut head.from_features;
    for (row, bias) in weight.chunks_exact_mut(WIDTH).zip(bias) {
        row.iter_mut().zip(&spreads).for_each(|(weight, spread)| *weight /= spread);
        *bias -= row.iter().zip(&means).map(|(weight, mean)| weight * mean).sum::<f32>();
    }
    let mind = Mind::new(&head);
    let outputs = positions.iter().map(|features| mind.step(features, &mut Memory::default()));
    let sums = outputs.fold([0.0; INTENTS], |sums, output| std::array::from_fn(|at| sums[at] + output.logits[at]));
    head.actor[2].bias.iter_mut().zip(sums).for_each(|(bias, sum)| *bias -= sum / positions.len() as f32);
    (encoder, head)
}

/// The features of a few positions on a few boards.
fn positions(mut guide: Cpu) -> Vec<[f32; WIDTH]> {
    let mut features = Vec::new();
    for task in Split::Test.tasks(Seed::new(5).unwrap()).iter().take(6) {
        assert!(guide.begin(&task.board, task.target));
        features.extend((1..20).step_by(3).filter_map(|at| guide.features(Cell::new(at, (at * 5) % 21))));
    }
    features
}

//! The network has the paper's size, few tiles give the same bits as all, and the parts compute what they should.

mod drawn;

use drawn::{lively, parts};
use proptest::prelude::*;
use tandem_cogrip::language::Situation;
use tandem_cogrip::observation::{CHANNELS, SIDE, observe};
use tandem_cogrip::{Cell, Split, Task};
use tandem_core::Seed;
use tandem_guide::network::{Convolution, Encoder, Head, Part, WIDTH};
use tandem_guide::vision::Vision;
use tandem_guide::weights::{self, WeightsError};
use tandem_guide::{Cpu, Guide};

fn tasks() -> Vec<Task> {
    Split::Val.tasks(Seed::new(3).unwrap())
}

#[test]
fn the_network_has_the_papers_number_of_parameters() {
    assert_eq!(Encoder::parameters() + Head::parameters(), 602_447);
    assert_eq!(Head::parameters(), 157_903);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// Walking about and computing only what changes gives the very bits of computing everything.
    #[test]
    fn incremental_equals_full(number in 0_usize..175, path in proptest::collection::vec((0_u8..21, 0_u8..21), 1..4), seed in 0_u64..100) {
        let (encoder, _) = parts(seed);
        let mut vision = Vision::new(&encoder);
        let task = &tasks()[number];
        let mut scene = vision.begin(&task.board, task.target).unwrap();
        for (x, y) in path.iter().chain(&path) {
            let gripper = Cell::new(*x, *y);
            let quick = vision.features(&mut scene, gripper);
            let full = vision.features_from_nothing(&task.board, task.target, gripper).unwrap();
            prop_assert_eq!(quick.map(f32::to_bits), full.map(f32::to_bits), "{:?}", gripper);
        }
    }
}

/// The encoder written down plainly: convolutions over the whole image, batch norm as it stands, in double precision.
fn plainly(encoder: &Encoder, image: &[f32]) -> Vec<f64> {
    let mut channels = CHANNELS;
    let mut plane: Vec<f64> = image.iter().map(|value| f64::from(*value)).collect();
    for Convolution { weight, bias, gamma, beta, mean, variance } in &encoder.convolutions {
        let side = if weight.len() == WIDTH * channels { 1 } else { 3 };
        let mut next = vec![0.0; SIDE * SIDE * WIDTH];
        for tile in 0..SIDE * SIDE {
            for output in 0..WIDTH {
                let mut sum = f64::from(bias[output]);
                for tap in 0..side * side {
                    let x = (tile % SIDE + tap % side).checked_sub(side / 2).filter(|x| *x < SIDE);
                    let y = (tile / SIDE + tap / side).checked_sub(side / 2).filter(|y| *y < SIDE);
                    let (Some(x), Some(y)) = (x, y) else { continue };
                    for input in 0..channels {
                        let weight = weight[(output * channels + input) * side * side + tap];
                        sum += f64::from(weight) * plane[(y * SIDE + x) * channels + input];
                    }
                }
                let normed = (sum - f64::from(mean[output])) / (f64::from(variance[output]) + 1e-5).sqrt();
                next[tile * WIDTH + output] = (normed * f64::from(gamma[output]) + f64::from(beta[output])).max(0.0);
            }
        }
        (plane, channels) = (next, WIDTH);
    }
    (0..WIDTH)
        .map(|channel| plane.iter().skip(channel).step_by(WIDTH).fold(f64::MIN, |most, value| most.max(*value)))
        .collect()
}

#[test]
fn the_encoder_sees_what_the_plain_convolutions_see() {
    let (encoder, _) = parts(1);
    let mut vision = Vision::new(&encoder);
    let task = &tasks()[50];
    let gripper = Cell::new(3, 18);
    let image = observe(Situation { board: &task.board, target: task.target, gripper }).unwrap();
    let wanted = plainly(&encoder, &image);
    let mut scene = vision.begin(&task.board, task.target).unwrap();
    let found = vision.features(&mut scene, gripper);
    for (channel, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
        assert!((f64::from(*found) - wanted).abs() < 1e-3 * wanted.abs().max(1.0), "{channel}: {found} for {wanted}");
    }
}

/// The LSTM and the heads, written down plainly in double precision.
#[test]
fn the_head_steps_as_an_lstm_does() {
    let (encoder, head) = parts(2);
    let mut guide = Cpu::new(&encoder, &head);
    let task = &tasks()[7];
    assert!(guide.begin(&task.board, task.target));
    let linear = |linear: &tandem_guide::network::Linear, inputs: &[f64]| -> Vec<f64> {
        let row = |output: usize| &linear.weight[output * linear.inputs..][..linear.inputs];
        let dot = |row: &[f32]| row.iter().zip(inputs).map(|(weight, input)| f64::from(*weight) * input).sum::<f64>();
        (0..linear.bias.len()).map(|output| dot(row(output)) + f64::from(linear.bias[output])).collect()
    };
    let through = |layers: &[tandem_guide::network::Linear; 3], inputs: &[f64]| {
        let tanh = |values: Vec<f64>| values.into_iter().map(f64::tanh).collect::<Vec<f64>>();
        linear(&layers[2], &tanh(linear(&layers[1], &tanh(linear(&layers[0], inputs)))))
    };
    let (mut output, mut cell) = (vec![0.0; WIDTH], vec![0.0; WIDTH]);
    for x in 5..9 {
        let gripper = Cell::new(x, 10);
        let features: Vec<f64> = guide.features(gripper).unwrap().iter().map(|value| f64::from(*value)).collect();
        let gates: Vec<f64> = linear(&head.from_features, &features)
            .into_iter()
            .zip(linear(&head.from_memory, &output))
            .map(|(one, other)| one + other)
            .collect();
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        for at in 0..WIDTH {
            let [input, forget, new, out] = [0, 1, 2, 3].map(|gate| gates[gate * WIDTH + at]);
            cell[at] = sigmoid(forget) * cell[at] + sigmoid(input) * new.tanh();
            output[at] = sigmoid(out) * cell[at].tanh();
        }
        let found = guide.step(gripper).unwrap();
        for (found, wanted) in found.logits.iter().zip(through(&head.actor, &output)) {
            assert!((f64::from(*found) - wanted).abs() < 1e-4, "{found} for {wanted}");
        }
        assert!((f64::from(found.value) - through(&head.critic, &output)[0]).abs() < 1e-4);
        assert!((found.distribution().iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}

/// After an episode nothing of it is left.
#[test]
fn every_episode_begins_anew() {
    let (encoder, head) = parts(4);
    let mut guide = Cpu::new(&encoder, &head);
    let task = &tasks()[9];
    let play = |guide: &mut Cpu| {
        assert!(guide.begin(&task.board, task.target));
        [3, 4, 5].map(|x| guide.step(Cell::new(x, 2)).unwrap())
    };
    let first = play(&mut guide);
    assert_ne!(first[0], first[1]);
    assert_eq!(play(&mut guide), first);
    guide.forget();
    assert_eq!(guide.step(Cell::new(3, 2)), None);
}

#[test]
fn weights_are_written_and_read_in_half_precision() {
    let (encoder, head) = parts(5);
    let bytes = weights::write(&head).unwrap();
    let again: Head = weights::read(&bytes).unwrap();
    assert_eq!(weights::write(&again).unwrap(), bytes);
    for (one, other) in head.tensors().iter().zip(again.tensors()) {
        assert!(one.iter().zip(other).all(|(one, other)| (one - other).abs() <= one.abs() * 1e-3 + 1e-7));
    }
    assert!(matches!(weights::read::<Head>(&bytes[..100]), Err(WeightsError::Format(_))));
    assert!(matches!(weights::read::<Encoder>(&bytes), Err(WeightsError::Unknown(_))));
    assert!(weights::read::<Encoder>(&weights::write(&encoder).unwrap()).is_ok());
    let mut broken = head.clone();
    broken.actor[2].bias[0] = f32::NAN;
    let broken = weights::write(&broken).unwrap();
    assert_eq!(weights::read::<Head>(&broken), Err(WeightsError::NotFinite("actor.2.bias".into())));
}

/// What other makers of the network are compared by must hang on the position: nearly every intent is somewhere the
/// likeliest, and logits differ by far more than makers may.
#[test]
fn golden_decisions_hang_on_the_position() {
    let (encoder, head) = lively(1);
    let mut guide = Cpu::new(&encoder, &head);
    let mut outputs = Vec::new();
    for task in tasks().iter().take(30) {
        assert!(guide.begin(&task.board, task.target));
        outputs.extend([(2, 3), (10, 10), (18, 7)].map(|(x, y)| guide.step(Cell::new(x, y)).unwrap()));
    }
    let likeliest: std::collections::BTreeSet<usize> = outputs.iter().map(tandem_guide::Output::likeliest).collect();
    assert!(likeliest.len() >= 7, "{likeliest:?}");
    let mean = outputs.iter().map(|output| output.logits[0]).sum::<f32>() / outputs.len() as f32;
    let spread = outputs.iter().map(|output| (output.logits[0] - mean).powi(2)).sum::<f32>() / outputs.len() as f32;
    assert!(spread.sqrt() > 0.05, "{spread}");
}

/// The committed weights are whole: the encoder and a head for each Follower.
#[test]
fn the_trained_weights_can_be_read() {
    use tandem_cogrip::agents::{Autonomy, PHIS};
    use tandem_guide::agent::weights_name;
    let file = |name: &str| {
        std::fs::read(format!("{}/weights/{name}.safetensors", env!("CARGO_MANIFEST_DIR"))).unwrap_or_default()
    };
    let encoder: Encoder = weights::read(&file("encoder")).unwrap();
    let task = &tasks()[3];
    for autonomy in Autonomy::ALL {
        for phi in PHIS {
            let mut guide = Cpu::new(&encoder, &weights::read(&file(&weights_name(autonomy, phi))).unwrap());
            assert!(guide.begin(&task.board, task.target));
            // The first thing a trained Guide does is to say which piece it is.
            let first = guide.step(task.board.start()).unwrap().distribution();
            assert!(first[8..].iter().sum::<f64>() > 0.5, "{autonomy:?} {phi}: {first:?}");
            guide.forget();
        }
    }
}

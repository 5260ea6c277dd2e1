//! The graph computes what [`tandem_guide`] computes, its gradients are right, a run that was stopped goes on exactly, and
//! what is learned pays.

use super::encoder::{self, fresh};
use super::experience::{Speaker, play_all};
use super::graph::{Norms, decide, encode, encode_views};
use super::parameters::{Parameters, flat, numbers};
use super::policy::{Score, Settings, Stage, Trained, Training};
use super::views::{self, Source};
use super::whole::Whole;
use crate::cogrip::sights::Sights;
use burn::tensor::{Device, Tensor};
use rand::RngExt;
use std::path::Path;
use tandem_cogrip::agents::{Autonomy, Readings};
use tandem_cogrip::boards::TASKS_SEED;
use tandem_cogrip::eval::Partner;
use tandem_cogrip::language::Situation;
use tandem_cogrip::observation::{CHANNELS, SIDE, observe};
use tandem_cogrip::tasks::TrainingTasks;
use tandem_cogrip::{Cell, Split, Task};
use tandem_core::{Seed, Stream};
use tandem_guide::head::{Memory, Mind};
use tandem_guide::network::{Encoder, Head, INTENTS, WIDTH};
use tandem_guide::vision::Vision;

fn chance(name: &str) -> Stream {
    Seed::new(7).unwrap().stream(name)
}

fn tasks(count: usize) -> Vec<Task> {
    Split::Train.tasks(Seed::new(TASKS_SEED).unwrap()).into_iter().take(count).collect()
}

fn close(found: &[f32], wanted: &[f32], within: f32) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found - wanted).abs() <= within * wanted.abs().max(1.0), "{found} for {wanted}");
    }
}

/// An encoder whose running moments are not those of a new one.
fn worn() -> Encoder {
    let mut encoder: Encoder = fresh(&mut chance("encoder"));
    let mut chance = chance("moments");
    for convolution in &mut encoder.convolutions {
        for at in 0..WIDTH {
            convolution.mean[at] = chance.random_range(-0.3..0.3);
            convolution.variance[at] = chance.random_range(0.5..2.0);
            convolution.beta[at] = chance.random_range(-0.3..0.3);
        }
    }
    encoder
}

#[test]
fn the_graph_sees_what_the_encoder_by_hand_sees() {
    let device = Device::flex();
    let encoder = worn();
    let task = &tasks(30)[29];
    let gripper = Cell::new(2, 19);
    let image = observe(Situation { board: &task.board, target: task.target, gripper }).unwrap();
    let by_channel = (0..CHANNELS).flat_map(|channel| image.iter().skip(channel).step_by(CHANNELS).copied());
    let image = flat(by_channel.collect(), &device).reshape([1, CHANNELS, SIDE, SIDE]);
    let live = Parameters::of(&encoder, &device).live();
    let found = numbers(encode(&live, Tensor::from_inner(image)).inner());
    let wanted = Vision::new(&encoder).features_from_nothing(&task.board, task.target, gripper).unwrap();
    close(&found, &wanted, 1e-4);
}

/// Boards with cuts around the grippers give the same as whole images, if the batch norms are those of the batch.
#[test]
fn cuts_around_grippers_see_what_whole_images_see() {
    let device = Device::flex();
    let mut encoder = worn();
    let batch = views::draw(&Source::Set(tasks(9)), 2, 8, &mut chance("views"), &device);
    let places = batch.places.clone();
    let live = Parameters::of(&encoder, &device).live();
    let (features, moments) = encode_views(&live, batch.views.tracked(), Norms::Batch);
    for (convolution, moments) in encoder.convolutions.iter_mut().zip(moments) {
        convolution.mean = numbers(moments.mean.inner());
        convolution.variance = numbers(moments.variance.inner());
    }
    let mut vision = Vision::new(&encoder);
    let found = numbers(features.inner());
    assert_eq!(places.len(), 16);
    for (found, (board, target, gripper)) in found.chunks(WIDTH).zip(&places) {
        close(found, &vision.features_from_nothing(board, *target, *gripper).unwrap(), 1e-3);
    }
}

/// Rows of two episodes, of three steps and of one.
fn rows(device: &Device) -> (Vec<[f32; WIDTH]>, Tensor<2>, Vec<usize>) {
    let mut chance = chance("rows");
    let rows: Vec<[f32; WIDTH]> = (0..4).map(|_| std::array::from_fn(|_| chance.random_range(-1.0..1.0))).collect();
    let tensor = flat(rows.as_flattened().to_vec(), device).reshape([4, WIDTH]);
    (rows, Tensor::from_inner(tensor), vec![2, 1, 1])
}

#[test]
fn the_graph_decides_as_the_head_by_hand_does() {
    let device = Device::flex();
    let head: Head = fresh(&mut chance("head"));
    let (rows, features, alive) = rows(&device);
    let (logits, values) = decide(&Parameters::of(&head, &device).live(), features, &alive, &device);
    let (logits, values) = (numbers(logits.inner()), numbers(values.inner()));
    let mind = Mind::new(&head);
    for episode in [vec![0, 2, 3], vec![1]] {
        let mut memory = Memory::default();
        for row in episode {
            let wanted = mind.step(&rows[row], &mut memory);
            close(&logits[row * INTENTS..][..INTENTS], &wanted.logits, 1e-5);
            close(&values[row..=row], &[wanted.value], 1e-5);
        }
    }
}

/// A slope found by moving one weight a little either way is the gradient's.
#[test]
fn gradients_are_slopes() {
    let device = Device::flex();
    let head: Head = fresh(&mut chance("head"));
    let (_, features, alive) = rows(&device);
    let loss = |live: &[Tensor<1>]| {
        let (logits, values) = decide(live, features.clone(), &alive, &device);
        logits.powf_scalar(2.0).sum() + values.powf_scalar(2.0).sum()
    };
    let live = Parameters::of(&head, &device).live();
    let gradients = loss(&live).backward();
    let mut chance = chance("weights to move");
    for (number, tensor) in live.iter().enumerate() {
        let gradient = numbers(tensor.grad(&gradients).unwrap());
        // Where the slope is steep enough to be measured in single precision.
        let steep = (0..gradient.len()).max_by(|one, other| gradient[*one].abs().total_cmp(&gradient[*other].abs()));
        for at in [steep.unwrap(), chance.random_range(0..gradient.len())] {
            let moved = |by: f32| {
                let mut moved = live.clone();
                let mut values = numbers(tensor.clone().inner());
                values[at] += by;
                moved[number] = Tensor::from_inner(flat(values, &device));
                numbers(loss(&moved).inner())[0]
            };
            let slope = (moved(0.01) - moved(-0.01)) / 0.02;
            let tolerance = 0.02 * gradient[at].abs() + 2e-3;
            assert!((slope - gradient[at]).abs() < tolerance, "{number}/{at}: {slope} for {}", gradient[at]);
        }
    }
}

#[test]
fn an_encoder_that_was_stopped_learns_on_as_if_it_had_not_been() {
    let settings = || encoder::Settings {
        rate: 1e-3,
        steps: 3,
        boards: 2,
        grippers: 8,
        seed: Seed::new(3).unwrap(),
        every: 1,
        from: None,
    };
    let source = Source::Fresh(TrainingTasks::new(Seed::new(TASKS_SEED).unwrap()));
    let train = |stops: &[u32]| {
        let directory = tempfile::tempdir().unwrap();
        let mut encoder = None;
        for more in stops {
            let mut training = encoder::Training::new(settings(), &Device::flex());
            encoder = Some(training.run(&source, directory.path(), Some(*more)).unwrap());
        }
        encoder.unwrap()
    };
    let whole = train(&[3]);
    assert_eq!(train(&[1, 2]), whole);
    assert_ne!(train(&[2]), whole);
}

const LITTLE: Settings = Settings {
    learning_rate: 1e-3,
    clip_range: 0.2,
    gamma: 1.0,
    gae_lambda: 0.95,
    ent_coef: 0.0,
    vf_coef: 0.5,
    advice_coef: 0.0,
    max_grad_norm: 0.5,
    n_steps: 128,
    n_envs: 4,
    batch_size: 128,
    n_epochs: 4,
    steps: 30_000,
    clone_rounds: 2,
    clone_rate: 1e-3,
    every: 4,
    validations: 4,
};

fn eager() -> Partner {
    Partner { autonomy: Autonomy::Eager, phi: 0.95, readings: Readings::default() }
}

fn policy(settings: &Settings, sights: &Sights, directory: &Path, more: Option<u32>) -> (Head, Head) {
    let device = Device::flex();
    let training = Training {
        settings,
        stage: Stage::Head { from: None, train: sights, validation: sights },
        partner: eager(),
        seed: Seed::new(5).unwrap(),
        device: &device,
    };
    let best = training.run(directory, "eager", more).unwrap().head;
    let mut last = Parameters::of(&best, &device);
    last.load(&directory.join("eager.checkpoint")).unwrap();
    (best, last.part())
}

#[test]
fn a_policy_that_was_stopped_learns_on_as_if_it_had_not_been() {
    let sights = Sights::new(&fresh(&mut chance("encoder")), tasks(3));
    let train = |stops: &[u32]| {
        let directory = tempfile::tempdir().unwrap();
        let trained = stops.iter().map(|more| policy(&LITTLE, &sights, directory.path(), Some(*more))).last().unwrap();
        (trained, std::fs::read_to_string(directory.path().join("eager.csv")).unwrap().lines().count())
    };
    let (whole, _) = train(&[5]);
    let (stopped, _) = train(&[1, 3, 1]);
    assert!(stopped.1 == whole.1, "the weights differ");
}

/// On two boards of two pieces, PPO soon plays better than the Guide it began as.
#[test]
fn the_reward_rises() {
    let sights = Sights::new(&fresh(&mut chance("encoder")), tasks(2));
    let directory = tempfile::tempdir().unwrap();
    let (head, _) = policy(&LITTLE, &sights, directory.path(), Some(14));
    let play = |head: &Head| {
        let mind = Mind::new(head);
        let places: Vec<usize> = (0..200).map(|number| number % 2).collect();
        Score::of(&play_all(&sights, &places, Speaker::Drawing(&mind), eager(), Seed::new(9).unwrap())).reward
    };
    let (before, after) = (play(&fresh(&mut chance("head"))), play(&head));
    assert!(after > before + 0.5 && after > 1.2, "{before} before, {after} after");
}

/// A Guide that knows nothing fails, and then what the teacher would have said becomes likelier.
#[test]
fn advice_is_heeded_where_episodes_fail() {
    let sights = Sights::new(&fresh(&mut chance("encoder")), tasks(2));
    let heeded = |advice_coef: f32| {
        let settings = Settings { clone_rounds: 0, advice_coef, ..LITTLE };
        let directory = tempfile::tempdir().unwrap();
        let (_, last) = policy(&settings, &sights, directory.path(), Some(4));
        let places: Vec<usize> = (0..100).map(|number| number % 2).collect();
        let mind = Mind::new(&last);
        let lived = play_all(&sights, &places, Speaker::Drawing(&mind), eager(), Seed::new(9).unwrap());
        let steps = || lived.iter().flat_map(|one| &one.steps);
        steps().filter(|step| step.intent == step.advice).count() as f64 / steps().count() as f64
    };
    let (without, with) = (heeded(0.0), heeded(1.0));
    assert!(with > without + 0.1, "{without} without, {with} with");
}

/// Rounds end to end on two boards, with stops between: what was trained, and the curves.
fn whole(settings: &Settings, from: &Whole, stops: &[u32]) -> (Trained, Vec<Vec<f64>>) {
    let device = Device::flex();
    let tasks = tasks(2);
    let directory = tempfile::tempdir().unwrap();
    let mut trained = None;
    for more in stops {
        let training = Training {
            settings,
            stage: Stage::Whole { from, train: &tasks, validation: &tasks },
            partner: eager(),
            seed: Seed::new(5).unwrap(),
            device: &device,
        };
        trained = Some(training.run(directory.path(), "eager", Some(*more)).unwrap());
    }
    let curves = std::fs::read_to_string(directory.path().join("eager.csv")).unwrap();
    let row = |line: &str| line.split(',').map(|number| number.parse().unwrap()).collect();
    (trained.unwrap(), curves.lines().skip(1).map(row).collect())
}

fn beginner() -> Whole {
    Whole { encoder: worn(), head: fresh(&mut chance("head")) }
}

/// Cloning the teacher end to end, the loss falls. By PPO the encoder moves with the head, and its running moments stay.
#[test]
fn end_to_end_the_encoder_learns_too() {
    let settings =
        Settings { n_steps: 32, n_envs: 2, n_epochs: 2, clone_rounds: 4, every: 1, validations: 1, ..LITTLE };
    let from = beginner();
    let (_, rows) = whole(&settings, &from, &[3]);
    let loss: Vec<f64> = rows.iter().map(|row| row[6]).collect();
    assert!(loss.len() == 3 && loss[2] < loss[0] - 0.1, "{loss:?}");

    let settings = Settings { n_epochs: 1, clone_rounds: 0, ..settings };
    let (trained, _) = whole(&settings, &from, &[1]);
    for (before, after) in from.encoder.convolutions.iter().zip(&trained.encoder.unwrap().convolutions) {
        assert!(after.weight != before.weight && after.gamma != before.gamma, "the encoder stays");
        assert_eq!((&after.mean, &after.variance), (&before.mean, &before.variance));
    }
    assert!(trained.head != from.head, "the head stays");
}

#[test]
fn a_run_end_to_end_that_was_stopped_learns_on_as_if_it_had_not_been() {
    let settings =
        Settings { n_steps: 16, n_envs: 2, n_epochs: 1, clone_rounds: 0, every: 1, validations: 1, ..LITTLE };
    let from = beginner();
    let ((one, _), (other, _)) = (whole(&settings, &from, &[2]), whole(&settings, &from, &[1, 1]));
    assert!((one.at, one.best) == (other.at, other.best), "the score differs");
    assert!(one.encoder == other.encoder && one.head == other.head, "the weights differ");
}

//! The tensors compute what the CPU computes: the network's code on burn's CPU backend against the reference.
#![cfg(feature = "flex")]

#[path = "../../tests/drawn/mod.rs"]
mod drawn;

use burn::tensor::{Device, Tensor};
use drawn::{lively, parts};
use rand::RngExt;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use tandem_cogrip::{Cell, Split, Task};
use tandem_core::{Seed, Stream};
use tandem_guide::network::{Encoder, Head};
use tandem_guide::vision::{KINDS, TILES, kinds};
use tandem_guide::{Cpu, Guide, Output, weights};
use tandem_guide_gpu::network::Network;
use tandem_guide_gpu::{GpuError, GpuGuide, Pending};

/// The largest difference of logits and values that two makers may have.
const NEAR: f32 = 1e-3;

/// On this device a future has nothing to wait for.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("the CPU backend waits for something"),
    }
}

fn read(pending: Result<Pending, GpuError>) -> Vec<Output> {
    now(pending.unwrap().outputs()).unwrap()
}

fn tasks() -> Vec<Task> {
    Split::Val.tasks(Seed::new(3).unwrap())
}

fn begin(guide: &mut GpuGuide, cpu: &mut Cpu, task: &Task) {
    guide.begin(kinds(&task.board, task.target).unwrap()).unwrap();
    assert!(cpu.begin(&task.board, task.target));
}

/// The largest difference; the likeliest intent must be the same.
fn difference(one: &Output, other: &Output) -> f32 {
    assert_eq!(one.likeliest(), other.likeliest(), "{one:?} {other:?}");
    let logits = one.logits.iter().zip(&other.logits).map(|(one, other)| (one - other).abs());
    logits.fold((one.value - other.value).abs(), f32::max)
}

fn anywhere(chance: &mut Stream) -> Cell {
    Cell::new(chance.random_range(0..21), chance.random_range(0..21))
}

/// What the page has.
fn trained() -> (Encoder, Head) {
    let file =
        |name: &str| std::fs::read(format!("{}/../weights/{name}.safetensors", env!("CARGO_MANIFEST_DIR"))).unwrap();
    (weights::read(&file("encoder")).unwrap(), weights::read(&file("eager-0.95")).unwrap())
}

#[test]
fn steps_with_trained_weights_agree_with_the_cpu() {
    five_hundred_positions_agree(trained());
}

#[test]
fn steps_with_weights_by_chance_agree_with_the_cpu() {
    five_hundred_positions_agree(lively(1));
}

/// Fifty episodes, jumps and corners among them.
fn five_hundred_positions_agree((encoder, head): (Encoder, Head)) {
    let mut chance = Seed::new(11).unwrap().stream("paths");
    let (mut guide, mut cpu) = (GpuGuide::new(&encoder, &head, &Device::flex()), Cpu::new(&encoder, &head));
    let corners = [(0, 0), (20, 0), (0, 20), (20, 20)].map(|(x, y)| Cell::new(x, y));
    let mut largest = 0.0_f32;
    for task in tasks().iter().take(50) {
        begin(&mut guide, &mut cpu, task);
        for gripper in corners.into_iter().chain((0..6).map(|_| anywhere(&mut chance))) {
            let found = read(guide.step(gripper));
            largest = largest.max(difference(&found[0], &cpu.step(gripper).unwrap()));
        }
    }
    println!("the largest difference of 500 positions is {largest:e}");
    assert!(largest < NEAR, "{largest}");
}

/// A map is what the CPU says in the first step of an episode, for every tile of the board.
#[test]
fn a_map_is_a_first_step_everywhere() {
    let (encoder, head) = lively(2);
    let (mut guide, mut cpu) = (GpuGuide::new(&encoder, &head, &Device::flex()), Cpu::new(&encoder, &head));
    let task = &tasks()[20];
    begin(&mut guide, &mut cpu, task);
    // A step before must not matter.
    read(guide.step(Cell::new(3, 4)));
    let map = read(guide.map());
    assert_eq!(map.len(), TILES);
    for (tile, found) in map.iter().enumerate() {
        assert!(cpu.begin(&task.board, task.target));
        let wanted = cpu.step(Cell::new((tile % 21) as u8, (tile / 21) as u8)).unwrap();
        assert!(difference(found, &wanted) < NEAR, "{tile}");
    }
}

/// Features, not only what is made of them.
#[test]
fn features_agree_with_the_cpu() {
    let (encoder, head) = parts(3);
    let network = Network::new(&encoder, &head, &Device::flex());
    let mut cpu = Cpu::new(&encoder, &head);
    let task = &tasks()[90];
    assert!(cpu.begin(&task.board, task.target));
    let scene = network.scene(kinds(&task.board, task.target).unwrap()).unwrap();
    let grippers = [(0, 10), (1, 1), (10, 10), (20, 19)].map(|(x, y)| Cell::new(x, y));
    let features: Tensor<2> = network.features(&scene, &grippers);
    let found: Vec<f32> = features.into_data().try_into_vec().unwrap();
    let wanted = grippers.iter().flat_map(|gripper| cpu.features(*gripper).unwrap());
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-4 * wanted.abs().max(1.0), "{found} for {wanted}");
    }
}

/// After an episode nothing of it is left, and what is wrong is said.
#[test]
fn episodes_begin_anew_and_mistakes_are_named() {
    let (encoder, head) = parts(4);
    let mut guide = GpuGuide::new(&encoder, &head, &Device::flex());
    assert_eq!(guide.step(Cell::new(1, 1)).err(), Some(GpuError::NotBegun));
    let task = &tasks()[7];
    let mut play = || {
        guide.begin(kinds(&task.board, task.target).unwrap()).unwrap();
        [3, 4].map(|x| read(guide.step(Cell::new(x, 5))))
    };
    let first = play();
    assert_ne!(first[0], first[1]);
    assert_eq!(play(), first);
    assert_eq!(guide.step(Cell::new(21, 0)).err(), Some(GpuError::OffBoard(21, 0)));
    assert_eq!(guide.begin(vec![0; 440]), Err(GpuError::Board));
    assert_eq!(guide.begin(vec![KINDS; TILES]), Err(GpuError::Board));
    assert_eq!(guide.map().err(), Some(GpuError::NotBegun), "a board that is refused leaves none");
    let head = weights::write(&head).unwrap();
    let wrong = GpuGuide::read(&head, &head, &Device::flex());
    assert!(matches!(wrong.err(), Some(GpuError::Weights("encoder", _))));
}

//! What the learned Guide's encoder sees of a set of tasks.
//!
//! The idea: it depends only on the task and the gripper's tile. So every board is encoded once and its scene kept, and a
//! batch of episodes, or a whole training run, mostly looks things up.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tandem_cogrip::{Board, Cell, Task};
use tandem_guide::convolve::Feature;
use tandem_guide::network::Encoder;
use tandem_guide::vision::{Scene, Vision};

/// Tasks, and what is seen of them; for any number of threads.
pub struct Sights {
    encoder: Encoder,
    tasks: Vec<Task>,
    /// A task's place in the list, by where its board lies in memory and its target.
    places: HashMap<(usize, usize), usize>,
    scenes: Vec<Mutex<Option<Scene>>>,
    /// Encoders that no thread uses now.
    visions: Mutex<Vec<Vision>>,
}

impl Sights {
    /// Nothing is seen yet.
    pub fn new(encoder: &Encoder, tasks: Vec<Task>) -> Self {
        let places = tasks.iter().enumerate().map(|(place, task)| (key(&task.board, task.target), place)).collect();
        let scenes = tasks.iter().map(|_| Mutex::new(None)).collect();
        Self { encoder: encoder.clone(), tasks, places, scenes, visions: Mutex::default() }
    }

    /// The tasks.
    #[cfg(feature = "train")]
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// The place of a task whose board is one of these, the same in memory.
    pub fn place(&self, board: &Board, target: usize) -> Option<usize> {
        self.places.get(&key(board, target)).copied()
    }

    /// The features of a task, by its place, with the gripper on a tile; `None` if the board has not the encoder's size.
    pub fn features(&self, place: usize, gripper: Cell) -> Option<Feature> {
        let mut scene = lock(&self.scenes[place]);
        let mut vision = lock(&self.visions).pop().unwrap_or_else(|| Vision::new(&self.encoder));
        if scene.is_none() {
            let Task { board, target } = &self.tasks[place];
            *scene = vision.begin(board, *target);
        }
        let features = scene.as_mut().map(|scene| vision.features(scene, gripper));
        lock(&self.visions).push(vision);
        features
    }
}

fn key(board: &Board, target: usize) -> (usize, usize) {
    (std::ptr::from_ref(board).addr(), target)
}

/// What a thread that failed left is as good as before: every change is made whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

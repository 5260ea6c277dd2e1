//! Guides by name.

use super::sights::Sights;
use crate::failure::{self, bad};
use rand::Rng;
use std::path::Path;
use std::sync::Arc;
use tandem_cogrip::agents::{Always, Autonomy, Guide, Heuristic, PHIS, Random, Silent};
use tandem_cogrip::language::Situation;
use tandem_cogrip::{Intent, Order, Task};
use tandem_guide::head::{Memory, Mind};
use tandem_guide::network::Part;
use tandem_guide::{agent, weights};

/// Makes Guides of one kind: every thread of a batch has one of its own for each Follower.
pub struct Maker {
    /// What tells it from the others of a batch.
    pub name: &'static str,
    make: Box<dyn Fn(Autonomy, f64) -> Box<dyn Guide> + Send + Sync>,
}

impl Maker {
    fn new<G: Guide + 'static>(name: &'static str, make: impl Fn() -> G + Send + Sync + 'static) -> Self {
        Self { name, make: Box::new(move |_, _| Box::new(make())) }
    }

    /// A new Guide for a Follower with this discount.
    pub fn guide(&self, autonomy: Autonomy, phi: f64) -> Box<dyn Guide> {
        (self.make)(autonomy, phi)
    }
}

/// The Guides that a name stands for: one, or for `reference` the six of which the mean is taken. `tasks` are those that
/// will be played, `weights` is the folder of the trained Guides.
///
/// # Errors
/// There is no Guide of that name, or its weights cannot be read.
pub fn guide(name: &str, tasks: &[Task], weights: &Path) -> anyhow::Result<Vec<Maker>> {
    let by_order = |order: Order| Maker::new(order.name(), move || Always(Intent::Refer(order)));
    let maker = match name {
        "silent" => Maker::new("silent", || Silent),
        "random" => Maker::new("random", || Random),
        "heuristic" => Maker::new("heuristic", Heuristic::default),
        "ppo" => learned(tasks, weights)?,
        "reference" => return Ok(Order::ALL.map(by_order).into()),
        _ => match Order::ALL.into_iter().find(|order| order.name() == name) {
            Some(order) => by_order(order),
            None => {
                let orders = Order::ALL.map(Order::name).join(", ");
                let known = format!("silent, reference, {orders}, random, heuristic, ppo");
                return Err(bad(format_args!("there is no Guide {name:?}; there are {known}")));
            }
        },
    };
    Ok(vec![maker])
}

/// The trained Guides: for each Follower the one that was trained with it, or with the nearest discount.
fn learned(tasks: &[Task], folder: &Path) -> anyhow::Result<Maker> {
    let sights = Arc::new(Sights::new(&part(folder, "encoder")?, tasks.to_vec()));
    let mut minds = Vec::new();
    for autonomy in Autonomy::ALL {
        for phi in PHIS {
            minds.push((autonomy, phi, Arc::new(Mind::new(&part(folder, &agent::weights_name(autonomy, phi))?))));
        }
    }
    let make = move |autonomy: Autonomy, phi: f64| -> Box<dyn Guide> {
        let of_follower = minds.iter().filter(|(of, ..)| *of == autonomy);
        let nearest =
            of_follower.min_by(|(_, one, _), (_, other, _)| (one - phi).abs().total_cmp(&(other - phi).abs()));
        match nearest {
            Some((.., mind)) => {
                let (sights, mind) = (sights.clone(), mind.clone());
                Box::new(Learned { sights, mind, memory: Memory::default(), place: None })
            }
            None => Box::new(Silent),
        }
    };
    Ok(Maker { name: "ppo", make: Box::new(make) })
}

/// Reads a part of the network.
fn part<P: Part>(folder: &Path, name: &str) -> anyhow::Result<P> {
    let file = folder.join(format!("{name}.safetensors"));
    weights::read(&failure::read(&file)?).map_err(|error| bad(format_args!("{}: {error}", file.display())))
}

/// A trained Guide. It draws from its distribution; what it cannot see, it leaves unsaid.
struct Learned {
    sights: Arc<Sights>,
    mind: Arc<Mind>,
    memory: Memory,
    place: Option<usize>,
}

impl Guide for Learned {
    fn begin(&mut self) {
        (self.memory, self.place) = (Memory::default(), None);
    }

    fn intend(&mut self, situation: Situation, _: u32, chance: &mut dyn Rng) -> Intent {
        self.place = self.place.or_else(|| self.sights.place(situation.board, situation.target));
        let features = self.place.and_then(|place| self.sights.features(place, situation.gripper));
        let output = features.map(|features| self.mind.step(&features, &mut self.memory));
        output.map_or(Intent::Silence, |output| output.draw(chance))
    }
}

//! From episodes to figures.

use super::batch::{Batch, Game};
use tandem_cogrip::agents::Autonomy;
use tandem_cogrip::{Intent, Kind, Order, Task};
use tandem_study::{Estimate, LEVEL, Regression, StudyError, mean, regression};

/// The level of the band of Figure 6.
pub const BAND_LEVEL: f64 = 0.99;
/// The discounts that Figure 6 fits a line through, each lot by itself: up to here, and above.
const LESS_CONFIDENT: f64 = 0.875;

/// Episodes that belong together and what they come to.
pub struct Group {
    /// The Follower; `None` for all of them together.
    pub autonomy: Option<Autonomy>,
    /// Its discount; `None` for all of them together.
    pub phi: Option<f64>,
    /// How many episodes.
    pub episodes: usize,
    /// The reward of Equation 4.
    pub reward: Estimate,
    /// The reward as Table 2 must have been reckoned.
    pub table_reward: Estimate,
    /// The share of episodes with the target taken.
    pub success: Estimate,
    /// Steps of an episode.
    pub length: Estimate,
    /// The Guide's effort in an episode.
    pub effort: Estimate,
    /// In how many steps each intent was chosen.
    intents: [u64; Intent::ALL.len()],
}

impl Group {
    /// The figures of these episodes. An interval is that of the tasks' means: what it says is how far another set of
    /// tasks could be off. Episodes on one task are too much alike to count each for itself.
    fn new(autonomy: Option<Autonomy>, phi: Option<f64>, games: &[Game], tasks: usize) -> Result<Self, StudyError> {
        let belongs = |game: &&Game| {
            autonomy.is_none_or(|autonomy| autonomy == game.autonomy) && phi.is_none_or(|phi| phi == game.phi)
        };
        let mut intents = [0; Intent::ALL.len()];
        // Each task has as many episodes as any other.
        let mut sums = vec![[0.0; 5]; tasks];
        let mut episodes = 0;
        for game in games.iter().filter(belongs) {
            let ending = &game.ending;
            let success = f64::from(u8::from(ending.success));
            let values = [ending.reward(), ending.table_reward(), success, f64::from(ending.steps), ending.effort()];
            sums[game.task].iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            intents.iter_mut().zip(game.intents).for_each(|(sum, steps)| *sum += u64::from(steps));
            episodes += 1;
        }
        let of_a_task = episodes as f64 / tasks as f64;
        let estimate = |value: usize| {
            let means: Vec<f64> = sums.iter().map(|sum| sum[value] / of_a_task).collect();
            mean(&means, LEVEL)
        };
        let [reward, table_reward, success, length, effort] =
            [estimate(0)?, estimate(1)?, estimate(2)?, estimate(3)?, estimate(4)?];
        Ok(Self { autonomy, phi, episodes, reward, table_reward, success, length, effort, intents })
    }

    /// `overall`, `cautious`, or `cautious/0.75`.
    pub fn name(&self) -> String {
        match (self.autonomy, self.phi) {
            (Some(autonomy), Some(phi)) => format!("{}/{}", autonomy.name(), phi_name(phi)),
            (Some(autonomy), None) => autonomy.name().to_owned(),
            (None, _) => "overall".to_owned(),
        }
    }

    /// The five means of Table 2: reward by Equation 4 and as in the table, success, length, effort.
    pub fn estimates(&self) -> [&Estimate; 5] {
        [&self.reward, &self.table_reward, &self.success, &self.length, &self.effort]
    }

    /// The chance of each kind of intent to be chosen at a step (Table 3): its share of all steps.
    pub fn shares(&self) -> [f64; 5] {
        Kind::ALL.map(|kind| {
            let chosen = Intent::ALL.iter().filter(|intent| intent.kind() == kind);
            share(chosen.map(|intent| self.intents[intent.index()]).sum(), self.intents.iter().sum())
        })
    }

    /// How often each preference order was chosen among all references (Figure 5); `None` without references.
    pub fn orders(&self) -> Option<[f64; 6]> {
        let chosen = Order::ALL.map(|order| self.intents[Intent::Refer(order).index()]);
        let all = chosen.iter().sum();
        (all > 0).then(|| chosen.map(|order| share(order, all)))
    }
}

fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// A discount as it is written: with two places, or with as many as it needs.
pub fn phi_name(phi: f64) -> String {
    let two = format!("{phi:.2}");
    if two.parse() == Ok(phi) { two } else { phi.to_string() }
}

/// How often a Guide was silent with one Follower (a point of Figure 6).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quiet {
    /// The Follower.
    pub autonomy: Autonomy,
    /// Its discount.
    pub phi: f64,
    /// Which time the tasks were played.
    pub repeat: u32,
    /// The share of steps in which nothing was said.
    pub silence: f64,
}

/// A line of Figure 6.
pub struct Fit {
    /// From which discount to which.
    pub phis: [f64; 2],
    /// The line.
    pub line: Regression,
}

/// All figures of a batch.
pub struct Report {
    /// All episodes together.
    pub overall: Group,
    /// By Follower.
    pub followers: Vec<Group>,
    /// By Follower and discount.
    pub by_phi: Vec<Group>,
    /// The points of Figure 6.
    pub quiet: Vec<Quiet>,
    /// Its lines, as far as there are two discounts for each.
    pub fits: Vec<Fit>,
    /// The shortest path of the tasks.
    pub shortest: Shortest,
}

impl Report {
    /// What a batch comes to.
    ///
    /// # Errors
    /// There are no episodes.
    pub fn new(batch: &Batch, games: &[Game]) -> Result<Self, StudyError> {
        let group = |autonomy, phi| Group::new(autonomy, phi, games, batch.tasks.len());
        let (mut followers, mut by_phi) = (Vec::new(), Vec::new());
        for autonomy in batch.autonomies.iter().copied() {
            followers.push(group(Some(autonomy), None)?);
            for phi in batch.phis.iter().copied() {
                by_phi.push(group(Some(autonomy), Some(phi))?);
            }
        }
        let quiet = quiet(batch, games);
        let fits = fits(&quiet);
        Ok(Self { overall: group(None, None)?, followers, by_phi, quiet, fits, shortest: Shortest::of(&batch.tasks)? })
    }

    /// Every group in the order of Table 2: each Follower with its discounts, all together at the end.
    pub fn rows(&self) -> Vec<&Group> {
        let mut rows = Vec::new();
        for follower in &self.followers {
            rows.push(follower);
            rows.extend(self.by_phi.iter().filter(|group| group.autonomy == follower.autonomy));
        }
        rows.push(&self.overall);
        rows
    }
}

/// One point for each Follower, discount and time of playing.
fn quiet(batch: &Batch, games: &[Game]) -> Vec<Quiet> {
    let mut points = Vec::new();
    for autonomy in batch.autonomies.iter().copied() {
        for phi in batch.phis.iter().copied() {
            let mut steps = vec![(0, 0); batch.repeats as usize];
            for game in games.iter().filter(|game| game.autonomy == autonomy && game.phi == phi) {
                let (silent, all) = &mut steps[game.repeat as usize];
                *silent += u64::from(game.intents[Intent::Silence.index()]);
                *all += u64::from(game.ending.steps);
            }
            points.extend((0..).zip(steps).map(|(repeat, (silent, all))| {
                let silence = share(silent, all);
                Quiet { autonomy, phi, repeat, silence }
            }));
        }
    }
    points
}

/// The lines of silence by discount, both Followers together.
fn fits(points: &[Quiet]) -> Vec<Fit> {
    let lots = [false, true].map(|confident| {
        let lot = points.iter().filter(|point| (point.phi > LESS_CONFIDENT) == confident);
        lot.map(|point| (point.phi, point.silence)).collect::<Vec<(f64, f64)>>()
    });
    let fit = |lot: Vec<(f64, f64)>| {
        let line = regression(&lot, BAND_LEVEL).ok()?;
        let least = lot.iter().map(|(phi, _)| *phi).fold(f64::INFINITY, f64::min);
        let most = lot.iter().map(|(phi, _)| *phi).fold(f64::NEG_INFINITY, f64::max);
        Some(Fit { phis: [least, most], line })
    };
    lots.into_iter().filter_map(fit).collect()
}

/// How many steps it takes at least, the last one to take the target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortest {
    /// To a tile drawn from the target's five, which is what a Follower heads for: over all tiles of all targets.
    pub drawn: Estimate,
    /// To the nearest of the target's tiles.
    pub nearest: Estimate,
}

impl Shortest {
    fn of(tasks: &[Task]) -> Result<Self, StudyError> {
        let (mut drawn, mut nearest) = (Vec::with_capacity(5 * tasks.len()), Vec::with_capacity(tasks.len()));
        for Task { board, target } in tasks {
            let steps = board.pieces()[*target].tiles().map(|tile| 1 + board.start().distance(tile));
            drawn.extend(steps.map(f64::from));
            nearest.extend(steps.into_iter().min().map(f64::from));
        }
        Ok(Self { drawn: mean(&drawn, LEVEL)?, nearest: mean(&nearest, LEVEL)? })
    }
}

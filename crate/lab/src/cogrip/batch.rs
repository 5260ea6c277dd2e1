//! Many episodes at once.
//!
//! Every episode has streams of its own, named by what it is: how often the task was played before, the task, the
//! Follower and its discount. So neither the threads nor the other episodes of a batch change it, and two Guides meet the
//! same Followers.

use super::guides::Maker;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use tandem_cogrip::agents::{Autonomy, Guide, Readings};
use tandem_cogrip::eval::{Partner, Played, play};
use tandem_cogrip::rules::Ending;
use tandem_cogrip::{Intent, Task};
use tandem_core::Seed;

/// Fewer episodes than this are over before a progress bar is of use.
const LONG: usize = 50_000;

/// What is played: every combination.
pub struct Batch {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The Guides.
    pub makers: Vec<Maker>,
    /// The Followers.
    pub autonomies: Vec<Autonomy>,
    /// Their discounts.
    pub phis: Vec<f64>,
    /// How often each task is played with each Guide and Follower.
    pub repeats: u32,
    /// The seed of all chance.
    pub seed: Seed,
    /// How the paper is read.
    pub readings: Readings,
}

/// One episode of a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The Guide, by its number in the batch.
    pub maker: usize,
    /// The Follower.
    pub autonomy: Autonomy,
    /// Its discount.
    pub phi: f64,
    /// How often the task was played so before.
    pub repeat: u32,
    /// The task, by its number.
    pub task: usize,
    /// How it ended.
    pub ending: Ending,
    /// In how many steps each intent was chosen, by the intent's number.
    pub intents: [u8; Intent::ALL.len()],
}

impl Batch {
    /// How many episodes there are.
    pub fn len(&self) -> usize {
        self.tasks.len() * self.makers.len() * self.autonomies.len() * self.phis.len() * self.repeats as usize
    }

    /// Plays them all on so many threads; `None` for as many as there are cores.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn play(&self, threads: Option<u16>) -> anyhow::Result<Vec<Game>> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from)).build()?;
        let seeds: Vec<Seed> = (0..self.repeats).map(|repeat| self.seed.part(&format!("repeat/{repeat}"))).collect();
        let bar = bar(self.len());
        let guides = || {
            let of_maker = |maker| self.partners().map(move |(autonomy, phi)| Maker::guide(maker, autonomy, phi));
            self.makers.iter().flat_map(of_maker).collect::<Vec<Box<dyn Guide>>>()
        };
        let games = pool.install(|| {
            let numbers = (0..self.len()).into_par_iter();
            numbers
                .map_init(guides, |guides, number| {
                    bar.inc(1);
                    self.game(number, guides, &seeds)
                })
                .collect()
        });
        bar.finish_and_clear();
        Ok(games)
    }

    /// The Followers with their discounts.
    fn partners(&self) -> impl Iterator<Item = (Autonomy, f64)> + '_ {
        self.autonomies.iter().flat_map(|autonomy| self.phis.iter().map(|phi| (*autonomy, *phi)))
    }

    /// The episode of that number.
    fn game(&self, number: usize, guides: &mut [Box<dyn Guide>], seeds: &[Seed]) -> Game {
        let mut rest = number;
        let mut digit = |base: usize| {
            let digit = rest % base;
            rest /= base;
            digit
        };
        let (task, repeat) = (digit(self.tasks.len()), digit(seeds.len()));
        let partner = digit(self.phis.len() * self.autonomies.len());
        let Some((autonomy, phi)) = self.partners().nth(partner) else { unreachable!("a partner too many") };
        let maker = digit(self.makers.len());
        let name = format!("{}/{phi}/{task}", autonomy.name());
        let mut chance_of_guide = seeds[repeat].stream(&format!("guide/{name}"));
        let mut chance_of_follower = seeds[repeat].stream(&format!("follower/{name}"));
        let readings = self.readings;
        let guide = guides[maker * self.phis.len() * self.autonomies.len() + partner].as_mut();
        let Played { ending, intents: said } = play(
            &self.tasks[task],
            guide,
            Partner { autonomy, phi, readings },
            &mut chance_of_guide,
            &mut chance_of_follower,
        );
        let mut intents = [0; Intent::ALL.len()];
        said.iter().for_each(|intent| intents[intent.index()] += 1);
        Game { maker, autonomy, phi, repeat: repeat as u32, task, ending, intents }
    }
}

/// A progress bar on standard error, if that is a terminal and there is something to wait for.
fn bar(episodes: usize) -> ProgressBar {
    let target = if episodes < LONG { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} episodes, {eta} left");
    ProgressBar::with_draw_target(Some(episodes as u64), target)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

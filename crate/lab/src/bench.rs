//! `bench`: how fast the rules and the search run here, outside the browser.

use crate::cli::Bench;
use serde_json::json;
use std::hint::black_box;
use std::time::{Duration, Instant};
use tandem_cogrip::bench::Episodes;
use tandem_gnomes::Action;
use tandem_gnomes::bench::Searches;
use tandem_gnomes::boards::named;
use tandem_gnomes::rules::Game;

/// How many times each figure is measured; the median is given.
const REPEATS: usize = 5;
/// How long each measurement takes at least.
const SPAN: Duration = Duration::from_millis(1000);
/// Steps between two looks at the clock.
const STEPS: u32 = 100_000;
/// Episodes between two looks at the clock.
const EPISODES: u32 = 100;

/// Measures.
///
/// # Errors
/// None but a library whose own board is broken.
pub fn run(asked: &Bench) -> anyhow::Result<String> {
    let (steps, iterations) = (steps_per_second()?, iterations_per_second());
    let (episode_steps, verbalise_ns) = (episode_steps_per_second()?, nanoseconds_per_sentence()?);
    Ok(if asked.json {
        let figures = json!({
            "gnomes_steps_per_s_native": steps,
            "aismctsf_iterations_per_s_native": iterations,
            "cogrip_steps_per_s_native": episode_steps,
            "cogrip_verbalise_ns": verbalise_ns,
        });
        format!("{figures}\n")
    } else {
        format!(
            "steps of the bare rules: {steps:.3e} per second\n\
             AISMCTS-F iterations: {iterations:.3e} per second\n\
             CoGRIP-GL steps, Guide, verbaliser and Follower included: {episode_steps:.3e} per second\n\
             CoGRIP-GL sentences: {verbalise_ns:.1} ns each\n"
        )
    })
}

/// Steps of the bare rules on board 9A, by chance; a game that is over begins again.
fn steps_per_second() -> anyhow::Result<f64> {
    let board = named("9A").map_err(anyhow::Error::msg)?;
    let mut game = Game::new(&board, 0, None);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    Ok(median_rate(|| {
        for _ in 0..STEPS {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            black_box(game.play(Action::ALL[((state >> 32) % 5) as usize]));
            if game.over() {
                game.restart();
            }
        }
        STEPS
    }))
}

/// Iterations of the searches that the browser is measured on too.
fn iterations_per_second() -> f64 {
    let mut searches = Searches::new();
    median_rate(|| black_box(searches.run_one()))
}

/// Steps of whole episodes: the heuristic Guide, the verbaliser and every Follower on the test tasks.
fn episode_steps_per_second() -> anyhow::Result<f64> {
    let mut episodes = Episodes::new()?;
    Ok(median_rate(|| (0..EPISODES).map(|_| episodes.play()).sum()))
}

/// How long the verbaliser takes for a sentence, the mean over all intents on the test tasks, in nanoseconds.
fn nanoseconds_per_sentence() -> anyhow::Result<f64> {
    let episodes = Episodes::new()?;
    Ok(1e9 / median_rate(|| black_box(episodes.verbalise()).0 as u32))
}

/// How often a second the work is done, of which `work` does some and says how much.
fn median_rate(mut work: impl FnMut() -> u32) -> f64 {
    let mut rates: Vec<f64> = (0..REPEATS)
        .map(|_| {
            let (begin, mut done) = (Instant::now(), 0_u64);
            while begin.elapsed() < SPAN {
                done += u64::from(work());
            }
            done as f64 / begin.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates[REPEATS / 2]
}

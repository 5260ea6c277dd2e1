//! `cogrip play`: one episode as text, for people.

use super::cli::Play;
use super::guides::guide;
use crate::failure::bad;
use std::fmt::Write as _;
use tandem_cogrip::agents::{Autonomy, Follower, Readings};
use tandem_cogrip::language::verbalise;
use tandem_cogrip::rules::{Act, Ending, Episode, MOST_STEPS};
use tandem_cogrip::sight::{REACH, Sight};
use tandem_cogrip::{Board, Cell, Cogrip, Config};
use tandem_core::{Seed, World};

/// Plays and tells.
///
/// # Errors
/// There is no such board or Guide, or the seed is too large.
pub fn run(asked: &Play) -> anyhow::Result<String> {
    let seed = Seed::new(asked.seed).map_err(bad)?;
    let config = Config { board: asked.board.clone(), rounds: 1 };
    let task = Cogrip::new(config, seed).map_err(bad)?.episode().task().clone();
    let makers = guide(&asked.guide, std::slice::from_ref(&task), &asked.weights)?;
    let autonomy = Autonomy::from(asked.follower);
    let mut guide = makers[0].guide(autonomy, asked.phi);
    let mut follower = Follower::new(autonomy, asked.phi, Readings::default());
    let (mut chance_of_guide, mut chance_of_follower) = (seed.stream("guide"), seed.stream("follower"));
    let mut episode = Episode::new(task.clone());
    let mut out = format!(
        "{} guides the {} Follower (phi {}) to the {}\n",
        makers[0].name,
        autonomy.name(),
        asked.phi,
        task.board.symbol(task.target),
    );
    if asked.render {
        out += &legend(&task.board, task.target);
    }
    guide.begin();
    let ending = loop {
        if asked.render {
            out.push('\n');
            out += &draw(&task.board, episode.gripper());
        }
        let intent = guide.intend(episode.situation(), episode.steps(), &mut chance_of_guide);
        let sentence = verbalise(intent, episode.situation());
        episode.speak(intent.kind());
        let sight = Sight::of(&task.board, episode.gripper());
        let act = follower.step(&sentence, &sight, &mut chance_of_follower);
        episode.act(act);
        let said = if sentence.is_silence() { "(silence)".to_owned() } else { format!("\"{sentence}\"") };
        let effort = f64::from(episode.ending().map_or(episode.effort_tenths(), |ending| ending.effort_tenths)) / 10.0;
        let plan = plan(&follower.plan());
        writeln!(
            out,
            "{:>2}. {said} [{intent}] -> {}; effort {effort:.1}; left of the plan: {plan}",
            episode.steps(),
            act.name()
        )?;
        if let Some(ending) = episode.ending() {
            break ending;
        }
    };
    out += &told(&task.board, &ending);
    Ok(out)
}

/// The actions that are left with the confidence in each.
fn plan(plan: &[(Act, f64)]) -> String {
    let actions: Vec<String> = plan.iter().map(|(act, confidence)| format!("{} {confidence:.2}", act.name())).collect();
    if actions.is_empty() { "nothing".to_owned() } else { actions.join(", ") }
}

/// The letter of a piece.
fn letter(piece: usize) -> char {
    char::from(b'a' + piece as u8)
}

fn legend(board: &Board, target: usize) -> String {
    let mut out = String::new();
    for piece in 0..board.pieces().len() {
        let mark = if piece == target { "  <- the target" } else { "" };
        let _ = writeln!(out, "{} {}{mark}", letter(piece), board.symbol(piece));
    }
    out += "[ ] the gripper, . an empty tile, ' ' an empty tile that the Follower does not see\n";
    out
}

/// The board with the gripper in brackets. What the Follower does not see is left blank where it is empty.
fn draw(board: &Board, gripper: Cell) -> String {
    let mut out = String::new();
    for y in 0..board.size() {
        // Each row begins with room for a bracket.
        let mut row = String::from(" ");
        for x in 0..board.size() {
            let cell = Cell::new(x, y);
            let seen = x.abs_diff(gripper.x) <= REACH && y.abs_diff(gripper.y) <= REACH;
            let tile = board.piece_at(cell).map_or(if seen { '.' } else { ' ' }, letter);
            let here = cell == gripper;
            // A bracket stands between this tile and the next.
            if here {
                row.pop();
                row.push('[');
            }
            row.push(tile);
            row.push(if here { ']' } else { ' ' });
        }
        let _ = writeln!(out, "{}", row.trim_end());
    }
    out
}

fn told(board: &Board, ending: &Ending) -> String {
    let end = match ending.taken {
        Some(piece) if ending.success => format!("took the target, the {}", board.symbol(piece)),
        Some(piece) => format!("took the wrong piece, the {}", board.symbol(piece)),
        None => format!("nothing was taken in {MOST_STEPS} steps"),
    };
    format!(
        "{end}: {} steps, effort {:.1}, reward {:.2} (as in the paper's table: {:.2})\n",
        ending.steps,
        ending.effort(),
        ending.reward(),
        ending.table_reward(),
    )
}

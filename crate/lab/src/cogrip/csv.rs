//! Episodes as a table for other programs, one a line.

use super::analysis::phi_name;
use super::batch::{Batch, Game};
use std::fmt::Write as _;
use tandem_cogrip::Intent;

/// The table: a line of names, then one line an episode.
pub fn lines(batch: &Batch, games: &[Game]) -> String {
    let intents = Intent::ALL.map(Intent::name).join(",");
    let mut out = format!("guide,follower,phi,repeat,task,success,taken,steps,effort,mR,mR_table,{intents}\n");
    for game in games {
        let Game { ending, .. } = game;
        let taken = ending.taken.map(|piece| piece.to_string()).unwrap_or_default();
        let _ = write!(
            out,
            "{},{},{},{},{},{},{taken},{},{:.1},{:.6},{:.6}",
            batch.makers[game.maker].name,
            game.autonomy.name(),
            phi_name(game.phi),
            game.repeat,
            game.task,
            u8::from(ending.success),
            ending.steps,
            ending.effort(),
            ending.reward(),
            ending.table_reward(),
        );
        game.intents.iter().for_each(|steps| {
            let _ = write!(out, ",{steps}");
        });
        out.push('\n');
    }
    out
}

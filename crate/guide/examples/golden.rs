//! Writes what the CPU makes of positions with trained weights, for other makers of the network to be compared with:
//! `encoder.safetensors`, `head.safetensors` and `golden.json` in the folder that is named.
//!
//! `golden.json` has `episodes`, each with its board's `tiles` and `steps` (`x`, `y`, `logits`, `value`), and `map`: the
//! logits and the value of a first step with the gripper on each tile of the first episode's board.

use rand::RngExt;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tandem_cogrip::{Cell, Split};
use tandem_core::Seed;
use tandem_guide::vision::{TILES, kinds};
use tandem_guide::{Cpu, Guide, weights};

const EPISODES: usize = 50;
const STEPS: usize = 10;
const SIDE: u8 = 21;
/// Whose network it is.
const FOLLOWER: &str = "eager-0.95";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err("name the folder to write to".into());
    };
    std::fs::create_dir_all(&folder)?;
    let trained = Path::new(env!("CARGO_MANIFEST_DIR")).join("weights");
    let copied = |name: &str, to: &str| -> std::io::Result<Vec<u8>> {
        let bytes = std::fs::read(trained.join(format!("{name}.safetensors")))?;
        std::fs::write(folder.join(to), &bytes)?;
        Ok(bytes)
    };
    let encoder = weights::read(&copied("encoder", "encoder.safetensors")?)?;
    let head = weights::read(&copied(FOLLOWER, "head.safetensors")?)?;
    let mut guide = Cpu::new(&encoder, &head);
    let mut chance = Seed::new(11)?.stream("paths");
    let tasks = Split::Val.tasks(Seed::new(3)?);
    let step = |guide: &mut Cpu, x: u8, y: u8| -> Result<Value, &'static str> {
        let output = guide.step(Cell::new(x, y)).ok_or("no episode has begun")?;
        Ok(json!({ "x": x, "y": y, "logits": output.logits, "value": output.value }))
    };
    let mut episodes = Vec::with_capacity(EPISODES);
    for task in tasks.iter().take(EPISODES) {
        guide.begin(&task.board, task.target);
        let steps: Vec<Value> = (0..STEPS)
            .map(|_| step(&mut guide, chance.random_range(0..SIDE), chance.random_range(0..SIDE)))
            .collect::<Result<_, _>>()?;
        episodes.push(json!({ "tiles": kinds(&task.board, task.target), "steps": steps }));
    }
    let first = &tasks[0];
    let mut map = Vec::with_capacity(TILES);
    for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
        guide.begin(&first.board, first.target);
        map.push(step(&mut guide, x, y)?);
    }
    std::fs::write(folder.join("golden.json"), serde_json::to_vec(&json!({ "episodes": episodes, "map": map }))?)?;
    Ok(())
}

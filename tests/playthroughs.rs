//! Playthroughs: for every board a text file that shows, turn by turn, what each seat sees, does and says.
//!
//! They make a change of rules, planner or words visible in a review. `TANDEM_BLESS=1` writes them anew.

use std::fmt::Write;
use tandem_cogrip::view::Finished;
use tandem_cogrip::{Action, Cell, Cogrip};
use tandem_core::trace::{Recorded, Replay, Trace};
use tandem_core::{Digest, Seat, World};
use tandem_gnomes::{Gnomes, boards};
use tandem_tests::{as_kept, played};

fn of_gnomes(board: &str) -> String {
    let session = played::<Gnomes>(board, ["simulated", "comm"], 1);
    let replay = Replay::<Gnomes>::new(Trace::read(&session.trace()).unwrap()).unwrap();
    let mut text = format!("# {board}: a simulated human at seat 0, comm at seat 1, seed 1\n");
    let mut round = 0;
    for index in 0..replay.frames() {
        let frame = replay.frame(index).unwrap();
        let views = [Seat(0), Seat(1)].map(|seat| frame.world.view(seat));
        match &frame.event {
            Some(Recorded::Act { seat, action }) => writeln!(text, "{seat} does {action}").unwrap(),
            Some(Recorded::Say { seat, text: words }) => writeln!(text, "{seat} says {words:?}").unwrap(),
            _ => {}
        }
        if views[0].round != round {
            round = views[0].round;
            let treasure = |seat: usize| views[seat].treasure.map_or("unseen".into(), |cell| cell.to_string());
            writeln!(text, "\n## Round {round}: treasure {} for seat 0, {} for seat 1", treasure(0), treasure(1))
                .unwrap();
        }
        if !matches!(frame.event, Some(Recorded::Say { .. })) {
            let open = |seat: usize| views[seat].open.iter().map(|action| &action.name()[..1]).collect::<String>();
            let turn = views[0].turn.map_or("over".into(), |seat| seat.to_string());
            writeln!(text, "{} | open {} / {} | {turn}", views[0].token, open(0), open(1)).unwrap();
        }
    }
    writeln!(text, "\ndigest {}", Digest::hex(replay.digest())).unwrap();
    text
}

/// The board as text: a letter for each piece, a capital one for the target; `o` is the gripper.
fn drawn(world: &Cogrip) -> String {
    let episode = world.episode();
    let board = &episode.task().board;
    let tile = |x: u8, y: u8| {
        let cell = Cell::new(x, y);
        let letter = board.piece_at(cell).map(|piece| (piece, board.pieces()[piece].shape.name()));
        match letter {
            _ if cell == episode.gripper() => "o".to_owned(),
            None => ".".to_owned(),
            Some((piece, name)) if piece == episode.task().target => name.to_owned(),
            Some((_, name)) => name.to_lowercase(),
        }
    };
    let row = |y: u8| (0..board.size()).map(|x| tile(x, y)).collect::<String>();
    (0..board.size()).map(|y| row(y) + "\n").collect()
}

fn of_cogrip(board: &str) -> String {
    let session = played::<Cogrip>(board, ["heuristic", "eager"], 1);
    let replay = Replay::<Cogrip>::new(Trace::read(&session.trace()).unwrap()).unwrap();
    let mut text = format!("# {board}: the heuristic Guide and an eager Follower, seed 1\n");
    let mut round = 0;
    for index in 0..replay.frames() {
        let frame = replay.frame(index).unwrap();
        let views = [Seat(0), Seat(1)].map(|seat| frame.world.view(seat));
        let done = match &frame.event {
            Some(Recorded::Act { action, .. }) => serde_json::from_value(action.clone()).ok(),
            _ => None,
        };
        match done {
            Some(Action::Say(intent)) => {
                let sentence = views[1].heard.map(|sentence| sentence.to_string()).unwrap_or_default();
                writeln!(text, "step {} | Guide: {intent} {sentence:?}", views[0].step).unwrap();
            }
            Some(Action::Do(act)) => {
                let (gripper, effort) = (views[0].gripper, views[0].effort);
                writeln!(
                    text,
                    "       | Follower: {} | gripper [{}, {}], effort {effort}",
                    act.name(),
                    gripper.x,
                    gripper.y
                )
                .unwrap();
            }
            None => {}
        }
        if views[0].round != round || views[0].turn.is_none() {
            for finished in &views[0].finished[round.saturating_sub(1)..] {
                let Finished { success, steps, effort, reward, .. } = finished;
                writeln!(text, "success {success}, {steps} steps, effort {effort}, reward {reward:.4}").unwrap();
            }
            if views[0].turn.is_some() {
                round = views[0].round;
                let task = frame.world.episode().task();
                let target = task.board.symbol(task.target);
                writeln!(text, "\n## Round {round}: {target}\n\n{}", drawn(&frame.world)).unwrap();
            }
        }
    }
    writeln!(text, "\ndigest {}", Digest::hex(replay.digest())).unwrap();
    text
}

#[test]
fn every_board_has_its_playthrough() {
    let gnomes = boards::list().into_iter().map(|board| (format!("gnomes-{}", board.name), of_gnomes(&board.name)));
    let cogrip = tandem_cogrip::boards::list().into_iter();
    let cogrip = cogrip.map(|board| (format!("cogrip-{}", board.name), of_cogrip(&board.name)));
    let differs =
        |(name, text): &(String, String)| !as_kept(&format!("playthroughs/{}.txt", name.to_lowercase()), text);
    let wrong: Vec<String> = gnomes.chain(cogrip).filter(differs).map(|(name, _)| name).collect();
    assert!(wrong.is_empty(), "playthroughs differ: {wrong:?}; set TANDEM_BLESS=1 once if the change is meant");
}

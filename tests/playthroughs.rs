//! Playthroughs: for every board a text file that shows, turn by turn, what each seat sees, does and says.
//!
//! They make a change of rules, planner or words visible in a review. `TANDEM_BLESS=1` writes them anew.

use std::fmt::Write;
use tandem_core::trace::{Recorded, Replay, Trace};
use tandem_core::{Digest, Seat, World};
use tandem_gnomes::{Gnomes, boards};
use tandem_tests::played;

fn playthrough(board: &str) -> String {
    let session = played(board, ["simulated", "comm"], 1);
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

#[test]
fn every_board_has_its_playthrough() {
    let mut wrong = Vec::new();
    for board in boards::list() {
        let path = format!("{}/playthroughs/gnomes-{}.txt", env!("CARGO_MANIFEST_DIR"), board.name.to_lowercase());
        let text = playthrough(&board.name);
        if std::env::var_os("TANDEM_BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        if std::fs::read_to_string(&path).unwrap_or_default() != text {
            wrong.push(board.name);
        }
    }
    assert!(wrong.is_empty(), "playthroughs differ: {wrong:?}; set TANDEM_BLESS=1 once if the change is meant");
}

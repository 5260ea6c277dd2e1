//! What the trained Guide's network sees (section 3.5): an image of the whole board with two more channels.

use crate::language::Situation;
use crate::{Cell, Color};

/// The side of the boards the network knows.
pub const SIDE: usize = 21;
/// Red, green, blue, gripper, target.
pub const CHANNELS: usize = 5;
/// The numbers of an observation.
pub const LENGTH: usize = SIDE * SIDE * CHANNELS;

/// The observation: row by row, each tile's five channels together, so that tile (x, y) begins at `(y * 21 + x) * 5`.
/// The first three are the colour, 0 to 1, white where there is no piece; the fourth is 0 at the gripper and 1 elsewhere;
/// the fifth is 0 on the target's tiles and 1 elsewhere. `None` for a board of another size.
pub fn observe(Situation { board, target, gripper }: Situation) -> Option<[f32; LENGTH]> {
    if usize::from(board.size()) != SIDE {
        return None;
    }
    let mut image = [1.0; LENGTH];
    for (number, piece) in board.pieces().iter().enumerate() {
        for tile in piece.tiles() {
            let at = start(tile);
            image[at..at + 3].copy_from_slice(&share(piece.color));
            if number == target {
                image[at + 4] = 0.0;
            }
        }
    }
    image[start(gripper) + 3] = 0.0;
    Some(image)
}

fn start(cell: Cell) -> usize {
    (usize::from(cell.y) * SIDE + usize::from(cell.x)) * CHANNELS
}

fn share(color: Color) -> [f32; 3] {
    color.rgb().map(|part| f32::from(part) / 255.0)
}

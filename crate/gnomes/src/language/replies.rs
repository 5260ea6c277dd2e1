//! The agents' own words: requests, refusals, and answers from what their seat knows.

use super::lexicon::direction;
use super::tokens::tokens;
use crate::{Action, Cell, View};

/// Asks the partner for a step. `variant` picks the wording; any number will do.
pub fn request(action: Action, variant: usize) -> String {
    if action == Action::Stay {
        return ["Can you stay where you are?", "Could you wait this turn?", "Please pass this turn."][variant % 3]
            .into();
    }
    match variant % 4 {
        0 => format!("Can you go {action}?"),
        1 => format!("Could you move {action}, please?"),
        2 => format!("Please go {action} next."),
        _ => format!("Can you take us {action}?"),
    }
}

/// Says that the partner's wish is against a wall.
pub fn refusal(action: Action, variant: usize) -> String {
    match variant % 3 {
        0 => format!("I can't go {action}, there is a wall on my side."),
        1 => format!("There is a wall in my way, I cannot go {action}."),
        _ => format!("Sorry, {action} is blocked for me."),
    }
}

/// Answers a question from what the seat knows, and says what it does not.
pub fn answer(question: &str, view: &View) -> String {
    let words = tokens(question);
    let about = |set: &[&str]| words.iter().any(|word| set.contains(&word.as_str()));
    let asked: Vec<Action> = words.iter().filter_map(|word| direction(word)).collect();
    if about(&["treasure", "chest", "goal", "gold", "far", "close", "target", "prize", "loot"])
        || about(&["where"]) && asked.is_empty() && !about(&["wall", "walls", "i"])
    {
        return where_is_the_treasure(view);
    }
    if let Some(action) = asked.first() {
        return match view.open.contains(action) {
            true => format!("On my side {action} is open from here."),
            false => format!("On my side there is a wall {action} of here."),
        };
    }
    if about(&["wall", "walls", "blocked", "open", "side", "sides", "stuck", "moves"]) {
        return my_walls(view);
    }
    match view.treasure {
        Some(_) => format!("{} {}", where_is_the_treasure(view), my_walls(view)),
        None => format!("I don't see the treasure this round, you do. {}", my_walls(view)),
    }
}

fn where_is_the_treasure(view: &View) -> String {
    let Some(treasure) = view.treasure else {
        return "I don't see the treasure this round, only you do.".into();
    };
    let span = |steps: i16, more: &str, less: &str| match steps {
        0 => None,
        1.. => Some(format!("{steps} {more}")),
        _ => Some(format!("{} {less}", -steps)),
    };
    let across = span(i16::from(treasure.x) - i16::from(view.token.x), "to the right", "to the left");
    let along = span(i16::from(treasure.y) - i16::from(view.token.y), "down", "up");
    let way: Vec<String> = [across, along].into_iter().flatten().collect();
    format!("From here the treasure is {}.", way.join(" and "))
}

fn my_walls(view: &View) -> String {
    let open: Vec<&str> =
        Action::MOVES.into_iter().filter(|action| view.open.contains(action)).map(Action::name).collect();
    match open.as_slice() {
        [] => "From here I cannot move at all.".into(),
        [only] => format!("From here I can only go {only}."),
        [first @ .., last] => format!("From here I can go {} or {last}.", first.join(", ")),
    }
}

/// Where the sender says the treasure is, as seen from the token or on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    /// [`Action::Left`] or [`Action::Right`], if it says so.
    pub across: Option<Action>,
    /// [`Action::Up`] or [`Action::Down`], if it says so.
    pub along: Option<Action>,
    /// Named as a part of the board (corner, edge, side) rather than from the token.
    pub part: bool,
}

impl Hint {
    /// Whether `cell` agrees with the hint, the token being at `token` on a board of this size.
    pub fn fits(&self, cell: Cell, token: Cell, (width, height): (u8, u8)) -> bool {
        let beyond = |here: u8, there: u8, size: u8, direction: Option<Action>| {
            let middle = if self.part { (size - 1) as f32 / 2.0 } else { f32::from(here) };
            match direction {
                None => true,
                Some(Action::Right | Action::Down) => f32::from(there) > middle,
                Some(_) => f32::from(there) < middle,
            }
        };
        beyond(token.x, cell.x, width, self.across) && beyond(token.y, cell.y, height, self.along)
    }
}

/// The place a message gives for the treasure; `None` if it gives none.
pub fn place_hint(message: &str) -> Option<Hint> {
    let words = tokens(message);
    let has = |set: &[&str]| words.iter().any(|word| set.contains(&word.as_str()));
    if !has(&["treasure", "chest", "goal", "gold", "its", "it", "prize", "loot", "target"])
        || has(&["?", "where", "not", "isnt"])
    {
        return None;
    }
    let mut hint = Hint {
        across: None,
        along: None,
        part: has(&["corner", "edge", "side", "area", "top", "bottom", "upper", "lower"]),
    };
    for word in &words {
        match (direction(word), word.as_str()) {
            (Some(across @ (Action::Left | Action::Right)), _) => hint.across = hint.across.or(Some(across)),
            (Some(along), _) => hint.along = hint.along.or(Some(along)),
            (None, "top" | "upper" | "above" | "over") => hint.along = hint.along.or(Some(Action::Up)),
            (None, "bottom" | "lower" | "below" | "under" | "beneath" | "underneath") => {
                hint.along = hint.along.or(Some(Action::Down))
            }
            _ => {}
        }
    }
    (hint.across.is_some() || hint.along.is_some()).then_some(hint)
}

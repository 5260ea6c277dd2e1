//! From games to figures.

use super::game::Played;
use std::ops::Range;
use tandem_study::{
    Estimate, LEVEL, Pair, Proportion, StudyError, Variance, games_howell, mean, one_way, proportion, tukey_hsd, welch,
};

/// One agent's games and what they come to.
pub struct Condition {
    /// The agent.
    pub name: String,
    /// Its games.
    pub games: Vec<Played>,
    /// Turns of every round. A round that was given up counts with the turns it had.
    pub turns: Vec<Estimate>,
    /// How many games found the treasure of every round.
    pub completed: Vec<Proportion>,
    /// What the partner and the agent said.
    pub talk: [Talk; 2],
}

/// What one player said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Talk {
    /// Messages in a game.
    pub messages: Estimate,
    /// The mean length of a message in words; none without messages.
    pub words: Option<f64>,
}

impl Condition {
    /// The figures of these games, which all have the same number of rounds.
    ///
    /// # Errors
    /// There is no game.
    pub fn new(name: &str, games: Vec<Played>) -> Result<Self, StudyError> {
        let rounds = games.first().map_or(0, |game| game.rounds.len());
        let turns = (0..rounds).map(|round| mean(&turns_of(&games, round), LEVEL)).collect::<Result<_, _>>()?;
        let completed = |round: usize| {
            let found = games.iter().filter(|game| game.rounds[round].1).count();
            proportion(found as u64, games.len() as u64, LEVEL)
        };
        let completed = (0..rounds).map(completed).collect::<Result<_, _>>()?;
        let talk = [talk(&games, 0)?, talk(&games, 1)?];
        Ok(Self { name: name.to_owned(), games, turns, completed, talk })
    }

    /// Messages of the agent for each message of the partner; none if the partner is silent.
    pub fn messages_ratio(&self) -> Option<f64> {
        let [partner, agent] = self.talk.map(|talk| talk.messages.mean);
        (partner > 0.0).then(|| agent / partner)
    }

    /// Turns of these rounds of every game, all rounds together.
    fn pooled(&self, rounds: Range<usize>) -> Vec<f64> {
        rounds.flat_map(|round| turns_of(&self.games, round)).collect()
    }
}

fn turns_of(games: &[Played], round: usize) -> Vec<f64> {
    games.iter().map(|game| f64::from(game.rounds[round].0)).collect()
}

fn talk(games: &[Played], seat: usize) -> Result<Talk, StudyError> {
    let counts: Vec<f64> = games.iter().map(|game| game.words[seat].len() as f64).collect();
    let lengths: Vec<usize> = games.iter().flat_map(|game| game.words[seat].iter().copied()).collect();
    let words = (!lengths.is_empty()).then(|| lengths.iter().sum::<usize>() as f64 / lengths.len() as f64);
    Ok(Talk { messages: mean(&counts, LEVEL)?, words })
}

/// Do the conditions differ in turns, and which of them? Every round of every game is one observation, as in section
/// 5.1 of the paper. Welch's and Games and Howell's tests beside the usual ones do not suppose that the conditions
/// spread alike, which a planner and a random agent do not.
pub struct Tests {
    /// The rounds tested, in a report for programs: `rounds_1_4`, `all_rounds`, `round_1`, ...
    pub scope: String,
    /// The same for people.
    pub over: String,
    /// Fisher's analysis of variance.
    pub one_way: Variance,
    /// Tukey's test of all pairs.
    pub tukey: Vec<Pair>,
    /// Welch's analysis of variance; none where a condition does not vary at all.
    pub welch: Option<Variance>,
    /// Games and Howell's test of all pairs; none where two conditions do not vary at all.
    pub games_howell: Option<Vec<Pair>>,
}

/// The tests over rounds 1 to 4 together (the fifth is the paper's special case), over all rounds together, and of
/// every round by itself; those that can be made.
pub fn tests(conditions: &[Condition]) -> Vec<Tests> {
    let rounds = conditions.first().map_or(0, |condition| condition.turns.len());
    let mut scopes = vec![("all_rounds".to_owned(), "all rounds together".to_owned(), 0..rounds)];
    if rounds > 4 {
        scopes.insert(0, ("rounds_1_4".into(), "rounds 1 to 4 together".into(), 0..4));
    }
    scopes.extend((1..=rounds).map(|round| (format!("round_{round}"), format!("round {round}"), round - 1..round)));
    scopes
        .into_iter()
        .filter_map(|(scope, over, rounds)| {
            let groups: Vec<Vec<f64>> = conditions.iter().map(|one| one.pooled(rounds.clone())).collect();
            let (one_way, tukey) = (one_way(&groups).ok()?, tukey_hsd(&groups, LEVEL).ok()?);
            let (welch, games_howell) = (welch(&groups).ok(), games_howell(&groups, LEVEL).ok());
            Some(Tests { scope, over, one_way, tukey, welch, games_howell })
        })
        .collect()
}

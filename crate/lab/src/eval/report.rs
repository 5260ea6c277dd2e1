//! The report, for people and for programs.

use super::analysis::{Condition, Talk, Tests, tests};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use tandem_study::{Pair, TwoWayTable, Variance};

/// The report as one object.
///
/// # Errors
/// None that figures can bring about.
pub fn json(conditions: &[Condition]) -> anyhow::Result<Value> {
    if let [only] = conditions {
        return Ok(condition(only));
    }
    let mut by_name = Map::new();
    for one in conditions {
        by_name.insert(one.name.clone(), condition(one));
    }
    let (mut anova, mut welch) = (Map::new(), Map::new());
    let (mut tukey, mut games_howell) = (Vec::new(), Vec::new());
    for Tests { scope, one_way, tukey: pairs, welch: unequal, games_howell: unequal_pairs, .. } in tests(conditions) {
        anova.insert(scope.clone(), serde_json::to_value(one_way)?);
        welch.insert(scope.clone(), serde_json::to_value(unequal)?);
        tukey.extend(pairs.iter().map(|found| pair(&scope, conditions, found)));
        games_howell.extend(unequal_pairs.iter().flatten().map(|found| pair(&scope, conditions, found)));
    }
    Ok(json!({
        "conditions": by_name, "anova": anova, "tukey": tukey, "welch": welch, "games_howell": games_howell,
    }))
}

fn condition(one: &Condition) -> Value {
    let rounds = one.turns.iter().zip(&one.completed).enumerate().map(|(index, (turns, completed))| {
        json!({
            "round": index + 1,
            "turns_mean": turns.mean,
            "turns_ci95": turns.interval,
            "completed": completed.share,
        })
    });
    let said =
        |talk: &Talk| json!({ "mean": talk.messages.mean, "ci95": talk.messages.interval, "words_mean": talk.words });
    let [partner, agent] = &one.talk;
    json!({
        "rounds": rounds.collect::<Vec<Value>>(),
        "messages": { "partner": said(partner), "agent": said(agent), "agent_per_partner": one.messages_ratio() },
    })
}

fn pair(scope: &str, conditions: &[Condition], found: &Pair) -> Value {
    json!({
        "scope": scope,
        "first": conditions[found.first].name,
        "second": conditions[found.second].name,
        "difference": found.difference,
        "ci95": found.interval,
        "q": found.q,
        "df": found.df,
        "p": found.p,
    })
}

/// The report as tables.
///
/// # Errors
/// None that figures can bring about.
pub fn text(conditions: &[Condition], fewest: &[usize], title: &str) -> anyhow::Result<String> {
    let games = conditions.first().map_or(0, |one| one.games.len());
    let mut out = format!("{title}, {games} games an agent\n\nTurns per round: mean [95% interval]\n");
    let columns = (1..=fewest.len()).map(|round| format!("round {round}")).collect();
    let rows = conditions.iter().map(|one| (one.name.clone(), one.turns.clone())).collect();
    out += &TwoWayTable { corner: "agent".into(), columns, rows }.text();
    let fewest: Vec<String> = fewest.iter().map(ToString::to_string).collect();
    writeln!(out, "Fewest possible: {}\n\nRounds completed:", fewest.join(" "))?;
    for one in conditions {
        let shares = one.completed.iter().map(|share| format!("{:.1}%", 100.0 * share.share));
        writeln!(out, "{:<10} {}", one.name, shares.collect::<Vec<_>>().join("  "))?;
    }
    writeln!(out, "\nMessages per game: mean [95% interval], mean length in words")?;
    for one in conditions {
        let [partner, agent] = one.talk.map(|talk| said(&talk));
        write!(out, "{:<10} partner {partner}; agent {agent}", one.name)?;
        match one.messages_ratio() {
            Some(ratio) if ratio > 0.0 => writeln!(out, "; {ratio:.2} by the agent for one by the partner")?,
            _ => writeln!(out)?,
        }
    }
    if conditions.len() > 1 {
        let tests = tests(conditions);
        if tests.is_empty() {
            writeln!(out, "\nToo little varies for an analysis of variance.")?;
        }
        for found in &tests {
            write!(out, "\n{}", tested(found, conditions)?)?;
        }
    }
    Ok(out)
}

fn said(talk: &Talk) -> String {
    let Talk { messages, words } = talk;
    let interval = messages.interval.map(|[low, high]| format!(" [{low:.1}, {high:.1}]")).unwrap_or_default();
    let words = words.map(|words| format!(", {words:.1} words")).unwrap_or_default();
    format!("{:.1}{interval}{words}", messages.mean)
}

fn tested(found: &Tests, conditions: &[Condition]) -> Result<String, std::fmt::Error> {
    let mut out = format!("Turns in {}\nOne-way ANOVA: {}\n", found.over, variance(&found.one_way));
    pairs(&mut out, "Tukey HSD", &found.tukey, conditions)?;
    if let Some(welch) = &found.welch {
        writeln!(out, "Welch's ANOVA, for unequal spread: {}", variance(welch))?;
    }
    if let Some(found) = &found.games_howell {
        pairs(&mut out, "Games-Howell", found, conditions)?;
    }
    Ok(out)
}

fn pairs(out: &mut String, test: &str, found: &[Pair], conditions: &[Condition]) -> std::fmt::Result {
    for pair in found {
        let (first, second) = (&conditions[pair.first].name, &conditions[pair.second].name);
        let [low, high] = pair.interval;
        writeln!(out, "{test}: {first} - {second} = {:.2} [{low:.2}, {high:.2}], {}", pair.difference, chance(pair.p))?;
    }
    Ok(())
}

fn variance(found: &Variance) -> String {
    format!("F({}, {:.0}) = {:.2}, {}", found.df_groups, found.df_error, found.f, chance(found.p))
}

fn chance(p: f64) -> String {
    if p < 1e-4 { "p < 0.0001".into() } else { format!("p = {p:.4}") }
}

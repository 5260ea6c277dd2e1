//! The report, for people and for programs.

use super::analysis::{Fit, Group, Report, phi_name};
use super::batch::Batch;
use super::cli::Eval;
use super::paper::{self, Policy};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use tandem_cogrip::agents::{Autonomy, Readings};
use tandem_cogrip::{Kind, Order};
use tandem_study::Estimate;

/// The report as one object.
pub fn json(report: &Report) -> Value {
    let mut object = Map::new();
    object.insert("overall".into(), group(&report.overall));
    for follower in &report.followers {
        object.insert(follower.name(), group(follower));
    }
    let by_phi: Map<String, Value> = report.by_phi.iter().map(|one| (one.name(), group(one))).collect();
    object.insert("by_phi".into(), by_phi.into());
    object.into()
}

fn group(group: &Group) -> Value {
    let [reward, table_reward, success, length, effort] = group.estimates().map(|estimate| estimate.mean);
    json!({
        "mR": reward,
        "mR_table": table_reward,
        "mSR": success,
        "mEPL": length,
        "mEff": effort,
        "episodes": group.episodes,
        "intents": named(Kind::ALL.map(Kind::name), group.shares()),
    })
}

fn named<const N: usize>(names: [&str; N], shares: [f64; N]) -> Value {
    names.into_iter().zip(shares).map(|(name, share)| (name.to_owned(), json!(share))).collect::<Map<_, _>>().into()
}

/// What the figures show, as one object: intent shares (Figure 4), orders (Figure 5), silence (Figure 6), and the
/// shortest path.
pub fn figures(report: &Report) -> Value {
    let per_group = |of: &dyn Fn(&Group) -> Value| {
        report.rows().into_iter().map(|one| (one.name(), of(one))).collect::<Map<String, Value>>()
    };
    let intents = per_group(&|one| named(Kind::ALL.map(Kind::name), one.shares()));
    let orders =
        per_group(&|one| one.orders().map_or(Value::Null, |shares| named(Order::ALL.map(Order::name), shares)));
    let metrics = per_group(&|one| {
        let names = ["mR", "mR_table", "mSR", "mEPL", "mEff"];
        let estimate = |estimate: &Estimate| json!({ "mean": estimate.mean, "ci95": estimate.interval });
        names.into_iter().zip(one.estimates().map(estimate)).map(|(name, value)| (name.to_owned(), value)).collect()
    });
    let points = report.quiet.iter().map(|point| {
        json!({ "follower": point.autonomy, "phi": point.phi, "repeat": point.repeat, "silence": point.silence })
    });
    let lines = report.fits.iter().map(|Fit { phis: [least, most], line }| {
        let at = |phi: f64| json!({ "phi": phi, "silence": line.at(phi), "ci99": line.band(phi) });
        json!({
            "intercept": line.intercept,
            "slope": line.slope,
            "slope_ci99": line.slope_interval,
            "points": line.n,
            "from": at(*least),
            "to": at(*most),
        })
    });
    let steps = |estimate: &Estimate| json!({ "mean": estimate.mean, "sd": estimate.sd });
    json!({
        "metrics": metrics,
        "intents": intents,
        "orders": orders,
        "silence": { "points": points.collect::<Vec<_>>(), "lines": lines.collect::<Vec<_>>() },
        "shortest_path": { "drawn": steps(&report.shortest.drawn), "nearest": steps(&report.shortest.nearest) },
    })
}

/// The report as tables.
pub fn text(report: &Report, batch: &Batch, asked: &Eval, from: &str) -> String {
    let mut out = format!(
        "{} on {from} ({} tasks, each played {} times), seed {}: {} episodes\n",
        asked.guide,
        batch.tasks.len(),
        batch.repeats,
        asked.seed,
        report.overall.episodes,
    );
    if batch.makers.len() > 1 {
        let names: Vec<&str> = batch.makers.iter().map(|maker| maker.name).collect();
        let _ = writeln!(out, "the mean over {}, each fixed for the episode", names.join(", "));
    }
    if batch.readings != Readings::default() {
        let _ = writeln!(out, "readings changed from the default: {}", json!(batch.readings));
    }
    let policy = Policy::beside(&asked.guide);
    out += "\nTable 2: means [95% interval, over the tasks]\n";
    out += &table_2(report, policy);
    let shortest = &report.shortest;
    let steps = |estimate: &Estimate| format!("{:.2} (sd {:.2})", estimate.mean, estimate.sd);
    let [mean, sd] = paper::SHORTEST;
    let _ = writeln!(
        out,
        "Shortest path with the taking: {} to a tile drawn from the target's five, {} to the nearest; the paper {mean} \
         (sd {sd})",
        steps(&shortest.drawn),
        steps(&shortest.nearest),
    );
    out += "\nTable 3 and Figure 4: chance of an intent at a step\n";
    out += &table_3(report, policy);
    out += "\nFigure 5: preference orders among the references\n";
    out += &orders(report);
    out += "\nFigure 6: share of silent steps against phi, line and 99% band\n";
    for Fit { phis, line } in &report.fits {
        let at = |phi: f64| {
            let band = line.band(phi).map(|[low, high]| format!(" [{low:.3}, {high:.3}]")).unwrap_or_default();
            format!("{:.3}{band} at {}", line.at(phi), phi_name(phi))
        };
        let slope = line.slope_interval.map(|[low, high]| format!(" [{low:.3}, {high:.3}]")).unwrap_or_default();
        let [least, most] = phis.map(at);
        let _ = writeln!(out, "{least}, {most}: slope {:.3}{slope}, {} points", line.slope, line.n);
    }
    if report.fits.is_empty() {
        out += "a line needs two discounts of one lot: 0.75, 0.85, or 0.90, 0.95, 0.97, 0.99\n";
    }
    out
}

fn table_2(report: &Report, policy: Option<Policy>) -> String {
    let mut lines = vec![["", "mR (Eq. 4)", "mR (table)", "mSR", "mEPL", "mEff"].map(str::to_owned).to_vec()];
    for group in report.rows() {
        let cell = |estimate: &Estimate| match estimate.interval {
            Some([low, high]) => format!("{:.2} [{low:.2}, {high:.2}]", estimate.mean),
            None => format!("{:.2}", estimate.mean),
        };
        let [reward, table_reward, success, length, effort] = group.estimates().map(cell);
        lines.push(vec![title(group), reward, table_reward, success, length, effort]);
        if let Some((policy, [reward, success, length, effort])) = policy.and_then(|policy| {
            let row = match (group.autonomy, group.phi) {
                (Some(autonomy), Some(phi)) => policy.row_by_phi(autonomy, phi),
                _ => Some(policy.row(group.autonomy)),
            };
            Some((policy, row?))
        }) {
            let [reward, success, length, effort] =
                [reward, success, length, effort].map(|figure| format!("{figure:.2}"));
            lines.push(vec![beside(policy), String::new(), reward, success, length, effort]);
        }
    }
    aligned(&lines)
}

fn table_3(report: &Report, policy: Option<Policy>) -> String {
    let head = std::iter::once("").chain(Kind::ALL.map(Kind::name)).map(str::to_owned).collect();
    let mut lines = vec![head];
    let cells = |shares: [f64; 5]| shares.map(|share| format!("{share:.2}"));
    for group in report.rows() {
        lines.push(std::iter::once(title(group)).chain(cells(group.shares())).collect());
        let printed = policy.and_then(|policy| {
            let shares = match (group.autonomy, group.phi) {
                (Some(autonomy), Some(phi)) => policy.shares_by_phi(autonomy, phi),
                _ => policy.shares(group.autonomy),
            };
            Some(std::iter::once(beside(policy)).chain(cells(shares?)).collect())
        });
        lines.extend(printed);
    }
    aligned(&lines)
}

fn orders(report: &Report) -> String {
    let head = std::iter::once("").chain(Order::ALL.map(Order::name)).map(str::to_owned).collect();
    let mut lines: Vec<Vec<String>> = vec![head];
    for group in report.rows().into_iter().filter(|group| group.phi.is_none()) {
        if let Some(shares) = group.orders() {
            lines.push(std::iter::once(title(group)).chain(shares.map(|share| format!("{share:.2}"))).collect());
        }
    }
    if lines.len() == 1 { "there were no references\n".to_owned() } else { aligned(&lines) }
}

/// A row's name as people read it.
fn title(group: &Group) -> String {
    match (group.autonomy.map(Autonomy::name), group.phi) {
        (Some(_), Some(phi)) => format!("  phi {}", phi_name(phi)),
        (Some(name), None) => name.to_owned(),
        (None, _) => "overall".to_owned(),
    }
}

fn beside(policy: Policy) -> String {
    format!("    paper, {}", policy.name())
}

/// Columns in line: the first to the left, the others to the right.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| lines.iter().filter_map(|line| Some(line.get(column)?.chars().count())).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut out = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        let _ = writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    out
}

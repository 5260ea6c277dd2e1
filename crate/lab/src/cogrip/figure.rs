//! The figures: Table 2 by discount, Table 3 with Figure 4, Figure 5, Figure 6.

use super::analysis::{Fit, Group, Report, phi_name};
use super::chart::{COLOURS, Frame, Picture, stacked};
use tandem_cogrip::agents::Autonomy;
use tandem_cogrip::{Kind, Order};

/// Points of a band's edge.
const BAND_POINTS: usize = 24;

/// Every figure there is something to draw for: its name, and its SVG.
pub fn all(report: &Report, guide: &str) -> Vec<(&'static str, String)> {
    let mut figures = vec![
        ("metrics", metrics(report, guide)),
        ("intents", intents(report, guide)),
        ("silence", silence(report, guide)),
    ];
    figures.extend(orders(report, guide).map(|drawn| ("orders", drawn)));
    figures
}

/// Table 3 and, in its last row, Figure 4.
fn intents(report: &Report, guide: &str) -> String {
    let rows: Vec<(String, Vec<f64>)> =
        report.rows().into_iter().map(|group| (group.name(), group.shares().to_vec())).collect();
    stacked(&format!("{guide}: chance of an intent at a step"), &Kind::ALL.map(Kind::name), &rows)
}

/// Figure 5; none without references.
fn orders(report: &Report, guide: &str) -> Option<String> {
    let groups = report.rows().into_iter().filter(|group| group.phi.is_none());
    let rows: Vec<(String, Vec<f64>)> =
        groups.filter_map(|group| Some((group.name(), group.orders()?.to_vec()))).collect();
    let title = format!("{guide}: preference orders among the references");
    (!rows.is_empty()).then(|| stacked(&title, &Order::ALL.map(Order::name), &rows))
}

/// Success, reward, length and effort by discount, each with its interval.
fn metrics(report: &Report, guide: &str) -> String {
    let title = format!("{guide}: Table 2 by confidence discount");
    let mut picture = Picture::new(720.0, 520.0, &title);
    let phis: Vec<f64> = discounts(report);
    let titles = ["reward (Equation 4)", "success rate", "steps (dashes: shortest path)", "effort"];
    let spans = [(-1.1, 1.9), (0.0, 1.0), (0.0, 30.0), (0.0, 36.0)];
    for (number, (title, (low, high))) in titles.into_iter().zip(spans).enumerate() {
        let (left, top) = (48.0 + 360.0 * (number % 2) as f64, 64.0 + 236.0 * (number / 2) as f64);
        let frame = Frame { left, right: left + 296.0, top, bottom: top + 170.0, low, high };
        picture.text(left, top - 10.0, "start", title);
        picture.levels(&frame);
        if number == 2 {
            let y = frame.y(report.shortest.drawn.mean);
            for dash in 0..24 {
                let at = |share: f64| frame.x((f64::from(dash) + share) / 24.0);
                picture.line(&[(at(0.0), y), (at(0.5), y)], "#444", 1.0);
            }
        }
        let place =
            |phi: f64| (phis.iter().position(|known| *known == phi).unwrap_or(0) as f64 + 0.5) / phis.len() as f64;
        for phi in &phis {
            picture.text(frame.x(place(*phi)), frame.bottom + 18.0, "middle", &phi_name(*phi));
        }
        for (autonomy, groups) in by_follower(report) {
            let series = autonomy as usize;
            let shift = 6.0 * series as f64 - 3.0;
            let estimate = |group: &Group| *[&group.reward, &group.success, &group.length, &group.effort][number];
            let at = |group: &&Group| {
                let x = frame.x(place(group.phi.unwrap_or_default())) + shift;
                (x, frame.y(estimate(group).mean))
            };
            let points: Vec<(f64, f64)> = groups.iter().map(at).collect();
            picture.line(&points, COLOURS[series], 1.0);
            for (group, (x, y)) in groups.iter().zip(points) {
                if let Some([from, to]) = estimate(group).interval {
                    picture.line(&[(x, frame.y(from)), (x, frame.y(to))], COLOURS[series], 2.0);
                }
                picture.mark(series, x, y);
            }
        }
    }
    legend(&mut picture, report);
    picture.text(704.0, 24.0, "end", &title);
    picture.text(378.0, 512.0, "middle", "confidence discount phi");
    picture.finish()
}

/// Figure 6.
fn silence(report: &Report, guide: &str) -> String {
    let title = format!("{guide}: share of silent steps by confidence discount, line and 99% band");
    let mut picture = Picture::new(720.0, 380.0, &title);
    let phis = discounts(report);
    let (least, most) = (phis.first().copied().unwrap_or(0.0), phis.last().copied().unwrap_or(1.0));
    let margin = 0.05 * (most - least).max(0.01);
    let x_of = |phi: f64| (phi - least + margin) / (most - least + 2.0 * margin);
    let frame = Frame { left: 56.0, right: 704.0, top: 48.0, bottom: 316.0, low: 0.0, high: 1.0 };
    picture.levels(&frame);
    for phi in &phis {
        picture.text(frame.x(x_of(*phi)), frame.bottom + 20.0, "middle", &phi_name(*phi));
    }
    for Fit { phis: [from, to], line } in &report.fits {
        let at = |number: usize| from + (to - from) * number as f64 / BAND_POINTS as f64;
        let within = |share: f64| frame.y(share.clamp(0.0, 1.0));
        let edge = |upper: usize, number: usize| {
            let phi = at(number);
            Some((frame.x(x_of(phi)), within(line.band(phi)?[upper])))
        };
        let low = (0..=BAND_POINTS).filter_map(|number| edge(0, number));
        let band: Vec<(f64, f64)> = low.chain((0..=BAND_POINTS).rev().filter_map(|number| edge(1, number))).collect();
        if !band.is_empty() {
            picture.shade(&band, "#444");
        }
        let end = |phi: f64| (frame.x(x_of(phi)), within(line.at(phi)));
        picture.line(&[end(*from), end(*to)], "#444", 1.5);
    }
    for point in &report.quiet {
        picture.mark(point.autonomy as usize, frame.x(x_of(point.phi)), frame.y(point.silence));
    }
    legend(&mut picture, report);
    picture.text(704.0, 24.0, "end", &title);
    picture.text(380.0, 364.0, "middle", "confidence discount phi");
    picture.finish()
}

/// Who is who.
fn legend(picture: &mut Picture, report: &Report) {
    for (number, (autonomy, _)) in by_follower(report).into_iter().enumerate() {
        let x = 56.0 + 110.0 * number as f64;
        picture.mark(autonomy as usize, x, 20.0);
        picture.text(x + 10.0, 24.0, "start", autonomy.name());
    }
}

fn by_follower(report: &Report) -> Vec<(Autonomy, Vec<&Group>)> {
    let followers = report.followers.iter().filter_map(|group| group.autonomy);
    followers
        .map(|autonomy| (autonomy, report.by_phi.iter().filter(|group| group.autonomy == Some(autonomy)).collect()))
        .collect()
}

/// The discounts, rising.
fn discounts(report: &Report) -> Vec<f64> {
    let mut phis: Vec<f64> = report.by_phi.iter().filter_map(|group| group.phi).collect();
    phis.sort_by(f64::total_cmp);
    phis.dedup();
    phis
}

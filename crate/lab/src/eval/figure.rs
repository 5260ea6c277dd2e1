//! Turns per round as a figure: one mark a condition and round with its interval, on a logarithmic scale, since a random
//! agent takes many times the turns of a planner.

use super::analysis::Condition;
use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 340.0;
/// Colours that people with any colour vision can tell apart (Okabe and Ito), each with its own mark.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];

/// The figure as SVG.
pub fn draw(conditions: &[Condition], fewest: &[usize], board: &str) -> String {
    let most = conditions.iter().flat_map(|one| &one.turns).map(|turns| turns.interval.map_or(turns.mean, |i| i[1]));
    let least = fewest.iter().copied().min().unwrap_or(1).max(1) as f64;
    let (low, high) = ((0.7 * least).ln(), (1.2 * most.fold(2.0 * least, f64::max)).ln());
    let y = |turns: f64| BOTTOM - (turns.max(0.7 * least).ln() - low) / (high - low) * (BOTTOM - TOP);
    let column = (WIDTH - LEFT - 16.0) / fewest.len().max(1) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\" role=\"img\">\n<title>Turns per round on board {}, mean and 95% interval</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        escape(board)
    );
    for tick in ticks(low.exp(), high.exp()) {
        let at = y(tick);
        let right = WIDTH - 16.0;
        let _ = writeln!(svg, "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/>");
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>", LEFT - 8.0, at + 4.0);
    }
    for (round, fewest) in fewest.iter().enumerate() {
        let (from, at) = (LEFT + column * round as f64, y(*fewest as f64));
        let (a, b) = (from + 0.12 * column, from + 0.88 * column);
        let _ = writeln!(svg, "<path d=\"M{a:.1} {at:.1}H{b:.1}\" stroke=\"#444\" stroke-dasharray=\"4 3\"/>");
        let (middle, below) = (from + 0.5 * column, BOTTOM + 20.0);
        let _ =
            writeln!(svg, "<text x=\"{middle:.1}\" y=\"{below}\" text-anchor=\"middle\">round {}</text>", round + 1);
    }
    for (index, one) in conditions.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let share = (index as f64 + 1.0) / (conditions.len() as f64 + 1.0);
        for (round, turns) in one.turns.iter().enumerate() {
            let x = LEFT + column * (round as f64 + 0.15 + 0.7 * share);
            if let Some([from, to]) = turns.interval {
                let (from, to) = (y(from), y(to));
                let _ = writeln!(svg, "<path d=\"M{x:.1} {from:.1}V{to:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>");
            }
            let _ = writeln!(svg, "{}", mark(index, x, y(turns.mean), colour));
        }
        let x = LEFT + 110.0 * index as f64;
        let _ = writeln!(svg, "{}", mark(index, x + 6.0, 22.0, colour));
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"26\">{}</text>", x + 16.0, escape(&one.name));
    }
    let x = LEFT + 110.0 * conditions.len() as f64;
    let _ = writeln!(svg, "<path d=\"M{x} 22h20\" stroke=\"#444\" stroke-dasharray=\"4 3\"/>");
    let _ = writeln!(svg, "<text x=\"{}\" y=\"26\">fewest possible</text>", x + 26.0);
    let middle = 0.5 * (TOP + BOTTOM);
    let _ = writeln!(
        svg,
        "<text transform=\"translate(18 {middle}) rotate(-90)\" text-anchor=\"middle\">turns (logarithmic)</text>\n</svg>"
    );
    svg
}

/// A circle, a square or a diamond.
fn mark(index: usize, x: f64, y: f64, colour: &str) -> String {
    match index % 3 {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{colour}\"/>"),
        1 => format!("<path d=\"M{:.1} {:.1}h8v8h-8z\" fill=\"{colour}\"/>", x - 4.0, y - 4.0),
        _ => format!("<path d=\"M{x:.1} {:.1}l5.5 5.5l-5.5 5.5l-5.5 -5.5z\" fill=\"{colour}\"/>", y - 5.5),
    }
}

/// 1, 2, 5, 10, ... between two bounds.
fn ticks(low: f64, high: f64) -> impl Iterator<Item = f64> {
    let decades = (0..9).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
    decades.filter(move |tick| (low..=high).contains(tick))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

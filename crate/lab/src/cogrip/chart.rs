//! The pieces that the figures are drawn with.

use std::fmt::Write as _;

/// Colours that people with any colour vision can tell apart (Okabe and Ito).
pub const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];

/// The same for areas with black words on them.
const FILLS: [&str; 6] = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#d55e00"];

/// A picture in the making.
pub struct Picture(String);

impl Picture {
    /// An empty picture.
    pub fn new(width: f64, height: f64, title: &str) -> Self {
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
             font-size=\"13\" role=\"img\">\n<title>{title}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        ))
    }

    /// Words: `anchor` is start, middle or end.
    pub fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let _ = writeln!(self.0, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
    }

    /// A line along these points.
    pub fn line(&mut self, points: &[(f64, f64)], colour: &str, width: f64) {
        let path = path(points);
        let _ = writeln!(self.0, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>");
    }

    /// The inside of these points, half transparent.
    pub fn shade(&mut self, points: &[(f64, f64)], colour: &str) {
        let path = path(points);
        let _ = writeln!(self.0, "<path d=\"{path}Z\" fill=\"{colour}\" fill-opacity=\"0.2\"/>");
    }

    /// A bar from a corner.
    pub fn bar(&mut self, x: f64, y: f64, width: f64, height: f64, colour: &str) {
        let _ = writeln!(
            self.0,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\" stroke=\"#fff\"/>"
        );
    }

    /// The mark of a series: a circle or a square.
    pub fn mark(&mut self, series: usize, x: f64, y: f64) {
        let colour = COLOURS[series % COLOURS.len()];
        let _ = match series % 2 {
            0 => writeln!(self.0, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{colour}\"/>"),
            _ => writeln!(self.0, "<path d=\"M{:.1} {:.1}h8v8h-8z\" fill=\"{colour}\"/>", x - 4.0, y - 4.0),
        };
    }

    /// A level line across a frame, with its number.
    fn level(&mut self, frame: &Frame, value: f64) {
        let y = frame.y(value);
        self.line(&[(frame.left, y), (frame.right, y)], "#ddd", 1.0);
        let places = if frame.high - frame.low < 5.0 { (-frame.step().log10()).ceil().max(1.0) as usize } else { 0 };
        self.text(frame.left - 6.0, y + 4.0, "end", &format!("{value:.places$}"));
    }

    /// Level lines across a frame.
    pub fn levels(&mut self, frame: &Frame) {
        let step = frame.step();
        let first = (frame.low / step).ceil();
        let count = ((frame.high / step).floor() - first) as usize;
        // Adding a positive zero takes the sign from a negative one.
        (0..=count).for_each(|number| self.level(frame, (first + number as f64) * step + 0.0));
    }

    /// The finished picture.
    pub fn finish(self) -> String {
        self.0 + "</svg>\n"
    }
}

fn path(points: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (number, (x, y)) in points.iter().enumerate() {
        let _ = write!(path, "{}{x:.1} {y:.1}", if number == 0 { "M" } else { "L" });
    }
    path
}

/// Where a chart lies in a picture, and which values it spans upwards.
pub struct Frame {
    /// Its left edge.
    pub left: f64,
    /// Its right edge.
    pub right: f64,
    /// Its upper edge.
    pub top: f64,
    /// Its lower edge.
    pub bottom: f64,
    /// The value at the lower edge.
    pub low: f64,
    /// The value at the upper edge.
    pub high: f64,
}

impl Frame {
    /// The place of a value.
    pub fn y(&self, value: f64) -> f64 {
        self.bottom - (value - self.low) / (self.high - self.low) * (self.bottom - self.top)
    }

    /// The place of a share of the width.
    pub fn x(&self, share: f64) -> f64 {
        self.left + share * (self.right - self.left)
    }

    /// A round distance between level lines, of which there are three to seven.
    fn step(&self) -> f64 {
        let span = (self.high - self.low) / 3.0;
        let power = 10_f64.powf(span.log10().floor());
        [5.0, 2.0, 1.0].map(|digit| digit * power).into_iter().find(|step| *step <= span).unwrap_or(power)
    }
}

/// Rows of shares that add up to 1, as bars with a piece for each share.
pub fn stacked(title: &str, names: &[&str], rows: &[(String, Vec<f64>)]) -> String {
    const LEFT: f64 = 120.0;
    const WIDTH: f64 = 720.0;
    const ROW: f64 = 24.0;
    const TOP: f64 = 64.0;
    let mut picture = Picture::new(WIDTH, TOP + ROW * rows.len() as f64 + 12.0, title);
    picture.text(16.0, 22.0, "start", title);
    for (series, name) in names.iter().enumerate() {
        let x = LEFT + 98.0 * series as f64;
        picture.bar(x, 36.0, 14.0, 14.0, FILLS[series % FILLS.len()]);
        picture.text(x + 18.0, 48.0, "start", name);
    }
    for (number, (name, shares)) in rows.iter().enumerate() {
        let y = TOP + ROW * number as f64;
        picture.text(LEFT - 8.0, y + 15.0, "end", name);
        let mut x = LEFT;
        for (series, share) in shares.iter().enumerate() {
            let width = share * (WIDTH - LEFT - 16.0);
            if *share > 0.0 {
                picture.bar(x, y, width, ROW - 4.0, FILLS[series % FILLS.len()]);
            }
            if *share >= 0.05 {
                picture.text(x + width / 2.0, y + 15.0, "middle", &format!("{share:.2}"));
            }
            x += width;
        }
    }
    picture.finish()
}

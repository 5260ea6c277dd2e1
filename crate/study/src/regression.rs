//! A straight line through points, and how sure it is.

use crate::StudyError;
use crate::error::finite;
use crate::estimate::{Moments, check_level, t_quantile};
use serde::Serialize;

/// The line of least squares through some points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Regression {
    /// How many points.
    pub n: usize,
    /// Where the line is at 0.
    pub intercept: f64,
    /// How much it rises from one to the next.
    pub slope: f64,
    /// The interval for the slope of the population; `None` for two points, which any line fits.
    pub slope_interval: Option<[f64; 2]>,
    /// The standard deviation of the points about the line (n - 2 in the denominator); 0 for two points.
    pub residual_sd: f64,
    /// The mean of the x.
    pub x_mean: f64,
    /// The sum of squares of the x about their mean.
    pub x_squares: f64,
    /// Student's t for the level of the intervals; `None` for two points.
    pub t: Option<f64>,
}

impl Regression {
    /// The line's height at `x`.
    pub fn at(&self, x: f64) -> f64 {
        self.intercept + self.slope * x
    }

    /// The interval for the mean of y at `x` (the band drawn about a line; not where single points fall). `None` for
    /// two points.
    pub fn band(&self, x: f64) -> Option<[f64; 2]> {
        let spread = (1.0 / self.n as f64 + (x - self.x_mean).powi(2) / self.x_squares).sqrt();
        let half = self.t? * self.residual_sd * spread;
        Some([self.at(x) - half, self.at(x) + half])
    }
}

/// The line of least squares through `points` (x, y), with intervals at `level` by Student's t. They suppose that the
/// points scatter about the line alike everywhere, each by itself.
///
/// # Errors
/// Fewer than two points, one that is not finite, all x alike, or a level outside (0, 1).
pub fn regression(points: &[(f64, f64)], level: f64) -> Result<Regression, StudyError> {
    check_level(level)?;
    let (xs, ys): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    finite(&[&xs, &ys])?;
    let n = points.len();
    if n < 2 {
        return Err(StudyError::TooFew { what: "points".into(), given: n, needed: 2 });
    }
    let (x_mean, y_mean) = (Moments::of(&xs).mean, Moments::of(&ys).mean);
    let x_squares: f64 = xs.iter().map(|x| (x - x_mean).powi(2)).sum();
    if xs.iter().all(|x| *x == xs[0]) {
        let right = "a line needs points at two different x";
        return Err(StudyError::Parameter { name: "x of every point", value: xs[0], right });
    }
    let products: f64 = points.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    let slope = products / x_squares;
    let intercept = y_mean - slope * x_mean;
    let about = |(x, y): &(f64, f64)| (y - y_mean - slope * (x - x_mean)).powi(2);
    let free = n - 2;
    let residual_sd = if free == 0 { 0.0 } else { (points.iter().map(about).sum::<f64>() / free as f64).sqrt() };
    let t = if free == 0 { None } else { Some(t_quantile(1.0 - (1.0 - level) / 2.0, free as f64)?) };
    let slope_interval = t.map(|t| {
        let half = t * residual_sd / x_squares.sqrt();
        [slope - half, slope + half]
    });
    Ok(Regression { n, intercept, slope, slope_interval, residual_sd, x_mean, x_squares, t })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
    }

    /// Norris, from NIST's Statistical Reference Datasets, as (x, y).
    const NORRIS: [(f64, f64); 36] = [
        (0.2, 0.1),
        (337.4, 338.8),
        (118.2, 118.1),
        (884.6, 888.0),
        (10.1, 9.2),
        (226.5, 228.1),
        (666.3, 668.5),
        (996.3, 998.5),
        (448.6, 449.1),
        (777.0, 778.9),
        (558.2, 559.2),
        (0.4, 0.3),
        (0.6, 0.1),
        (775.5, 778.1),
        (666.9, 668.8),
        (338.0, 339.3),
        (447.5, 448.9),
        (11.6, 10.8),
        (556.0, 557.7),
        (228.1, 228.3),
        (995.8, 998.0),
        (887.6, 888.8),
        (120.2, 119.6),
        (0.3, 0.3),
        (0.3, 0.6),
        (556.8, 557.6),
        (339.1, 339.3),
        (887.2, 888.0),
        (999.0, 998.5),
        (779.0, 778.9),
        (11.1, 10.2),
        (118.3, 117.6),
        (229.2, 228.9),
        (669.1, 668.4),
        (448.9, 449.2),
        (0.5, 0.2),
    ];

    #[test]
    fn the_line_through_norris_is_the_certified_one() {
        let found = regression(&NORRIS, 0.95).unwrap();
        near(found.intercept, -0.262_323_073_774_029, 1e-11);
        near(found.slope, 1.002_116_818_020_45, 1e-13);
        near(found.residual_sd, 0.884_796_396_144_373, 1e-12);
        // The slope's certified standard error, times the t of 34 degrees of freedom at 97.5%.
        let [low, high] = found.slope_interval.unwrap();
        near((high - low) / 2.0, 4.297_968_481_999_37e-4 * 2.032_244_509, 1e-11);
        // At x = 0 the band is the interval of the intercept, whose standard error is certified too.
        let [low, high] = found.band(0.0).unwrap();
        near((high - low) / 2.0, 0.232_818_234_301_152 * 2.032_244_509, 1e-8);
    }

    /// Anscombe's first set: slope 0.5001, standard error 0.1179, about the line 1.237.
    #[test]
    fn the_band_is_narrowest_in_the_middle() {
        let xs = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let ys = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let points: Vec<(f64, f64)> = xs.into_iter().zip(ys).collect();
        let found = regression(&points, 0.99).unwrap();
        near(found.slope, 0.5001, 5e-5);
        near(found.intercept, 3.0001, 5e-5);
        near(found.residual_sd, 1.2366, 5e-5);
        // t of 9 degrees of freedom at 99.5% is 3.2498.
        let half = |x: f64| found.band(x).map(|[low, high]| (high - low) / 2.0).unwrap();
        near(half(9.0), 3.2498 * 1.2366 / 11_f64.sqrt(), 1e-3);
        near(half(4.0), 3.2498 * 1.2366 * (1.0 / 11.0 + 25.0 / 110.0_f64).sqrt(), 1e-3);
    }

    #[test]
    fn what_makes_no_line_is_refused() {
        assert!(regression(&[(1.0, 2.0)], 0.99).unwrap_err().to_string().contains("1 given, at least 2"));
        assert!(regression(&[(0.9, 2.0), (0.9, 3.0)], 0.99).unwrap_err().to_string().contains("two different x"));
        assert!(regression(&[(0.0, 1.0), (1.0, f64::NAN)], 0.99).unwrap_err().to_string().contains("observation 2"));
        assert!(regression(&[(0.0, 1.0), (1.0, 1.0)], 1.5).unwrap_err().to_string().contains("level"));
        let two = regression(&[(0.0, 1.0), (2.0, 5.0)], 0.99).unwrap();
        assert_eq!((two.slope, two.intercept, two.band(1.0), two.slope_interval), (2.0, 1.0, None, None));
    }

    proptest! {
        /// What all points have in common, a line, is found whatever lies about it evenly.
        #[test]
        fn a_line_added_to_the_points_is_added_to_the_line(
            points in prop::collection::vec((-10.0..10.0f64, -10.0..10.0f64), 3..30),
            slope in -3.0..3.0f64, intercept in -3.0..3.0f64,
        ) {
            prop_assume!(points.iter().any(|(x, _)| (x - points[0].0).abs() > 0.1));
            let plain = regression(&points, 0.99).unwrap();
            let moved: Vec<(f64, f64)> = points.iter().map(|(x, y)| (*x, y + intercept + slope * x)).collect();
            let moved = regression(&moved, 0.99).unwrap();
            prop_assert!((moved.slope - plain.slope - slope).abs() < 1e-6);
            prop_assert!((moved.intercept - plain.intercept - intercept).abs() < 1e-6);
            prop_assert!((moved.residual_sd - plain.residual_sd).abs() < 1e-6);
            let [low, high] = plain.band(0.0).unwrap();
            prop_assert!(low <= plain.at(0.0) && plain.at(0.0) <= high);
        }
    }
}

//! One figure and how sure it is.

use crate::StudyError;
use crate::error::finite;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The mean of some observations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// How many observations.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation (n - 1 in the denominator); 0 for a single one.
    pub sd: f64,
    /// The interval for the mean of the population; `None` for a single observation, which says nothing about spread.
    pub interval: Option<[f64; 2]>,
}

/// A share of successes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Proportion {
    /// How many succeeded.
    pub successes: u64,
    /// Of how many.
    pub trials: u64,
    /// The share, from 0 to 1.
    pub share: f64,
    /// The interval for the share of the population.
    pub interval: [f64; 2],
}

/// The mean with Student's t interval at `level` (0.95 for 95%).
///
/// The interval supposes that means of so many observations are about normal: fine for hundreds of turn counts, rough
/// for a handful of skewed ones.
///
/// # Errors
/// No observations, one that is not finite, or a level outside (0, 1).
pub fn mean(values: &[f64], level: f64) -> Result<Estimate, StudyError> {
    check_level(level)?;
    finite(&[values])?;
    let n = values.len();
    if n == 0 {
        return Err(StudyError::TooFew { what: "observations".into(), given: 0, needed: 1 });
    }
    let Moments { mean, variance } = Moments::of(values);
    if n == 1 {
        return Ok(Estimate { n, mean, sd: 0.0, interval: None });
    }
    let t = t_quantile(1.0 - (1.0 - level) / 2.0, (n - 1) as f64)?;
    let half = t * (variance / n as f64).sqrt();
    Ok(Estimate { n, mean, sd: variance.sqrt(), interval: Some([mean - half, mean + half]) })
}

/// A share with Wilson's score interval at `level`, which stays within 0 and 1 and keeps its promise also where
/// (nearly) all trials succeed (E. B. Wilson 1927, JASA 22; Brown, Cai, DasGupta 2001, Statistical Science 16).
///
/// # Errors
/// No trials, more successes than trials, or a level outside (0, 1).
pub fn proportion(successes: u64, trials: u64, level: f64) -> Result<Proportion, StudyError> {
    check_level(level)?;
    if trials == 0 {
        return Err(StudyError::TooFew { what: "trials".into(), given: 0, needed: 1 });
    }
    if successes > trials {
        let right = "it must not be more than the trials";
        return Err(StudyError::Parameter { name: "successes", value: successes as f64, right });
    }
    let z = Normal::standard().inverse_cdf(1.0 - (1.0 - level) / 2.0);
    let (n, share) = (trials as f64, successes as f64 / trials as f64);
    let centre = share + z * z / (2.0 * n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    // At both ends the bound is exactly 0 or 1; rounding must not carry it beyond, or leave it short.
    let low = if successes == 0 { 0.0 } else { (centre - half) / scale };
    let high = if successes == trials { 1.0 } else { (centre + half) / scale };
    Ok(Proportion { successes, trials, share, interval: [low, high] })
}

/// Mean and variance of one group, the variance by a second pass, which loses no digits.
pub(crate) struct Moments {
    pub mean: f64,
    /// With n - 1 in the denominator; 0 for a single observation.
    pub variance: f64,
}

impl Moments {
    pub fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Self { mean, variance: if n > 1.0 { squares / (n - 1.0) } else { 0.0 } }
    }
}

pub(crate) fn check_level(level: f64) -> Result<(), StudyError> {
    if level > 0.0 && level < 1.0 {
        Ok(())
    } else {
        Err(StudyError::Parameter { name: "level", value: level, right: "it must lie between 0 and 1, as 0.95" })
    }
}

/// Student's t below which a share `p` lies.
pub(crate) fn t_quantile(p: f64, df: f64) -> Result<f64, StudyError> {
    let right = "it must be positive";
    let t = StudentsT::new(0.0, 1.0, df).map_err(|_| StudyError::Parameter { name: "df", value: df, right })?;
    Ok(t.inverse_cdf(p))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
    }

    /// Dried weight of plants, the control group of R's PlantGrowth; `t.test` gives the interval.
    #[test]
    fn the_t_interval_is_the_one_of_the_t_test() {
        let control = [4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14];
        let found = mean(&control, 0.95).unwrap();
        near(found.mean, 5.032, 1e-12);
        near(found.sd, 0.583_091_4, 1e-7);
        // 5.032 -+ 2.262157 * 0.5830914 / sqrt(10)
        let [low, high] = found.interval.unwrap();
        near(low, 4.614_882, 1e-5);
        near(high, 5.449_118, 1e-5);
    }

    /// The quantiles that stand in every table of Student's t, at 97.5%.
    #[test]
    fn t_quantiles_are_those_of_the_tables() {
        for (df, expected) in [(1.0, 12.706), (2.0, 4.303), (5.0, 2.571), (10.0, 2.228), (30.0, 2.042), (120.0, 1.980)]
        {
            near(t_quantile(0.975, df).unwrap(), expected, 5e-4);
        }
    }

    /// Newcombe 1998 (Statistics in Medicine 17, table I), method 3.
    #[test]
    fn wilson_intervals_are_those_newcombe_printed() {
        for (successes, trials, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let found = proportion(successes, trials, 0.95).unwrap();
            near(found.interval[0], low, 5e-5);
            near(found.interval[1], high, 5e-5);
        }
    }

    #[test]
    fn bad_input_is_refused_by_name() {
        assert!(mean(&[], 0.95).unwrap_err().to_string().contains("0 given, at least 1"));
        assert!(mean(&[1.0, f64::NAN], 0.95).unwrap_err().to_string().contains("observation 2"));
        assert!(mean(&[1.0], 1.0).unwrap_err().to_string().contains("level is 1"));
        assert!(proportion(3, 2, 0.95).unwrap_err().to_string().contains("successes is 3"));
        assert!(proportion(0, 0, 0.95).is_err());
        assert_eq!(mean(&[3.0], 0.95).unwrap().interval, None);
    }

    proptest! {
        #[test]
        fn an_interval_holds_its_mean_and_moves_with_the_data(
            values in prop::collection::vec(-1e3..1e3f64, 2..40), shift in -1e3..1e3f64, scale in 0.1..10.0f64,
        ) {
            let plain = mean(&values, 0.95).unwrap();
            let [low, high] = plain.interval.unwrap();
            prop_assert!(low <= plain.mean && plain.mean <= high);
            let moved: Vec<f64> = values.iter().map(|value| value * scale + shift).collect();
            let [moved_low, moved_high] = mean(&moved, 0.95).unwrap().interval.unwrap();
            prop_assert!((moved_low - (low * scale + shift)).abs() < 1e-6);
            prop_assert!((moved_high - (high * scale + shift)).abs() < 1e-6);
            let [wide_low, wide_high] = mean(&values, 0.99).unwrap().interval.unwrap();
            prop_assert!(wide_low <= low && high <= wide_high);
        }

        #[test]
        fn a_share_lies_in_its_interval_and_mirrors(trials in 1u64..500, part in 0.0..=1.0f64) {
            let successes = (trials as f64 * part) as u64;
            let found = proportion(successes, trials, 0.95).unwrap();
            let mirror = proportion(trials - successes, trials, 0.95).unwrap();
            prop_assert!(0.0 <= found.interval[0] && found.interval[0] <= found.share);
            prop_assert!(found.share <= found.interval[1] && found.interval[1] <= 1.0);
            prop_assert!((found.interval[0] - (1.0 - mirror.interval[1])).abs() < 1e-12);
        }
    }
}

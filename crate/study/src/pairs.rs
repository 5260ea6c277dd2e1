//! Which conditions differ: all pairs at once, with the chance of a single false alarm held down over all of them.

use crate::anova::Within;
use crate::error::comparable;
use crate::estimate::{Moments, check_level};
use crate::{StudyError, range_quantile, range_tail};
use serde::Serialize;

/// The comparison of two groups.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The index of one group.
    pub first: usize,
    /// The index of the other; always larger.
    pub second: usize,
    /// The mean of the first less the mean of the second.
    pub difference: f64,
    /// The interval of the difference; all pairs' intervals hold together at the level asked for.
    pub interval: [f64; 2],
    /// The studentized difference, to be compared with the studentized range.
    pub q: f64,
    /// Degrees of freedom of the error.
    pub df: f64,
    /// The probability that any pair of equal means would differ so much.
    pub p: f64,
}

/// Tukey's honestly significant difference, in Kramer's form for groups of unequal size
/// (J. W. Tukey 1953; C. Y. Kramer 1956, Biometrics 12). Supposes that all groups spread alike.
/// Pairs come in the order (0, 1), (0, 2), (1, 2), ...
///
/// # Errors
/// Less than two groups of two observations each, an observation that is not finite, no spread at all, or a level
/// outside (0, 1).
pub fn tukey_hsd<G: AsRef<[f64]>>(groups: &[G], level: f64) -> Result<Vec<Pair>, StudyError> {
    comparable(groups)?;
    check_level(level)?;
    let Within { df_error, mean_square, .. } = Within::of(groups)?;
    let critical = range_quantile(1.0 - level, groups.len(), df_error)?;
    pairs(groups, |first, second| {
        let (n, m) = (first.len() as f64, second.len() as f64);
        Ok((0.5 * mean_square * (1.0 / n + 1.0 / m), df_error, critical))
    })
}

/// The test of Games and Howell (1976, Journal of Educational Statistics 1): Tukey's, with each pair's own variances
/// and Welch's degrees of freedom. For conditions that differ in spread, as a random agent and a planner do.
///
/// # Errors
/// As [`tukey_hsd`]; every pair must vary.
pub fn games_howell<G: AsRef<[f64]>>(groups: &[G], level: f64) -> Result<Vec<Pair>, StudyError> {
    comparable(groups)?;
    check_level(level)?;
    pairs(groups, |first, second| {
        let part = |group: &[f64]| Moments::of(group).variance / group.len() as f64;
        let (a, b) = (part(first), part(second));
        if a + b == 0.0 {
            return Err(StudyError::NoSpread);
        }
        let df = (a + b).powi(2) / (a * a / (first.len() as f64 - 1.0) + b * b / (second.len() as f64 - 1.0));
        Ok((0.5 * (a + b), df, range_quantile(1.0 - level, groups.len(), df)?))
    })
}

/// Compares all pairs. `scale` gives a pair's squared unit, its degrees of freedom and its critical value.
fn pairs<G: AsRef<[f64]>>(
    groups: &[G],
    scale: impl Fn(&[f64], &[f64]) -> Result<(f64, f64, f64), StudyError>,
) -> Result<Vec<Pair>, StudyError> {
    let mut found = Vec::new();
    for first in 0..groups.len() {
        for second in first + 1..groups.len() {
            let (a, b) = (groups[first].as_ref(), groups[second].as_ref());
            let difference = Moments::of(a).mean - Moments::of(b).mean;
            let (square, df, critical) = scale(a, b)?;
            let unit = square.sqrt();
            let q = difference.abs() / unit;
            let interval = [difference - critical * unit, difference + critical * unit];
            found.push(Pair { first, second, difference, interval, q, df, p: range_tail(q, groups.len(), df)? });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::anova::tests::PLANTS;
    use crate::{one_way, welch};
    use proptest::prelude::*;

    /// `TukeyHSD(aov(weight ~ group, PlantGrowth))` in R.
    #[test]
    fn plant_growth_is_as_r_has_it() {
        let found = tukey_hsd(&PLANTS, 0.95).unwrap();
        let expected = [
            (0.371, -0.320_216_1, 1.062_216_1, 0.390_871_1),
            (-0.494, -1.185_216_1, 0.197_216_1, 0.197_996_0),
            (-0.865, -1.556_216_1, -0.173_783_9, 0.012_006_4),
        ];
        assert_eq!(found.len(), expected.len());
        for (pair, (difference, low, high, p)) in found.iter().zip(expected) {
            assert!((pair.difference - difference).abs() < 1e-9, "{pair:?}");
            assert!((pair.interval[0] - low).abs() < 2e-6 && (pair.interval[1] - high).abs() < 2e-6, "{pair:?}");
            assert!((pair.p - p).abs() < 2e-7, "{pair:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Two groups: Tukey's test is the analysis of variance, that of Games and Howell is Welch's.
        #[test]
        fn two_groups_are_the_f_test(
            a in prop::collection::vec(0.0..9.0f64, 3..9), b in prop::collection::vec(2.0..11.0f64, 3..9),
        ) {
            let groups = [a, b];
            let (plain, unequal) = (one_way(&groups).unwrap().p, welch(&groups).unwrap().p);
            prop_assert!((tukey_hsd(&groups, 0.95).unwrap()[0].p - plain).abs() < 1e-8);
            prop_assert!((games_howell(&groups, 0.95).unwrap()[0].p - unequal).abs() < 1e-8);
        }

        /// An interval leaves out 0 exactly when the p-value is below the level.
        #[test]
        fn interval_and_p_agree(groups in prop::collection::vec(prop::collection::vec(0.0..9.0f64, 3..8), 3..4)) {
            for pair in tukey_hsd(&groups, 0.9).unwrap().into_iter().chain(games_howell(&groups, 0.9).unwrap()) {
                prop_assume!((pair.p - 0.1).abs() > 1e-6);
                let leaves_out_zero = pair.interval[0] > 0.0 || pair.interval[1] < 0.0;
                prop_assert_eq!(leaves_out_zero, pair.p < 0.1);
            }
        }
    }
}

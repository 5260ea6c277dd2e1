//! One-way analysis of variance.

use crate::StudyError;
use crate::error::comparable;
use crate::estimate::Moments;
use serde::Serialize;
use statrs::function::beta::beta_reg;

/// The outcome of an F test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Variance {
    /// The test statistic.
    pub f: f64,
    /// Degrees of freedom of the groups.
    pub df_groups: f64,
    /// Degrees of freedom of the error.
    pub df_error: f64,
    /// The probability of so large an F if all means are equal.
    pub p: f64,
}

/// Fisher's one-way analysis of variance: do the means of the groups differ, supposing that their spread is the same?
/// The variance of the group means is set against the variance within the groups.
///
/// # Errors
/// Less than two groups of two observations each, an observation that is not finite, or no spread at all.
pub fn one_way<G: AsRef<[f64]>>(groups: &[G]) -> Result<Variance, StudyError> {
    comparable(groups)?;
    let Within { total, df_error, mean_square } = Within::of(groups)?;
    let grand = groups.iter().flat_map(|group| group.as_ref()).sum::<f64>() / total;
    let between: f64 = groups
        .iter()
        .map(|group| group.as_ref().len() as f64 * (Moments::of(group.as_ref()).mean - grand).powi(2))
        .sum();
    let df_groups = (groups.len() - 1) as f64;
    let f = between / df_groups / mean_square;
    Ok(Variance { f, df_groups, df_error, p: f_tail(f, df_groups, df_error) })
}

/// Welch's one-way analysis of variance, which does not suppose that the groups spread alike
/// (B. L. Welch 1951, Biometrika 38). Each mean is weighed by how sure it is.
///
/// # Errors
/// As [`one_way`]; here every group must vary.
pub fn welch<G: AsRef<[f64]>>(groups: &[G]) -> Result<Variance, StudyError> {
    comparable(groups)?;
    let k = groups.len() as f64;
    let moments: Vec<(f64, Moments)> =
        groups.iter().map(|group| (group.as_ref().len() as f64, Moments::of(group.as_ref()))).collect();
    if moments.iter().any(|(_, group)| group.variance == 0.0) {
        return Err(StudyError::NoSpread);
    }
    let weights: Vec<f64> = moments.iter().map(|(n, group)| n / group.variance).collect();
    let all: f64 = weights.iter().sum();
    let grand = weights.iter().zip(&moments).map(|(weight, (_, group))| weight * group.mean).sum::<f64>() / all;
    let between =
        weights.iter().zip(&moments).map(|(weight, (_, group))| weight * (group.mean - grand).powi(2)).sum::<f64>()
            / (k - 1.0);
    let unsure: f64 =
        weights.iter().zip(&moments).map(|(weight, (n, _))| (1.0 - weight / all).powi(2) / (n - 1.0)).sum();
    let f = between / (1.0 + 2.0 * (k - 2.0) / (k * k - 1.0) * unsure);
    let (df_groups, df_error) = (k - 1.0, (k * k - 1.0) / (3.0 * unsure));
    Ok(Variance { f, df_groups, df_error, p: f_tail(f, df_groups, df_error) })
}

/// The spread within the groups, taken together.
pub(crate) struct Within {
    /// Observations in all.
    pub total: f64,
    /// Degrees of freedom: observations less groups.
    pub df_error: f64,
    /// The pooled variance.
    pub mean_square: f64,
}

impl Within {
    pub fn of<G: AsRef<[f64]>>(groups: &[G]) -> Result<Self, StudyError> {
        let total: usize = groups.iter().map(|group| group.as_ref().len()).sum();
        let df_error = (total - groups.len()) as f64;
        let squares: f64 =
            groups.iter().map(|g| Moments::of(g.as_ref()).variance * (g.as_ref().len() as f64 - 1.0)).sum();
        if squares == 0.0 {
            return Err(StudyError::NoSpread);
        }
        Ok(Self { total: total as f64, df_error, mean_square: squares / df_error })
    }
}

/// The upper tail of the F distribution, by the regularised incomplete beta function, without cancellation for large F.
pub(crate) fn f_tail(f: f64, df_groups: f64, df_error: f64) -> f64 {
    beta_reg(0.5 * df_error, 0.5 * df_groups, df_error / (df_error + df_groups * f))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Dried weight of plants under a control and two treatments: R's data set PlantGrowth (Dobson 1983).
    pub const PLANTS: [[f64; 10]; 3] = [
        [4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14],
        [4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69],
        [6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26],
    ];

    fn near(found: f64, expected: f64, relative: f64) {
        assert!((found - expected).abs() <= relative * expected.abs(), "{found} is not {expected}");
    }

    /// `aov` and `oneway.test` in R.
    #[test]
    fn plant_growth_is_as_r_has_it() {
        let plain = one_way(&PLANTS).unwrap();
        near(plain.f, 4.846_088, 1e-6);
        assert_eq!((plain.df_groups, plain.df_error), (2.0, 27.0));
        near(plain.p, 0.015_91, 1e-3);
        let welch = welch(&PLANTS).unwrap();
        near(welch.f, 5.181, 1e-4);
        near(welch.df_error, 17.128, 1e-4);
        near(welch.p, 0.017_39, 1e-3);
    }

    /// Printed tables of F, upper 5% and 1%.
    #[test]
    fn tails_of_f_are_those_of_the_tables() {
        for (groups, error, five, one) in [(1.0, 10.0, 4.96, 10.04), (2.0, 27.0, 3.35, 5.49), (4.0, 60.0, 2.53, 3.65)] {
            near(f_tail(five, groups, error), 0.05, 1e-2);
            near(f_tail(one, groups, error), 0.01, 1e-2);
        }
        // The paper's own result, section 5.1: F(2, 627) = 10.53, p < .01.
        assert!(f_tail(10.53, 2.0, 627.0) < 0.01);
        // For two degrees of freedom the tail is elementary: (1 + 2F/ν)^(-ν/2).
        near(f_tail(400.0, 2.0, 600.0), (1.0 + 800.0 / 600.0f64).powf(-300.0), 1e-9);
    }

    #[test]
    fn bad_input_is_refused_by_name() {
        let none: [[f64; 2]; 1] = [[1.0, 2.0]];
        assert!(one_way(&none).unwrap_err().to_string().contains("groups: 1 given"));
        assert!(one_way(&[vec![1.0, 2.0], vec![3.0]]).unwrap_err().to_string().contains("in group 2"));
        assert_eq!(one_way(&[[1.0, 1.0], [2.0, 2.0]]).unwrap_err(), StudyError::NoSpread);
        assert_eq!(welch(&[[1.0, 1.0], [2.0, 3.0]]).unwrap_err(), StudyError::NoSpread);
    }

    fn groups() -> impl Strategy<Value = Vec<Vec<f64>>> {
        prop::collection::vec(prop::collection::vec(0.0..50.0f64, 3..12), 2..5)
    }

    proptest! {
        #[test]
        fn f_does_not_care_for_units_or_order(mut data in groups(), shift in -9.0..9.0f64, scale in 0.5..9.0f64) {
            let before = one_way(&data).unwrap();
            let before_welch = welch(&data).unwrap();
            data.reverse();
            for value in data.iter_mut().flatten() {
                *value = *value * scale + shift;
            }
            let after = one_way(&data).unwrap();
            prop_assert!((before.f - after.f).abs() < 1e-6 * (1.0 + before.f));
            prop_assert!((before_welch.f - welch(&data).unwrap().f).abs() < 1e-6 * (1.0 + before_welch.f));
            prop_assert!((0.0..=1.0).contains(&after.p));
        }

        /// Two groups: F is the square of Student's t.
        #[test]
        fn two_groups_are_the_t_test(a in prop::collection::vec(0.0..9.0f64, 3..9), b in prop::collection::vec(0.0..9.0f64, 3..9)) {
            let (first, second) = (Moments::of(&a), Moments::of(&b));
            let (n, m) = (a.len() as f64, b.len() as f64);
            let pooled = ((n - 1.0) * first.variance + (m - 1.0) * second.variance) / (n + m - 2.0);
            let t = (first.mean - second.mean) / (pooled * (1.0 / n + 1.0 / m)).sqrt();
            let t_welch = (first.mean - second.mean) / (first.variance / n + second.variance / m).sqrt();
            let groups = [a, b];
            prop_assert!((one_way(&groups).unwrap().f - t * t).abs() < 1e-6 * (1.0 + t * t));
            prop_assert!((welch(&groups).unwrap().f - t_welch * t_welch).abs() < 1e-6 * (1.0 + t_welch * t_welch));
        }
    }
}

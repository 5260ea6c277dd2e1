//! The studentized range: how far apart the largest and the smallest of `k` means lie by chance alone.
//!
//! Let R be the range of k independent standard normal values and S the square root of an independent chi-squared
//! variable over its ν degrees of freedom. The studentized range is R / S, and
//!
//! ```text
//! P(R > w) = k ∫ φ(z) [ Φ(z)^(k-1) - (Φ(z) - Φ(z - w))^(k-1) ] dz
//! P(R / S > q) = ∫ g(s) P(R > q s) ds          g: the density of S
//! ```
//!
//! (H. O. Hartley 1942, Biometrika 32; the same integrals stand behind the tables of H. L. Harter 1960, Annals of
//! Mathematical Statistics 31.) Here is how they are computed.
//!
//! - **The tail, not the distribution function.** With b = Φ(z - w) and a = Φ(z) the bracket is
//!   `b Σ a^i (a - b)^(k-2-i)`: a sum of positive terms, so that a p-value of 1e-30 has as many digits as one of 0.05.
//! - **The trapezoidal rule over the whole line**, once over z and once over u = ln s. For analytic functions that
//!   vanish at both ends it converges exponentially (Trefethen and Weideman 2014, SIAM Review 56), and needs no tables
//!   of nodes.
//! - **Where the mass is.** In the far tail the outer integrand sits well below s = 1. It has one peak; that is found
//!   first, and the sum runs until the integrand has fallen by a factor of e^-40 on either side.

use crate::StudyError;
use statrs::function::erf::erfc;
use statrs::function::gamma::ln_gamma;
use std::f64::consts::{LN_2, PI, SQRT_2};

/// Terms smaller than e^-40 of the largest are left out.
const NEGLIGIBLE: f64 = 40.0;
/// Step of the inner sum over z, in standard deviations.
const INNER_STEP: f64 = 0.2;
/// Largest step of the outer sum over ln s.
const OUTER_STEP: f64 = 0.125;
/// Beyond this range of standard normal values the tail is below the smallest double.
const WIDEST: f64 = 53.0;

/// The probability that the studentized range of `groups` means with `df` degrees of freedom exceeds `q`.
/// `df` may be infinite. About ten significant digits, in the far tail too.
///
/// # Errors
/// Less than two groups, `df` below 1, or a `q` that is not a number.
pub fn range_tail(q: f64, groups: usize, df: f64) -> Result<f64, StudyError> {
    check(groups, df)?;
    if q.is_nan() {
        return Err(StudyError::Parameter { name: "q", value: q, right: "it must be a number" });
    }
    Ok(tail(q, groups, df))
}

/// The value that the studentized range exceeds with probability `p`: the critical value of Tukey's test at level
/// 1 - `p`.
///
/// # Errors
/// As [`range_tail`], or `p` outside (0, 1).
pub fn range_quantile(p: f64, groups: usize, df: f64) -> Result<f64, StudyError> {
    check(groups, df)?;
    if !(p > 0.0 && p < 1.0) {
        return Err(StudyError::Parameter { name: "p", value: p, right: "it must lie between 0 and 1" });
    }
    let (mut low, mut high) = (0.0, 4.0);
    while tail(high, groups, df) > p {
        low = high;
        high *= 2.0;
    }
    // Bisection: slow but it cannot go astray, and each step is a millisecond's work.
    while high - low > 1e-11 * high {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if tail(middle, groups, df) > p { low = middle } else { high = middle }
    }
    Ok(0.5 * (low + high))
}

fn check(groups: usize, df: f64) -> Result<(), StudyError> {
    if groups < 2 {
        return Err(StudyError::TooFew { what: "groups".into(), given: groups, needed: 2 });
    }
    if df >= 1.0 {
        Ok(())
    } else {
        Err(StudyError::Parameter { name: "df", value: df, right: "it must be at least 1" })
    }
}

fn tail(q: f64, groups: usize, df: f64) -> f64 {
    if q <= 0.0 {
        return 1.0;
    }
    if q.is_infinite() {
        return 0.0;
    }
    if df.is_infinite() {
        return normal_range_tail(q, groups);
    }
    let height = |u: f64| ln_density(u, df) + normal_range_tail(q * u.exp(), groups).ln();

    // The second factor falls with u and hardly moves below q s = 0.1; the first peaks at u = 0.
    let (mut left, mut right) = ((0.1 / q).ln().min(0.0), (WIDEST / q).ln().min(0.0));
    for _ in 0..40 {
        let (first, second) = (left + (right - left) / 3.0, right - (right - left) / 3.0);
        if height(first) < height(second) { left = first } else { right = second }
    }
    let peak = 0.5 * (left + right);
    let top = height(peak);
    let reach = |direction: f64| {
        let mut distance = 0.25 / df.sqrt();
        while height(peak + direction * distance) > top - NEGLIGIBLE {
            distance *= 1.25;
        }
        distance
    };
    let (below, above) = (reach(-1.0), reach(1.0));
    let steps = ((below + above) / OUTER_STEP).ceil().max(96.0);
    let step = (below + above) / steps;
    let sum: f64 = (0..=steps as u64).map(|i| height(peak - below + i as f64 * step).exp()).sum();
    (sum * step).min(1.0)
}

/// The logarithm of the density of u = ln S at `df` degrees of freedom.
fn ln_density(u: f64, df: f64) -> f64 {
    let a = 0.5 * df;
    // ln 2 + a ln a - a - ln Γ(a); by Stirling's series where the terms would cancel.
    let constant = if a < 20.0 {
        LN_2 + a * a.ln() - a - ln_gamma(a)
    } else {
        let inverse = 1.0 / a;
        let square = inverse * inverse;
        let series = inverse / 12.0 * (1.0 - square / 30.0 * (1.0 - square * 2.0 / 7.0));
        LN_2 + 0.5 * (a / (2.0 * PI)).ln() - series
    };
    // u - (e^2u - 1) / 2, which is near 0 near the peak.
    constant + df * (u - 0.5 * (2.0 * u).exp_m1())
}

/// P(R > w) for the range R of `groups` standard normal values.
fn normal_range_tail(w: f64, groups: usize) -> f64 {
    if w <= 0.0 {
        return 1.0;
    }
    if w > WIDEST {
        return 0.0;
    }
    let others = groups - 1;
    // The integrand lives around w / 2 where w is large; φ(z) bounds it on both sides.
    let (from, to) = (-9.0, 0.5 * w + 9.0 + (2.0 * (groups as f64).ln()).sqrt());
    let steps = ((to - from) / INNER_STEP).ceil() as u32;
    let mut sum = 0.0;
    for i in 0..=steps {
        let z = from + f64::from(i) * INNER_STEP;
        let (all, far) = (normal_below(z), normal_below(z - w));
        // Φ(z) - Φ(z - w), kept exact where both are near 1.
        let near = if z - w > 0.0 { normal_below(w - z) - normal_below(-z) } else { all - far };
        let mut power = 1.0;
        let mut bracket = 0.0;
        // Horner's scheme for Σ all^i near^(others-1-i).
        for _ in 0..others {
            bracket = bracket * near + power;
            power *= all;
        }
        sum += (-0.5 * z * z).exp() * far * bracket;
    }
    (groups as f64 * sum * INNER_STEP / (2.0 * PI).sqrt()).min(1.0)
}

/// Φ(z), with all its digits in the lower tail.
fn normal_below(z: f64) -> f64 {
    0.5 * erfc(-z / SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use statrs::distribution::{ContinuousCDF, StudentsT};

    fn near(found: f64, expected: f64, relative: f64) {
        assert!((found - expected).abs() <= relative * expected.abs(), "{found:e} is not {expected:e}");
    }

    /// Upper 5% and 1% points as printed in Harter's and every later table.
    #[test]
    fn the_quantiles_are_those_of_the_printed_tables() {
        let infinite = f64::INFINITY;
        for (groups, df, five, one) in [
            (2, 5.0, 3.64, 5.70),
            (3, 10.0, 3.88, 5.27),
            (4, 10.0, 4.33, 5.77),
            (5, 20.0, 4.23, 5.29),
            (3, 60.0, 3.40, 4.28),
            (10, 30.0, 4.82, 5.76),
            (3, infinite, 3.31, 4.12),
            (20, infinite, 5.01, 5.65),
        ] {
            for (p, expected) in [(0.05, five), (0.01, one)] {
                let found = range_quantile(p, groups, df).unwrap();
                assert!((found - expected).abs() <= 0.005_1, "k {groups}, df {df}, p {p}: {found} is not {expected}");
            }
        }
    }

    /// Upper 5% points in tables of three decimals.
    #[test]
    fn the_quantiles_are_those_of_finer_tables() {
        for (groups, df, five) in
            [(3, 20.0, 3.578), (2, 10.0, 3.151), (3, f64::INFINITY, 3.314), (5, 60.0, 3.977), (4, 120.0, 3.685)]
        {
            let found = range_quantile(0.05, groups, df).unwrap();
            assert!((found - five).abs() <= 0.000_51, "k {groups}, df {df}: {found} is not {five}");
        }
    }

    /// Values computed by others: SciPy's test file (mpmath, 25 digits), R's `ptukey` and `qtukey`.
    #[test]
    fn many_digits_agree_with_other_programs() {
        for (q, groups, df, below) in [
            (0.1, 3, 10.0, 0.002_752_056_066_233_833_6),
            (1.0, 3, 10.0, 0.235_109_189_421_280_56),
            (10.0, 3, 10.0, 0.999_908_236_635_449),
        ] {
            let found = range_tail(q, groups, df).unwrap();
            assert!((found - (1.0 - below)).abs() < 1e-10, "{found}");
        }
        near(1.0 - range_tail(4.0, 6, 5.0).unwrap(), 0.801_714_4, 1e-6);
        // Two groups and four degrees of freedom are elementary: x (1 + (1 - x²) / 2) with x² = 2/3 for q = 4.
        near(1.0 - range_tail(4.0, 2, 4.0).unwrap(), (2.0f64 / 3.0).sqrt() * 7.0 / 6.0, 1e-10);
        near(1.0 - range_tail(3.5, 5, 20.0).unwrap(), f64::from_bits(0x3feb_a1c5_d204_5191), 1e-9);
        near(range_quantile(0.05, 5, 20.0).unwrap(), f64::from_bits(0x4010_ed6b_d69a_2e08), 1e-6);
        let deciles =
            [1.574_255, 1.933_986, 2.237_255, 2.531_898, 2.842_588, 3.193_850, 3.623_645, 4.214_094, 5.238_196];
        for (index, expected) in deciles.into_iter().enumerate() {
            near(range_quantile(0.1 * (9 - index) as f64, 7, 5.0).unwrap(), expected, 2e-6);
        }
    }

    /// For two groups the studentized range is √2 times the absolute value of Student's t.
    #[test]
    fn two_groups_are_the_t_test_far_into_the_tail() {
        for df in [1.0, 2.5, 7.0, 40.0, 998.0, 100_000.0] {
            let t = StudentsT::new(0.0, 1.0, df).unwrap();
            for q in [0.01, 0.5, 2.0, 5.0, 12.0, 40.0] {
                let expected = 2.0 * t.sf(q / SQRT_2);
                if expected > 1e-300 {
                    near(range_tail(q, 2, df).unwrap(), expected, 1e-9);
                }
            }
        }
    }

    /// With infinitely many degrees of freedom and three groups the range has a known mean, 3 / √π; the integral of
    /// the tail is the mean.
    #[test]
    fn the_mean_range_of_three_is_known() {
        let step = 0.05;
        let sum: f64 = (1..400).map(|i| normal_range_tail(f64::from(i) * step, 3)).sum();
        near((sum + 0.5) * step, 3.0 / PI.sqrt(), 1e-10);
    }

    #[test]
    fn bad_parameters_are_refused() {
        assert!(range_tail(1.0, 1, 5.0).unwrap_err().to_string().contains("groups: 1 given"));
        assert!(range_tail(1.0, 3, 0.5).unwrap_err().to_string().contains("df is 0.5"));
        assert!(range_tail(f64::NAN, 3, 5.0).is_err());
        assert!(range_quantile(0.0, 3, 5.0).is_err());
        assert_eq!(range_tail(f64::INFINITY, 3, 5.0).unwrap(), 0.0);
        assert_eq!(range_tail(0.0, 3, 5.0).unwrap(), 1.0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn the_tail_falls_with_q_grows_with_the_groups_and_inverts(
            q in 0.05..30.0f64, more in 0.01..5.0f64, groups in 2usize..12, df in 1.0..2000.0f64,
        ) {
            let here = range_tail(q, groups, df).unwrap();
            prop_assert!((0.0..=1.0).contains(&here));
            prop_assert!(range_tail(q + more, groups, df).unwrap() <= here);
            prop_assert!(range_tail(q, groups + 1, df).unwrap() >= here * (1.0 - 1e-9));
            if here > 1e-12 && here < 0.999 {
                let back = range_quantile(here, groups, df).unwrap();
                prop_assert!((back - q).abs() < 1e-6 * q, "{} for {}", back, q);
            }
        }
    }
}

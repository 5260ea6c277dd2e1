//! Whether two ways of answering the same questions are right equally often.

use serde::Serialize;
use statrs::distribution::{Binomial, DiscreteCDF};

/// McNemar's test of two yes-or-no results on the same items.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct McNemar {
    /// Items on which only the first was right.
    pub only_first: u64,
    /// Items on which only the second was right.
    pub only_second: u64,
    /// The probability that equally good ones would differ so much, both sides.
    pub p: f64,
}

/// McNemar's test in its exact form: of the items on which the two differ, each is right on half if they are equally
/// good, so the smaller count is binomial (Q. McNemar 1947, Psychometrika 12). Exact for any number of items; with none
/// on which they differ p is 1.
pub fn mcnemar(only_first: u64, only_second: u64) -> McNemar {
    let (smaller, differ) = (only_first.min(only_second), only_first + only_second);
    // One half is a probability, so the distribution exists.
    let tail = Binomial::new(0.5, differ).map_or(1.0, |binomial| binomial.cdf(smaller));
    McNemar { only_first, only_second, p: (2.0 * tail).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `binom.test(b, b + c)$p.value` in R.
    #[test]
    fn p_is_that_of_the_binomial_test() {
        for (b, c, p) in [
            (0, 0, 1.0),
            (0, 6, 0.031_25),
            (1, 9, 0.021_484_375),
            (8, 2, 0.109_375),
            (5, 5, 1.0),
            (15, 5, 0.041_389_465_332_031_25),
        ] {
            assert!((mcnemar(b, c).p - p).abs() < 1e-10, "{b} {c}: {}", mcnemar(b, c).p);
            assert_eq!(mcnemar(b, c).p, mcnemar(c, b).p);
        }
    }
}

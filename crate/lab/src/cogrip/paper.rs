//! What the paper printed in its Tables 2 and 3, to stand beside what is measured here.

use tandem_cogrip::agents::{Autonomy, PHIS};

/// The policies of the paper's Table 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// "100% Silent".
    Silent,
    /// "100% Ref.".
    Reference,
    /// "PPO-Guide", the trained network.
    Ppo,
}

/// A row of Table 2: reward, success rate, length, effort.
pub type Row = [f64; 4];
/// A row of Table 3: silence, confirm, decline, directive, reference; 0 where the paper has a stroke.
pub type Shares = [f64; 5];

/// The shortest path on the test tasks, mean and standard deviation.
pub const SHORTEST: [f64; 2] = [11.65, 3.13];

impl Policy {
    /// The policy to compare a Guide of this name with.
    pub fn beside(guide: &str) -> Option<Self> {
        match guide {
            "silent" => Some(Self::Silent),
            "reference" => Some(Self::Reference),
            "heuristic" | "ppo" => Some(Self::Ppo),
            _ => None,
        }
    }

    /// Its name in the paper.
    pub fn name(self) -> &'static str {
        ["100% Silent", "100% Ref.", "PPO-Guide"][self as usize]
    }

    /// Its row of Table 2: for one Follower and all discounts, or for both.
    pub fn row(self, autonomy: Option<Autonomy>) -> Row {
        match (self, autonomy) {
            (Self::Silent, Some(Autonomy::Cautious)) => [0.00, 0.00, 30.00, 0.00],
            (Self::Silent, Some(Autonomy::Eager)) => [0.45, 0.23, 16.78, 0.00],
            (Self::Silent, None) => [0.23, 0.11, 23.39, 0.00],
            (Self::Reference, Some(Autonomy::Cautious)) => [-1.04, 0.00, 30.00, 34.8],
            (Self::Reference, Some(Autonomy::Eager)) => [0.86, 0.75, 18.57, 21.09],
            (Self::Reference, None) => [-0.09, 0.37, 24.29, 27.94],
            (Self::Ppo, Some(Autonomy::Cautious)) => [1.55, 0.94, 13.97, 10.72],
            (Self::Ppo, Some(Autonomy::Eager)) => [1.57, 0.91, 13.19, 8.72],
            (Self::Ppo, None) => [1.56, 0.92, 13.58, 9.72],
        }
    }

    /// Its row of Table 2 for one Follower and discount, which only the trained policies have.
    pub fn row_by_phi(self, autonomy: Autonomy, phi: f64) -> Option<Row> {
        const CAUTIOUS: [Row; 6] = [
            [1.52, 0.93, 15.02, 11.07],
            [1.47, 0.96, 14.13, 14.63],
            [1.59, 0.95, 13.87, 10.33],
            [1.57, 0.94, 13.67, 10.49],
            [1.57, 0.93, 13.27, 10.00],
            [1.57, 0.90, 13.88, 7.78],
        ];
        const EAGER: [Row; 6] = [
            [1.54, 0.92, 13.54, 10.04],
            [1.60, 0.89, 14.28, 6.15],
            [1.49, 0.92, 13.24, 11.67],
            [1.59, 0.92, 12.86, 8.39],
            [1.58, 0.90, 12.64, 7.28],
            [1.59, 0.93, 12.58, 8.76],
        ];
        self.by_phi([CAUTIOUS, EAGER], autonomy, phi)
    }

    /// Its row of Table 3, for one Follower and all discounts, or for both.
    pub fn shares(self, autonomy: Option<Autonomy>) -> Option<Shares> {
        let trained = match autonomy {
            Some(Autonomy::Cautious) => [0.27, 0.04, 0.00, 0.09, 0.60],
            Some(Autonomy::Eager) => [0.34, 0.06, 0.06, 0.09, 0.46],
            None => [0.31, 0.05, 0.03, 0.09, 0.53],
        };
        (self == Self::Ppo).then_some(trained)
    }

    /// Its row of Table 3 for one Follower and discount.
    pub fn shares_by_phi(self, autonomy: Autonomy, phi: f64) -> Option<Shares> {
        const CAUTIOUS: [Shares; 6] = [
            [0.27, 0.08, 0.00, 0.08, 0.56],
            [0.06, 0.08, 0.00, 0.09, 0.78],
            [0.29, 0.09, 0.00, 0.08, 0.53],
            [0.28, 0.00, 0.00, 0.09, 0.63],
            [0.30, 0.00, 0.00, 0.09, 0.61],
            [0.43, 0.00, 0.00, 0.09, 0.48],
        ];
        const EAGER: [Shares; 6] = [
            [0.25, 0.26, 0.03, 0.08, 0.38],
            [0.53, 0.01, 0.09, 0.08, 0.29],
            [0.16, 0.05, 0.11, 0.08, 0.59],
            [0.34, 0.00, 0.13, 0.09, 0.45],
            [0.42, 0.00, 0.00, 0.11, 0.47],
            [0.33, 0.02, 0.00, 0.08, 0.57],
        ];
        self.by_phi([CAUTIOUS, EAGER], autonomy, phi)
    }

    fn by_phi<T: Copy>(self, rows: [[T; 6]; 2], autonomy: Autonomy, phi: f64) -> Option<T> {
        let number = PHIS.iter().position(|known| *known == phi)?;
        (self == Self::Ppo).then_some(rows[autonomy as usize][number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No row is no number, which is near nothing.
    fn figure<const N: usize>(row: Option<[f64; N]>, column: usize) -> f64 {
        row.map_or(f64::NAN, |row| row[column])
    }

    /// The paper's means over the discounts follow from its rows, up to rounding; a slip of the pen would show here.
    #[test]
    fn the_rows_by_discount_average_to_the_rows_above_them() {
        for autonomy in Autonomy::ALL {
            for column in 0..4 {
                let rows = PHIS.map(|phi| figure(Policy::Ppo.row_by_phi(autonomy, phi), column));
                let mean = rows.iter().sum::<f64>() / 6.0;
                let printed = Policy::Ppo.row(Some(autonomy))[column];
                assert!((mean - printed).abs() < 0.0101, "{autonomy:?}, column {column}: {mean} and {printed}");
            }
            for column in 0..5 {
                let rows = PHIS.map(|phi| figure(Policy::Ppo.shares_by_phi(autonomy, phi), column));
                let mean = rows.iter().sum::<f64>() / 6.0;
                let printed = figure(Policy::Ppo.shares(Some(autonomy)), column);
                assert!((mean - printed).abs() < 0.0101, "{autonomy:?}, column {column}: {mean} and {printed}");
            }
        }
    }

    #[test]
    fn both_followers_are_the_mean_of_the_two() {
        for policy in [Policy::Silent, Policy::Reference, Policy::Ppo] {
            let [cautious, eager] = Autonomy::ALL.map(|autonomy| policy.row(Some(autonomy)));
            for (column, both) in policy.row(None).into_iter().enumerate() {
                assert!((0.5 * (cautious[column] + eager[column]) - both).abs() < 0.0101, "{policy:?} {column}");
            }
        }
    }
}

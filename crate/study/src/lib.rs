//! Statistics for studies of cooperation games: how sure a figure is, and whether conditions differ.
//!
//! # The tour
//!
//! [`mean`] and [`proportion`] turn observations into an [`Estimate`] with its interval.
//! [`one_way`] asks whether the means of several conditions differ at all, [`welch`] asks the same where their spread
//! differs too. [`tukey_hsd`] and [`games_howell`] then say which pairs differ; both rest on the studentized range,
//! whose tail is [`range_tail`]. [`regression`] lays a line through points, with the band about it. [`TwoWayTable`] prints
//! conditions by rounds. [`mcnemar`] compares two ways of answering the same questions.
//!
//! Everything here is a pure function of its numbers. Distributions come from `statrs` where it has them.

mod anova;
mod error;
mod estimate;
mod mcnemar;
mod pairs;
mod range;
mod regression;
mod table;

pub use anova::{Variance, one_way, welch};
pub use error::StudyError;
pub use estimate::{Estimate, Proportion, mean, proportion};
pub use mcnemar::{McNemar, mcnemar};
pub use pairs::{Pair, games_howell, tukey_hsd};
pub use range::{range_quantile, range_tail};
pub use regression::{Regression, regression};
pub use table::TwoWayTable;

/// The level of every interval that does not say otherwise.
pub const LEVEL: f64 = 0.95;

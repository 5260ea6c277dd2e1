//! What can be wrong with the numbers of a study.

/// Observations from which the asked figure cannot be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StudyError {
    /// There are fewer groups or observations than the method needs.
    #[error("{what}: {given} given, at least {needed} needed")]
    TooFew {
        /// Of what: "groups", "observations in group 2".
        what: String,
        /// How many there are.
        given: usize,
        /// How many it takes.
        needed: usize,
    },
    /// An observation is infinite or not a number.
    #[error("group {group}, observation {index}: {value} is not a finite number")]
    NotFinite {
        /// The group, counted from 1.
        group: usize,
        /// The observation in the group, counted from 1.
        index: usize,
        /// The observation.
        value: f64,
    },
    /// All observations of every group are alike, so that there is no spread to measure differences by.
    #[error("the observations do not vary within any group; there is nothing to compare the differences with")]
    NoSpread,
    /// A parameter is outside its range.
    #[error("{name} is {value}; {right}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it must be, as half a sentence.
        right: &'static str,
    },
}

/// Refuses anything but finite numbers, naming the place.
pub(crate) fn finite<G: AsRef<[f64]>>(groups: &[G]) -> Result<(), StudyError> {
    for (group, values) in groups.iter().enumerate() {
        for (index, value) in values.as_ref().iter().enumerate() {
            if !value.is_finite() {
                return Err(StudyError::NotFinite { group: group + 1, index: index + 1, value: *value });
            }
        }
    }
    Ok(())
}

/// Refuses less than two groups of two observations.
pub(crate) fn comparable<G: AsRef<[f64]>>(groups: &[G]) -> Result<(), StudyError> {
    if groups.len() < 2 {
        return Err(StudyError::TooFew { what: "groups".into(), given: groups.len(), needed: 2 });
    }
    for (index, group) in groups.iter().enumerate() {
        let given = group.as_ref().len();
        if given < 2 {
            return Err(StudyError::TooFew { what: format!("observations in group {}", index + 1), given, needed: 2 });
        }
    }
    finite(groups)
}

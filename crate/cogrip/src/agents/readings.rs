//! How the Follower's description in section 4 is read where it leaves something open. Each choice can be changed, and
//! `docs/cogrip-calibration.md` shows what each of them does to the figures.

use super::plan::HORIZON;
use serde::{Deserialize, Deserializer, Serialize};

/// When a candidate counts as "already approached".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ApproachedWhen {
    /// As soon as it is chosen.
    Chosen,
    /// When the gripper gets there.
    Reached,
}

/// When an eager Follower with neither plan nor candidate walks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WanderWhen {
    /// Never: it waits.
    Never,
    /// When it knows something to look for.
    TargetKnown,
    /// Always.
    Always,
}

/// The readings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Readings {
    /// When a candidate is not gone for again.
    pub approached: ApproachedWhen,
    /// A Follower on its way to a candidate keeps to it as long as it agrees with what is known.
    pub keeps_goal: bool,
    /// The same for a piece it explores with nothing known.
    pub keeps_explored: bool,
    /// The same for the way to an area.
    pub keeps_walk: bool,
    /// With nothing that agrees in view, it walks to the known area also when it knows more than the area.
    pub walks_to_known_area: bool,
    /// Taking is the last action of an eager Follower's way to a candidate, with its confidence like the others; else it
    /// takes as soon as it is there.
    pub plans_take: bool,
    /// An eager Follower takes a tile that agrees with what is known also on its way to another one.
    pub takes_in_passing: bool,
    /// When an eager Follower walks about.
    pub wander: WanderWhen,
    /// For how many tiles, least and most.
    #[serde(deserialize_with = "tiles")]
    pub wander_tiles: (usize, usize),
}

impl Default for Readings {
    fn default() -> Self {
        Self {
            approached: ApproachedWhen::Reached,
            keeps_goal: true,
            keeps_explored: true,
            keeps_walk: true,
            walks_to_known_area: true,
            plans_take: true,
            takes_in_passing: false,
            wander: WanderWhen::Always,
            wander_tiles: (3, 5),
        }
    }
}

/// Reads how far to wander: from the least to the most, at least one tile and no more than a plan has.
fn tiles<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(usize, usize), D::Error> {
    let (least, most) = <(usize, usize)>::deserialize(deserializer)?;
    if 1 <= least && least <= most && most <= HORIZON {
        return Ok((least, most));
    }
    let right = format!("[least, most] has 1 <= least <= most <= {HORIZON}");
    Err(serde::de::Error::custom(format!("wander_tiles is [{least}, {most}]; {right}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wandering_has_a_least_and_a_most() {
        let read = |tiles: &str| serde_json::from_str::<Readings>(&format!("{{\"wander_tiles\":{tiles}}}"));
        assert_eq!(read("[2, 10]").unwrap().wander_tiles, (2, 10));
        for wrong in ["[5, 3]", "[0, 3]", "[3, 11]"] {
            assert!(read(wrong).unwrap_err().to_string().contains("1 <= least <= most <= 10"), "{wrong}");
        }
    }

    #[test]
    fn the_default_is_read_back() {
        let written = serde_json::to_string(&Readings::default()).unwrap();
        assert_eq!(serde_json::from_str::<Readings>(&written).unwrap(), Readings::default());
    }
}

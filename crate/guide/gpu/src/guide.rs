//! Episodes on a device: what [`tandem_guide::Guide`] is for the CPU, asynchronous and for many grippers at once.

use crate::network::{Memory, Network, Scene, outputs};
use burn::tensor::{Device, Tensor};
use tandem_cogrip::Cell;
use tandem_cogrip::observation::SIDE;
use tandem_guide::network::{Encoder, Head};
use tandem_guide::vision::Kind;
use tandem_guide::{Output, weights, weights::WeightsError};

/// Grippers in one go of the map: three rows of the board, so that 441 take seven goes of equal size, and the largest tensor of a go
/// stays far below what any GPU lends.
const BATCH: usize = 3 * SIDE;

/// What can go wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// There is no GPU to be had.
    #[error("no GPU: {0}")]
    Device(String),
    /// A weights file is not as it should be.
    #[error("the weights of the {0}: {1}")]
    Weights(&'static str, WeightsError),
    /// Not the tiles of a board that the network knows.
    #[error("a board has 441 tiles of the kinds 0 to 27, row by row")]
    Board,
    /// A step before an episode has begun.
    #[error("no episode has begun")]
    NotBegun,
    /// The gripper is not on the board.
    #[error("the gripper at [{0}, {1}] is not on the board of 21 x 21")]
    OffBoard(u8, u8),
    /// The GPU gave nothing back.
    #[error("the GPU gave nothing back: {0}")]
    Lost(String),
}

/// The Guide on a device.
pub struct GpuGuide {
    network: Network,
    scene: Option<Scene>,
    memory: Memory,
}

impl GpuGuide {
    /// From trained weights.
    pub fn new(encoder: &Encoder, head: &Head, device: &Device) -> Self {
        let network = Network::new(encoder, head, device);
        Self { memory: network.memory(1), network, scene: None }
    }

    /// From weights files.
    ///
    /// # Errors
    /// A file is not of its part of the network.
    pub fn read(encoder: &[u8], head: &[u8], device: &Device) -> Result<Self, GpuError> {
        let encoder = weights::read(encoder).map_err(|error| GpuError::Weights("encoder", error))?;
        let head = weights::read(head).map_err(|error| GpuError::Weights("head", error))?;
        Ok(Self::new(&encoder, &head, device))
    }

    /// A new episode on a board given by the kinds of its tiles (see [`tandem_guide::vision::kinds`]).
    ///
    /// # Errors
    /// The network does not know such a board.
    pub fn begin(&mut self, kinds: Vec<Kind>) -> Result<(), GpuError> {
        self.forget();
        self.scene = Some(self.network.scene(kinds).ok_or(GpuError::Board)?);
        Ok(())
    }

    /// A step of the episode, with the gripper where it is now. All is on its way when this returns: what it gives is
    /// waited for with [`Pending::output`].
    ///
    /// # Errors
    /// No episode has begun, or the gripper is not on the board.
    pub fn step(&mut self, gripper: Cell) -> Result<Pending, GpuError> {
        let scene = self.scene.as_ref().ok_or(GpuError::NotBegun)?;
        on_board(gripper)?;
        let features = self.network.features(scene, &[gripper]);
        Ok(Pending(vec![self.network.decide(features, &mut self.memory)]))
    }

    /// What the Guide would say if an episode began with the gripper on each of these tiles.
    ///
    /// # Errors
    /// No episode has begun, or a tile is not on the board.
    pub fn step_batch(&self, grippers: &[Cell]) -> Result<Pending, GpuError> {
        let scene = self.scene.as_ref().ok_or(GpuError::NotBegun)?;
        grippers.iter().try_for_each(|gripper| on_board(*gripper))?;
        let go = |grippers: &[Cell]| {
            let features = self.network.features(scene, grippers);
            self.network.decide(features, &mut self.network.memory(grippers.len()))
        };
        Ok(Pending(grippers.chunks(BATCH).map(go).collect()))
    }

    /// [`Self::step_batch`] for every tile of the board, row by row.
    ///
    /// # Errors
    /// No episode has begun.
    pub fn map(&self) -> Result<Pending, GpuError> {
        let tiles: Vec<Cell> =
            (0..SIDE * SIDE).map(|tile| Cell::new((tile % SIDE) as u8, (tile / SIDE) as u8)).collect();
        self.step_batch(&tiles)
    }

    /// The episode is over: nothing of it is remembered.
    pub fn forget(&mut self) {
        self.scene = None;
        self.memory = self.network.memory(1);
    }
}

fn on_board(gripper: Cell) -> Result<(), GpuError> {
    let on = |at: u8| usize::from(at) < SIDE;
    if on(gripper.x) && on(gripper.y) { Ok(()) } else { Err(GpuError::OffBoard(gripper.x, gripper.y)) }
}

/// Outputs that the device is still at.
pub struct Pending(Vec<Tensor<2>>);

impl Pending {
    /// Waits for all of them, and reads once.
    ///
    /// # Errors
    /// The device is lost.
    pub async fn outputs(self) -> Result<Vec<Output>, GpuError> {
        let Self(mut goes) = self;
        let whole = match goes.len() {
            0 => return Ok(Vec::new()),
            1 => goes.remove(0),
            _ => Tensor::cat(goes, 0),
        };
        let lost = |error: &dyn std::fmt::Display| GpuError::Lost(error.to_string());
        let data = whole.into_data_async().await.map_err(|error| lost(&error))?;
        let rows: Vec<f32> = data.try_into_vec().map_err(|error| lost(&error))?;
        Ok(outputs(&rows))
    }
}

//! The whole network, an encoder and a head, as one part: what is trained end to end.

use tandem_guide::network::{Encoder, Head, Part};

/// Both parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    /// What sees.
    pub encoder: Encoder,
    /// What decides.
    pub head: Head,
}

impl Whole {
    /// How many of its tensors are the encoder's; they come first.
    pub fn of_encoder() -> usize {
        Encoder::shapes().len()
    }
}

impl Part for Whole {
    fn shapes() -> Vec<(String, Vec<usize>)> {
        let mut shapes = Encoder::shapes();
        shapes.extend(Head::shapes());
        shapes
    }

    fn from_tensors(mut tensors: Vec<Vec<f32>>) -> Self {
        let head = tensors.split_off(Self::of_encoder().min(tensors.len()));
        Self { encoder: Encoder::from_tensors(tensors), head: Head::from_tensors(head) }
    }

    fn tensors(&self) -> Vec<&[f32]> {
        let mut tensors = self.encoder.tensors();
        tensors.extend(self.head.tensors());
        tensors
    }
}

//! Weights files: safetensors, half precision.

use crate::network::Part;
use half::f16;
use safetensors::{Dtype, SafeTensors, View};
use std::borrow::Cow;

/// What is wrong with a weights file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// Not a safetensors file, or not a whole one.
    #[error("no safetensors file: {0}")]
    Format(String),
    /// A tensor is not there.
    #[error("the tensor {0} is missing")]
    Missing(String),
    /// A tensor has another shape.
    #[error("the tensor {name} has the shape {found:?}, not {wanted:?}")]
    Shape {
        /// Its name.
        name: String,
        /// As it is.
        found: Vec<usize>,
        /// As it should be.
        wanted: Vec<usize>,
    },
    /// A tensor has numbers of another type.
    #[error("the tensor {0} has numbers of the type {1}; f16 and f32 are read")]
    Type(String, String),
    /// A number is infinite or none.
    #[error("the tensor {0} has a number that is not finite")]
    NotFinite(String),
    /// There are tensors that do not belong there.
    #[error("there is a tensor {0} that does not belong there")]
    Unknown(String),
}

/// Reads a part of the network.
///
/// # Errors
/// The file is not such a file, or not of this part.
pub fn read<P: Part>(bytes: &[u8]) -> Result<P, WeightsError> {
    let file = SafeTensors::deserialize(bytes).map_err(|error| WeightsError::Format(error.to_string()))?;
    let shapes = P::shapes();
    if let Some(unknown) = file.names().iter().find(|name| !shapes.iter().any(|(known, _)| known == *name)) {
        return Err(WeightsError::Unknown((*unknown).to_string()));
    }
    let mut tensors = Vec::with_capacity(shapes.len());
    for (name, wanted) in shapes {
        let tensor = file.tensor(&name).map_err(|_| WeightsError::Missing(name.clone()))?;
        if tensor.shape() != wanted {
            return Err(WeightsError::Shape { name, found: tensor.shape().to_vec(), wanted });
        }
        let numbers: Vec<f32> = match tensor.dtype() {
            Dtype::F16 => {
                tensor.data().chunks_exact(2).map(|two| f16::from_le_bytes([two[0], two[1]]).to_f32()).collect()
            }
            Dtype::F32 => tensor
                .data()
                .chunks_exact(4)
                .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
                .collect(),
            other => return Err(WeightsError::Type(name, format!("{other:?}"))),
        };
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(WeightsError::NotFinite(name));
        }
        tensors.push(numbers);
    }
    Ok(P::from_tensors(tensors))
}

/// Writes a part of the network in half precision.
///
/// # Errors
/// None that whole parts can bring about.
pub fn write<P: Part>(part: &P) -> Result<Vec<u8>, WeightsError> {
    let tensors = P::shapes().into_iter().zip(part.tensors()).map(|((name, shape), numbers)| {
        let data = numbers.iter().flat_map(|number| f16::from_f32(*number).to_le_bytes()).collect();
        (name, Halves { shape, data })
    });
    safetensors::serialize(tensors, None).map_err(|error| WeightsError::Format(error.to_string()))
}

/// A tensor of half-precision numbers, to be written.
struct Halves {
    shape: Vec<usize>,
    data: Vec<u8>,
}

impl View for Halves {
    fn dtype(&self) -> Dtype {
        Dtype::F16
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.data)
    }

    fn data_len(&self) -> usize {
        self.data.len()
    }
}

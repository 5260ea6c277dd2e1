//! The numbers that are trained, with what the optimizer remembers of each, and the file that keeps them.
//!
//! The idea: a part of the network is a list of flat tensors, in the order of its shapes. The gradient norm is clipped over
//! all of them together, as PPO wants it; burn's own clipping takes each tensor by itself. A file holds the numbers, Adam's
//! two moments and how far the run has come, all in full precision: a run that goes on from it goes on exactly.

use anyhow::{Context, Result};
use burn::optim::{Adam, AdamConfig, AdamState, AdaptiveMomentumState, Optimizer};
use burn::tensor::{Device, Gradients, Tensor, TensorData};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use std::collections::HashMap;
use std::path::Path;
use tandem_guide::network::Part;

/// Added to the root of the second moment, as the paper's library has it.
const EPSILON: f32 = 1e-5;

/// Flat tensors under training.
pub struct Parameters {
    names: Vec<String>,
    values: Vec<Tensor<1>>,
    states: Vec<Option<AdamState<1>>>,
    adam: Adam,
    device: Device,
}

impl Parameters {
    /// From names and numbers.
    pub fn new(tensors: Vec<(String, Vec<f32>)>, device: &Device) -> Self {
        let (names, numbers): (Vec<String>, Vec<Vec<f32>>) = tensors.into_iter().unzip();
        Self::untrained(names, numbers.into_iter().map(|numbers| flat(numbers, device)).collect(), device)
    }

    fn untrained(names: Vec<String>, values: Vec<Tensor<1>>, device: &Device) -> Self {
        let states = vec![None; values.len()];
        let adam = AdamConfig::new().with_epsilon(EPSILON).build();
        Self { names, values, states, adam, device: device.clone() }
    }

    /// A part of the network.
    pub fn of<P: Part>(part: &P, device: &Device) -> Self {
        let names = P::shapes().into_iter().map(|(name, _)| name);
        Self::new(names.zip(part.tensors().into_iter().map(<[f32]>::to_vec)).collect(), device)
    }

    /// The part they are.
    pub fn part<P: Part>(&self) -> P {
        P::from_tensors(self.values.iter().cloned().map(numbers).collect())
    }

    /// The same numbers, nothing remembered of their training.
    pub fn bare(&self) -> Self {
        Self::untrained(self.names.clone(), self.values.clone(), &self.device)
    }

    /// The same numbers with their gradients kept, for one pass.
    pub fn live(&self) -> Vec<Tensor<1>> {
        self.values.iter().map(|value| Tensor::from_inner(value.clone()).require_grad()).collect()
    }

    /// The numbers of one tensor.
    pub fn value(&self, at: usize) -> Tensor<1> {
        self.values[at].clone()
    }

    /// Puts a tensor in another's place: for what is measured, not trained.
    pub fn set(&mut self, at: usize, value: Tensor<1>) {
        self.values[at] = value;
    }

    /// One step of Adam down the gradient, which is first cut to a norm of `most`. Returns the norm before the cut.
    pub fn descend(&mut self, live: &[Tensor<1>], gradients: &Gradients, rate: f64, most: f32) -> f32 {
        let found: Vec<Option<Tensor<1>>> = live.iter().map(|tensor| tensor.grad(gradients)).collect();
        let squares =
            found.iter().flatten().map(|gradient| gradient.clone().powf_scalar(2.0).sum().into_scalar::<f32>());
        let norm = squares.map(f64::from).sum::<f64>().sqrt() as f32;
        let scale = if norm > most { most / norm } else { 1.0 };
        for (at, gradient) in found.into_iter().enumerate() {
            let Some(gradient) = gradient else { continue };
            let (value, state) =
                self.adam.step(rate, self.values[at].clone(), gradient.mul_scalar(scale), self.states[at].take());
            (self.values[at], self.states[at]) = (value, state);
        }
        norm
    }

    /// Writes them with words about the run. The file is put in its place whole or not at all.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, file: &Path, words: HashMap<String, String>) -> Result<()> {
        let mut tensors: Vec<(String, Vec<f32>)> = Vec::new();
        let mut words = words;
        for ((name, value), state) in self.names.iter().zip(&self.values).zip(&self.states) {
            tensors.push((name.clone(), numbers(value.clone())));
            if let Some(AdamState { momentum }) = state {
                tensors.push((format!("{name}/first"), numbers(momentum.moment_1.clone())));
                tensors.push((format!("{name}/second"), numbers(momentum.moment_2.clone())));
                words.insert(format!("{name}/time"), momentum.time.to_string());
            }
        }
        let bytes: Vec<(String, Vec<u8>)> = tensors
            .into_iter()
            .map(|(name, numbers)| (name, numbers.iter().flat_map(|number| number.to_le_bytes()).collect()))
            .collect();
        let views = bytes
            .iter()
            .map(|(name, data)| Ok((name, TensorView::new(Dtype::F32, vec![data.len() / 4], data)?)))
            .collect::<Result<Vec<_>>>()?;
        let whole = safetensors::serialize(views, Some(words.into_iter().collect()))?;
        let beside = file.with_extension("part");
        std::fs::write(&beside, whole).with_context(|| beside.display().to_string())?;
        std::fs::rename(&beside, file).with_context(|| file.display().to_string())
    }

    /// Reads what [`Parameters::save`] wrote of the same tensors, and the words about the run.
    ///
    /// # Errors
    /// The file cannot be read, or is of something else.
    pub fn load(&mut self, file: &Path) -> Result<HashMap<String, String>> {
        let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
        let (_, header) = SafeTensors::read_metadata(&bytes)?;
        let words: HashMap<String, String> =
            header.metadata().iter().flatten().map(|(name, word)| (name.clone(), word.clone())).collect();
        let tensors = SafeTensors::deserialize(&bytes)?;
        let read = |name: &str| -> Result<Tensor<1>> {
            let data = tensors.tensor(name).with_context(|| format!("{}: {name}", file.display()))?;
            let numbers =
                data.data().chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
            Ok(flat(numbers.collect(), &self.device))
        };
        for at in 0..self.names.len() {
            let name = &self.names[at];
            self.values[at] = read(name)?;
            self.states[at] = match words.get(&format!("{name}/time")) {
                Some(time) => {
                    let (first, second) = (read(&format!("{name}/first"))?, read(&format!("{name}/second"))?);
                    Some(AdamState::new(AdaptiveMomentumState::new(time.parse()?, first, second)))
                }
                None => None,
            };
        }
        Ok(words)
    }
}

/// A flat tensor of these numbers.
pub fn flat(numbers: Vec<f32>, device: &Device) -> Tensor<1> {
    let length = numbers.len();
    Tensor::from_data(TensorData::new(numbers, [length]), device)
}

/// The numbers of a tensor, in order.
pub fn numbers<const D: usize>(tensor: Tensor<D>) -> Vec<f32> {
    tensor.into_data_as::<f32>().try_into_vec().unwrap_or_default()
}

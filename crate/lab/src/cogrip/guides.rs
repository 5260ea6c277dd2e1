//! Guides by name.

use crate::failure::bad;
use tandem_cogrip::agents::{Always, Guide, Heuristic, Random, Silent};
use tandem_cogrip::{Intent, Order};

/// Makes Guides of one kind: every thread of a batch has one of its own.
pub struct Maker {
    /// What tells it from the others of a batch.
    pub name: &'static str,
    make: Box<dyn Fn() -> Box<dyn Guide> + Send + Sync>,
}

impl Maker {
    fn new<G: Guide + 'static>(name: &'static str, make: impl Fn() -> G + Send + Sync + 'static) -> Self {
        Self { name, make: Box::new(move || Box::new(make())) }
    }

    /// A new Guide.
    pub fn guide(&self) -> Box<dyn Guide> {
        (self.make)()
    }
}

/// The Guides that a name stands for: one, or for `reference` the six of which the mean is taken.
///
/// # Errors
/// There is no Guide of that name.
pub fn guide(name: &str) -> anyhow::Result<Vec<Maker>> {
    let by_order = |order: Order| Maker::new(order.name(), move || Always(Intent::Refer(order)));
    let maker = match name {
        "silent" => Maker::new("silent", || Silent),
        "random" => Maker::new("random", || Random),
        "heuristic" => Maker::new("heuristic", Heuristic::default),
        "reference" => return Ok(Order::ALL.map(by_order).into()),
        _ => match Order::ALL.into_iter().find(|order| order.name() == name) {
            Some(order) => by_order(order),
            None => {
                let orders = Order::ALL.map(Order::name).join(", ");
                let known = format!("silent, reference, {orders}, random, heuristic");
                return Err(bad(format_args!("there is no Guide {name:?}; there are {known}")));
            }
        },
    };
    Ok(vec![maker])
}

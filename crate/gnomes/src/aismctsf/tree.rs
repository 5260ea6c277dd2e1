//! The search tree: nodes in an arena, the children of a node side by side.

use super::Actions;

/// Room for nodes that a search begins with, if it may need it: enough for the usual search, little for a page.
const ROOM: usize = 1 << 16;

/// A node's place in the arena.
pub(super) type NodeId = u32;

/// A node: an action's outcome, with what was tried below it.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// How often it was visited (N in the paper).
    visits: u32,
    /// The place of its first child; zero while it has none.
    first_child: NodeId,
    /// The actions possible here; its children in this order.
    actions: Actions,
    /// Those of them that were never tried.
    untried: Actions,
    /// The sum of the returns sampled below it (T in the paper).
    total: f64,
}

/// What was found out about one action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branch {
    /// The action.
    pub action: u8,
    /// How often it was tried.
    pub visits: u32,
    /// The mean return after it; zero if it was never tried.
    pub value: f64,
    /// How likely the search held it to be the right one before it tried anything: all actions of a node alike.
    pub prior: f64,
}

/// The tree of a search.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    exploration: f64,
    /// `ln(n)` for every visit count that can occur: the same on every machine, which the system's `ln` is not.
    logs: Vec<f64>,
}

impl Tree {
    pub(super) const ROOT: NodeId = 0;

    pub(super) fn new(root_actions: Actions, iterations: u32, exploration: f64) -> Self {
        let mut nodes = Vec::with_capacity((1 + 6 * iterations as usize).min(ROOM));
        nodes.push(Node::default());
        let logs = (0..=iterations).map(|visits| libm::log(f64::from(visits.max(1)))).collect();
        let mut tree = Self { nodes, exploration, logs };
        tree.untried(Self::ROOT, || root_actions);
        tree
    }

    /// The actions never tried at a node. `actions` tells what is possible there, if the node has no children yet.
    pub(super) fn untried(&mut self, node: NodeId, actions: impl FnOnce() -> Actions) -> Actions {
        if self.nodes[node as usize].first_child == 0 {
            let actions = actions();
            let first_child = self.nodes.len() as NodeId;
            self.nodes.resize(self.nodes.len() + actions.count_ones() as usize, Node::default());
            let node = &mut self.nodes[node as usize];
            (node.first_child, node.actions, node.untried) = (first_child, actions, actions);
        }
        self.nodes[node as usize].untried
    }

    /// The action with the greatest upper confidence bound, `value + c sqrt(ln N(parent) / N(child))`. All were tried.
    pub(super) fn best_action(&self, node: NodeId) -> u8 {
        let log = self.logs[self.nodes[node as usize].visits as usize];
        let mut best = (f64::NEG_INFINITY, 0);
        for (action, child) in self.children(node) {
            let visits = f64::from(child.visits);
            let bound = child.total / visits + self.exploration * (log / visits).sqrt();
            if bound > best.0 {
                best = (bound, action);
            }
        }
        best.1
    }

    /// Takes note that an action is now tried at a node.
    pub(super) fn try_out(&mut self, node: NodeId, action: u8) {
        self.nodes[node as usize].untried &= !(1 << action);
    }

    /// The child by an action that is possible at the node.
    pub(super) fn child(&self, node: NodeId, action: u8) -> NodeId {
        let Node { first_child, actions, .. } = self.nodes[node as usize];
        first_child + (actions & ((1 << action) - 1)).count_ones()
    }

    pub(super) fn back_propagate(&mut self, path: &[NodeId], total: f64) {
        for node in path {
            let node = &mut self.nodes[*node as usize];
            node.visits += 1;
            node.total += total;
        }
    }

    fn children(&self, node: NodeId) -> impl Iterator<Item = (u8, &Node)> {
        let Node { first_child, actions, .. } = self.nodes[node as usize];
        let first = first_child as usize;
        let nodes = &self.nodes[first..first + actions.count_ones() as usize];
        let mut rest = actions;
        nodes.iter().map(move |node| {
            let action = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            (action, node)
        })
    }

    /// How many iterations were made.
    pub fn iterations(&self) -> u32 {
        self.nodes[Self::ROOT as usize].visits
    }

    /// What was found out about the actions after the given ones; empty if that was never looked into.
    pub fn branches(&self, after: &[u8]) -> Vec<Branch> {
        let mut node = Self::ROOT;
        for action in after {
            let Node { actions, .. } = self.nodes[node as usize];
            if actions & (1 << action) == 0 {
                return Vec::new();
            }
            node = self.child(node, *action);
        }
        let prior = 1.0 / f64::from(self.nodes[node as usize].actions.count_ones());
        let branch = |(action, child): (u8, &Node)| Branch {
            action,
            visits: child.visits,
            value: if child.visits == 0 { 0.0 } else { child.total / f64::from(child.visits) },
            prior,
        };
        self.children(node).map(branch).collect()
    }
}

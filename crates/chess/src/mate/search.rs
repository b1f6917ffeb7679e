//! The tree of attack and defence.

use shakmaty::zobrist::Zobrist128;
use shakmaty::{Chess, EnPassantMode, Move, Position};

use super::checks::Checks;
use super::ordering::{Ordering, Sorted};
use super::table::Table;

/// The node budget is spent.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutOfBudget;

/// A position and its key.
pub(super) struct Node {
    position: Chess,
    key: Zobrist128,
}

impl Node {
    pub(super) fn root(position: Chess) -> Node {
        let key = position.zobrist_hash(EnPassantMode::Legal);
        Node { position, key }
    }
}

/// One call's search.
pub(super) struct Search<'a> {
    table: &'a mut Table,
    ordering: &'a mut Ordering,
    nodes: u64,
    budget: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(table: &'a mut Table, ordering: &'a mut Ordering, budget: u64) -> Search<'a> {
        Search { table, ordering, nodes: 0, budget }
    }

    /// Moves played so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether `mv`, legal at the root, is the first move of a mate within `moves`.
    pub(super) fn mates_after(
        &mut self,
        root: &Node,
        mv: Move,
        moves: u8,
    ) -> Result<bool, OutOfBudget> {
        if moves == 1 {
            return Ok(mates(&self.play_only(&root.position, mv)?));
        }
        let child = self.play(root, mv)?;
        self.defence_loses(&child, moves - 1, 1)
    }

    fn count(&mut self) -> Result<(), OutOfBudget> {
        if self.nodes >= self.budget {
            return Err(OutOfBudget);
        }
        self.nodes += 1;
        Ok(())
    }

    fn play_only(&mut self, position: &Chess, mv: Move) -> Result<Chess, OutOfBudget> {
        self.count()?;
        let mut after = position.clone();
        after.play_unchecked(mv);
        Ok(after)
    }

    fn play(&mut self, node: &Node, mv: Move) -> Result<Node, OutOfBudget> {
        let position = self.play_only(&node.position, mv)?;
        let key = node
            .position
            .update_zobrist_hash(node.key, mv, EnPassantMode::Legal)
            .unwrap_or_else(|| position.zobrist_hash(EnPassantMode::Legal));
        Ok(Node { position, key })
    }

    /// Whether the side to move mates at once.
    fn mates_at_once(&mut self, position: &Chess) -> Result<bool, OutOfBudget> {
        let checks = Checks::new(position);
        for mv in position.legal_moves() {
            if checks.gives_check(position, mv) && mates(&self.play_only(position, mv)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the side to move mates within `moves`, at least 1.
    fn attack_wins(&mut self, node: &Node, moves: u8, ply: usize) -> Result<bool, OutOfBudget> {
        if moves == 1 {
            return self.mates_at_once(&node.position);
        }
        let bounds = self.table.get(node.key.0);
        if let Some(known) = bounds.decided(moves) {
            return Ok(known);
        }
        // A shorter mate takes a fraction of the work to find or to exclude.
        for fewer in bounds.refuted() + 1..moves {
            if self.attack_wins_in(node, fewer, ply)? {
                return Ok(true);
            }
        }
        self.attack_wins_in(node, moves, ply)
    }

    /// As [`Search::attack_wins`], where the table is known not to tell.
    fn attack_wins_in(&mut self, node: &Node, moves: u8, ply: usize) -> Result<bool, OutOfBudget> {
        if moves == 1 {
            let mate = self.mates_at_once(&node.position)?;
            self.table.add(node.key.0, moves, mate, None);
            return Ok(mate);
        }
        let (position, side) = (&node.position, node.position.turn());
        let checks = Checks::new(position);
        let first = self.table.get(node.key.0).best();
        let sorted = Sorted::new(position.legal_moves(), first, |mv| {
            self.ordering.attack(ply, side, mv, checks.gives_check(position, mv))
        });
        for (place, mv) in sorted {
            let child = self.play(node, mv)?;
            if self.defence_loses(&child, moves - 1, ply + 1)? {
                self.ordering.decided(ply, side, mv, moves);
                self.table.add(node.key.0, moves, true, Some(place));
                return Ok(true);
            }
        }
        self.table.add(node.key.0, moves, false, None);
        Ok(false)
    }

    /// Whether the side to move is mated already, or within `moves` moves of the other side
    /// whatever it replies.
    fn defence_loses(&mut self, node: &Node, moves: u8, ply: usize) -> Result<bool, OutOfBudget> {
        let (position, side) = (&node.position, node.position.turn());
        let mut first = None;
        if moves >= 2 {
            let bounds = self.table.get(node.key.0);
            if let Some(known) = bounds.decided(moves) {
                return Ok(known);
            }
            first = bounds.best();
        }
        let replies = position.legal_moves();
        if replies.is_empty() {
            return Ok(position.is_check());
        }
        let sorted = Sorted::new(replies, first, |mv| self.ordering.reply(ply, side, mv));
        for (place, mv) in sorted {
            let mated = if moves == 1 {
                let after = self.play_only(position, mv)?;
                self.mates_at_once(&after)?
            } else {
                let child = self.play(node, mv)?;
                self.attack_wins(&child, moves, ply + 1)?
            };
            if !mated {
                self.ordering.decided(ply, side, mv, moves);
                if moves >= 2 {
                    self.table.add(node.key.0, moves, false, Some(place));
                }
                return Ok(false);
            }
        }
        if moves >= 2 {
            self.table.add(node.key.0, moves, true, None);
        }
        Ok(true)
    }
}

/// Whether the side to move is mated.
fn mates(position: &Chess) -> bool {
    position.is_check() && position.legal_moves().is_empty()
}

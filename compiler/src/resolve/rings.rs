//! An order in which everything comes after what it needs, and the rings where there is none.
//!
//! Iterative, since a file may chain a hundred thousand values; linear in nodes and edges.

/// What [`order`] found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// All nodes, each after those it needs, except along rings; else in their own order.
    pub sorted: Vec<usize>,
    /// Rings, each node needing the next and the last one the first; no node is in two of them.
    pub rings: Vec<Vec<usize>>,
}

/// Orders the nodes `0..needs.len()`, where `needs[n]` are those that `n` needs.
#[must_use]
pub fn order(needs: &[Vec<usize>]) -> Order {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; needs.len()];
    let mut in_ring = vec![false; needs.len()];
    let mut found = Order::default();
    let mut path: Vec<(usize, usize)> = Vec::new();
    for start in 0..needs.len() {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::Open;
        path.push((start, 0));
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            let Some(next) = needs[node].get(*edge).copied() else {
                marks[node] = Mark::Done;
                found.sorted.push(node);
                path.pop();
                continue;
            };
            *edge += 1;
            match marks[next] {
                Mark::New => {
                    marks[next] = Mark::Open;
                    path.push((next, 0));
                }
                // A ring through a node that is in one already is not told again, and not walked again.
                Mark::Open if !in_ring[next] && !in_ring[node] => {
                    let from = path.iter().rposition(|(open, _)| *open == next).unwrap_or(0);
                    let ring: Vec<usize> = path[from..].iter().map(|(open, _)| *open).collect();
                    if ring.iter().all(|member| !in_ring[*member]) {
                        for member in &ring {
                            in_ring[*member] = true;
                        }
                        found.rings.push(ring);
                    }
                }
                Mark::Open | Mark::Done => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_comes_first() {
        let found = order(&[vec![2], vec![0, 2], vec![]]);
        assert_eq!(found, Order { sorted: vec![2, 0, 1], rings: vec![] });
    }

    #[test]
    fn rings_are_found_once() {
        let found = order(&[vec![1], vec![2], vec![0, 1], vec![3]]);
        assert_eq!(found.rings, [vec![0, 1, 2], vec![3]]);
        assert_eq!(found.sorted.len(), 4);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let needs: Vec<Vec<usize>> =
            (0..200_000).map(|n| if n < 199_999 { vec![n + 1] } else { vec![] }).collect();
        assert_eq!(order(&needs).sorted[0], 199_999);
    }
}

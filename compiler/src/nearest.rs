//! The name that was probably meant: one search for every "did you mean".
//!
//! A [`Nearest`] has a budget for a whole compilation, so that a file of nothing but unknown names stays linear: once
//! it is spent, nothing is offered any more. Same input, same offers.

/// The greatest edit distance of a near name.
const DISTANCE: usize = 2;
/// Longer names are not compared, in bytes.
const LONGEST: usize = 64;
/// Comparisons of characters in one compilation.
const BUDGET: u64 = 64_000_000;

/// Looks for near names until its budget is spent.
#[derive(Debug)]
pub struct Nearest {
    budget: u64,
}

impl Default for Nearest {
    fn default() -> Self {
        Self { budget: BUDGET }
    }
}

impl Nearest {
    /// The candidate nearest to `name`, the first of equals: one that differs in case only, else one within edit
    /// distance 2 (1 for names of three letters, none for shorter ones; two exchanged neighbors count 1).
    pub fn find<'n>(&mut self, name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        let wanted = lower(name)?;
        let most = match wanted.len() {
            0..=2 => 0,
            3 => 1,
            _ => DISTANCE,
        };
        let letters = mask(name);
        let mut best: Option<(usize, &'n str)> = None;
        for candidate in candidates {
            // Most candidates are far away: too long, or with other letters. A character has at most four bytes.
            let far = candidate.len().abs_diff(name.len()) > 4 * DISTANCE || {
                let others = mask(candidate);
                let missing = (letters & !others).count_ones().max((others & !letters).count_ones());
                missing as usize > most
            };
            let work = if far { 0 } else { wanted.len() * candidate.len() };
            self.budget = self.budget.checked_sub((candidate.len().min(LONGEST) + work) as u64 + 1)?;
            if far || candidate == name {
                continue;
            }
            let Some(other) = lower(candidate) else { continue };
            let limit = best.map_or(most, |(distance, _)| distance.saturating_sub(1).min(most));
            if best.is_some_and(|(distance, _)| distance == 0) {
                break;
            }
            if let Some(distance) = distance(&wanted, &other, limit) {
                best = Some((distance, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }
}

/// The ASCII letters and signs of a name, whatever their case, a bit each: an edit changes at most one of each side.
fn mask(name: &str) -> u64 {
    let plain = name.bytes().take(LONGEST).filter(u8::is_ascii).map(|byte| byte.to_ascii_lowercase());
    plain.fold(0, |mask, byte| mask | 1 << (byte & 63))
}

fn lower(name: &str) -> Option<Vec<char>> {
    (name.len() <= LONGEST).then(|| name.chars().flat_map(char::to_lowercase).collect())
}

/// The edits from `a` to `b`: insert, remove, exchange one, swap two neighbors; `None` above `limit`.
fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for row in 1..=a.len() {
        let mut line = vec![row; b.len() + 1];
        for column in 1..=b.len() {
            let same = a[row - 1] == b[column - 1];
            let mut value =
                (above[column - 1] + usize::from(!same)).min(above[column] + 1).min(line[column - 1] + 1);
            if row > 1 && column > 1 && a[row - 1] == b[column - 2] && a[row - 2] == b[column - 1] {
                value = value.min(before[column - 2] + 1);
            }
            line[column] = value;
        }
        if line.iter().all(|value| *value > limit) {
            return None;
        }
        before = std::mem::replace(&mut above, line);
    }
    above.last().copied().filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find<'n>(name: &str, candidates: &[&'n str]) -> Option<&'n str> {
        Nearest::default().find(name, candidates.iter().copied())
    }

    #[test]
    fn the_nearest_is_found() {
        assert_eq!(find("Idel", &["Idle", "Walk"]), Some("Idle"));
        assert_eq!(find("idle", &["Idel", "Idle"]), Some("Idle"));
        assert_eq!(find("IsWalkng", &["IsRunning", "IsWalking"]), Some("IsWalking"));
        assert_eq!(find("speed", &["sapeeds", "sped", "spee"]), Some("sped"));
        assert_eq!(find("é", &["É"]), Some("É"));
    }

    #[test]
    fn far_and_short_names_are_not_offered() {
        assert_eq!(find("Swim", &["Walk", "Run"]), None);
        assert_eq!(find("x", &["y"]), None);
        assert_eq!(find("abc", &["xyc"]), None);
        assert_eq!(find(&"x".repeat(100_000), &["x"]), None);
    }

    #[test]
    fn the_budget_ends() {
        let mut nearest = Nearest { budget: 40 };
        assert_eq!(nearest.find("Idel", ["Idle"]), Some("Idle"));
        assert_eq!(nearest.find("Idel", ["Jump", "Idle", "Idle"]), None);
    }
}

//! A small map of where the characters went, in letters.

use std::fmt;

const WIDTH: usize = 64;
const HEIGHT: usize = 24;
/// Meters a letter, across; letters are twice as high as wide.
const SCALE: f32 = 0.5;
/// Where the map begins, in meters.
const LEFT: f32 = -12.0;
const BOTTOM: f32 = -3.0;

pub(crate) struct Map([[char; WIDTH]; HEIGHT]);

impl Map {
    pub(crate) fn new() -> Self {
        Self([[' '; WIDTH]; HEIGHT])
    }

    /// Marks a place in meters; what is beyond the map is not shown.
    pub(crate) fn mark(&mut self, x: f32, z: f32, letter: char) {
        let (column, row) = ((x - LEFT) / SCALE, (z - BOTTOM) / (2.0 * SCALE));
        if column >= 0.0
            && row >= 0.0
            && let Some(cell) = self.0.get_mut(row as usize).and_then(|row| row.get_mut(column as usize))
        {
            *cell = letter;
        }
    }
}

impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let marked = |row: &&[char; WIDTH]| row.iter().any(|cell| *cell != ' ');
        let from = self.0.iter().take_while(|row| !marked(row)).count();
        let until = HEIGHT - self.0.iter().rev().take_while(|row| !marked(row)).count();
        for row in self.0.get(from..until).unwrap_or_default().iter().rev() {
            writeln!(f, "{}", row.iter().collect::<String>().trim_end())?;
        }
        Ok(())
    }
}

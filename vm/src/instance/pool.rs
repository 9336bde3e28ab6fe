//! The pool: where the playheads that fade out have their rows, and which one gives way where there is no room.
//!
//! All machines of an instance with crossfades share it. Each has places for as many as it may keep, and a place says
//! which row of the pool is its own. The pool has two rows for each of them, so a machine that keeps no more than that
//! never gives way to another. What is told of it is the concern of who makes room.

use super::track::row;
use super::view::View;
use crate::ids::MachineId;
use crate::program::layout::Layout;
use crate::program::tables::Behavior;
use crate::program::tracks::{OUTGOING, Track};

/// What a playhead that is to fade out finds.
pub(crate) enum Room {
    /// A row of the pool that is free.
    Free(usize),
    /// It may take the place of a lighter one: that row of that machine.
    Instead(MachineId, usize),
}

impl<'a> View<'a> {
    /// The first word of a row; `None` where nothing fades out in that place.
    #[inline]
    pub(crate) fn row(&self, track: &Track, index: usize) -> Option<usize> {
        match index.checked_sub(track.current) {
            None => Some(track.row(index)),
            Some(place) => {
                let row = self.place_in_pool(track, place)?;
                Some(self.layout.pool.row(row))
            }
        }
    }

    /// The row of the pool that belongs to a place of a track.
    pub(crate) fn place_in_pool(&self, track: &Track, place: usize) -> Option<usize> {
        let (at, shift) = self.layout.pool.entry(track, place)?;
        let row = self.word(at) >> shift & self.layout.pool.mask();
        (row as usize).checked_sub(1)
    }

    /// Whether anything of a track fades out.
    #[inline]
    pub(crate) fn has_outgoing(&self, track: &Track) -> bool {
        track.outgoing > 0 && (track.places..track.first).any(|at| self.word(at) != 0)
    }

    /// Behind the last row of a track that can be in use.
    #[inline]
    pub(crate) fn row_end(&self, track: &Track) -> usize {
        if self.has_outgoing(track) { track.rows() } else { track.current }
    }

    /// The rows of a track that fade out.
    pub(crate) fn outgoing(&self, track: &'a Track) -> impl Iterator<Item = usize> + use<'a> {
        let view = *self;
        (track.current..self.row_end(track)).filter(move |index| view.row(track, *index).is_some())
    }

    /// What of a track that fades out weighs together.
    pub(crate) fn outgoing_weight(&self, track: &'a Track) -> f64 {
        self.outgoing(track).map(|index| f64::from(self.own_weight(track, index))).sum()
    }

    /// A place of a track in which nothing fades out, as a row.
    pub(crate) fn free_place(&self, track: &Track) -> Option<usize> {
        (track.current..track.rows()).find(|index| self.row(track, *index).is_none())
    }

    /// Where a playhead of a track finds room to fade out with a weight; `None` where it is the lightest itself.
    ///
    /// A machine that has no place left gives way to itself. Where the pool is full, the machine that keeps the most
    /// does, the new one counted: it itself if others keep as many, else the first of them.
    pub(crate) fn room(&self, track: &'a Track, weight: f32) -> Option<Room> {
        let kept = self.outgoing(track).count();
        let mut from = track;
        if kept < OUTGOING {
            let pool = &self.layout.pool;
            if let Some(free) = (0..pool.rows).find(|free| self.word(pool.row(*free) + row::KEY) == 0) {
                return Some(Room::Free(free));
            }
            let mut most = kept + 1;
            for other in &self.layout.tracks {
                let count = self.outgoing(other).count();
                if count > most {
                    (from, most) = (other, count);
                }
            }
        }
        let own = |index: &usize| self.own_weight(from, *index);
        let lightest = self.outgoing(from).min_by(|a, b| own(a).total_cmp(&own(b)))?;
        let gives_way = from.machine != track.machine || own(&lightest) <= weight;
        gives_way.then_some(Room::Instead(from.machine, lightest))
    }
}

/// What fades out in a block, to be changed.
pub(crate) struct Outgoing<'a> {
    pub(crate) rows: &'a Behavior,
    pub(crate) layout: &'a Layout,
    pub(crate) words: &'a mut [u32],
}

impl Outgoing<'_> {
    fn view(&self) -> View<'_> {
        View::new(self.rows, self.layout, self.words)
    }

    /// Gives a row of the pool that is free to a place of a track; gives its first word.
    pub(crate) fn take(&mut self, track: &Track, index: usize, row: usize) -> usize {
        self.put_place(track, index, row + 1);
        self.layout.pool.row(row)
    }

    /// Empties a row, and its place.
    pub(crate) fn free(&mut self, track: &Track, index: usize) {
        let Some(at) = self.view().row(track, index) else { return };
        let words = self.words.get_mut(at..at + self.layout.pool.row_words);
        words.unwrap_or_default().fill(0);
        self.put_place(track, index, 0);
    }

    fn put_place(&mut self, track: &Track, index: usize, row: usize) {
        let pool = &self.layout.pool;
        if let Some((at, shift)) = pool.entry(track, index - track.current)
            && let Some(word) = self.words.get_mut(at)
        {
            *word = *word & !(pool.mask() << shift) | (row as u32) << shift;
        }
    }

    /// Lets what of a track fades out weigh so much together, if some of it was lost.
    pub(crate) fn share(&mut self, track: &Track, total: f64) {
        let kept = self.view().outgoing_weight(track);
        if kept == 0.0 || kept >= total {
            return;
        }
        for index in track.current..track.rows() {
            if let Some(at) = self.view().row(track, index)
                && let Some(word) = self.words.get_mut(at + row::WEIGHT)
            {
                let weight = f64::from(f32::from_bits(*word)) * total / kept;
                *word = (weight.min(1.0) as f32).to_bits();
            }
        }
    }
}

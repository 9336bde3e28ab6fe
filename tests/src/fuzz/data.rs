//! Decisions drawn from bytes. Small changes of the bytes change few decisions, which is what lets a fuzzer learn.

/// Bytes that decide.
#[derive(Clone, Debug)]
pub(super) struct Data<'d>(&'d [u8]);

impl<'d> Data<'d> {
    /// Decisions of these bytes.
    #[must_use]
    pub(super) fn new(bytes: &'d [u8]) -> Self {
        Self(bytes)
    }

    /// Whether all are drawn; what is drawn then is 0.
    #[must_use]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next byte.
    pub(super) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below `end`, which takes one byte up to 256 and two above; 0 where `end` is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let drawn = if end > 256 { self.bits() & 0xffff } else { self.byte().into() };
        drawn as usize % end.max(1)
    }

    /// True in one case of `of`.
    pub(super) fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == of - 1
    }

    /// 32 bits; of two bytes, or of four where these say so.
    pub(super) fn bits(&mut self) -> u32 {
        let low = u16::from_le_bytes([self.byte(), self.byte()]);
        match low {
            0xff00.. => u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()]),
            _ => low.into(),
        }
    }

    /// One of these.
    pub(super) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A number, often a telling one.
    pub(super) fn number(&mut self) -> f32 {
        const TELLING: &[f32] = &[
            0.0,
            1.0,
            0.5,
            -1.0,
            0.25,
            0.1,
            2.0,
            1.0 / 60.0,
            100.0,
            -0.0,
            1e-6,
            1e-40,
            1e30,
            f32::MAX,
            f32::MIN,
            f32::EPSILON,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            32_768.0,
        ];
        let drawn = self.byte();
        match TELLING.get(usize::from(drawn)) {
            Some(number) => *number,
            None if drawn < 240 => f32::from(drawn) / 50.0 - 1.0,
            None => f32::from_bits(u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])),
        }
    }

    /// What is left.
    #[must_use]
    pub(super) fn rest(&self) -> &'d [u8] {
        self.0
    }
}

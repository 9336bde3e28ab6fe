//! The same instance as a member of a crowd: what it does there is what it does alone.
//!
//! A crowd leaves members alone while nothing is due in them, so the member is read both as it was left and brought up
//! to date.

use motix_vm::ids::{ComponentId, ExternId};
use motix_vm::{Crowd, CrowdFrame, CrowdHost, Frame, Globals, Instance, Sample};

/// A crowd of one.
pub(super) struct Beside {
    crowd: Crowd,
    frame: CrowdFrame,
}

impl Beside {
    /// With a copy of an instance.
    pub(super) fn new(instance: &Instance) -> Self {
        let crowd = Crowd::new(instance.program(), instance.behavior());
        let mut crowd = crowd.unwrap_or_else(|error| panic!("an instance can be made: {error}"));
        let added = crowd.add(instance);
        assert_eq!(added, Ok(0));
        Self { crowd, frame: CrowdFrame::with_limit(super::drive::EVENTS) }
    }

    /// What the instance did in a tick, done once more; the store is as it was before.
    pub(super) fn tick(
        &mut self,
        dt: f32,
        globals: &mut Globals,
        answer: &mut dyn FnMut(ComponentId, ExternId) -> bool,
        instance: &Instance,
        frame: &Frame,
    ) {
        let mut predicates = |_: usize, component, id| answer(component, id);
        let mut host = CrowdHost { predicates: Some(&mut predicates), globals: Some(globals) };
        let ticked = self.crowd.tick_with(dt, &mut host, &mut self.frame);
        assert!(ticked.is_ok(), "{ticked:?}");
        let shown = |event: &motix_vm::Event| (event.offset, event.kind, event.component, event.count);
        let (alone, here) = (frame.events(), self.frame.events_of(0));
        // A crowd's frame has no room for the report that there were too many: it counts what that one counts.
        let (alone, beyond) = alone.split_at(alone.len().min(super::drive::EVENTS));
        let same = alone.iter().map(shown).eq(here.iter().map(shown));
        assert!(same, "alone {alone:?}, in a crowd {here:?}");
        let beyond: u64 = beyond.iter().map(|event| u64::from(event.count)).sum();
        assert_eq!(beyond, self.frame.lost(), "events lost alone, in a crowd");
        let Some(member) = self.crowd.member(0) else { panic!("the member is there") };
        let (alone, here): (Vec<Sample>, Vec<Sample>) =
            (instance.samples().collect(), member.samples().collect());
        assert_eq!(alone, here, "samples alone, in a crowd");
        assert!(member.save() == instance.save(), "a crowd's member is another after a tick of {dt}");
    }

    /// Follows a call that is no tick.
    pub(super) fn follow(&mut self, before: &[u8], instance: &Instance) {
        let crowd = &mut self.crowd;
        if crowd.program().hash() != instance.program().hash() || crowd.behavior() != instance.behavior() {
            *self = Self::new(instance);
            return;
        }
        let Some(mut member) = crowd.member_mut(0) else { panic!("the member is there") };
        assert!(member.save() == before, "brought up to date, a crowd's member is another");
        let restored = member.restore(&instance.save());
        assert!(restored.is_ok(), "{restored:?}");
    }
}

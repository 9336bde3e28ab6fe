//! The file format: what is written is read back, and no bytes do harm.

use motix_vm::disasm::disassemble;
use motix_vm::ids::{ParamId, StateId};
use motix_vm::op::{Op, Word};
use motix_vm::program::limits::Limit;
use motix_vm::program::tables::{Tables, Type};
use motix_vm::program::{EncodeOptions, LoadErrorKind as Kind, Program, VERSION, sections};

use crate::memory::load;
use crate::mutate::{changed, file_of, parts, put_together, repaired};
use crate::support::{Builder, program, sample, smallest, to};

const KEEP: EncodeOptions = EncodeOptions { strip: false };
const STRIP: EncodeOptions = EncodeOptions { strip: true };

fn file() -> Vec<u8> {
    program(sample()).encode(KEEP)
}

fn kind(bytes: &[u8]) -> Result<(), Kind> {
    load(bytes).map(|_| ()).map_err(|error| error.kind())
}

fn message(bytes: &[u8]) -> String {
    load(bytes).err().map(|error| error.to_string()).unwrap_or_default()
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % below.max(1) as u64) as usize
    }
}

fn varint(value: u64) -> Vec<u8> {
    match value {
        0..=250 => vec![value as u8],
        251..=0xFFFF => [&[251][..], &(value as u16).to_le_bytes()].concat(),
        0x1_0000..=0xFFFF_FFFF => [&[252][..], &(value as u32).to_le_bytes()].concat(),
        _ => [&[253][..], &value.to_le_bytes()].concat(),
    }
}

#[test]
fn a_program_comes_back_as_it_was() {
    for tables in [sample(), smallest(), Default::default()] {
        let before = program(tables);
        let bytes = before.encode(KEEP);
        let after = load(&bytes).expect("it was just written");
        assert_eq!(after.tables(), before.tables());
        assert_eq!(after.hash(), before.hash());
        assert_eq!(after.encode(KEEP), bytes, "writing is deterministic");
    }
}

#[test]
fn stripping_leaves_out_the_places_only() {
    let full = program(sample());
    let stripped = load(&full.encode(STRIP)).expect("it was just written");
    assert_eq!(stripped.debug(), None);
    assert_eq!(stripped.tables().behaviors, full.tables().behaviors);
    assert_eq!(stripped.hash(), full.hash());
    assert_eq!(stripped.encode(KEEP), full.encode(STRIP));
    assert!(!full.encode(STRIP).windows(6).any(|text| text == b"sample"));
}

#[test]
fn the_hash_tells_programs_apart() {
    let mut other = sample();
    other.behaviors[0].transitions[0].priority += 1;
    assert_ne!(program(other).hash(), program(sample()).hash());
}

#[test]
fn a_file_that_ends_early_is_refused_wherever_it_ends() {
    let bytes = file();
    for end in 0..bytes.len() {
        let error = kind(&bytes[..end]).expect_err("it is not whole");
        let expected = match end {
            0 => Kind::NotMotix,
            _ => Kind::Truncated,
        };
        assert_eq!(error, expected, "{end}");
        // The same with a checksum that fits.
        if end >= 24 {
            assert_eq!(kind(&repaired(bytes[..end].to_vec())), Err(Kind::Truncated), "{end}");
        }
    }
    let end = bytes.len() - 5;
    let told = format!("its header tells of {} bytes, and there are {end}", bytes.len());
    assert!(message(&bytes[..end]).contains(&told), "{}", message(&bytes[..end]));
    // One that is whole but for other damage is not called short.
    let mut damaged = bytes.clone();
    damaged[end] ^= 1;
    assert_eq!(kind(&damaged), Err(Kind::Damaged));
    let mut table = bytes;
    table[24 + 8] ^= 1;
    assert_eq!(kind(&table), Err(Kind::Damaged));
}

#[test]
fn a_section_that_ends_early_is_refused_wherever_it_ends() {
    let bytes = file();
    for section in 0..3 {
        for end in 0..parts(&bytes)[section].2.len() {
            let mut parts = parts(&bytes);
            parts[section].2.truncate(end);
            let error = kind(&put_together(&parts)).expect_err("it is not whole");
            assert!(matches!(error, Kind::Truncated | Kind::LyingLength), "{section} {end}: {error:?}");
        }
    }
}

#[test]
fn every_flipped_bit_is_found() {
    let bytes = file();
    let before = program(sample());
    for bit in 0..bytes.len() * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(after) = load(&bytes) {
            assert_eq!(after.tables(), before.tables(), "bit {bit}");
        }
    }
}

#[test]
fn every_flipped_bit_with_a_repaired_checksum_does_no_harm() {
    let bytes = file();
    // Past the checksum, three of eight bits of each byte in turn.
    for bit in (160..bytes.len() * 8).step_by(3) {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(after) = load(&repaired(bytes)) {
            exercise(&after);
        }
    }
}

/// Uses what a host or tool would, for the panics that it could have.
fn exercise(program: &Program) {
    // One of eight, chosen by its contents: these tests are the slowest of the package.
    if !program.hash().is_multiple_of(8) {
        return;
    }
    let bytes = program.encode(KEEP);
    let again = Program::load(&bytes).expect("a verified program can be written and read");
    // Bits, not values: -0 and 0 are equal.
    assert_eq!(again.encode(KEEP), bytes);
    assert!(disassemble(program).len() < 200 * bytes.len() + 1000);
    for behavior in program.iter() {
        for name in ["Walk", "Combat.Attack", "nothing"] {
            let _ = behavior.state(name);
        }
    }
}

#[test]
fn random_changes_with_a_repaired_checksum_do_no_harm() {
    let mut random = Random(7);
    let good = file();
    let (mut loaded, mut refused) = (0, 0);
    for _ in 0..3_000 {
        let count = 1 + random.below(4);
        match load(&changed(&good, count, &mut |end| random.below(end))) {
            Ok(program) => {
                exercise(&program);
                loaded += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    // Both ways are really taken.
    assert!(loaded > 100 && refused > 1_000, "{loaded} loaded, {refused} refused");
}

#[test]
fn other_files_are_told_from_programs() {
    assert_eq!(kind(b""), Err(Kind::NotMotix));
    assert_eq!(kind(b"Behavior X { }"), Err(Kind::NotMotix));
    assert_eq!(
        message(b"Behavior X { }"),
        "the file is not a compiled Motix program: it does not begin with `MOTIXB`; a `.motix` source is compiled \
         first (byte 0)"
    );
    let text: Vec<u8> = file().into_iter().filter(|byte| *byte != b'\r').collect();
    assert!(message(&text).contains("line ends were changed"), "{}", message(&text));
}

#[test]
fn a_newer_major_version_says_what_to_update() {
    let mut bytes = file();
    bytes[8..10].copy_from_slice(&(VERSION.0 + 1).to_le_bytes());
    assert_eq!(
        message(&bytes),
        "the file was made by a newer compiler: it has format 2.0, this runtime reads format 1: update motix-vm, or \
         compile the source with the motixc that belongs to this runtime (byte 8)"
    );
    bytes[8..10].copy_from_slice(&0_u16.to_le_bytes());
    assert_eq!(kind(&bytes), Err(Kind::Malformed));
}

#[test]
fn an_unknown_section_is_skipped_and_listed_unless_it_is_required() {
    let mut parts = parts(&file());
    parts.insert(1, (77, 0, b"from the future".to_vec()));
    let bytes = put_together(&parts);
    assert_eq!(load(&bytes).map(|program| program.tables().clone()), Ok(sample()));
    let listed: Vec<_> =
        sections(&bytes).expect("it is fine").iter().map(|row| (row.kind, row.name())).collect();
    assert_eq!(listed, [(1, Some("texts")), (77, None), (2, Some("behaviors")), (3, Some("debug"))]);
    parts[1].1 = 1;
    let bytes = put_together(&parts);
    assert_eq!(kind(&bytes), Err(Kind::UnknownSection));
    assert!(message(&bytes).contains("kind 77"), "{}", message(&bytes));
}

#[test]
fn sections_stand_once_and_side_by_side() {
    let good = parts(&file());
    let without = |index: usize| {
        let mut parts = good.clone();
        parts.remove(index);
        kind(&put_together(&parts))
    };
    assert_eq!(without(0), Err(Kind::MissingSection));
    assert_eq!(without(1), Err(Kind::MissingSection));
    assert_eq!(without(2), Ok(()));
    let mut twice = good.clone();
    twice.push(good[0].clone());
    assert_eq!(kind(&put_together(&twice)), Err(Kind::DuplicateSection));
    let moved = |by: i32| {
        let mut bytes = file();
        let at = 24 + 16 + 8;
        let offset = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        bytes[at..at + 4].copy_from_slice(&offset.wrapping_add_signed(by).to_le_bytes());
        kind(&repaired(bytes))
    };
    assert_eq!(moved(-1), Err(Kind::SectionLayout));
    assert_eq!(moved(1), Err(Kind::SectionLayout));
    assert_eq!(moved(i32::MIN), Err(Kind::SectionLayout));
    let mut longer = file();
    longer.push(0);
    assert_eq!(kind(&repaired(longer)), Err(Kind::TrailingBytes));
    let mut body = good.clone();
    body[1].2.push(0);
    assert_eq!(kind(&put_together(&body)), Err(Kind::TrailingBytes));
    let mut lying = file();
    lying[24 + 12..24 + 16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(kind(&repaired(lying)), Err(Kind::Truncated));
    let many: Vec<_> = (0..65).map(|kind| (kind, 0, Vec::new())).collect();
    assert_eq!(kind(&put_together(&many)), Err(Kind::Limit(Limit::Sections)));
    let mut count = file();
    count[20..24].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(kind(&repaired(count)), Err(Kind::Limit(Limit::Sections)));
}

#[test]
fn a_file_that_is_too_long_is_refused_unread() {
    let bytes = vec![0; Limit::FileBytes.value() + 1];
    assert_eq!(kind(&bytes), Err(Kind::Limit(Limit::FileBytes)));
}

#[test]
fn lengths_that_lie_are_refused_before_they_are_believed() {
    let good = parts(&file());
    for claim in [10_000, 1 << 20, 1 << 31, 1 << 33, 1 << 40, u64::MAX] {
        // As the number of texts, the length of the first text, and the number of behaviors.
        let mut texts = good.clone();
        texts[0].2.splice(0..1, varint(claim));
        assert_eq!(kind(&put_together(&texts)), Err(Kind::LyingLength), "{claim}");
        let mut text = good.clone();
        text[0].2.splice(1..2, varint(claim));
        assert_eq!(kind(&put_together(&text)), Err(Kind::LyingLength), "{claim}");
        let mut behaviors = good.clone();
        behaviors[1].2.splice(0..1, varint(claim));
        assert_eq!(kind(&put_together(&behaviors)), Err(Kind::LyingLength), "{claim}");
    }
}

#[test]
fn bytes_that_mean_nothing_are_refused() {
    let good = parts(&file());
    let mut text = good.clone();
    text[0].2[2] = 0xFF;
    assert_eq!(kind(&put_together(&text)), Err(Kind::Malformed));
    assert!(message(&put_together(&text)).contains("not UTF-8 (section `texts`"));
    // Name, number of parameters, name of the first, then its type.
    let mut tag = good.clone();
    tag[1].2[4] = 6;
    assert_ne!(tag[1].2, good[1].2);
    assert!(matches!(kind(&put_together(&tag)), Err(Kind::Malformed)), "{}", message(&put_together(&tag)));
}

/// Files made to take as much memory as they can: `load` checks how much they do.
#[test]
fn greedy_files_take_a_multiple_of_their_size() {
    let body = |parts: &[&[u8]]| parts.concat();
    // Empty texts: a byte each, a `String` each.
    let texts = body(&[&varint(100_000), &[0; 100_000]]);
    assert!(load(&file_of(&[(1, 1, &texts), (2, 1, &[0])])).is_err());
    // Behaviors without anything: a byte a table, 34 tables.
    let empty = body(&[&varint(3_000), &[0; 3_000 * 36]]);
    assert!(load(&file_of(&[(1, 1, &[1, 1, b'x']), (2, 1, &empty)])).is_err());
    // Real tables, long: of operations with many jumps, of codes, of states.
    for tables in greedy() {
        let bytes = program(tables).encode(KEEP);
        assert!(bytes.len() > 20_000);
        load(&bytes).expect("it is fine");
    }
}

fn greedy() -> Vec<Tables> {
    let mut all = Vec::new();
    let builder = || {
        let mut b = Builder::new("Greedy");
        b.layer("Base");
        b
    };
    // Sixty values below, then jumps that all wait at once, each for a place of its own.
    let mut b = builder();
    let mut ops = vec![Op::Elapsed; 60];
    let jumps = 20_000;
    for jump in 0..jumps {
        ops.extend([Op::Bool { value: true }, Op::JumpIfFalse { skip: 2 * jumps - jump - 2 }]);
    }
    ops.extend(vec![Op::Neg; jumps.into()]);
    ops.extend(vec![Op::Add; 59]);
    b.code(Some(Word::Number), &ops);
    all.push(b.tables());
    let mut b = builder();
    for _ in 0..20_000 {
        b.code(None, &[]);
    }
    all.push(b.tables());
    let mut b = builder();
    b.code(Some(Word::Number), &[&[Op::Elapsed][..], &[Op::Neg; 60_000][..]].concat());
    all.push(b.tables());
    let mut b = builder();
    let names: Vec<String> = (0..20_000).map(|index| format!("{index:x}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    b.machine(None, &names);
    all.push(b.tables());
    let mut b = builder();
    b.machine(None, &["A"]);
    let transitions = vec![to(StateId(0), None, 0); 20_000];
    b.rows.states[0].transitions = b.transitions(&transitions);
    all.push(b.tables());
    let mut b = builder();
    for index in 0..5_000 {
        b.param(&format!("{index:x}"), Type::Trigger, 0);
    }
    b.rows.triggers = vec![ParamId(0); 50_000];
    all.push(b.tables());
    all
}

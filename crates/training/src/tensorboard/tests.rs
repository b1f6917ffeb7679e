use super::*;
use crate::metrics::StepMetrics;
use crate::testing::{config, trainer};

/// The events of a file, with all sums checked.
fn events(path: &Path) -> Vec<Event> {
    let bytes = fs::read(path).expect("a file");
    let mut rest = &bytes[..];
    let mut events = Vec::new();
    while !rest.is_empty() {
        let length = u64::from_le_bytes(rest[..8].try_into().expect("eight bytes")) as usize;
        let data = &rest[12..12 + length];
        let sum = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().expect("four bytes"));
        assert_eq!(sum(8), framing::masked_sum(&rest[..8]));
        assert_eq!(sum(12 + length), framing::masked_sum(data));
        events.push(Event::decode(data).expect("an event"));
        rest = &rest[16 + length..];
    }
    events
}

#[test]
fn the_sums_are_those_of_the_format() {
    // 0xe3069283 is CRC32C's published check value.
    let unmasked = |sum: u32| sum.wrapping_sub(0xa282_ead8).rotate_left(15);
    assert_eq!(unmasked(framing::masked_sum(b"123456789")), 0xe306_9283);
    // RFC 3720, Section B.4: 32 bytes of zeros, of ones, and ascending.
    assert_eq!(unmasked(framing::masked_sum(&[0; 32])), 0x8a91_36aa);
    assert_eq!(unmasked(framing::masked_sum(&[0xff; 32])), 0x62a8_ab43);
    let ascending: Vec<u8> = (0..32).collect();
    assert_eq!(unmasked(framing::masked_sum(&ascending)), 0x46dd_794e);
}

#[test]
fn an_event_has_the_bytes_of_the_format() {
    let what = event::What::Summary(Summary {
        value: vec![SummaryValue {
            tag: "a/b".to_owned(),
            value: Some(summary_value::Value::SimpleValue(1.5)),
        }],
    });
    let event = Event { wall_time: 2.0, step: 3, what: Some(what) };
    let expected = [
        &[0x09, 0, 0, 0, 0, 0, 0, 0, 0x40][..],
        &[0x10, 3],
        &[0x2a, 12, 0x0a, 10, 0x0a, 3, b'a', b'/', b'b', 0x15, 0, 0, 0xc0, 0x3f],
    ]
    .concat();
    assert_eq!(event.encode_to_vec(), expected);
    let start = SessionLog { status: SessionStatus::Start.into() };
    let event = Event { wall_time: 0.0, step: 0, what: Some(event::What::SessionLog(start)) };
    assert_eq!(event.encode_to_vec(), [0x3a, 2, 0x08, 1]);
}

#[test]
fn steps_are_written_with_all_their_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut writer = EventWriter::create(folder.path(), 1).expect("a file");
    let mut trainer = trainer(config());
    let steps: Vec<StepMetrics> = (0..3).map(|_| trainer.step().expect("a step")).collect();
    for metrics in &steps {
        writer.append(metrics).expect("written");
    }
    let events = events(writer.path());
    assert_eq!(events[0].what, Some(event::What::FileVersion("brain.Event:2".to_owned())));
    assert!(events.iter().all(|event| event.wall_time > 1.7e9));
    assert_eq!(events.len(), 5);
    for (event, metrics) in events[2..].iter().zip(&steps) {
        assert_eq!(event.step, metrics.step as i64);
        let Some(event::What::Summary(summary)) = &event.what else { panic!("{event:?}") };
        let find = |tag: &str| {
            let value = summary.value.iter().find(|value| value.tag == tag);
            value.map(|value| match value.value {
                Some(summary_value::Value::SimpleValue(value)) => value,
                None => panic!("{tag} without a value"),
            })
        };
        for (tag, value) in [
            ("warmup_factor", metrics.warmup_factor),
            ("loss/total", metrics.loss.total),
            ("policy/entropy", metrics.policy.entropy),
            ("games/ply_cap", metrics.games.ply_cap as f64),
            ("openings/first_move/entropy", metrics.openings.first_move.entropy),
            ("timing/positions_per_second", metrics.timing.positions_per_second),
        ] {
            assert_eq!(find(tag), Some(value as f32), "{tag}");
        }
        assert_eq!(find("step"), None);
        assert_eq!(find("games/mean_plies"), metrics.games.mean_plies.map(|plies| plies as f32));
    }
}

#[test]
fn a_later_file_stands_for_the_steps_from_its_first() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("events.out.tfevents.000009.searchless"), "").expect("written");
    fs::write(folder.path().join("notes.txt"), "").expect("written");
    for (first, name) in [(1, "000010"), (8, "000011")] {
        let writer = EventWriter::create(folder.path(), first).expect("a file");
        let name = format!("events.out.tfevents.{name}.searchless");
        assert_eq!(writer.path(), folder.path().join(name));
        let events = events(writer.path());
        let start = SessionLog { status: SessionStatus::Start.into() };
        assert_eq!(events[1].step, first as i64);
        assert_eq!(events[1].what, Some(event::What::SessionLog(start)));
    }
}

use proptest::prelude::*;

use super::*;

fn record() -> TrainingRecord {
    let mut probabilities = Box::new([-1.0; MOVES]);
    probabilities[322] = 0.75;
    probabilities[1857] = 0.25;
    TrainingRecord {
        input_format: 1,
        probabilities,
        planes: std::array::from_fn(|plane| 1 << (plane % 64)),
        castling: [[1, 0], [0, 1]],
        side_to_move_or_en_passant: 1,
        half_move_clock: 99,
        invariance: 0x88,
        reserved_byte: 3,
        root: SearchValue { q: 0.5, d: 0.25, m: 30.0 },
        best: SearchValue { q: 0.625, d: 0.125, m: 29.0 },
        plies_left: 17.0,
        result: SearchValue { q: 1.0, d: 0.0, m: 0.0 },
        played: SearchValue { q: 0.5, d: 0.5, m: 28.0 },
        original: SearchValue { q: f32::INFINITY, d: 0.0, m: 0.0 },
        visits: 800,
        played_index: 322,
        best_index: 1857,
        policy_kld: 0.5,
        reserved: 7,
    }
}

#[test]
fn fields_stand_at_their_offsets() {
    let bytes = record().to_bytes();
    let check = |offset: usize, expected: &[u8]| {
        assert_eq!(&bytes[offset..offset + expected.len()], expected, "at {offset}");
    };
    let float = |offset: usize, expected: f32| check(offset, &expected.to_le_bytes());
    check(0, &6u32.to_le_bytes());
    check(4, &1u32.to_le_bytes());
    float(8 + 4 * 322, 0.75);
    // Plane 0 has a1, the highest bit of the first byte; plane 8 has a2, in the second byte.
    check(7440, &[0x80, 0, 0, 0, 0, 0, 0, 0]);
    check(7440 + 8, &[0x40, 0, 0, 0, 0, 0, 0, 0]);
    check(7440 + 8 * 8, &[0, 0x80, 0, 0, 0, 0, 0, 0]);
    check(8272, &[1, 0, 0, 1, 1, 99, 0x88, 3]);
    for (index, value) in
        [0.5, 0.625, 0.25, 0.125, 30.0, 29.0, 17.0, 1.0, 0.0].into_iter().enumerate()
    {
        float(8280 + 4 * index, value);
    }
    float(8316, 0.5);
    float(8324, 28.0);
    check(8340, &800u32.to_le_bytes());
    check(8344, &322u16.to_le_bytes());
    check(8346, &1857u16.to_le_bytes());
    float(8348, 0.5);
    check(8352, &7u32.to_le_bytes());
}

#[test]
fn damaged_records_are_refused() {
    let check = |change: &dyn Fn(&mut TrainingRecord), expected: &str| {
        let mut record = record();
        change(&mut record);
        let problem = TrainingRecord::from_bytes(&record.to_bytes()).expect_err(expected);
        assert_eq!(problem.to_string(), expected);
    };
    check(
        &|record| record.probabilities[3] = f32::NAN,
        "the policy of move 3 is NaN, expected -1 or a number from 0 to 1",
    );
    check(
        &|record| record.probabilities[3] = -0.5,
        "the policy of move 3 is -0.5, expected -1 or a number from 0 to 1",
    );
    check(&|record| record.probabilities[3] = 0.5, "the policy sums to 1.5, expected 1");
    check(&|record| record.probabilities.fill(-1.0), "the policy sums to 0, expected 1");
    check(&|record| record.best.q = 1.5, "best is 1.5, expected q from -1 to 1");
    check(&|record| record.result.d = f32::NAN, "result is NaN, expected d from 0 to 1");

    let mut bytes = record().to_bytes();
    bytes[0] = 5;
    let problem = TrainingRecord::from_bytes(&bytes).expect_err("an older version");
    assert_eq!(problem.to_string(), "version 5, expected 6");
}

proptest! {
    #[test]
    fn bytes_come_back(
        planes in prop::collection::vec(any::<u64>(), PLANES),
        castling in any::<[[u8; 2]; 2]>(),
        clock in any::<u8>(),
        visits in any::<u32>(),
        q in -1.0f32..=1.0,
    ) {
        let mut one = record();
        one.planes.copy_from_slice(&planes);
        (one.castling, one.half_move_clock, one.visits, one.root.q) = (castling, clock, visits, q);
        let bytes = one.to_bytes();
        let other = TrainingRecord::from_bytes(&bytes).expect("a whole record");
        prop_assert_eq!(&other, &one);
        prop_assert_eq!(other.to_bytes(), bytes);
    }

    #[test]
    fn any_bytes_are_read_or_refused(start in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut bytes = record().to_bytes();
        bytes[..start.len()].copy_from_slice(&start);
        let _ = TrainingRecord::from_bytes(&bytes);
    }
}

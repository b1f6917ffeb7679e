use super::*;
use proptest::prelude::*;

fn layer(min_val: f32, max_val: f32, params: &[u8]) -> Layer {
    Layer {
        min_val: Some(min_val),
        max_val: Some(max_val),
        params: Some(params.to_vec().into()),
        ..Layer::default()
    }
}

fn raw(encoding: i32, params: &[u8]) -> Layer {
    Layer { encoding: Some(encoding), params: Some(params.to_vec().into()), ..Layer::default() }
}

#[test]
fn stored_numbers_decode() {
    let check = |layer: Layer, expected: &[f32]| {
        assert_eq!(decode(&layer).unwrap(), expected, "{layer:?}");
        assert_eq!(element_count(&layer).unwrap(), expected.len(), "{layer:?}");
    };
    check(layer(-1.0, 3.0, &[0, 0, 0xff, 0xff]), &[-1.0, 3.0]);
    check(layer(0.0, 65535.0, &[1, 0, 0, 1]), &[1.0, 256.0]);
    check(layer(2.5, 2.5, &[0, 0, 7, 0]), &[2.5, 2.5]);
    check(Layer { params: Some(vec![9, 9].into()), ..Layer::default() }, &[0.0]);
    check(Layer::default(), &[]);
    check(raw(0, &[9, 9]), &[0.0]);
    check(raw(1, &[9, 9]), &[0.0]);
    check(raw(2, &[0x00, 0x3c, 0x00, 0xc0]), &[1.0, -2.0]);
    check(raw(3, &[0x80, 0x3f, 0x00, 0xc0]), &[1.0, -2.0]);
    check(raw(4, &1.25_f32.to_le_bytes()), &[1.25]);
    check(Layer { dims: vec![2, 1], ..layer(0.0, 0.0, &[0; 4]) }, &[0.0, 0.0]);
}

#[test]
fn broken_layers_are_refused() {
    let check = |layer: Layer, expected: &str| {
        assert_eq!(decode(&layer).unwrap_err().to_string(), expected);
    };
    check(layer(0.0, 1.0, &[0; 3]), "its 3 bytes are no whole number of 2-byte elements");
    check(raw(4, &[0; 6]), "its 6 bytes are no whole number of 4-byte elements");
    check(
        raw(9, &[]),
        "its encoding is 9, expected 1 (LINEAR16), 2 (FLOAT16), 3 (BFLOAT16) or 4 (FLOAT32)",
    );
    check(
        layer(f32::NAN, 1.0, &[0; 2]),
        "its range from NaN to 1 is not finite in single precision",
    );
    check(
        layer(f32::MIN, f32::MAX, &[0; 2]),
        "its range from -340282350000000000000000000000000000000 to \
         340282350000000000000000000000000000000 is not finite in single precision",
    );
    check(raw(2, &[0, 0, 0, 0x7c]), "element 1 is inf, expected a finite number");
    check(raw(3, &[0xc0, 0x7f]), "element 0 is NaN, expected a finite number");
    check(
        Layer { dims: vec![3, 5], ..layer(0.0, 1.0, &[0; 4]) },
        "its shape [3, 5] does not fit its 2 elements",
    );
    check(
        Layer { dims: vec![u32::MAX; 4], ..layer(0.0, 1.0, &[0; 4]) },
        "its shape [4294967295, 4294967295, 4294967295, 4294967295] does not fit its 2 elements",
    );
}

#[test]
fn the_first_of_several_bad_elements_is_named_whatever_the_chunk() {
    let mut values = vec![0.0_f32; 3 * CHUNK];
    values[2 * CHUNK + 5] = f32::NAN;
    values[CHUNK + 3] = f32::INFINITY;
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let expected = LayerError::NotFinite { element: CHUNK + 3, value: f32::INFINITY };
    assert_eq!(decode(&raw(4, &bytes)), Err(expected.clone()));
    assert_eq!(encode(&values, Encoding::Linear16), Err(expected));
}

#[test]
fn values_beyond_an_encoding_are_refused() {
    let check = |values: &[f32], encoding, element| {
        let value = values[element];
        let expected = LayerError::Overflow { element, value, encoding };
        assert_eq!(encode(values, encoding), Err(expected));
    };
    check(&[65504.0, 65520.0], Encoding::Float16, 1);
    check(&[f32::MAX], Encoding::Bfloat16, 0);
    assert_eq!(
        encode(&[f32::MIN, f32::MAX], Encoding::Linear16),
        Err(LayerError::Range { minimum: f32::MIN, maximum: f32::MAX })
    );
}

#[test]
fn constants_and_nothing_come_back_exactly() {
    for values in [&[][..], &[0.1], &[-0.3; 5], &[0.0; 2], &[f32::MAX], &[1e-45]] {
        for encoding in [Encoding::Linear16, Encoding::Float32] {
            let stored =
                Layer { encoding: Some(encoding as i32), ..encode(values, encoding).unwrap() };
            assert_eq!(decode(&stored).unwrap(), values);
        }
    }
}

/// The documented bound on the error of LINEAR16.
fn bound(values: &[f32]) -> f64 {
    let minimum = values.iter().copied().fold(f32::INFINITY, f32::min);
    let maximum = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let range = f64::from(maximum) - f64::from(minimum);
    let largest = f64::from(minimum.abs().max(maximum.abs())).max(range);
    range / 65535.0 / 2.0 + 4.0 * largest * 2.0_f64.powi(-24) + f64::from(f32::MIN_POSITIVE)
}

fn ordinary() -> impl Strategy<Value = Vec<f32>> {
    prop_oneof![
        prop::collection::vec(-3.0_f32..3.0, 1..200),
        prop::collection::vec(1000.0_f32..1001.0, 1..200),
        prop::collection::vec(-1e30_f32..1e30, 1..50),
        prop::collection::vec(-1e-38_f32..1e-38, 1..50),
    ]
}

proptest! {
    #[test]
    fn linear16_keeps_its_bound_and_its_own_output(values in ordinary()) {
        let stored = encode(&values, Encoding::Linear16).unwrap();
        let decoded = decode(&stored).unwrap();
        let bound = bound(&values);
        for (&value, &back) in values.iter().zip(&decoded) {
            let error = (f64::from(value) - f64::from(back)).abs();
            prop_assert!(error <= bound, "{value} came back as {back}, bound {bound:e}");
        }
    }

    #[test]
    fn full_range_steps_survive_decoding_and_encoding(
        mut steps in prop::collection::vec(any::<u16>(), 2..100),
        minimum in -4.0_f32..4.0,
        // Steps of a narrower range around so large numbers are below their precision.
        range in 0.5_f32..8.0,
    ) {
        steps[0] = 0;
        steps[1] = u16::MAX;
        let params: Vec<u8> = steps.iter().flat_map(|step| step.to_le_bytes()).collect();
        let values = decode(&layer(minimum, minimum + range, &params)).unwrap();
        let again = encode(&values, Encoding::Linear16).unwrap();
        prop_assert_eq!(again.params.as_deref(), Some(&params[..]));
    }

    #[test]
    fn float_encodings_round_to_nearest(values in prop::collection::vec(-100.0_f32..100.0, 0..50)) {
        for (encoding, digits, smallest) in [
            (Encoding::Float32, 24, 0.0),
            (Encoding::Float16, 11, 2.0_f32.powi(-25)),
            (Encoding::Bfloat16, 8, 0.0),
        ] {
            let stored = Layer {
                encoding: Some(encoding as i32),
                ..encode(&values, encoding).unwrap()
            };
            prop_assert_eq!(element_count(&stored), Ok(values.len()));
            for (&value, back) in values.iter().zip(decode(&stored).unwrap()) {
                let half_unit = (value.abs() * 2.0_f32.powi(-digits)).max(smallest);
                prop_assert!((value - back).abs() <= half_unit, "{encoding:?}: {value} {back}");
            }
        }
    }
}

//! Files from outside may be broken in any way.

use super::*;
use proptest::prelude::*;
use prost::encoding::{WireType, decode_key, encode_key, encode_varint};

const START: [u8; 5] = [0x0d, 0xc0, 0x01, 0x00, 0x00];

/// A field of number `number` that holds `value`.
fn field(number: u32, value: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_key(number, WireType::LengthDelimited, &mut bytes);
    encode_varint(value.len() as u64, &mut bytes);
    [&bytes[..], value].concat()
}

fn with_weights(weights: &[u8]) -> Vec<u8> {
    [&START[..], &field(10, weights)].concat()
}

/// Where the fields of the outermost message end.
fn boundaries(message: &[u8]) -> Vec<usize> {
    let mut rest = message;
    let mut ends = Vec::new();
    while !rest.is_empty() {
        let (number, wire) = decode_key(&mut rest).unwrap();
        let context = prost::encoding::DecodeContext::default();
        prost::encoding::skip_field(wire, number, &mut rest, context).unwrap();
        ends.push(message.len() - rest.len());
    }
    ends
}

#[test]
fn a_file_cut_anywhere_is_refused_unless_what_is_left_is_a_message() {
    let whole = small().to_bytes();
    let valid = boundaries(&whole);
    for cut in 0..whole.len() {
        match NetworkFile::from_bytes("cut", whole[..cut].to_vec()) {
            Ok(_) => assert!(valid.contains(&cut), "cut at {cut} is accepted"),
            Err(error) => {
                assert!(!valid.contains(&cut), "cut at {cut}: {error}");
                assert!(error.to_string().starts_with("cut: "), "{error}");
            }
        }
    }
}

#[test]
fn faults_are_placed() {
    let check = |bytes: Vec<u8>, expected: &str| {
        let error = NetworkFile::from_bytes("file", bytes).expect_err(expected).to_string();
        assert_eq!(error, format!("file: {expected}"));
    };
    let at_end = |bytes: &[u8]| [&START[..], bytes].concat();
    check(at_end(&[0x52]), "byte 6: the message ends inside a number");
    check(at_end(&[0x52, 0x80]), "byte 6: the message ends inside a number");
    check(at_end(&[0x52, 9, 0]), "byte 5: field 10 of 9 bytes where only 1 are left");
    check(at_end(&[0x51]), "byte 5: field 10 of 8 bytes where only 0 are left");
    check(
        at_end(&[0x52, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
        "byte 5: field 10 of 18446744073709551615 bytes where only 0 are left",
    );
    check(at_end(&[0xff; 12]), "byte 5: a number of more than 64 bits");
    check(at_end(&[0x53]), "byte 5: field 10 has wire type 3, expected 0, 1, 2 or 5");
    check(at_end(&[0x02, 0]), "byte 5: field number 0, expected 1 to 2^29 - 1");
    check(at_end(&[0x50, 0]), "byte 5, in weights: a number where a message was expected");
    check(
        [with_weights(&[]), field(10, &[])].concat(),
        "byte 7, in weights: it is there a second time, expected at most one",
    );
    let half_layer = [0x1a, 5, 0, 0];
    check(
        with_weights(&field(25, &half_layer)),
        "byte 10, in ip_emb_w: field 3 of 5 bytes where only 2 are left",
    );
    let second = field(27, &field(1, &field(9, &field(4, &half_layer))));
    check(
        with_weights(&[field(27, &[]), second].concat()),
        "byte 19, in encoder.1.mha.smolgen.ln1_gammas: field 3 of 5 bytes where only 2 are left",
    );
    check(
        with_weights(&field(1, &[field(2, &[]), field(2, &[])].concat())),
        "byte 11, in input.biases: it is there a second time, expected at most one",
    );
}

#[test]
fn wrong_kinds_of_numbers_are_refused() {
    let check = |bytes: Vec<u8>| {
        let error = NetworkFile::from_bytes("file", bytes).unwrap_err();
        assert!(matches!(error, NetworkFileError::Malformed { .. }), "{error}");
    };
    // A licence that is no text, a head count in words, a smallest value that is a string.
    check([&START[..], &field(2, &[0xff, 0xfe])].concat());
    check(with_weights(&field(28, b"four")));
    check(with_weights(&field(25, &field(1, b"zero"))));
}

#[test]
fn counts_that_would_exhaust_memory_are_refused() {
    let check = |bytes: Vec<u8>, expected: &str| {
        let error = NetworkFile::from_bytes("file", bytes).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let empty_blocks = field(2, &[]).repeat(1 << 20);
    check(with_weights(&empty_blocks), "in residual.32767: more than 32768 messages");
    let packed_shape = field(25, &field(5, &vec![1; 1 << 20]));
    check(with_weights(&packed_shape), "in ip_emb_w: a shape of more than 16 dimensions");
    let shape = field(25, &[0x28, 1].repeat(17));
    check(with_weights(&shape), "in ip_emb_w: a shape of more than 16 dimensions");
    assert!(
        NetworkFile::from_bytes("file", with_weights(&field(25, &[0x28, 1].repeat(16)))).is_ok()
    );
}

#[test]
fn broken_layers_are_named_when_they_are_read() {
    let bytes = with_weights(&field(27, &field(2, &field(3, &[1, 2, 3]))));
    let file = NetworkFile::from_bytes("file", bytes).unwrap();
    let expected =
        "file: layer encoder.0.ln1_gammas: its 3 bytes are no whole number of 2-byte elements";
    assert_eq!(file.values("encoder.0.ln1_gammas").unwrap_err().to_string(), expected);
    assert_eq!(file.describe().unwrap_err().to_string(), expected);
}

#[test]
fn a_network_without_weights_has_no_layers() {
    let model = field(11, &field(1, b"a model"));
    let mut file = NetworkFile::from_bytes("file", [&START[..], &model].concat()).unwrap();
    assert_eq!(file.layers().count(), 0);
    assert!(file.describe().unwrap().onnx);
    assert!(file.remove("encoder").is_err());
    assert_eq!(file.to_bytes(), [&START[..], &model].concat());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn corruption_is_refused_or_harmless(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        near_the_start: bool,
    ) {
        let mut bytes = small().to_bytes();
        let range = if near_the_start { 200 } else { bytes.len() - 5 };
        for (place, value) in changes {
            bytes[5 + place.index(range)] = value;
        }
        if let Ok(mut file) = NetworkFile::from_bytes("corrupt", bytes.clone()) {
            prop_assert!(file.to_bytes() == bytes);
            for (path, layer) in file.clone().layers() {
                prop_assert_eq!(file.layer(&path), Some(layer));
                if let Ok(values) = layer::decode(layer) {
                    prop_assert!(values.iter().all(|value| value.is_finite()));
                    file.replace(&path, &values).unwrap();
                }
            }
            if let Ok(description) = file.describe() {
                prop_assert!(description.to_string().contains("corrupt"));
            }
        }
    }

    #[test]
    fn noise_is_refused_or_harmless(noise in prop::collection::vec(any::<u8>(), 0..200)) {
        let bytes = [&START[..], &noise].concat();
        if let Ok(file) = NetworkFile::from_bytes("noise", bytes.clone()) {
            prop_assert!(file.to_bytes() == bytes);
        }
        let weights = with_weights(&noise);
        if let Ok(file) = NetworkFile::from_bytes("noise", weights.clone()) {
            prop_assert!(file.to_bytes() == weights);
        }
    }
}

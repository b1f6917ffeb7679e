//! Fields that this crate does not know survive every change, at every level.

use super::*;
use crate::proto::{Encoding, Kind, Structure, Structured};
use proptest::prelude::*;
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, encode_key, skip_field};
use rand::{Rng, RngExt};

/// Fields of a layer have no structure of their own.
const LAYER: Structure = Structure { fields: &[] };

/// The highest number that any message of this crate has, and more.
const FIRST_UNKNOWN: u32 = 100;

/// Number, bytes of key and length, and bytes of the value of each field, by `prost`'s reader.
fn split(mut message: &[u8]) -> Vec<(u32, Vec<u8>, Vec<u8>)> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let whole = message;
        let (number, wire) = decode_key(&mut message).unwrap();
        if wire == WireType::LengthDelimited {
            let length = decode_varint(&mut message).unwrap() as usize;
            let header = whole[..whole.len() - message.len()].to_vec();
            fields.push((number, header, message[..length].to_vec()));
            message = &message[length..];
        } else {
            let header = whole[..whole.len() - message.len()].to_vec();
            let value = message;
            skip_field(wire, number, &mut message, DecodeContext::default()).unwrap();
            fields.push((number, header, value[..value.len() - message.len()].to_vec()));
        }
    }
    fields
}

fn below(structure: &Structure, number: u32) -> Option<&'static Structure> {
    match structure.by_number(number)?.1.kind {
        Kind::Scalar => None,
        Kind::Layer => Some(&LAYER),
        Kind::One(structure) | Kind::Many(structure) => Some(structure),
    }
}

/// A number in more bytes than it needs, which is allowed.
fn long_varint(value: u64) -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..9).map(|i| (value >> (7 * i)) as u8 | 0x80).collect();
    bytes.push(0);
    bytes
}

fn unknown_field(generator: &mut impl Rng) -> Vec<u8> {
    let number = generator.random_range(FIRST_UNKNOWN..1 << 20);
    let mut bytes = Vec::new();
    let mut key = |wire| encode_key(number, wire, &mut bytes);
    let value = match generator.random_range(0..4) {
        0 => {
            key(WireType::Varint);
            long_varint(generator.random_range(0..1 << 40))
        }
        1 => {
            key(WireType::ThirtyTwoBit);
            generator.random::<[u8; 4]>().to_vec()
        }
        2 => {
            key(WireType::SixtyFourBit);
            generator.random::<[u8; 8]>().to_vec()
        }
        _ => {
            key(WireType::LengthDelimited);
            vec![3, 0x0a, 0xff, generator.random()]
        }
    };
    bytes.extend(value);
    bytes
}

/// `message` with unknown fields between its own, at every level, and lengths written long.
fn inject(structure: &Structure, message: &[u8], generator: &mut impl Rng) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, header, value) in split(message) {
        // The file must still start with its magic number.
        if !bytes.is_empty() && generator.random_bool(0.3) {
            bytes.extend(unknown_field(generator));
        }
        match below(structure, number) {
            None => bytes.extend([header, value].concat()),
            Some(inner) => {
                let value = inject(inner, &value, generator);
                encode_key(number, WireType::LengthDelimited, &mut bytes);
                if generator.random_bool(0.5) {
                    bytes.extend(long_varint(value.len() as u64));
                } else {
                    prost::encoding::encode_varint(value.len() as u64, &mut bytes);
                }
                bytes.extend(value);
            }
        }
    }
    bytes.extend(unknown_field(generator));
    bytes
}

/// All unknown fields below `path`'s message, with the path they are at.
fn unknown(structure: &Structure, message: &[u8], path: &str, found: &mut Vec<(String, Vec<u8>)>) {
    for (number, header, value) in split(message) {
        match below(structure, number) {
            Some(inner) => {
                let name = structure.by_number(number).unwrap().1.name;
                unknown(inner, &value, &format!("{path}/{name}"), found);
            }
            None if number >= FIRST_UNKNOWN => {
                found.push((path.to_owned(), [header, value].concat()));
            }
            None => {}
        }
    }
}

fn unknown_of(file: &NetworkFile) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    unknown(Net::STRUCTURE, &file.to_bytes(), "", &mut found);
    found
}

fn injected(original: &NetworkFile, seed: u64) -> (NetworkFile, Vec<u8>) {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let bytes = inject(Net::STRUCTURE, &original.to_bytes(), &mut generator);
    (NetworkFile::from_bytes("injected", bytes.clone()).unwrap(), bytes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn unknown_fields_stay(seed: u64, choice: prop::sample::Index, tower: bool) {
        let original = preset(if tower { Preset::TowerConvolution } else { Preset::Smallest });
        let (mut file, bytes) = injected(&original, seed);
        prop_assert!(unknown_of(&file).len() > 50);
        prop_assert_eq!(file.net(), original.net());
        prop_assert_eq!(contents(&file), contents(&original));
        prop_assert!(file.to_bytes() == bytes, "an unchanged file is written differently");

        let mut before = unknown_of(&file);
        let layers = contents(&original);
        let (path, values) = choice.get(&layers);
        let new: Vec<f32> = values.iter().map(|value| 2.0 * value + 1.0).collect();
        file.replace(path, &new).unwrap();
        prop_assert_eq!(unknown_of(&file), before.clone());
        file.set(path, &new, Encoding::Float32).unwrap();
        prop_assert_eq!(file.values(path).unwrap(), new);
        prop_assert_eq!(unknown_of(&file), before.clone());

        file.remove(path).unwrap();
        let after = unknown_of(&file);
        // Only those inside the removed layer are gone.
        let field = path.rsplit('.').next().unwrap();
        before.retain(|entry| after.contains(entry) || !entry.0.ends_with(&format!("/{field}")));
        prop_assert_eq!(after, before);
    }
}

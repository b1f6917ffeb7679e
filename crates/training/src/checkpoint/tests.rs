use std::fs;
use std::path::Path;
use std::sync::Arc;

use lc0::NetworkFile;
use lc0::random::{Preset, random_network};
use native::{NativeEngine, NativeTrainer};
use network::{HeadSelection, Network};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use safetensors::SafeTensors;
use sha2::{Digest, Sha256};

use super::*;
use crate::config::FinetuneConfig;
use crate::step::{Trainer, TrainerSnapshot};
use crate::testing;

/// A trainer of a real network after two steps.
fn trainer() -> Trainer {
    let mut generator = ChaCha8Rng::seed_from_u64(4);
    let net = random_network(&Preset::Smallest.specification(), &mut generator);
    let file = NetworkFile::new("smallest", net).expect("a network");
    let network = Network::load(&file, HeadSelection::default()).expect("a network");
    let theta = Box::new(NativeTrainer::new(network.clone()));
    let config = FinetuneConfig { games: 3, ..testing::config() };
    let base = Arc::new(NativeEngine::new(network));
    let mut trainer = Trainer::new(config, theta, base).expect("valid settings");
    for _ in 0..2 {
        trainer.step().expect("a step");
    }
    trainer
}

fn bytes(trainer: &Trainer) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes, trainer.engine(), trainer.snapshot()).expect("memory");
    bytes
}

/// What reading a file of these bytes says.
fn read_bytes(
    bytes: &[u8],
    layout: &Layout,
) -> Result<Checkpoint<TrainerSnapshot>, CheckpointError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("step-000002.safetensors");
    fs::write(&path, bytes).expect("written");
    read(&path, layout)
}

/// A file of these bytes and their sum.
fn with_sum(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = Sha256::digest(&bytes);
    bytes.extend_from_slice(&sum);
    bytes
}

/// The header of a file, and all after it.
fn parts(bytes: &[u8]) -> (String, &[u8]) {
    let length = u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")) as usize;
    let header = String::from_utf8(bytes[8..8 + length].to_vec()).expect("text");
    (header, &bytes[8 + length..])
}

#[test]
fn what_was_written_is_read_back() {
    let trainer = trainer();
    let written = bytes(&trainer);
    assert_eq!(written, bytes(&trainer), "the same state, the same bytes");
    let layout = &trainer.engine().architecture().layout;
    let read = read_bytes(&written, layout).expect("a checkpoint");
    assert_eq!(read.trainer, trainer.snapshot());
    assert_eq!(read.state, trainer.engine().state());
    assert_eq!(read.state.updates, 2);
    assert!(read.state.second_moment.iter().any(|&moment| moment != 0.0));
}

#[test]
fn it_is_a_file_of_tensors() {
    let trainer = trainer();
    let written = bytes(&trainer);
    let tensors = SafeTensors::deserialize(&written).expect("a file of tensors");
    for vector in StateVector::ALL {
        let tensor = tensors.tensor(vector.name()).expect("a vector");
        assert_eq!(tensor.dtype(), Dtype::F32);
        let values = trainer.engine().state_vector(vector);
        assert_eq!(tensor.shape(), [values.len()]);
        assert_eq!(tensor.data(), little_endian(&values).as_ref());
    }
    assert_eq!(tensors.len(), 5);
}

#[test]
fn damage_is_refused_with_the_files_name() {
    let trainer = trainer();
    let layout = &trainer.engine().architecture().layout;
    let written = bytes(&trainer);
    let check = |bytes: &[u8]| {
        let error = read_bytes(bytes, layout).expect_err("a damaged file");
        assert!(matches!(error, CheckpointError::Damaged { .. }), "{error}");
        assert!(error.to_string().contains("step-000002.safetensors: damaged or cut off"));
    };
    for length in [0, 1, 7, 8, 31, 32, 33, 40, 1_000, written.len() - 32, written.len() - 1] {
        check(&written[..length]);
    }
    check(&[&written[..], &[0]].concat());
    proptest!(ProptestConfig::with_cases(50), |(place in 0..written.len(), bit in 0..8)| {
        let mut damaged = written.clone();
        damaged[place] ^= 1_u8 << bit;
        check(&damaged);
    });
}

#[test]
fn whole_files_that_are_no_checkpoint_are_refused() {
    let trainer = trainer();
    let layout = &trainer.engine().architecture().layout;
    let written = bytes(&trainer);
    let (header, rest) = parts(&written);
    let unsummed = &rest[..rest.len() - SUM_BYTES];
    let check = |bytes: Vec<u8>, expected: &str| {
        let error = read_bytes(&with_sum(bytes), layout).expect_err(expected).to_string();
        assert!(error.contains("step-000002.safetensors: ") && error.contains(expected), "{error}");
    };
    let with_header = |header: &str| {
        let length = (header.len() as u64).to_le_bytes();
        [&length[..], header.as_bytes(), unsummed].concat()
    };
    let changed = |from: &str, to: &str| {
        assert!(header.contains(from), "{from} in {header}");
        with_header(&header.replace(from, to))
    };
    check(Vec::new(), "no safetensors file");
    check(u64::MAX.to_le_bytes().to_vec(), "no safetensors file");
    check(with_header("{"), "no safetensors file");
    check(with_header(&"[".repeat(100_000)), "no safetensors file");
    check(with_header("{}"), "its metadata has no \"checkpoint\"");
    check(with_header(r#"{"__metadata__": {"checkpoint": "[]"}}"#), "\"checkpoint\": ");
    check(changed(r#"\"version\":1"#, r#"\"version\":2"#), "format 2, this program reads format 1");
    check(changed(r#"\"updates\":2"#, r#"\"updates\":-2"#), "\"checkpoint\": ");
    check(changed(r#"\"updates\":2"#, r#"\"update\":2"#), "unknown field `update`");
    let name = &layout.tensors()[1].name;
    check(changed(name, "other"), "its network has other tensors");
    check(changed("second_moment", "third_moment"), "the tensor \"second_moment\" is not");
    check(changed("F32", "I32"), "the tensor \"parameters\" is not");
    let shape = format!("[{}]", layout.len());
    check(changed(&shape, &shape.replace(']', ",1]")), "the tensor \"parameters\" is not");
    let end = unsummed.len() + SUM_BYTES;
    let sum = format!("[{},{end}]}}", unsummed.len());
    let more =
        format!("{sum},\"more\":{{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[{end},{end}]}}");
    check(changed(&sum, &more), "more tensors");
    // The vectors that the header tells of are not there.
    let missing = [&written[..8], header.as_bytes()].concat();
    assert!(matches!(
        read_bytes(&with_sum(missing), layout),
        Err(CheckpointError::Io { source, .. }) if source.kind() == io::ErrorKind::UnexpectedEof
    ));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let layout = Layout::default();
    let path = Path::new("nowhere/step-000001.safetensors");
    let error = read::<TrainerSnapshot>(path, &layout).expect_err("no file");
    assert!(error.to_string().starts_with("nowhere/step-000001.safetensors: "), "{error}");
}

#[test]
fn numbers_that_are_not_finite_are_not_restored() {
    let mut trainer = trainer();
    let (snapshot, mut state) = (trainer.snapshot(), trainer.engine().state());
    state.average[5] = f32::NAN;
    let error = trainer.restore(snapshot, &state).expect_err("not finite").to_string();
    assert!(error.contains("is NaN"), "{error}");
}

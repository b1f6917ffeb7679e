mod editing;
mod hostile;
mod unknown_fields;

use super::*;
use crate::random::{Preset, random_network};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// A small network with every part of an attention body.
fn small() -> NetworkFile {
    preset(Preset::Smallest)
}

fn preset(preset: Preset) -> NetworkFile {
    let mut generator = ChaCha8Rng::seed_from_u64(3);
    NetworkFile::new("made", random_network(&preset.specification(), &mut generator)).unwrap()
}

/// Paths and values of all layers.
fn contents(file: &NetworkFile) -> Vec<(String, Vec<f32>)> {
    file.layers().map(|(path, layer)| (path, layer::decode(layer).unwrap())).collect()
}

#[test]
fn a_message_is_the_same_file_compressed_or_not() {
    let file = preset(Preset::TowerAttention);
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.pb", "a.pb.gz"] {
        let path = folder.path().join(name);
        file.write(&path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes.starts_with(&[0x1f, 0x8b]), name.ends_with(".gz"));
        let again = NetworkFile::read(&path).unwrap();
        assert_eq!(again.to_bytes(), file.to_bytes());
        assert_eq!(again.net(), file.net());
        assert_eq!(again.size(), bytes.len() as u64);
        assert_eq!(again.name(), path.display().to_string());
        let from_memory = NetworkFile::from_bytes("memory", bytes).unwrap();
        assert_eq!(from_memory.sha256(), again.sha256());
        file.write(&path).unwrap();
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "temporary files are left");
}

#[test]
fn failed_writes_name_the_file_and_leave_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("absent/net.pb");
    let error = small().write(&path).unwrap_err().to_string();
    assert!(error.starts_with(&path.display().to_string()), "{error}");
    let occupied = folder.path().join("occupied.pb");
    std::fs::create_dir(&occupied).unwrap();
    assert!(small().write(&occupied).is_err());
    assert!(occupied.is_dir());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "temporary files are left");
}

#[cfg(unix)]
#[test]
fn written_files_are_as_readable_as_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let mode = |name: &str| folder.path().join(name).metadata().unwrap().permissions().mode();
    std::fs::write(folder.path().join("ordinary"), b"").unwrap();
    small().write(folder.path().join("net.pb")).unwrap();
    assert_eq!(mode("net.pb"), mode("ordinary"));
}

#[test]
fn absent_files_are_named() {
    let error = NetworkFile::read("absent.pb.gz").unwrap_err().to_string();
    assert!(error.starts_with("absent.pb.gz: "), "{error}");
}

#[test]
fn tensors_share_the_memory_of_the_file() {
    let file = preset(Preset::TinyBt4);
    let shared = file.layer("encoder.1.mha.k_w").unwrap().params.as_ref().unwrap();
    let weights = file.net().weights.as_ref().unwrap();
    let in_net = weights.encoder[1].mha.as_ref().unwrap().k_w.as_ref().unwrap();
    assert_eq!(in_net.params.as_ref().unwrap().as_ptr(), shared.as_ptr());
}

#[test]
fn paths_are_the_names_of_the_messages() {
    let check = |preset_: Preset, paths: &[&str]| {
        let file = preset(preset_);
        for path in paths {
            assert!(file.layer(path).is_some(), "{path}");
            assert!(file.layers().any(|(found, _)| found == *path), "{path}");
        }
    };
    check(
        Preset::TinyBt4,
        &[
            "ip_emb_w",
            "encoder.0.mha.q_w",
            "encoder.1.mha.smolgen.dense2_b",
            "ip_emb_ffn.dense1_w",
            "policy_heads.ip_pol_w",
            "policy_heads.vanilla.ip2_pol_w",
            "value_heads.winner.ip1_val_b",
        ],
    );
    check(
        Preset::TowerAttention,
        &["residual.1.conv1.weights", "residual.0.se.w1", "pol_encoder.0.ffn.dense2_w"],
    );
    for path in [
        "",
        ".",
        "encoder",
        "encoder.0",
        "encoder.00.mha.q_w",
        "encoder.+0.mha.q_w",
        "encoder.9.mha.q_w",
        "encoder.0.mha.q_w.",
        "encoder.0.mha.q_w.params",
        "ip_emb_w.0",
        "headcount",
        "IP_EMB_W",
        "encoder..mha.q_w",
        "weights.ip_emb_w",
    ] {
        assert!(preset(Preset::TinyBt4).layer(path).is_none(), "{path:?}");
    }
}

//! Networks of the reference data: published ones, and small ones of every structure.

use lc0::{NetworkFile, layer};

/// Name, elements of all layers, and lines of its description.
const NETWORKS: &[(&str, u64, &[&str])] = &[
    ("bt4nogate.pb.gz", 291_505, &["gating no", "smolgen no", "input_embedding PeDense"]),
    ("bt4odd.pb.gz", 297_099, &["embedding 56", "d_model 40", "ffn_activation Mish"]),
    (
        "bt4tiny.pb.gz",
        417_377,
        &[
            "network AttentionbodyWithMultiheadformat",
            "smolgen compress 6, hidden 24, generated 16 a head",
            "policy heads vanilla, optimistic_st, soft",
            "value heads winner, q, st",
        ],
    ),
    ("classical.pb.gz", 1_028_823, &["policy Classical", "value Classical"]),
    ("maia-1100.pb.gz", 868_355, &["body 6 blocks of 64 filters, squeeze to 8"]),
    ("maia-1500.pb.gz", 868_355, &["policy Convolution", "value Wdl"]),
    ("maia-1900.pb.gz", 868_355, &["min_version 0.21.0", "input Classical112Plane"]),
    ("meangirl-8.pb.gz", 409_617, &["policy Convolution", "value Classical"]),
    ("resattn.pb.gz", 85_418, &["policy Attention", "moves_left V1", "default_activation Mish"]),
    ("resconv_wdl.pb.gz", 108_779, &["policy Convolution", "value Wdl"]),
    (
        "t82tiny.pb.gz",
        118_471,
        &[
            "network AttentionbodyWithHeadformat",
            "input_embedding PeMap",
            "smolgen_activation Swish",
            "ffn_activation Relu2",
        ],
    ),
    ("tinygyal-8.pb", 304_305, &["policy Convolution", "value Classical"]),
];

#[test]
fn every_reference_network_is_read_described_and_kept() {
    for (name, parameters, lines) in NETWORKS {
        let Some(path) = fixtures::reference(&format!("nets/{name}")) else { return };
        let file = NetworkFile::read(&path).unwrap();
        for (path, layer) in file.layers() {
            assert_eq!(file.layer(&path), Some(layer), "{name}: {path}");
            let values = layer::decode(layer).unwrap();
            assert_eq!(values.len(), layer::element_count(layer).unwrap(), "{name}: {path}");
        }
        let description = file.describe().unwrap();
        assert_eq!(description.parameters, *parameters, "{name}");
        assert_eq!(description.size, path.metadata().unwrap().len());
        let text: Vec<String> = description
            .to_string()
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        for line in *lines {
            assert!(text.iter().any(|found| found == line), "{name}: no {line:?} in {text:#?}");
        }

        let mut copy = file.clone();
        for (path, layer) in file.layers() {
            copy.replace(&path, &layer::decode(layer).unwrap()).unwrap();
        }
        assert!(copy.to_bytes() == file.to_bytes(), "{name} changed when nothing was");
    }
}

#[test]
fn a_published_file_is_written_as_the_message_it_was() {
    let Some(path) = fixtures::reference("nets/tinygyal-8.pb") else { return };
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.pb");
    NetworkFile::read(&path).unwrap().write(&copy).unwrap();
    assert!(std::fs::read(&path).unwrap() == std::fs::read(&copy).unwrap());
}

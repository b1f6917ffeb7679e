//! Networks of the reference data: published ones, and small ones of every structure.

use lc0::{NetworkFile, layer};
use std::time::Instant;

/// Name, elements of all layers, layers, and one layer with its first value's neighbourhood.
const NETWORKS: &[&str] = &[
    "bt4nogate.pb.gz",
    "bt4odd.pb.gz",
    "bt4tiny.pb.gz",
    "classical.pb.gz",
    "maia-1100.pb.gz",
    "maia-1500.pb.gz",
    "maia-1900.pb.gz",
    "meangirl-8.pb.gz",
    "resattn.pb.gz",
    "resconv_wdl.pb.gz",
    "t82tiny.pb.gz",
    "tinygyal-8.pb",
];

#[test]
fn every_reference_network_is_read() {
    for name in NETWORKS {
        let Some(path) = fixtures::reference(&format!("nets/{name}")) else { return };
        let started = Instant::now();
        let file = NetworkFile::read(&path).unwrap();
        let mut elements = 0;
        for (path, layer) in file.layers() {
            assert_eq!(file.layer(&path), Some(layer), "{name}: {path}");
            let values = layer::decode(layer).unwrap();
            assert_eq!(values.len(), layer::element_count(layer).unwrap(), "{name}: {path}");
            elements += values.len();
        }
        println!(
            "{name} {elements} {} {:?} {:?}",
            file.sha256(),
            started.elapsed(),
            file.net().format
        );
        assert!(elements > 0);
    }
}

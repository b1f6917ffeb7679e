//! `new-network` and `bench`.

use std::fs;

use lc0::random::Preset;
use serde_json::Value;

use crate::support::{ATTENTION, Workspace};

#[test]
fn networks_are_made_and_listed() {
    let workspace = Workspace::new();
    let make = |seed: &str, out: &str| {
        let arguments = ["new-network", "--preset", "smallest", "--seed", seed, "--out", out];
        workspace.print(&arguments, "")
    };
    let bytes = |name: &str| fs::read(workspace.path().join(name)).expect("written");
    let printed = make("5", "a.pb.gz");
    assert!(printed.starts_with("a.pb.gz: smallest, seed 5, 59502 weights, "), "{printed}");
    make("5", "b.pb.gz");
    make("6", "c.pb");
    assert_eq!(bytes("a.pb.gz"), bytes("b.pb.gz"));
    assert_eq!(bytes("a.pb.gz")[..2], [0x1f, 0x8b]);
    assert_eq!(bytes("c.pb")[..2], [0x0d, 0xc0]);
    assert!(workspace.print(&["inspect", "c.pb"], "").contains("parameters          59502"));

    let list = workspace.print(&["new-network", "--list"], "");
    assert_eq!(list.lines().count(), 1 + Preset::ALL.len());
    assert!(list.contains("\nbt4                  191821613  383.6 MB  "), "{list}");
}

#[test]
fn a_file_is_replaced_only_by_force() {
    let workspace = Workspace::new();
    let arguments = ["new-network", "--preset", "smallest", "--out", "precious.pb"];
    fs::write(workspace.path().join("precious.pb"), "precious").expect("written");
    let error = workspace.refuse(&arguments);
    assert_eq!(error, "error: precious.pb: exists; --force replaces it\n");
    assert_eq!(fs::read(workspace.path().join("precious.pb")).expect("still there"), b"precious");
    workspace.print(&[&arguments[..], &["--force"]].concat(), "");
    workspace.print(&["inspect", "precious.pb"], "");
}

fn bench(workspace: &Workspace, options: &[&str]) -> Value {
    let arguments = [&["bench", ATTENTION, "--json", "--seconds", "0"], options].concat();
    serde_json::from_str(&workspace.print(&arguments, "")).expect("JSON")
}

#[test]
fn bench_measures_each_batch_and_number_of_threads() {
    let workspace = Workspace::new();
    let report = bench(&workspace, &["--batch", "1,5", "--threads", "1,2"]);
    let rows = report["measurements"].as_array().expect("an array");
    let number = |row: &Value, name: &str| row[name].as_f64().expect("a number");
    let cells: Vec<_> =
        rows.iter().map(|row| (number(row, "threads"), number(row, "batch"))).collect();
    assert_eq!(cells, [(1.0, 1.0), (1.0, 5.0), (2.0, 1.0), (2.0, 5.0)]);
    for row in rows {
        assert!(number(row, "rounds") >= 3.0 && number(row, "median") > 0.0, "{row}");
        let shares =
            ["encode_share", "forward_share", "decode_share"].map(|part| number(row, part));
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{row}");
    }
    let load = &report["load"];
    assert_eq!(number(load, "weight_bytes"), 4.0 * number(load, "parameters"));

    let other = bench(&workspace, &["--batch", "64", "--threads", "3"]);
    assert_eq!(report["signature"], other["signature"]);
    assert_eq!(report["signature"].as_str().expect("text").len(), 64);
    let before_the_command = ["--threads", "2", "bench", ATTENTION, "--seconds", "0"];
    let text = workspace.print(&[&before_the_command[..], &["--batch", "2"]].concat(), "");
    assert!(text.contains("\n      2     2 "), "{text}");
    assert!(text.contains(report["signature"].as_str().expect("text")), "{text}");
}

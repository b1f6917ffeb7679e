use crate::NetworkFile;
use crate::proto::Encoding;
use crate::random::{Preset, random_network};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn network(preset: Preset) -> NetworkFile {
    let mut generator = ChaCha8Rng::seed_from_u64(7);
    NetworkFile::new("made", random_network(&preset.specification(), &mut generator)).unwrap()
}

fn check(file: &NetworkFile, expected: &[&str]) {
    let description = file.describe().unwrap();
    let text: Vec<String> = description
        .to_string()
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    for line in expected {
        assert!(text.iter().any(|found| found == line), "{line:?} is not in {text:#?}");
    }
    let json = serde_json::to_value(&description).unwrap();
    assert_eq!(json["sha256"], file.sha256());
    assert_eq!(json["parameters"], description.parameters);
}

#[test]
fn an_attention_body_is_described() {
    check(
        &network(Preset::OddBt4),
        &[
            "file made",
            "license random weights",
            "min_version 0.31.0",
            "body 3 encoder layers of 5 heads",
            "embedding 56",
            "d_model 40",
            "dff 72",
            "position channels 3",
            "embedding dff 76",
            "gating yes",
            "smolgen compress 4, hidden 12, generated 9 a head",
            "policy heads vanilla, optimistic_st, soft",
            "value heads winner, q, st",
            "input Classical112Plane",
            "input_embedding PeDense",
            "ffn_activation Mish",
            "smolgen_activation Swish",
            "moves_left V1",
            "training steps 0",
        ],
    );
}

#[test]
fn a_body_without_options_is_described() {
    check(&network(Preset::PlainBt4), &["gating no", "smolgen no"]);
    check(
        &network(Preset::TinyT82),
        &["input_embedding PeMap", "ffn_activation Relu2", "body 2 encoder layers of 3 heads"],
    );
}

#[test]
fn a_tower_is_described() {
    check(
        &network(Preset::Maia),
        &[
            "body 6 blocks of 64 filters, squeeze to 8",
            "policy Convolution",
            "value Wdl",
            "parameters 868355",
            "encoding Linear16 (105 of 105 layers)",
        ],
    );
    check(
        &network(Preset::TowerClassical),
        &["body 2 blocks of 32 filters", "value Classical", "output Classical"],
    );
}

#[test]
fn encodings_and_the_version_they_need_are_told() {
    let mut file = network(Preset::TowerConvolution);
    file.set("ip2_val_b", &[1.0, 2.0, 3.0], Encoding::Float16).unwrap();
    check(&file, &["encoding Float16 (1 of 49 layers)", "min_version 0.33.0"]);
}

#[test]
fn markers_beyond_the_format_are_told_by_number() {
    let mut generator = ChaCha8Rng::seed_from_u64(7);
    let mut net = random_network(&Preset::Smallest.specification(), &mut generator);
    let format = net.format.as_mut().unwrap().network_format.as_mut().unwrap();
    format.input = Some(77);
    check(&NetworkFile::new("made", net).unwrap(), &["input unknown (77)"]);
}

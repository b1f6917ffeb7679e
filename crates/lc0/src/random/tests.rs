use super::*;
use crate::NetworkFile;
use crate::layer;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The shape of a network: a file whose layers have a shape and no numbers.
fn shape(preset: Preset) -> Weights {
    network(&preset.specification(), &mut Counting::default()).weights.unwrap()
}

fn count(layer: &Option<crate::proto::Layer>) -> u32 {
    layer.as_ref().unwrap().dims[0]
}

#[test]
fn bt4_has_the_published_element_counts() {
    let weights = shape(Preset::Bt4);
    assert_eq!(count(&weights.ip_emb_preproc_w), 25_165_824);
    assert_eq!(count(&weights.ip_emb_w), 638_976);
    assert_eq!(count(&weights.ip_mult_gate), 65_536);
    assert_eq!(count(&weights.ip_add_gate), 65_536);
    assert_eq!(count(&weights.smolgen_w), 1_048_576);
    assert_eq!(weights.encoder.len(), 15);
    assert_eq!(weights.headcount(), 32);
    // With the error estimates that training alone uses, 129 numbers in each value head.
    assert_eq!(parameter_count(&Preset::Bt4.specification()), 191_821_613);
}

#[test]
fn parts_of_bt4_add_up() {
    let Specification::AttentionBody(bt4) = Preset::Bt4.specification() else { unreachable!() };
    let total = |body: &AttentionBody| parameter_count(&Specification::AttentionBody(body.clone()));
    let full = total(&bt4);
    let without_layer = AttentionBody { encoders: 14, ..bt4.clone() };
    assert_eq!(full - total(&without_layer), 7_350_784 + 2_679_552);
    let without_smolgen = AttentionBody { smolgen: None, ..bt4.clone() };
    assert_eq!(full - total(&without_smolgen), 15 * 2_679_552 + 1_048_576);
    let without_moves_left = AttentionBody { moves_left: None, ..bt4.clone() };
    assert_eq!(full - total(&without_moves_left), 295_201);
    // The single heads carry their own embedding, as many numbers as the shared one.
    let single = AttentionBody { heads: Heads::One, ..bt4 };
    assert_eq!(total(&single), 185_254_052);
}

#[test]
fn maia_has_the_published_element_count() {
    assert_eq!(parameter_count(&Preset::Maia.specification()), 868_355);
}

#[test]
fn presets_have_the_sizes_that_they_tell() {
    let check = |preset: Preset, expected: u64| {
        assert_eq!(parameter_count(&preset.specification()), expected, "{}", preset.name());
    };
    check(Preset::Chessformer128, 2_268_835);
    check(Preset::Chessformer256, 6_619_939);
    check(Preset::TinyBt4, 417_377);
    check(Preset::TinyT82, 118_471);
    check(Preset::TowerAttention, 85_418);
    check(Preset::TowerConvolution, 108_779);
    check(Preset::TowerClassical, 1_028_823);
    check(Preset::Smallest, 59_502);
}

#[test]
fn networks_have_as_many_numbers_as_counted_and_no_wild_ones() {
    for preset in Preset::ALL {
        let specification = preset.specification();
        if parameter_count(&specification) > 2_000_000 {
            continue;
        }
        let net = random_network(&specification, &mut ChaCha8Rng::seed_from_u64(1));
        let file = NetworkFile::new(preset.name(), net.clone()).unwrap();
        let mut elements = 0;
        for (path, layer) in file.layers() {
            let values = layer::decode(layer).unwrap();
            elements += values.len() as u64;
            let largest = if path == "ip2_mov_b" { 30.0 } else { 8.0 };
            assert!(values.iter().all(|value| value.abs() < largest), "{}: {path}", preset.name());
            if path.ends_with("bn_stddivs") || path.ends_with("gammas") {
                assert!(values.iter().all(|&value| value > 0.0), "{}: {path}", preset.name());
            }
        }
        assert_eq!(elements, parameter_count(&specification), "{}", preset.name());
        let again = random_network(&specification, &mut ChaCha8Rng::seed_from_u64(1));
        assert!(net == again, "{}: one seed, two networks", preset.name());
    }
}

#[test]
fn names_are_distinct() {
    for preset in Preset::ALL {
        assert_eq!(Preset::by_name(preset.name()), Some(preset));
    }
    assert_eq!(Preset::by_name("bt5"), None);
}

#[test]
fn an_untrained_network_has_no_preference() {
    let specification = Preset::TinyBt4.specification();
    let Specification::AttentionBody(body) = &specification else { unreachable!() };
    let generated = body.smolgen.as_ref().unwrap().generated;
    let net = untrained_network(&specification, &mut ChaCha8Rng::seed_from_u64(1));
    let weights = net.weights.unwrap();
    let values =
        |layer: &Option<crate::proto::Layer>| layer::decode(layer.as_ref().unwrap()).unwrap();
    let check = |layer, expected: f32| {
        assert!(values(layer).iter().all(|&number| number == expected), "{:?}", values(layer));
    };
    check(&weights.ip_mult_gate, 1.0);
    check(&weights.ip_add_gate, 0.0);
    check(&weights.ip_emb_b, 0.0);
    check(&weights.ip_emb_ln_gammas, 1.0);
    check(&weights.encoder[0].ln1_betas, 0.0);
    let numbers = values(&weights.smolgen_w);
    let largest = numbers.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
    // Uniform, of standard deviation 1 / sqrt(inputs).
    let bound = (3.0 / generated as f32).sqrt();
    assert!((0.9 * bound..=1.001 * bound).contains(&largest), "{largest}, {bound}");
}

//! From file to network and back, for every structure.

use lc0::NetworkFile;
use lc0::proto::{Encoding, Layer, Net, NetworkFormat, Weights};
use lc0::random::{Preset, random_network};
use network::{Group, HeadSelection, Network, PolicyHeadName, Source, ValueHeadName};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Presets small enough for a test.
fn presets() -> impl Iterator<Item = Preset> {
    let small = |preset: &Preset| lc0::random::parameter_count(&preset.specification()) < 2_000_000;
    Preset::ALL.into_iter().filter(small)
}

fn file(preset: Preset) -> NetworkFile {
    let mut generator = ChaCha8Rng::seed_from_u64(7);
    let net = random_network(&preset.specification(), &mut generator);
    NetworkFile::new(preset.name(), net).unwrap()
}

fn load(file: &NetworkFile) -> Network {
    Network::load(file, HeadSelection::default()).unwrap()
}

#[test]
fn a_network_stored_unchanged_keeps_every_byte() {
    assert!(presets().count() >= 7);
    for preset in presets() {
        let original = file(preset);
        let mut stored = original.clone();
        let network = load(&original);
        network.store(&network.parameters, &mut stored).unwrap();
        assert_eq!(stored.to_bytes(), original.to_bytes(), "{}", preset.name());
    }
}

#[test]
fn changed_parameters_are_read_back_to_the_rounding_of_their_encoding() {
    for preset in presets() {
        let original = file(preset);
        let network = load(&original);
        let changed: Vec<f32> = network
            .parameters
            .iter()
            .enumerate()
            .map(|(index, value)| value + 0.01 * ((index % 11) as f32 - 5.0))
            .collect();
        let mut stored = original.clone();
        network.store(&changed, &mut stored).unwrap();
        let bytes = stored.to_bytes();
        let again = load(&NetworkFile::from_bytes("stored", bytes).unwrap());
        assert_eq!(again.architecture.layout.len(), changed.len(), "{}", preset.name());
        for tensor in again.architecture.layout.tensors() {
            let (wanted, found) = (&changed[tensor.range()], &again.parameters[tensor.range()]);
            let least = wanted.iter().copied().fold(f32::INFINITY, f32::min);
            let most = wanted.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let step = (most - least) / 65535.0;
            let rounding = 2.0 * f32::EPSILON * most.abs().max(-least);
            // A convolution is rounded before its channels' normalisation scales it.
            let bound = match tensor.source {
                Source::Layer(_) => step / 2.0 + rounding,
                Source::ConvolutionWeights(_) | Source::ConvolutionBias(_) => 4.0 * step + rounding,
            };
            for (wanted, found) in wanted.iter().zip(found) {
                let error = (wanted - found).abs();
                assert!(error <= bound, "{}: {} by {error}", preset.name(), tensor.name);
            }
        }
    }
}

#[test]
fn heads_that_are_not_selected_keep_their_bytes() {
    let original = file(Preset::TinyBt4);
    let network = load(&original);
    let changed: Vec<f32> = network.parameters.iter().map(|value| value * 1.5 + 0.1).collect();
    let mut stored = original.clone();
    network.store(&changed, &mut stored).unwrap();
    let unselected = |path: &str| {
        ["optimistic_st", "soft", "value_heads.q", "value_heads.st", "val_err", "val_cat"]
            .iter()
            .any(|head| path.contains(head))
    };
    let mut kept = 0;
    for (path, layer) in original.layers() {
        if unselected(&path) {
            assert_eq!(stored.layer(&path), Some(layer), "{path}");
            kept += 1;
        } else {
            assert_ne!(stored.layer(&path), Some(layer), "{path}");
        }
    }
    assert!(kept > 10, "{kept} layers of heads that were not selected");
}

#[test]
fn a_head_that_is_not_there_is_named_with_those_that_are() {
    let check = |preset: &str, policy: PolicyHeadName, value: ValueHeadName, expected: &str| {
        let preset = Preset::by_name(preset).unwrap();
        let error = Network::load(&file(preset), HeadSelection { policy, value }).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    let (policy, value) = (PolicyHeadName::Opponent, ValueHeadName::Winner);
    let expected = "tiny-bt4: no policy head 'opponent'; the file has vanilla, optimistic, soft";
    check("tiny-bt4", policy, value, expected);
    let (policy, value) = (PolicyHeadName::Vanilla, ValueHeadName::Q);
    check("tiny-t82", policy, value, "tiny-t82: no value head 'q'; the file has winner");
}

#[test]
fn every_group_has_parameters_and_the_last_layer_is_a_group_of_its_own() {
    for preset in presets() {
        let network = load(&file(preset));
        let tensors = network.architecture.layout.tensors();
        for group in [Group::Backbone, Group::FinalBlock, Group::PolicyHead, Group::ValueHead] {
            let count = tensors.iter().filter(|tensor| tensor.group == group).count();
            assert!(count > 0, "{}: {group:?}", preset.name());
        }
        for tensor in tensors.iter().filter(|tensor| tensor.group == Group::FinalBlock) {
            let name = &tensor.name;
            assert!(name.starts_with("encoder.") || name.starts_with("residual."), "{name}");
        }
    }
}

#[test]
fn a_missing_or_misshapen_layer_is_named() {
    let preset = Preset::TinyBt4;
    let check = |edit: &dyn Fn(&mut NetworkFile), expected: &str| {
        let mut broken = file(preset);
        edit(&mut broken);
        let error = Network::load(&broken, HeadSelection::default()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(&|file| file.remove("encoder.1.ln2_betas").unwrap(), "encoder.1.ln2_betas is missing");
    let linear = lc0::proto::Encoding::Linear16;
    check(
        &|file| file.set("encoder.0.mha.q_b", &[0.0; 6], linear).unwrap(),
        "encoder.0.mha.q_b has 6 elements, expected a multiple of the head count",
    );
    check(&|file| file.set("ip_emb_w", &[0.0; 6], linear).unwrap(), "ip_emb_w has 6 elements");
}

#[test]
fn a_convolution_keeps_its_normalisation_unless_a_scale_is_near_zero() {
    let check = |gamma: f32, kept: bool| {
        let mut original = file(Preset::TowerConvolution);
        let path = "residual.1.conv2";
        let mut gammas = original.values(&format!("{path}.bn_gammas")).unwrap();
        gammas[3] = gamma;
        original.replace(&format!("{path}.bn_gammas"), &gammas).unwrap();
        let network = load(&original);
        let changed: Vec<f32> = network.parameters.iter().map(|value| value + 0.01).collect();
        network.store(&changed, &mut original).unwrap();
        for layer in ["bn_means", "bn_stddivs", "bn_gammas", "bn_betas"] {
            let there = original.layer(&format!("{path}.{layer}")).is_some();
            assert_eq!(there, kept, "{layer} at a factor of {gamma}");
        }
        let again = load(&original);
        for tensor in network.architecture.layout.tensors() {
            if tensor.name.starts_with(path) {
                let pairs = changed[tensor.range()].iter().zip(&again.parameters[tensor.range()]);
                for (wanted, found) in pairs {
                    assert!((wanted - found).abs() < 1e-4, "{}: {wanted}, {found}", tensor.name);
                }
            }
        }
    };
    check(1.0, true);
    check(0.0, false);
    check(1e-6, false);
}

/// The file of `preset` with its message changed.
fn changed(preset: Preset, change: impl FnOnce(&mut Net)) -> NetworkFile {
    let mut generator = ChaCha8Rng::seed_from_u64(7);
    let mut net = random_network(&preset.specification(), &mut generator);
    change(&mut net);
    NetworkFile::new(preset.name(), net).unwrap()
}

fn refusal(file: &NetworkFile) -> String {
    match Network::load(file, HeadSelection::default()) {
        Ok(_) => panic!("{} is loaded", file.name()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn undefined_markers_are_refused_with_their_value() {
    let check = |name: &str, change: &dyn Fn(&mut NetworkFormat)| {
        let file = changed(Preset::TinyBt4, |net| {
            change(net.format.as_mut().unwrap().network_format.as_mut().unwrap());
        });
        let error = refusal(&file);
        assert!(error.contains(name) && error.contains("77"), "{name}: {error}");
    };
    check("input format", &|format| format.input = Some(77));
    check("network", &|format| format.network = Some(77));
    check("policy", &|format| format.policy = Some(77));
    check("value", &|format| format.value = Some(77));
    check("moves_left", &|format| format.moves_left = Some(77));
    check("default_activation", &|format| format.default_activation = Some(77));
    check("ffn_activation", &|format| format.ffn_activation = Some(77));
    check("smolgen_activation", &|format| format.smolgen_activation = Some(77));
    let file = changed(Preset::TinyBt4, |net| {
        net.format.as_mut().unwrap().weights_encoding = Some(Encoding::Float16 as i32);
    });
    assert!(refusal(&file).contains("weights_encoding"));
}

#[test]
fn absurd_numbers_of_attention_heads_are_refused() {
    let check = |heads: u32, expected: &str| {
        let file = changed(Preset::Smallest, |net| {
            net.weights.as_mut().unwrap().headcount = Some(heads);
        });
        let error = refusal(&file);
        assert!(error.contains(expected), "{heads}: {error}");
    };
    check(0, "0 attention heads");
    check(257, "257 attention heads");
    check(u32::MAX, "4294967295 attention heads");
    check(3, "a multiple of the head count 3");
}

/// Cuts one byte off a layer.
fn cut(layer: &mut Option<Layer>) {
    let params = layer.as_mut().unwrap().params.as_mut().unwrap();
    *params = params.slice(..params.len() - 1);
}

#[test]
fn a_cut_layer_is_an_error_and_never_a_smaller_network() {
    let check = |preset: Preset, path: &str, change: &dyn Fn(&mut Weights)| {
        let file = changed(preset, |net| change(net.weights.as_mut().unwrap()));
        let error = refusal(&file);
        assert!(error.contains(path), "{path}: {error}");
    };
    check(Preset::TinyBt4, "encoder.1.mha.q_w", &|weights| {
        cut(&mut weights.encoder[1].mha.as_mut().unwrap().q_w);
    });
    check(Preset::TinyBt4, "encoder.0.mha.q_w is missing", &|weights| {
        weights.encoder[0].mha.as_mut().unwrap().q_w = None;
    });
    check(Preset::TinyBt4, "smolgen.compress", &|weights| {
        let mha = weights.encoder[1].mha.as_mut().unwrap();
        cut(&mut mha.smolgen.as_mut().unwrap().compress);
    });
    check(Preset::TinyBt4, "ip_mult_gate", &|weights| cut(&mut weights.ip_mult_gate));
    check(Preset::TinyBt4, "ip_emb_preproc_w", &|weights| cut(&mut weights.ip_emb_preproc_w));
    check(Preset::TowerConvolution, "residual.0.se.w1", &|weights| {
        cut(&mut weights.residual[0].se.as_mut().unwrap().w1);
    });
    check(Preset::TowerConvolution, "residual.1.conv1.weights", &|weights| {
        cut(&mut weights.residual[1].conv1.as_mut().unwrap().weights);
    });
    check(Preset::TowerConvolution, "residual.0.conv1.weights is missing", &|weights| {
        weights.residual[0].conv1.as_mut().unwrap().weights = None;
    });
}

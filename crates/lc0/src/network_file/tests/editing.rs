use super::*;
use crate::proto::Encoding;

fn reread(file: &NetworkFile) -> NetworkFile {
    NetworkFile::from_bytes("reread", file.to_bytes()).unwrap()
}

/// The tree, the message and the written file agree.
fn consistent(file: &NetworkFile) {
    let again = reread(file);
    assert_eq!(again.net(), file.net());
    assert_eq!(contents(&again), contents(file));
}

#[test]
fn every_layer_can_be_replaced_alone() {
    for preset_ in [Preset::Smallest, Preset::TowerAttention] {
        let original = preset(preset_);
        let before = contents(&original);
        for (path, values) in &before {
            let mut file = original.clone();
            let new: Vec<f32> = (0..values.len()).map(|i| 1.0 + (i as f32 * 0.37).sin()).collect();
            file.replace(path, &new).unwrap();
            consistent(&file);
            for ((path_now, now), (path_before, value_before)) in
                contents(&file).iter().zip(&before)
            {
                assert_eq!(path_now, path_before);
                if path_now == path {
                    let close = |(a, b): (&f32, &f32)| (a - b).abs() <= 2.0 / 65535.0;
                    assert!(now.iter().zip(&new).all(close), "{path}");
                } else {
                    assert_eq!(now, value_before, "{path} changed {path_now}");
                }
            }
        }
    }
}

#[test]
fn values_that_are_there_already_change_nothing() {
    let original = small();
    let mut file = original.clone();
    for (path, values) in contents(&original) {
        file.replace(&path, &values).unwrap();
    }
    assert_eq!(file.to_bytes(), original.to_bytes());
}

#[test]
fn a_layer_keeps_its_encoding_and_shape() {
    for encoding in [Encoding::Linear16, Encoding::Float16, Encoding::Bfloat16, Encoding::Float32] {
        let mut net = small().net().clone();
        let layer = net.weights.as_mut().unwrap().ip_emb_b.as_mut().unwrap();
        *layer = Layer {
            encoding: Some(encoding as i32),
            dims: vec![2, 2],
            ..layer::encode(&[1.0; 4], encoding).unwrap()
        };
        let mut file = NetworkFile::new("made", net).unwrap();
        file.replace("ip_emb_b", &[0.0, 0.5, -0.5, 2.0]).unwrap();
        consistent(&file);
        let layer = file.layer("ip_emb_b").unwrap();
        assert_eq!(layer::encoding(layer), Ok(encoding));
        assert_eq!(layer.encoding, Some(encoding as i32));
        assert_eq!(layer.dims, [2, 2]);
        let values = file.values("ip_emb_b").unwrap();
        assert!((values[3] - 2.0).abs() < 1e-4 && (values[2] + 0.5).abs() < 1e-4, "{values:?}");
    }
}

#[test]
fn newer_encodings_raise_the_version_that_is_needed() {
    let check = |stored: Option<(u32, u32, u32)>, encoding, expected: Option<(u32, u32, u32)>| {
        let mut net = small().net().clone();
        net.min_version = stored.map(|(major, minor, patch)| crate::proto::Version {
            major: Some(major),
            minor: Some(minor),
            patch: Some(patch),
        });
        let mut in_place = NetworkFile::new("made", net.clone()).unwrap();
        in_place.set("ip_emb_b", &[0.0; 4], encoding).unwrap();
        consistent(&in_place);
        *net.weights.as_mut().unwrap().ip_emb_b.as_mut().unwrap() = Layer {
            encoding: Some(encoding as i32),
            ..layer::encode(&[0.0; 4], encoding).unwrap()
        };
        let made = NetworkFile::new("made", net).unwrap();
        for file in [in_place, made] {
            let version = file.net().min_version.clone();
            let found = version.map(|version| (version.major(), version.minor(), version.patch()));
            assert_eq!(found, expected, "{stored:?} {encoding:?}");
        }
    };
    check(Some((0, 31, 0)), Encoding::Linear16, Some((0, 31, 0)));
    check(Some((0, 31, 5)), Encoding::Float16, Some((0, 33, 0)));
    check(None, Encoding::Bfloat16, Some((0, 33, 0)));
    check(None, Encoding::Linear16, None);
    check(Some((0, 33, 0)), Encoding::Float32, Some((0, 33, 0)));
    check(Some((0, 34, 2)), Encoding::Float32, Some((0, 34, 2)));
    check(Some((1, 0, 0)), Encoding::Float32, Some((1, 0, 0)));
}

#[test]
fn absent_layers_are_added_with_what_is_around_them() {
    let mut file = preset(Preset::Maia);
    file.set("input.biases", &[0.5; 64], Encoding::Linear16).unwrap();
    file.set("residual.3.conv2.biases", &[0.25; 64], Encoding::Linear16).unwrap();
    file.set("policy_heads.opponent.ip2_pol_b", &[1.0, -1.0], Encoding::Linear16).unwrap();
    consistent(&file);
    assert_eq!(file.values("input.biases").unwrap(), [0.5; 64]);
    assert_eq!(file.values("residual.3.conv2.biases").unwrap(), [0.25; 64]);
    let heads = file.net().weights.as_ref().unwrap().policy_heads.as_ref().unwrap();
    assert!(heads.opponent.as_ref().unwrap().ip2_pol_b.is_some());
}

#[test]
fn set_may_change_the_number_of_elements() {
    let mut file = small();
    file.set("ip_emb_b", &[1.0, 2.0], Encoding::Linear16).unwrap();
    consistent(&file);
    assert_eq!(file.values("ip_emb_b").unwrap(), [1.0, 2.0]);
}

#[test]
fn layers_messages_elements_and_lists_are_removed() {
    let check = |path: &str, kept: fn(&str) -> bool| {
        let original = preset(Preset::TinyBt4);
        let mut file = original.clone();
        file.remove(path).unwrap();
        consistent(&file);
        let expected: Vec<_> =
            original.layers().map(|(path, _)| path).filter(|path| kept(path)).collect();
        let found: Vec<_> = file.layers().map(|(path, _)| path).collect();
        assert_eq!(found, expected, "{path}");
        assert!(found.len() < original.layers().count());
    };
    check("ip_mult_gate", |path| path != "ip_mult_gate");
    check("encoder.0.mha.smolgen", |path| !path.starts_with("encoder.0.mha.smolgen"));
    check("encoder.1", |path| !path.starts_with("encoder.1"));
    check("encoder", |path| !path.starts_with("encoder"));
    check("policy_heads.soft", |path| !path.starts_with("policy_heads.soft"));
    check("value_heads", |path| !path.starts_with("value_heads"));

    let mut file = preset(Preset::TinyBt4);
    let second = file.values("encoder.1.mha.q_w").unwrap();
    file.remove("encoder.0").unwrap();
    assert_eq!(file.values("encoder.0.mha.q_w").unwrap(), second);
}

#[test]
fn refused_changes_say_why_and_leave_the_network_as_it_was() {
    let original = small();
    let mut file = original.clone();
    let mut check = |result: fn(&mut NetworkFile) -> Result<(), NetworkFileError>,
                     expected: &str| {
        let error = result(&mut file).unwrap_err().to_string();
        assert!(error.starts_with("made: "), "{error}");
        assert!(error.contains(expected), "{error:?} lacks {expected:?}");
        assert_eq!(file.to_bytes(), original.to_bytes(), "{expected}");
        assert_eq!(file.net(), original.net(), "{expected}");
    };
    check(|f| f.replace("ip_emb", &[1.0]), "\"ip_emb\": there is no such layer");
    check(|f| f.replace("input.biases", &[1.0]), "there is no such layer");
    check(|f| f.replace("ip_emb_b", &[1.0]), "layer ip_emb_b: it has 4 elements, 1 were given");
    check(
        |f| f.replace("ip_emb_b", &[1.0, f32::NAN, 1.0, 1.0]),
        "layer ip_emb_b: element 1 is NaN, expected a finite number",
    );
    check(|f| f.replace("ip_emb_b", &[f32::MIN, 0.0, 0.0, f32::MAX]), "is not finite");
    check(
        |f| f.set("ip_emb_b", &[1e9], Encoding::Float16),
        "layer ip_emb_b: element 0 is 1000000000, beyond the range of Float16",
    );
    check(
        |f| f.set("input.bias", &[1.0], Encoding::Linear16),
        "\"input.bias\": nothing is called \"bias\" there, expected one of weights, biases, bn_means",
    );
    check(|f| f.set("headcount", &[1.0], Encoding::Linear16), "nothing is called \"headcount\"");
    check(
        |f| f.set("encoder.1.ln1_betas", &[1.0], Encoding::Linear16),
        "there are 1 of \"encoder\", counted from 0",
    );
    check(|f| f.set("encoder.x.ln1_betas", &[1.0], Encoding::Linear16), "\"x\" after \"encoder\"");
    check(|f| f.set("encoder", &[1.0], Encoding::Linear16), "names a list, not a layer");
    check(|f| f.set("encoder.0", &[1.0], Encoding::Linear16), "names a message, not a layer");
    check(|f| f.set("input", &[1.0], Encoding::Linear16), "names a message, not a layer");
    check(|f| f.set("ip_emb_b.0", &[1.0], Encoding::Linear16), "nothing is below a layer");
    check(|f| f.remove("input"), "there is no \"input\"");
    check(|f| f.remove("residual"), "there is no \"residual\"");
    check(|f| f.remove("encoder.7"), "there are 1 of \"encoder\", counted from 0");
    check(|f| f.remove("ip_emb_b.params"), "nothing is below a layer");
    check(|f| f.remove("policy_heads.hard"), "nothing is called \"hard\"");
    check(|f| f.values("ip_emb_v").map(drop), "there is no such layer");
}

#[test]
fn a_shape_holds_against_new_values() {
    let mut net = small().net().clone();
    net.weights.as_mut().unwrap().ip_emb_b.as_mut().unwrap().dims = vec![2, 2];
    let mut file = NetworkFile::new("made", net).unwrap();
    let error = file.set("ip_emb_b", &[1.0; 3], Encoding::Linear16).unwrap_err().to_string();
    assert_eq!(error, "made: layer ip_emb_b: its shape [2, 2] does not fit its 3 elements");
}

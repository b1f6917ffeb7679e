//! Input planes and policy entries against those of lc0 0.32.1.

use std::collections::{BTreeMap, BTreeSet};

use chess::{Game, HistoryFill, InputFormat, MoveIndex, Planes, encode};
use serde_json::Value;

/// Plane, squares, value, of the planes that are not zero.
type Listed = Vec<(usize, u64, f32)>;

struct Position {
    name: String,
    game: Game,
    /// Moves in lc0's notation, with their entries.
    policy: BTreeMap<String, usize>,
}

fn listed(planes: &Planes) -> Listed {
    (0..Planes::COUNT)
        .map(|plane| (plane, planes.masks[plane], planes.values[plane]))
        .filter(|&(_, mask, value)| mask != 0 && value != 0.0)
        .collect()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a string")
}

fn positions(golden: &Value) -> Vec<Position> {
    golden["nets"]["maia-1900"]["positions"]
        .as_array()
        .expect("positions")
        .iter()
        .map(|entry| {
            let name = text(&entry["name"]).to_owned();
            let mut game = Game::from_fen(text(&entry["fen"])).expect(&name);
            for uci in entry["moves"].as_array().expect("moves") {
                game.play_uci(text(uci)).expect(&name);
            }
            let policy = entry["policy"].as_object().expect("policy").iter();
            let policy = policy
                .map(|(uci, entry)| (uci.clone(), entry[0].as_u64().expect("index") as usize))
                .collect();
            Position { name, game, policy }
        })
        .collect()
}

#[test]
fn planes_and_policy_entries_are_those_of_lc0() {
    let Some(path) = fixtures::reference("lc0_golden/golden.json") else { return };
    let golden: Value =
        serde_json::from_slice(&std::fs::read(path).expect("a readable file")).expect("JSON");
    let positions = positions(&golden);
    assert_eq!(positions.len(), 45);
    for Position { name, game, policy } in positions {
        let encoding = encode(&game, InputFormat::Classical112, HistoryFill::FenOnly).expect(&name);
        let expected: Listed = golden["planes_format1"][&name]
            .as_array()
            .expect("planes")
            .iter()
            .map(|plane| {
                let mask = u64::from_str_radix(text(&plane[1]), 16).expect("a mask");
                let number = plane[0].as_u64().expect("a plane") as usize;
                (number, mask, plane[2].as_f64().expect("a value") as f32)
            })
            .collect();
        assert_eq!(listed(&encoding.planes), expected, "planes of {name}");

        // lc0 may print castling either way, so both sides are compared as moves.
        let expected: BTreeSet<(String, usize)> = policy
            .into_iter()
            .map(|(uci, index)| (game.uci(game.parse_uci(&uci).expect(&name)), index))
            .collect();
        let ours = game
            .legal_moves()
            .into_iter()
            .map(|mv| (game.uci(mv), MoveIndex::of(mv, encoding.orientation).get()))
            .collect();
        assert_eq!(expected, ours, "policy of {name}");
    }
}

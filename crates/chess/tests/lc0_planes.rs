//! Input planes of every format but the classical one against those of lc0 0.32.1.

use chess::{Game, HistoryFill, InputFormat, Planes, encode};

/// Plane, squares and value as the file writes them, of the planes that are not zero.
fn written(planes: &Planes) -> String {
    (0..Planes::COUNT)
        .filter(|&plane| planes.masks[plane] != 0)
        .map(|plane| {
            let squares = match planes.masks[plane] {
                u64::MAX => "all".to_owned(),
                mask => format!("{mask:x}"),
            };
            match planes.values[plane] {
                1.0 => format!("{plane}:{squares}"),
                value => format!("{plane}:{squares}={value}"),
            }
        })
        .filter(|plane| !plane.ends_with("=0"))
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn planes_are_those_of_lc0() {
    let mut rows = 0;
    for row in include_str!("lc0_planes.txt").lines().filter(|row| !row.starts_with('#')) {
        let [format, fen, moves, expected] =
            row.split(" | ").collect::<Vec<_>>().try_into().expect("four fields");
        let format = InputFormat::from_id(format.parse().expect("a number")).expect("a format");
        let mut game = Game::from_fen(fen).expect("a position");
        for uci in moves.split_whitespace() {
            game.play_uci(uci).expect("a legal line");
        }
        let encoding = encode(&game, format, HistoryFill::FenOnly).expect("a standard position");
        assert_eq!(written(&encoding.planes), expected, "{format:?} of {fen} after {moves}");
        rows += 1;
    }
    assert!(rows > 40, "{rows} rows");
}

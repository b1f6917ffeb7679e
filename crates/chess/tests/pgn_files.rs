//! Whole files of games from three sources, and results without moves.

use chess::Outcome;
use chess::pgn::{PgnGame, PgnHeader, PgnHeaderReader, PgnReader};

/// Wins of White, draws, wins of Black, games without a result.
fn score(results: impl Iterator<Item = Option<Outcome>>) -> [usize; 4] {
    let mut score = [0; 4];
    for result in results {
        score[match result {
            Some(Outcome::WhiteWins) => 0,
            Some(Outcome::Draw) => 1,
            Some(Outcome::BlackWins) => 2,
            None => 3,
        }] += 1;
    }
    score
}

#[test]
fn every_game_of_real_files_is_read() {
    for (file, plies, expected) in [
        ("games/fics_202301_standard2000.pgn", 190_755, [951, 378, 1_003, 0]),
        ("games/lichess_db_1000k.pgn", 28_538, [204, 19, 215, 0]),
        ("games/twic1599_1000k.pgn", 101_487, [413, 373, 324, 0]),
        ("ratings/engines_17.pgn", 0, [3_292, 1_681, 3_026, 0]),
        ("ratings/one_sided_3.pgn", 0, [39, 9, 32, 0]),
        ("ratings/pool_9x60.pgn", 0, [905, 527, 728, 0]),
    ] {
        let Some(path) = fixtures::reference(file) else { return };
        let games: Vec<PgnGame> =
            PgnReader::open(&path).expect(file).collect::<Result<_, _>>().expect(file);
        let headers: Vec<PgnHeader> =
            PgnHeaderReader::open(&path).expect(file).collect::<Result<_, _>>().expect(file);
        assert_eq!(score(games.iter().map(|game| game.result)), expected, "{file}");
        assert_eq!(games.iter().map(|game| game.moves.len()).sum::<usize>(), plies, "{file}");
        assert_eq!(games.len(), headers.len(), "{file}");
        for (game, header) in games.iter().zip(&headers) {
            assert!(game.terminated, "{file}, line {}", game.line);
            let PgnGame { line, tags, result, terminated, .. } = game;
            let (line, result, terminated) = (*line, *result, *terminated);
            assert_eq!(header, &PgnHeader { line, tags: tags.clone(), result, terminated });
            if let Some(count) = game.tag("PlyCount") {
                assert_eq!(count, game.moves.len().to_string(), "{file}, line {line}");
            }
        }
    }
}

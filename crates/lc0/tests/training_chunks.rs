//! Real training chunks: two games of Lc0's runs, two of its self-play.

use std::collections::BTreeMap;

use lc0::training_data::ChunkFiles;

#[test]
fn real_chunks_are_read_in_whole_and_written_back() {
    let Some(path) = fixtures::reference("training") else { return };
    let files = ChunkFiles::find(&[path]).expect("a folder of chunks");
    let mut positions = BTreeMap::new();
    for source in files.sources() {
        let name = source.path().file_name().expect("a file").to_string_lossy().into_owned();
        let read = source.for_each_chunk(|chunk| {
            for record in chunk {
                let record = record.expect("a whole record");
                assert_eq!(record.input_format, 1);
                let again = lc0::training_data::TrainingRecord::from_bytes(&record.to_bytes());
                assert_eq!(again.expect("what was read").planes, record.planes);
                // The pieces of the position: two kings, and no more than 32 pieces.
                let count = |planes: std::ops::Range<usize>| -> u32 {
                    record.planes[planes].iter().map(|plane| plane.count_ones()).sum()
                };
                assert_eq!((count(5..6), count(11..12)), (1, 1));
                assert!((3..=32).contains(&count(0..12)));
                assert!(record.probabilities[usize::from(record.played_index)] >= 0.0);
                *positions.entry(name.clone()).or_insert(0) += 1;
            }
            true
        });
        read.expect("a file that can be opened");
    }
    let expected = [
        ("game_000000.gz", 40),
        ("game_000001.gz", 89),
        ("training.1387357298.gz", 133),
        ("training.1387366601.gz", 26),
    ];
    assert_eq!(positions, expected.map(|(name, count)| (name.to_owned(), count)).into());
}

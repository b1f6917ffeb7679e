use super::*;

fn facts(rating: Option<u32>, themes: &[&str], mate_depth: Option<u32>) -> PuzzleFacts {
    PuzzleFacts {
        id: String::new(),
        fen: String::new(),
        line: Vec::new(),
        rating,
        themes: themes.iter().map(|&theme| theme.to_owned()).collect(),
        mate_depth,
    }
}

#[test]
fn puzzles_stand_in_their_groups() {
    let puzzles = [
        facts(Some(1199), &["mate", "short"], Some(2)),
        facts(Some(1000), &["short", "short"], None),
        facts(Some(1200), &[], Some(10)),
        facts(None, &["mate"], Some(2)),
    ];
    let check = |breakdown: Breakdown, expected: &[(&str, &[u32])]| {
        let mut groups = Groups::new(breakdown);
        puzzles.iter().for_each(|facts| groups.add(facts));
        let found: Vec<(String, &[u32])> =
            groups.iter().map(|(group, members)| (group.to_string(), members)).collect();
        let found: Vec<(&str, &[u32])> =
            found.iter().map(|(group, members)| (group.as_str(), *members)).collect();
        assert_eq!(found, expected);
    };
    check(Breakdown::Rating, &[("1000-1199", &[0, 1]), ("1200-1399", &[2]), ("unrated", &[3])]);
    check(Breakdown::Theme, &[("mate", &[0, 3]), ("short", &[0, 1])]);
    // By depth, not by the alphabet.
    check(Breakdown::MateDepth, &[("mate in 2", &[0, 3]), ("mate in 10", &[2])]);
}

#[test]
fn the_highest_rating_has_a_group() {
    let groups = Breakdown::Rating.groups_of(&facts(Some(u32::MAX), &[], None));
    assert_eq!(groups[0].to_string(), "4294967200-4294967399");
}

#[test]
fn names_are_read_back() {
    for breakdown in Breakdown::ALL {
        assert_eq!(breakdown.to_string().parse(), Ok(breakdown));
    }
    let error = "length".parse::<Breakdown>().expect_err("no such breakdown");
    assert_eq!(error.to_string(), "'length' is no breakdown; expected rating, theme or mate-depth");
}

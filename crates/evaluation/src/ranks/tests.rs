use super::*;

#[test]
fn ranks_are_counted() {
    let check = |ranks: &[u32], counts: [u64; Ranks::GROUPS], shares| {
        let mut counted = Ranks::default();
        ranks.iter().for_each(|&rank| counted.add(rank));
        assert_eq!(counted.counts(), counts, "{ranks:?}");
        assert_eq!(counted.shares(), shares, "{ranks:?}");
    };
    check(&[], [0; 5], None);
    check(&[0, 0, 1, 0], [3, 1, 0, 0, 0], Some([0.75, 0.25, 0.0, 0.0, 0.0]));
    check(&[2, 3, 4, 5, 217, 0, 0, 0], [3, 0, 1, 1, 3], Some([0.375, 0.0, 0.125, 0.125, 0.375]));
}

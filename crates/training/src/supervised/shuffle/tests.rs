use super::*;

/// The order in which the numbers below `count` leave a buffer.
fn order(capacity: usize, count: usize, seed: u64) -> Vec<usize> {
    let mut shuffle = Shuffle::new(capacity, seed);
    let mut numbers = 0..count;
    let mut drawn = Vec::new();
    loop {
        while shuffle.wants_more()
            && let Some(number) = numbers.next()
        {
            shuffle.push(number);
        }
        match shuffle.draw() {
            Some(number) => drawn.push(number),
            None => return drawn,
        }
    }
}

#[test]
fn every_item_leaves_once() {
    for (capacity, count) in [(0, 5), (1, 5), (7, 100), (100, 100), (1000, 100)] {
        let mut drawn = order(capacity, count, 1);
        drawn.sort_unstable();
        assert_eq!(drawn, (0..count).collect::<Vec<_>>());
    }
}

#[test]
fn equal_seeds_give_equal_orders() {
    assert_eq!(order(50, 200, 3), order(50, 200, 3));
    assert_ne!(order(50, 200, 3), order(50, 200, 4));
    assert_eq!(order(1, 20, 3), (0..20).collect::<Vec<_>>());
}

#[test]
fn neighbours_are_spread_over_the_buffer() {
    let drawn = order(100, 10_000, 5);
    let mut place = vec![0; drawn.len()];
    drawn.iter().enumerate().for_each(|(at, &number)| place[number] = at);
    let distances = place.windows(2).map(|pair| pair[0].abs_diff(pair[1]) as f64);
    let mean = distances.sum::<f64>() / (drawn.len() - 1) as f64;
    // Two waits with a mean of 100 each, exponentially distributed: so is their difference.
    assert!((80.0..120.0).contains(&mean), "{mean}");
}

#[test]
fn a_closed_buffer_asks_for_no_more_than_it_has() {
    let mut shuffle = Shuffle::new(10, 1);
    shuffle.push('a');
    shuffle.push('b');
    assert!(shuffle.wants_more());
    shuffle.close();
    assert!(!shuffle.wants_more());
    shuffle.draw();
    assert!(shuffle.wants_more());
}

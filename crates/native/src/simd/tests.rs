//! The operations of all lane types against plain arithmetic.

use super::*;

/// Applies every operation to two vectors.
struct Operations([f32; LANES], [f32; LANES]);

impl Kernel for Operations {
    type Output = Vec<Vec<f32>>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let (a, b) = (simd.load(&self.0), simd.load(&self.1));
        let mut columns = [a; LANES];
        for (i, column) in columns.iter_mut().enumerate() {
            *column = a + simd.splat(i as f32 * 100.0);
        }
        let mut results = Vec::new();
        let lanes = [
            a + b,
            a - b,
            a * b,
            a / b,
            a.mul_add(b, b),
            a.max(b),
            a.min(b),
            a.sqrt(),
            a.round(),
            a.select_positive(b, a),
            simd.load_first(&self.0[..0], 3.0),
            simd.load_first(&self.0[..5], 3.0),
            simd.load_first(&self.0[..11], 3.0),
            simd.load_first(&self.0, 3.0),
        ];
        for lanes in lanes.into_iter().chain(S::Lanes::transpose(columns)) {
            let mut values = vec![0.0; LANES];
            lanes.store_first(&mut values);
            results.push(values);
        }
        for length in 0..=LANES {
            let mut values = vec![9.0; LANES];
            a.store_first(&mut values[..length]);
            results.push(values);
        }
        results.push(vec![a.sum(), a.largest()]);
        results
    }
}

/// The same without lanes.
fn expected(a: [f32; LANES], b: [f32; LANES]) -> Vec<Vec<f32>> {
    let zip = |f: &dyn Fn(f32, f32) -> f32| a.iter().zip(b).map(|(&a, b)| f(a, b)).collect();
    let first = |length: usize, values: [f32; LANES], fill: f32| {
        (0..LANES).map(|i| if i < length { values[i] } else { fill }).collect::<Vec<_>>()
    };
    let mut results: Vec<Vec<f32>> = vec![
        zip(&|a, b| a + b),
        zip(&|a, b| a - b),
        zip(&|a, b| a * b),
        zip(&|a, b| a / b),
        zip(&|a, b| a.mul_add(b, b)),
        zip(&|a, b| if a > b { a } else { b }),
        zip(&|a, b| if a < b { a } else { b }),
        zip(&|a, _| a.sqrt()),
        zip(&|a, _| a.round_ties_even()),
        zip(&|a, b| if a > 0.0 { b } else { a }),
        first(0, a, 3.0),
        first(5, a, 3.0),
        first(11, a, 3.0),
        first(16, a, 3.0),
    ];
    results.extend(a.map(|a| (0..LANES).map(|i| a + i as f32 * 100.0).collect()));
    results.extend((0..=LANES).map(|length| first(length, a, 9.0)));
    let mut sums = a;
    for width in [8, 4, 2, 1] {
        for i in 0..width {
            sums[i] += sums[i + width];
        }
    }
    let largest = a.into_iter().fold(f32::NEG_INFINITY, f32::max);
    results.push(vec![sums[0], largest]);
    results
}

fn check(a: [f32; LANES], b: [f32; LANES]) {
    for set in InstructionSet::available() {
        for (index, (actual, expected)) in
            set.run(Operations(a, b)).iter().zip(expected(a, b)).enumerate()
        {
            for (x, y) in actual.iter().zip(&expected) {
                let same = x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
                assert!(same, "operation {index} on {set}: {actual:?}, not {expected:?}");
            }
        }
    }
}

#[test]
fn ordinary_numbers() {
    let a = std::array::from_fn(|i| (i as f32 - 6.5) * 1.37);
    let b = std::array::from_fn(|i| (9.0 - i as f32 * 1.13).powi(3));
    check(a, b);
    check(b, a);
}

#[test]
fn special_numbers() {
    let mut a =
        [0.5, 1.5, 2.5, -0.5, 0.0, -0.0, 1e-40, -1e-40, 1e30, 3.0, 7.0, 0.0, -0.0, 1.0, 2.0, 4.0];
    let mut b = a;
    b.rotate_left(5);
    check(a, b);
    a[3] = f32::INFINITY;
    b[7] = f32::NEG_INFINITY;
    check(a, b);
}

#[test]
fn where_either_is_not_a_number_the_other_argument_wins() {
    struct Extremes;
    impl Kernel for Extremes {
        type Output = Vec<f32>;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Vec<f32> {
            let (nan, one) = (simd.splat(f32::NAN), simd.splat(1.0));
            [nan.max(one), one.max(nan), nan.min(one), one.min(nan)]
                .map(|lanes| {
                    let mut values = [0.0; LANES];
                    lanes.store(&mut values);
                    values[0]
                })
                .to_vec()
        }
    }
    for set in InstructionSet::available() {
        let results = set.run(Extremes);
        assert_eq!([results[0], results[2]], [1.0, 1.0], "{set}");
        assert!(results[1].is_nan() && results[3].is_nan(), "{set}");
    }
}

/// `e^x` and, where `x <= 0`, `e^x - 1`.
struct Exponentials<'a>(&'a [f32]);

impl Kernel for Exponentials<'_> {
    type Output = Vec<[f32; 2]>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let mut results = Vec::new();
        for x in self.0.chunks(LANES) {
            let lanes = simd.load_first(x, 0.0);
            let (mut e, mut minus_one) = ([0.0; LANES], [0.0; LANES]);
            math::exp(simd, lanes).store(&mut e);
            let negative = simd.splat(0.0).min(lanes);
            math::exp_minus_one_of_negative(simd, negative).store(&mut minus_one);
            results.extend(e.into_iter().zip(minus_one).map(<[f32; 2]>::from).take(x.len()));
        }
        results
    }
}

#[test]
fn exponentials_are_accurate_and_the_same_everywhere() {
    let x: Vec<f32> = (-120_000..=95_000)
        .map(|i| i as f32 * 1e-3)
        .chain((0..1000).map(|i| -(0.97_f32.powi(i))))
        .chain([f32::INFINITY, f32::NEG_INFINITY, 1e30, -1e30, 0.0, -0.0])
        .collect();
    let expected = InstructionSet::PORTABLE.run(Exponentials(&x));
    for set in InstructionSet::available() {
        let results = set.run(Exponentials(&x));
        for ((&x, result), expected) in x.iter().zip(&results).zip(&expected) {
            assert_eq!(result.map(f32::to_bits), expected.map(f32::to_bits), "{set} at {x}");
        }
    }
    // In units of the last place, and of the smallest subnormal number.
    let units = |x: f32, expected: f64| {
        let unit = (expected.abs() * f64::from(f32::EPSILON)).max(f64::from(f32::from_bits(1)));
        (f64::from(x) - expected).abs() / unit
    };
    for (&x, [e, minus_one]) in x.iter().zip(expected) {
        let exact = f64::from(x).exp();
        if exact > f64::from(f32::MAX) {
            assert_eq!(e, f32::INFINITY, "at {x}");
        } else {
            assert!(units(e, exact) < 1.0, "{e:e} at {x}");
        }
        let exact = f64::from(x).min(0.0).exp_m1();
        assert!(units(minus_one, exact) < 1.5, "{minus_one:e} at {x}");
    }
}

#[test]
fn exponentials_keep_not_a_number() {
    for set in InstructionSet::available() {
        let results = set.run(Exponentials(&[f32::NAN]));
        assert!(results[0].iter().all(|x| x.is_nan()), "{set}");
    }
}

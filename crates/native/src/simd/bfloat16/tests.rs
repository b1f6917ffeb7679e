use super::*;

#[test]
fn rounding() {
    let check = |bits: u32, expected: u32| {
        let rounded = round(f32::from_bits(bits)).to_bits();
        assert_eq!(rounded, expected, "{bits:#010x} is rounded to {rounded:#010x}");
    };
    for (bits, expected) in [
        (0x0000_0000, 0x0000_0000),
        (0x8000_0000, 0x8000_0000),
        // Ties go to the even neighbour, everything else to the nearest.
        (0x3f80_8000, 0x3f80_0000),
        (0x3f80_8001, 0x3f81_0000),
        (0x3f81_7fff, 0x3f81_0000),
        (0x3f81_8000, 0x3f82_0000),
        (0xbf81_8000, 0xbf82_0000),
        // Into the next power of two, and from the largest number to infinity.
        (0x3fff_ffff, 0x4000_0000),
        (0x7f7f_ffff, 0x7f80_0000),
        (0x7f80_0000, 0x7f80_0000),
        (0xff80_0000, 0xff80_0000),
        // The smallest normal number stays, subnormal ones do not.
        (0x0080_0000, 0x0080_0000),
        (0x007f_ffff, 0x0000_0000),
        (0x807f_ffff, 0x8000_0000),
        (0x0000_0001, 0x0000_0000),
        // NaN in the lower half only must not become infinity.
        (0x7f80_0001, 0x7fc0_0000),
        (0xffff_ffff, 0xffff_0000),
    ] {
        check(bits, expected);
    }
}

/// Numbers of all magnitudes, and everything near ties.
fn samples() -> Vec<f32> {
    let uppers = (0..=u16::MAX).step_by(7).map(u32::from);
    uppers
        .flat_map(|upper| {
            [0, 1, 0x7fff, 0x8000, 0x8001, 0xffff].map(|lower| f32::from_bits(upper << 16 | lower))
        })
        .collect()
}

#[test]
fn instructions_round_alike() {
    struct Compare;
    impl PairKernel for Compare {
        #[inline(always)]
        fn run<P: Pairs>(self, pairs: P) {
            let simd = pairs.simd();
            for chunk in samples().as_chunks::<LANES>().0.as_chunks::<2>().0 {
                let [first, second] = chunk.each_ref().map(|chunk| simd.load(chunk));
                let expected = chunk.as_flattened().iter().map(|x| round(*x).to_bits() >> 16);
                let expected: Vec<u32> = expected.collect();
                let halves = |lanes: LanesOf<P>| -> Vec<u32> {
                    let mut pairs = [0.0; LANES];
                    lanes.store(&mut pairs);
                    pairs.iter().flat_map(|p| [p.to_bits() & 0xffff, p.to_bits() >> 16]).collect()
                };
                assert_eq!(halves(pairs.join(first, second)), expected);
                let interleaved: Vec<u32> =
                    (0..2 * LANES).map(|i| expected[i / 2 + i % 2 * LANES]).collect();
                assert_eq!(halves(pairs.interleave(first, second)), interleaved);
            }
        }
    }
    PairUnit::available().into_iter().for_each(|unit| unit.run(Compare));
}

#[test]
fn lanes_round_alike() {
    struct Compare;
    impl crate::simd::Kernel for Compare {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            for chunk in samples().as_chunks::<LANES>().0 {
                let mut rounded = [0.0; LANES];
                round_lanes(simd, simd.load(chunk)).store(&mut rounded);
                assert_eq!(rounded.map(f32::to_bits), chunk.map(|x| round(x).to_bits()));
            }
        }
    }
    crate::simd::InstructionSet::available().into_iter().for_each(|set| set.run(Compare));
}

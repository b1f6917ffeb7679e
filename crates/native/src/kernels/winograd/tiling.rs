//! The matrices of two tilings.

use crate::simd::{Lanes, Simd};

/// A tile of `M` squares in a row from `N = M + 2` squares, at `N` points of which the last is
/// infinity.
pub(super) trait Points<const N: usize, const M: usize> {
    /// `G`: the values at the points of a polynomial with three coefficients, each divided by the
    /// product of the point's distances from the other ones.
    const WEIGHTS: [[f64; 3]; N];

    /// `B^T d`: row `i` holds the coefficients of the product of `x - point` over all finite points
    /// but the `i`th.
    fn input<S: Simd>(simd: S, d: [S::Lanes; N]) -> [S::Lanes; N];

    /// `A^T m`: row `i` holds the `i`th powers of the points.
    fn output<S: Simd>(simd: S, m: [S::Lanes; N]) -> [S::Lanes; M];
}

/// F(2 x 2, 3 x 3): tiles of 2 x 2 squares, the points 0, 1, -1.
pub(super) struct Two;

impl Points<4, 2> for Two {
    const WEIGHTS: [[f64; 3]; 4] =
        [[-1.0, 0.0, 0.0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0.0, 0.0, 1.0]];

    #[inline(always)]
    fn input<S: Simd>(_simd: S, d: [S::Lanes; 4]) -> [S::Lanes; 4] {
        [d[2] - d[0], d[2] + d[1], d[2] - d[1], d[3] - d[1]]
    }

    #[inline(always)]
    fn output<S: Simd>(_simd: S, m: [S::Lanes; 4]) -> [S::Lanes; 2] {
        [m[0] + (m[1] + m[2]), m[3] + (m[1] - m[2])]
    }
}

/// F(4 x 4, 3 x 3): tiles of 4 x 4 squares, the points 0, [`P`](Self::P), `-P`, [`Q`](Self::Q),
/// `-Q`.
pub(super) struct Four;

impl Four {
    // The usual points 1 and 2 lose more than twice the digits: these keep the elements of all
    // three matrices near 1, and are exact in few bits.
    const P: f64 = 0.625;
    const Q: f64 = 1.5;
    const PP: f64 = Self::P * Self::P;
    const QQ: f64 = Self::Q * Self::Q;
}

impl Points<6, 4> for Four {
    const WEIGHTS: [[f64; 3]; 6] = {
        let (p, q) =
            (2.0 * Self::PP * (Self::PP - Self::QQ), 2.0 * Self::QQ * (Self::QQ - Self::PP));
        [
            [1.0 / (Self::PP * Self::QQ), 0.0, 0.0],
            [1.0 / p, Self::P / p, Self::PP / p],
            [1.0 / p, -Self::P / p, Self::PP / p],
            [1.0 / q, Self::Q / q, Self::QQ / q],
            [1.0 / q, -Self::Q / q, Self::QQ / q],
            [0.0, 0.0, 1.0],
        ]
    };

    #[inline(always)]
    fn input<S: Simd>(simd: S, d: [S::Lanes; 6]) -> [S::Lanes; 6] {
        let splat = |value: f64| simd.splat(value as f32);
        let (p, q) = (splat(Self::P), splat(Self::Q));
        let (minus_p, minus_q) = (splat(-Self::P), splat(-Self::Q));
        let (minus_pp, minus_qq) = (splat(-Self::PP), splat(-Self::QQ));
        let (product, minus_sum) = (splat(Self::PP * Self::QQ), splat(-Self::PP - Self::QQ));
        // The even and the odd terms of a point and its opposite.
        let even_p = d[2].mul_add(minus_qq, d[4]);
        let odd_p = d[1].mul_add(minus_qq, d[3]);
        let even_q = d[2].mul_add(minus_pp, d[4]);
        let odd_q = d[1].mul_add(minus_pp, d[3]);
        [
            d[0].mul_add(product, d[2].mul_add(minus_sum, d[4])),
            odd_p.mul_add(p, even_p),
            odd_p.mul_add(minus_p, even_p),
            odd_q.mul_add(q, even_q),
            odd_q.mul_add(minus_q, even_q),
            d[1].mul_add(product, d[3].mul_add(minus_sum, d[5])),
        ]
    }

    #[inline(always)]
    fn output<S: Simd>(simd: S, m: [S::Lanes; 6]) -> [S::Lanes; 4] {
        let splat = |value: f64| simd.splat(value as f32);
        let (p, pp, ppp) = (splat(Self::P), splat(Self::PP), splat(Self::P * Self::PP));
        let (q, qq, qqq) = (splat(Self::Q), splat(Self::QQ), splat(Self::Q * Self::QQ));
        let (even_p, odd_p) = (m[1] + m[2], m[1] - m[2]);
        let (even_q, odd_q) = (m[3] + m[4], m[3] - m[4]);
        [
            m[0] + (even_p + even_q),
            odd_p.mul_add(p, odd_q * q),
            even_p.mul_add(pp, even_q * qq),
            odd_p.mul_add(ppp, odd_q.mul_add(qqq, m[5])),
        ]
    }
}

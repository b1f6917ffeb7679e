use super::*;
use crate::kernels::testing::{assert_close, numbers, on_every_set, widen};

/// One head in f64, by the definition.
struct Reference {
    depth: usize,
    scale: f64,
    query: Vec<f64>,
    key: Vec<f64>,
    value: Vec<f64>,
    bias: Vec<f64>,
}

impl Reference {
    fn probabilities(&self) -> Vec<f64> {
        let mut probabilities = Vec::new();
        for i in 0..TOKENS {
            let mut row = Vec::new();
            for j in 0..TOKENS {
                let terms = (0..self.depth)
                    .map(|c| self.query[i * self.depth + c] * self.key[j * self.depth + c]);
                row.push(self.scale * terms.sum::<f64>() + self.bias[i * TOKENS + j]);
            }
            let largest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = row.iter().map(|s| (s - largest).exp()).sum();
            probabilities.extend(row.iter().map(|s| (s - largest).exp() / sum));
        }
        probabilities
    }

    fn out(&self) -> Vec<f64> {
        let probabilities = self.probabilities();
        let mut out = vec![0.0; TOKENS * self.depth];
        for i in 0..TOKENS {
            for j in 0..TOKENS {
                for c in 0..self.depth {
                    out[i * self.depth + c] +=
                        probabilities[i * TOKENS + j] * self.value[j * self.depth + c];
                }
            }
        }
        out
    }
}

/// A head with other numbers around it: rows of `[other, query, key, value]`.
struct Case {
    layout: HeadLayout,
    scale: f32,
    qkv: Vec<f32>,
    bias: Vec<f32>,
    out_gradient: Vec<f32>,
}

impl Case {
    fn new(depth: usize) -> Self {
        let stride = 3 * depth + 5;
        let layout = HeadLayout { query: 5, key: 5 + depth, value: 5 + 2 * depth, stride, depth };
        Self {
            layout,
            scale: 1.3 / (depth as f32).sqrt(),
            qkv: numbers(1, TOKENS * stride),
            bias: numbers(2, TOKENS * TOKENS),
            out_gradient: numbers(3, TOKENS * depth),
        }
    }

    fn reference(&self, bias: ScoreBias) -> Reference {
        let HeadLayout { query, key, value, stride, depth } = self.layout;
        let part = |start: usize| -> Vec<f64> {
            (0..TOKENS).flat_map(|i| widen(&self.qkv[i * stride + start..][..depth])).collect()
        };
        Reference {
            depth,
            scale: f64::from(self.scale),
            query: part(query),
            key: part(key),
            value: part(value),
            bias: match bias {
                ScoreBias::None => vec![0.0; TOKENS * TOKENS],
                ScoreBias::InPlace => widen(&self.bias),
            },
        }
    }

    /// Output, probabilities, gradient of the bias, and those of queries, keys and values.
    fn run(&self, set: InstructionSet, bias: ScoreBias) -> [Vec<f32>; 4] {
        let depth = self.layout.depth;
        let mut p: [f32; TOKENS * TOKENS] = self.bias.as_slice().try_into().unwrap();
        let mut out = vec![0.0; TOKENS * depth];
        let view = MatrixMut::new(&mut out, TOKENS, depth);
        attention(set, &self.qkv, self.layout, self.scale, bias, &mut p, view);
        let probabilities = p.to_vec();
        let mut gradients = vec![9.0; self.qkv.len()];
        let dy = MatrixRef::new(&self.out_gradient, TOKENS, depth);
        attention_backward(set, &self.qkv, self.layout, self.scale, &mut p, dy, &mut gradients);
        [out, probabilities, p.to_vec(), gradients]
    }

    fn results(&self, bias: ScoreBias) -> [Vec<f32>; 4] {
        [0, 1, 2, 3].map(|index| on_every_set(|set| self.run(set, bias)[index].clone()))
    }
}

const DEPTHS: [usize; 9] = [1, 8, 16, 17, 32, 48, 64, 65, 130];

#[test]
fn outputs() {
    for depth in DEPTHS {
        let case = Case::new(depth);
        for bias in [ScoreBias::None, ScoreBias::InPlace] {
            let [out, probabilities, ..] = case.results(bias);
            let reference = case.reference(bias);
            let expected = reference.probabilities();
            assert_close(&probabilities, &expected, &expected, 5e-6);
            assert_close(&out, &reference.out(), &vec![1.0; out.len()], 3e-6);
        }
    }
}

#[test]
fn gradients() {
    // The derivative of the loss <out, out_gradient> in one number of each kind, by central
    // differences.
    const STEP: f64 = 1e-5;
    type Part = fn(&mut Reference) -> &mut Vec<f64>;
    for depth in DEPTHS {
        let case = Case::new(depth);
        let [_, _, bias_gradient, gradients] = case.results(ScoreBias::InPlace);
        let HeadLayout { query, key, value, stride, .. } = case.layout;
        let loss = |reference: &Reference| -> f64 {
            reference.out().iter().zip(&case.out_gradient).map(|(o, &g)| o * f64::from(g)).sum()
        };
        let check = |part: Part, index: usize, gradient: f32| {
            let shifted = |step: f64| {
                let mut reference = case.reference(ScoreBias::InPlace);
                part(&mut reference)[index] += step;
                loss(&reference)
            };
            let expected = (shifted(STEP) - shifted(-STEP)) / (2.0 * STEP);
            let error = (f64::from(gradient) - expected).abs();
            assert!(error < 5e-6, "depth {depth}, {index}: {gradient:e}, not {expected:e}");
        };
        for (token, c) in [(0, 0), (13, depth / 2), (37, depth - 1), (63, depth / 3)] {
            let index = token * depth + c;
            check(|r| &mut r.query, index, gradients[token * stride + query + c]);
            check(|r| &mut r.key, index, gradients[token * stride + key + c]);
            check(|r| &mut r.value, index, gradients[token * stride + value + c]);
            let index = token * TOKENS + (token * 7 + c) % TOKENS;
            check(|r| &mut r.bias, index, bias_gradient[index]);
        }
        // Nothing else is written.
        for token in 0..TOKENS {
            assert_eq!(gradients[token * stride..][..5], [9.0; 5], "token {token}");
        }
    }
}

#[test]
fn not_a_number_comes_through() {
    let mut case = Case::new(16);
    case.qkv[3 * case.layout.stride + case.layout.query] = f32::NAN;
    let [out, probabilities, ..] = case.results(ScoreBias::InPlace);
    for token in 0..TOKENS {
        let bad = out[token * 16..][..16].iter().filter(|x| x.is_nan()).count();
        assert_eq!(bad, if token == 3 { 16 } else { 0 }, "token {token}");
        let bad = probabilities[token * TOKENS..][..TOKENS].iter().filter(|x| x.is_nan()).count();
        assert_eq!(bad, if token == 3 { TOKENS } else { 0 }, "token {token}");
    }
}

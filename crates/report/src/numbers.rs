//! Numbers as people read them.

/// From here on numbers are written with a power of ten: their digits after the point say nothing.
const LARGE: f64 = 1e6;

/// With `decimals` digits, a typographic minus, and a plus where it is `signed` and positive.
pub(crate) fn decimal(value: f64, decimals: usize, signed: bool) -> String {
    let text = match value.abs() {
        size if size >= LARGE && size.is_finite() => scientific(size, decimals),
        size => format!("{size:.decimals$}"),
    };
    // A negative number that is rounded to zero has no sign.
    let zero = text.chars().all(|digit| matches!(digit, '0' | '.'));
    match (zero, value < 0.0, signed) {
        (false, true, _) => format!("−{text}"),
        (false, false, true) => format!("+{text}"),
        _ => text,
    }
}

/// A positive number as `2.13·10⁸`.
fn scientific(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$e}");
    let (mantissa, exponent) = text.split_once('e').expect("this format has an exponent");
    format!("{mantissa}·{}", power_of_ten(exponent.parse().expect("it is a number")))
}

/// A fraction as percent, without the sign of percent.
pub(crate) fn percent(fraction: f64, decimals: usize) -> String {
    decimal(100.0 * fraction, decimals, false)
}

/// A count with commas between thousands.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A coefficient: a power of ten as such, other numbers in digits.
pub(crate) fn coefficient(beta: f64) -> String {
    let exponent = beta.log10().round();
    let power = 10f64.powf(exponent);
    if beta > 0.0 && (beta / power - 1.0).abs() < 1e-9 && !(0.0..=1.0).contains(&exponent) {
        return power_of_ten(exponent as i32);
    }
    let mantissa = beta / 10f64.powf(beta.log10().floor());
    if beta > 0.0 && beta < 1e-3 {
        let digits = (mantissa * 100.0).round() / 100.0;
        return format!("{digits}·{}", power_of_ten(beta.log10().floor() as i32));
    }
    format!("{beta}")
}

/// `10⁻²`.
pub(crate) fn power_of_ten(exponent: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = exponent.unsigned_abs().to_string();
    let raised = digits.bytes().map(|digit| RAISED[usize::from(digit - b'0')]);
    let sign = if exponent < 0 { "⁻" } else { "" };
    format!("10{sign}{}", raised.collect::<String>())
}

/// A likelihood of superiority: certainty is never printed.
pub(crate) fn likelihood(value: f64) -> String {
    match value {
        value if value > 0.995 => ">0.99".to_owned(),
        value if value < 0.005 => "<0.01".to_owned(),
        value => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_people_read_them() {
        for (value, decimals, signed, expected) in [
            (1.25, 1, true, "+1.2"),
            (-258.04, 1, true, "−258.0"),
            (-0.04, 1, true, "0.0"),
            (0.0, 0, true, "0"),
            (93.849, 2, false, "93.85"),
            (213_428_250.17, 2, false, "2.13·10⁸"),
            (-9_999_999.0, 2, false, "−1.00·10⁷"),
            (999_999.0, 0, true, "+999999"),
            (f64::INFINITY, 2, false, "inf"),
        ] {
            assert_eq!(decimal(value, decimals, signed), expected);
        }
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (197_281, "197,281"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(count(number), expected);
        }
        for (beta, expected) in [
            (1e-4, "10⁻⁴"),
            (0.01, "10⁻²"),
            (0.1, "10⁻¹"),
            (1.0, "1"),
            (10.0, "10"),
            (0.003, "0.003"),
            (3e-4, "3·10⁻⁴"),
            (100.0, "10²"),
        ] {
            assert_eq!(coefficient(beta), expected, "{beta}");
        }
        for (los, expected) in [(0.554, "0.55"), (0.996, ">0.99"), (0.001, "<0.01")] {
            assert_eq!(likelihood(los), expected);
        }
    }
}

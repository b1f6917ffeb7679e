use evaluation::BootstrapInterval;

use super::*;

#[test]
fn columns_are_as_wide_as_their_widest_text() {
    let rows =
        [["a", "long name", "1"], ["bcd", "x", "23456"], ["", "é", ""]].map(|row| owned(&row));
    assert_eq!(aligned(&rows, 2), "a    long name      1\nbcd  x          23456\n     é\n");
}

#[test]
fn numbers_keep_what_can_be_read() {
    assert_eq!(mean(Some(0.123_456)), "0.1235");
    assert_eq!(mean(Some(0.000_123_456)), "1.23e-4");
    assert_eq!(mean(None), "-");
    assert_eq!(p(0.031_25), "0.031");
    assert_eq!(p(8.7e-137), "8.7e-137");
    let interval = Some(BootstrapInterval { low: -0.002, high: 0.01 });
    let of = |value, interval| Some(PairedEstimate { value, interval });
    let text = |value: f64| format!("{value:+.1}");
    assert_eq!(estimate(of(0.5, interval), text, " to "), ["+0.5", "-0.0 to +0.0"]);
    assert_eq!(estimate(of(f64::NAN, None), text, " to "), ["-", "-"]);
    assert_eq!(estimate(None, text, " to "), ["", ""]);
}

//! Text within markup.

/// As text of XML or HTML, or within quotes of an attribute, without characters that those cannot
/// hold.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

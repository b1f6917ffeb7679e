use super::*;

#[test]
fn options_are_names_and_values() {
    let check = |text: &str, expected: Option<(&str, &str)>| {
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(name_and_value(text).ok(), expected, "{text}");
    };
    check("Hash=16", Some(("Hash", "16")));
    check("Skill Level = 3", Some(("Skill Level", "3")));
    check("SyzygyPath=", Some(("SyzygyPath", "")));
    check("EvalFile=a=b", Some(("EvalFile", "a=b")));
    check("Hash", None);
    check("=16", None);
}

use super::*;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn message(length: usize) -> Vec<u8> {
    let mut bytes = START.to_vec();
    bytes.resize(length, 0);
    bytes
}

#[test]
fn what_is_no_network_is_refused() {
    let check = |bytes: &[u8], expected: &str| {
        let error = unpack("file", bytes, 100).err().expect("an error").to_string();
        assert!(error.starts_with("file: not an Lc0 network"), "{error}");
        assert!(error.contains(expected), "{error}");
    };
    check(b"", "starts with nothing");
    check(b"\x0d\xc0", "starts 0d c0,");
    check(b"\x0d\xc0\x01\x00\x01", "starts 0d c0 01 00 01,");
    check(b"<html>", "starts 3c 68 74 6d 6c,");
    check(&gzip(b"a text"), "starts 61 20 74 65 78,");
}

#[test]
fn compression_is_told_by_the_content() {
    let plain = message(50);
    let compressed = gzip(&plain);
    let read = |bytes: &[u8]| unpack("file", bytes, 100).unwrap();
    assert_eq!(read(&plain).message, plain);
    assert_eq!(read(&compressed).message, plain);
    assert_eq!(read(&compressed).size, compressed.len() as u64);
    assert_eq!(
        read(&message(5)).sha256,
        "2d6340f81c3ba6ad7a5d327077f0e89051a682e5645c8de8ba393deaf0498966"
    );
}

#[test]
fn the_limit_holds_compressed_or_not() {
    for length in [99, 100] {
        assert!(unpack("file", &message(length)[..], 100).is_ok());
        assert!(unpack("file", &gzip(&message(length))[..], 100).is_ok());
    }
    let bomb = gzip(&message(100 << 20));
    for bytes in [message(101), gzip(&message(101)), bomb] {
        let error = unpack("file", &bytes[..], 100).err().expect("an error").to_string();
        let expected = "file: more than 100 bytes when decompressed, larger than any network";
        assert_eq!(error, expected);
    }
}

#[test]
fn a_small_file_does_not_become_a_large_message() {
    let limit = 1 << 30;
    let small = message(16 << 20);
    assert_eq!(unpack("file", &gzip(&small)[..], limit).unwrap().message.len(), small.len());
    let bomb = gzip(&message(64 << 20));
    let error = unpack("file", &bomb[..], limit).err().expect("an error").to_string();
    assert!(error.starts_with("file: more than "), "{error}");
    assert!(error.contains("at most 64 times as many and 16777216 more"), "{error}");
    // What is not compressed is as large as its file.
    assert_eq!(unpack("file", &message(64 << 20)[..], limit).unwrap().size, 64 << 20);
}

#[test]
fn broken_gzip_says_how_far_it_came() {
    let noise: Vec<u8> = (0..5000_u32).map(|i| ((i * i) >> 3) as u8).collect();
    let compressed = gzip(&[&START[..], &noise].concat());
    for cut in 2..compressed.len() {
        let error = unpack("file", &compressed[..cut], 1 << 20).err().expect("an error");
        assert!(matches!(error, NetworkFileError::Gzip { .. }), "cut at {cut}: {error}");
    }
    let mut wrong_sum = compressed.clone();
    let last = wrong_sum.len() - 5;
    wrong_sum[last] ^= 1;
    let error = unpack("file", &wrong_sum[..], 1 << 20).err().expect("an error").to_string();
    assert!(error.starts_with("file: broken gzip after 5005 decompressed bytes"), "{error}");
    let garbage = [&compressed[..], b"garbage"].concat();
    assert!(unpack("file", &garbage[..], 1 << 20).is_err());
}

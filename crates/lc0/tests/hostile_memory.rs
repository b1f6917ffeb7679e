//! What a file declares does not decide how much memory reading it takes.

use flate2::Compression;
use flate2::write::GzEncoder;
use lc0::NetworkFile;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, with the bytes in use and the most there were.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged; the counters allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const START: [u8; 5] = [0x0d, 0xc0, 0x01, 0x00, 0x00];

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// A length-delimited field that declares `length` bytes and holds `value`.
fn declared(number: u64, length: u64, value: &[u8]) -> Vec<u8> {
    [&varint(number << 3 | 2)[..], &varint(length), value].concat()
}

fn field(number: u64, value: &[u8]) -> Vec<u8> {
    declared(number, value.len() as u64, value)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The bytes that reading `file` takes at most, beyond the file itself.
fn peak(file: Vec<u8>) -> usize {
    let before = IN_USE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    drop(NetworkFile::from_bytes("hostile", file));
    PEAK.load(Ordering::Relaxed) - before
}

// One test only: others beside it would allocate as well.
#[test]
fn memory_follows_what_is_there() {
    let file = |fields: &[u8]| [&START[..], fields].concat();
    let weights = |fields: &[u8]| file(&field(10, fields));
    let check = |what: &str, bytes: Vec<u8>, message: usize, limit: usize| {
        let peak = peak(bytes);
        // The message grows by doubling.
        assert!(peak <= 3 * message + limit, "{what}: {peak} bytes at the peak");
    };
    let small = 1 << 20;
    check("a huge string", file(&declared(2, 1 << 40, b"x")), 20, small);
    check("huge weights", file(&declared(10, 1 << 40, b"x")), 20, small);
    check("a huge tensor", weights(&field(25, &declared(3, 1 << 32, b"x"))), 20, small);
    check("a length of 2^64 - 1", file(&declared(3, u64::MAX, b"")), 20, small);
    check("a huge shape", weights(&field(25, &field(5, &vec![1; 1 << 22]))), 1 << 22, small);

    // Messages of two bytes that are kilobytes as structures: the number of them is bounded.
    let most = 256 << 20;
    for (what, number) in [("blocks", 2), ("encoders", 27), ("policy encoders", 21)] {
        let blocks = field(number, b"").repeat(32_000);
        check(what, weights(&blocks), blocks.len(), most);
        let blocks = field(number, b"").repeat(4_000_000);
        check(what, weights(&blocks), blocks.len(), 64 << 20);
    }
    let heads = field(45, &field(7, b"").repeat(32_000));
    check("policy heads", weights(&heads), heads.len(), most);

    // A compressed file cannot make room for more than it holds.
    let zeros = file(&field(100, &vec![0; 256 << 20]));
    let compressed = gzip(&zeros);
    drop(zeros);
    // 16 MiB and 64 times what was read; the message grows by doubling.
    let allowed = 64 * compressed.len() + (17 << 20);
    assert!(allowed < 256 << 20, "{} bytes", compressed.len());
    check("zeros", compressed, allowed, small);
    check("no network in gzip", gzip(&vec![0; 64 << 20]), 20, small);
}

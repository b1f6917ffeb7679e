//! Tiles of Intel's Advanced Matrix Extensions.
//!
//! The compiler has no stable names for these instructions, so they are written out. Each thread's
//! tiles are configured when a kernel starts and released when it ends: a thread that holds tiles
//! has 8 kB more to save whenever it loses its core.

use std::arch::asm;
use std::arch::x86_64::__cpuid_count;
use std::sync::OnceLock;

use super::avx512::{interleave, join};
use super::{PairKernel, PairSums, PairTile, Pairs};
use crate::simd::LANES;
use crate::simd::avx512::{Avx512, F32x16};

/// Whether the processor has AMX for bfloat16 and the system lets this process use it. The caller
/// has seen AVX512-BF16.
pub(super) fn detect() -> bool {
    static DETECTED: OnceLock<bool> = OnceLock::new();
    *DETECTED.get_or_init(|| supported() && request_permission())
}

/// The processor's word: leaf 7, bits 22 (bfloat16) and 24 (tiles) of EDX.
fn supported() -> bool {
    let features = __cpuid_count(7, 0).edx;
    features >> 22 & 1 == 1 && features >> 24 & 1 == 1
}

/// Asks the system for the tiles' state, for all threads of the process.
fn request_permission() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const REQUEST_PERMISSION: u64 = 0x1023;
    const TILE_DATA: u64 = 18;
    let mut result = ARCH_PRCTL;
    // SAFETY: the call changes nothing but which registers the process may use; it clobbers
    // `rcx` and `r11` as every system call does.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") result,
            in("rdi") REQUEST_PERMISSION,
            in("rsi") TILE_DATA,
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
    result == 0
}

/// All eight tiles as sixteen rows of 64 bytes.
#[repr(C, align(64))]
struct Configuration([u8; 64]);

const CONFIGURATION: Configuration = {
    let mut bytes = [0; 64];
    bytes[0] = 1;
    let mut tile = 0;
    while tile < 8 {
        bytes[16 + 2 * tile] = 64;
        bytes[48 + tile] = 16;
        tile += 1;
    }
    Configuration(bytes)
};

/// Runs a kernel with AMX.
///
/// # Safety
///
/// [`detect`] must have returned true.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,avx2,fma")]
pub(super) unsafe fn run(kernel: impl PairKernel) {
    let configuration: &'static Configuration = &CONFIGURATION;
    // SAFETY: the caller's promise; the configuration has 64 bytes, as palette 1 wants them.
    unsafe { asm!("ldtilecfg [{}]", in(reg) configuration, options(nostack, readonly)) }
    kernel.run(Tiles(Avx512(())));
    // SAFETY: the caller's promise; `Tiles` does not live any longer.
    unsafe { asm!("tilerelease", options(nostack, nomem)) }
}

/// Made by [`run`] only, so that holding one proves that the instructions exist and that the tiles
/// are configured.
#[derive(Clone, Copy)]
struct Tiles(Avx512);

impl Pairs for Tiles {
    type Simd = Avx512;

    #[inline(always)]
    fn simd(self) -> Avx512 {
        self.0
    }

    #[inline(always)]
    fn join(self, first: F32x16, second: F32x16) -> F32x16 {
        // SAFETY: `self` proves AVX512-BF16.
        unsafe { join(first, second) }
    }

    #[inline(always)]
    fn interleave(self, even: F32x16, odd: F32x16) -> F32x16 {
        // SAFETY: `self` proves AVX512-BF16.
        unsafe { interleave(even, odd) }
    }

    #[inline(always)]
    fn multiply_add(
        self,
        left: &[[PairTile; 2]],
        right: &[[PairTile; 2]],
        rows: usize,
        sums: PairSums<'_>,
        first: bool,
    ) {
        let rows = sums.check(left, right, rows);
        let (left, right, parts) = (left.as_ptr(), right.as_ptr(), left.len());
        let (stride, sums) = (sums.stride, sums.values.as_mut_ptr());
        // SAFETY: `self` proves AMX; `check` has seen that the operands have `parts` parts and
        // that the rows of sums lie in `values`.
        unsafe {
            match (rows > LANES, first) {
                (true, true) => start_32(left, right, parts, sums, stride),
                (true, false) => continue_32(left, right, parts, sums, stride),
                (false, true) => start_16(left, right, parts, sums, stride),
                (false, false) => continue_16(left, right, parts, sums, stride),
            }
        }
    }
}

/// Bytes of the two tiles of one part of the inner dimension, and of one of them.
const PART: usize = size_of::<[PairTile; 2]>();
const TILE: usize = size_of::<PairTile>();

/// Defines a product of 32 rows and 32 columns: sums in tiles 0 to 3, operands in 4 to 7.
macro_rules! product_of_32_rows {
    ($name:ident, $($start:literal),*) => {
        /// # Safety
        ///
        /// The processor must have AMX, configured; the operands must have `parts > 0` parts, and
        /// there must be 32 rows of 32 sums.
        #[inline(always)]
        unsafe fn $name(
            left: *const [PairTile; 2],
            right: *const [PairTile; 2],
            parts: usize,
            sums: *mut f32,
            stride: usize,
        ) {
            // SAFETY: the caller's promise.
            unsafe {
                asm!(
                    $($start,)*
                    "2:",
                    "tileloadd tmm4, [{left} + {row}*1]",
                    "tileloadd tmm6, [{right} + {row}*1]",
                    "tileloadd tmm7, [{right} + {row}*1 + {TILE}]",
                    "tileloadd tmm5, [{left} + {row}*1 + {TILE}]",
                    "tdpbf16ps tmm0, tmm4, tmm6",
                    "tdpbf16ps tmm1, tmm4, tmm7",
                    "tdpbf16ps tmm2, tmm5, tmm6",
                    "tdpbf16ps tmm3, tmm5, tmm7",
                    "add {left}, {PART}",
                    "add {right}, {PART}",
                    "dec {parts}",
                    "jnz 2b",
                    "tilestored [{sums} + {stride}*1], tmm0",
                    "tilestored [{sums} + {stride}*1 + 64], tmm1",
                    "tilestored [{lower} + {stride}*1], tmm2",
                    "tilestored [{lower} + {stride}*1 + 64], tmm3",
                    left = inout(reg) left => _,
                    right = inout(reg) right => _,
                    parts = inout(reg) parts => _,
                    row = in(reg) 64_usize,
                    sums = in(reg) sums,
                    lower = in(reg) sums.add(LANES * stride),
                    stride = in(reg) stride * size_of::<f32>(),
                    TILE = const TILE,
                    PART = const PART,
                    out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _,
                    out("tmm4") _, out("tmm5") _, out("tmm6") _, out("tmm7") _,
                    options(nostack),
                );
            }
        }
    };
}

product_of_32_rows!(start_32, "tilezero tmm0", "tilezero tmm1", "tilezero tmm2", "tilezero tmm3");
product_of_32_rows!(
    continue_32,
    "tileloadd tmm0, [{sums} + {stride}*1]",
    "tileloadd tmm1, [{sums} + {stride}*1 + 64]",
    "tileloadd tmm2, [{lower} + {stride}*1]",
    "tileloadd tmm3, [{lower} + {stride}*1 + 64]"
);

/// Defines a product of 16 rows and 32 columns, of which the left operand's lower tiles are no
/// part.
macro_rules! product_of_16_rows {
    ($name:ident, $($start:literal),*) => {
        /// # Safety
        ///
        /// The processor must have AMX, configured; the operands must have `parts > 0` parts, and
        /// there must be 16 rows of 32 sums.
        #[inline(always)]
        unsafe fn $name(
            left: *const [PairTile; 2],
            right: *const [PairTile; 2],
            parts: usize,
            sums: *mut f32,
            stride: usize,
        ) {
            // SAFETY: the caller's promise.
            unsafe {
                asm!(
                    $($start,)*
                    "2:",
                    "tileloadd tmm4, [{left} + {row}*1]",
                    "tileloadd tmm6, [{right} + {row}*1]",
                    "tileloadd tmm7, [{right} + {row}*1 + {TILE}]",
                    "tdpbf16ps tmm0, tmm4, tmm6",
                    "tdpbf16ps tmm1, tmm4, tmm7",
                    "add {left}, {PART}",
                    "add {right}, {PART}",
                    "dec {parts}",
                    "jnz 2b",
                    "tilestored [{sums} + {stride}*1], tmm0",
                    "tilestored [{sums} + {stride}*1 + 64], tmm1",
                    left = inout(reg) left => _,
                    right = inout(reg) right => _,
                    parts = inout(reg) parts => _,
                    row = in(reg) 64_usize,
                    sums = in(reg) sums,
                    stride = in(reg) stride * size_of::<f32>(),
                    TILE = const TILE,
                    PART = const PART,
                    out("tmm0") _, out("tmm1") _,
                    out("tmm4") _, out("tmm6") _, out("tmm7") _,
                    options(nostack),
                );
            }
        }
    };
}

product_of_16_rows!(start_16, "tilezero tmm0", "tilezero tmm1");
product_of_16_rows!(
    continue_16,
    "tileloadd tmm0, [{sums} + {stride}*1]",
    "tileloadd tmm1, [{sums} + {stride}*1 + 64]"
);

//! Memory of this process.

use serde::Serialize;

/// Memory of this process that is resident, where the system tells (Linux).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Memory {
    /// Bytes now.
    pub(super) resident_bytes: Option<u64>,
    /// Bytes at the most, since the process started.
    pub(super) peak_resident_bytes: Option<u64>,
}

impl Memory {
    /// As of now.
    pub(super) fn now() -> Memory {
        // Not there on other systems than Linux.
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        Memory::parse(&status)
    }

    /// Reads the lines of Linux's `status`, such as `VmRSS: 123 kB`.
    fn parse(status: &str) -> Memory {
        let bytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
            kilobytes.checked_mul(1024)
        };
        Memory { resident_bytes: bytes("VmRSS:"), peak_resident_bytes: bytes("VmHWM:") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_lines_are_read() {
        let check = |status: &str, resident_bytes, peak_resident_bytes| {
            assert_eq!(Memory::parse(status), Memory { resident_bytes, peak_resident_bytes });
        };
        let status = "Name:\tx\nVmPeak:\t  9 kB\nVmHWM:\t    2048 kB\nVmRSS:\t    1000 kB\n";
        check(status, Some(1_024_000), Some(2_097_152));
        check("VmRSS:\t many kB\n", None, None);
        check("", None, None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn linux_tells() {
        let memory = Memory::now();
        assert!(memory.resident_bytes > Some(0));
        assert!(memory.peak_resident_bytes >= memory.resident_bytes);
    }
}

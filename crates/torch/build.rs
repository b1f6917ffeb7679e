//! Tells the linker, and whoever links a program with this crate, where libtorch is.
//!
//! Nothing refers to a symbol of `libtorch_cuda.so`, which announces itself when it is loaded, so
//! a linker that leaves out what nothing refers to would make programs that find no GPU.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Absent without the feature.
    let Ok(folder) = env::var("DEP_TCH_LIBTORCH_LIB") else { return };
    println!("cargo:folder={folder}");
    let mut arguments = vec![format!("-Wl,-rpath,{folder}")];
    if Path::new(&folder).join("libtorch_cuda.so").exists() {
        arguments.extend(["-Wl,--no-as-needed", "-ltorch_cuda", "-Wl,--as-needed"].map(Into::into));
    }
    for argument in &arguments {
        // Of our own tests and benchmarks; these flags do not reach programs by themselves.
        println!("cargo:rustc-link-arg={argument}");
    }
    println!("cargo:arguments={}", arguments.join("\t"));
}

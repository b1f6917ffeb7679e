//! Links the program with libtorch as the crate `torch` says, where it is built with it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Absent without the feature `torch`.
    let Ok(arguments) = std::env::var("DEP_LIBTORCH_ARGUMENTS") else { return };
    for argument in arguments.split('\t') {
        println!("cargo:rustc-link-arg-bins={argument}");
    }
}

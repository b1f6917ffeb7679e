#!/usr/bin/env bash
# Runs the demonstration with seeds 1 to 5 and keeps what each printed: run.sh FOLDER
#
# Interrupted, the same command goes on.
set -euo pipefail

folder="$(realpath -m "$1")"
here="$(dirname "$(realpath "$0")")"
cd "$here/../.."
cargo build --release --locked --package searchless
for seed in 1 2 3 4 5; do
    target/release/searchless demo --out "$folder/seed-$seed" --seed "$seed"
    cp "$folder/seed-$seed/comparison.txt" "$here/seed-$seed.txt"
done
python3 "$here/table.py"

#!/usr/bin/env bash
# Makes the runs of this page again: records/exploration-terms/run.sh MAIA-1100.pb.gz FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."

network="$1" folder="$2"
cargo build --release --locked --package searchless
for term in none forward_kl reverse_kl entropy_bonus; do
    target/release/searchless finetune --network "$network" --preset small --term "$term" --beta 0.1 \
        --tau one --steps 400 --seed 1 --out "$folder/$term"
done

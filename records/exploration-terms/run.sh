#!/usr/bin/env bash
# Makes the runs of this page again: run.sh NETWORK.pb.gz GAMES STEPS FOLDER, with 128 games and 400
# steps for Maia 1100, 64 games and 300 steps for meangirl-8.
set -euo pipefail

network="$(realpath "$1")" games="$2" steps="$3" folder="$(realpath -m "$4")"
cd "$(dirname "$0")/../.."
cargo build --release --locked --package searchless
for term in none forward_kl reverse_kl entropy_bonus; do
    target/release/searchless finetune --network "$network" --preset small --term "$term" --beta 0.1 \
        --tau one --games "$games" --steps "$steps" --seed 1 --out "$folder/$term"
done

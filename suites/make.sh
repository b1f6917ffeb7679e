#!/bin/bash
# Makes the embedded suites and openings from nothing but a network: games of its own, and puzzles
# mined from them. README.md says what they are.
#
#   NETWORK=network.pb.gz suites/make.sh FOLDER
#
# Each step goes on where it was interrupted.
set -euo pipefail

folder=${1:?the folder to work in}
: "${NETWORK:?the network that plays}"
stockfish=${STOCKFISH:-stockfish}
searchless=${SEARCHLESS:-searchless}
mkdir -p "$folder"
cd "$folder"

if [ -d games ]; then
    "$searchless" arena --resume games
else
    "$searchless" arena --player "$NETWORK,play=sampled,name=one" \
        --player "$NETWORK,play=adaptive,name=other" --games 600 --seed 5 --out games
fi
mine() {
    "$searchless" suite mine --games games/games.pgn --engine "$stockfish" --nodes 20000 --look-nodes 1000 "$@"
}
[ -f tactics.csv.zst ] || mine --kind tactics --per-game 3 --seed 1 --out tactics.csv.zst
[ -f mates.csv.zst ] || mine --kind mates --per-game 2 --seed 2 --count 320 --out mates.csv.zst
"$searchless" suite build --from tactics.csv.zst --count 300 --seed 1 --out uniform.csv.zst --force
"$searchless" suite build --from tactics.csv.zst --count 190 --seed 1 --exclude uniform.csv.zst \
    --out selection.csv.zst --force
"$searchless" openings --network "$NETWORK" --count 500 --seed 1 --out openings.pgn

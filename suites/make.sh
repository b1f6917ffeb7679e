#!/bin/bash
# Makes the embedded suites and openings: games of networks, and puzzles mined from them. README.md
# says what they are.
#
#   NETWORK=network.pb.gz MAIA=folder suites/make.sh FOLDER
#
# MAIA has maia-1100.pb.gz, maia-1500.pb.gz and maia-1900.pb.gz. Each step goes on where it was
# interrupted.
set -euo pipefail

folder=${1:?the folder to work in}
: "${NETWORK:?the base network}" "${MAIA:?the folder of maia-*.pb.gz}"
stockfish=${STOCKFISH:-stockfish}
searchless=${SEARCHLESS:-searchless}
mkdir -p "$folder"
cd "$folder"

# 1. Tactics: out of games between the Maias and a base, moves drawn.
players=()
for rating in 1100 1500 1900; do
    players+=(--player "$MAIA/maia-$rating.pb.gz,play=sampled,name=maia-$rating")
done
if [ -d games ]; then
    "$searchless" arena --resume games
else
    "$searchless" arena "${players[@]}" --player "$NETWORK,play=adaptive,name=base" --games 400 \
        --openings embedded --seed 21 --out games
fi
[ -f tactics.csv.zst ] || "$searchless" suite mine --kind tactics --games games/games.pgn \
    --engine "$stockfish" --nodes 30000 --look-nodes 1000 --per-game 2 --seed 1 --count 600 \
    --out tactics.csv.zst
"$searchless" suite build --from tactics.csv.zst --count 180 --seed 1 --out selection.csv.zst --force
"$searchless" suite build --from tactics.csv.zst --count 300 --seed 1 --exclude selection.csv.zst \
    --out uniform.csv.zst --force
"$searchless" suite build --from tactics.csv.zst --rating 1250.. --exclude selection.csv.zst \
    --out hard.csv.zst --force

# 2. Mates: out of games of the base against itself.
if [ -d own-games ]; then
    "$searchless" arena --resume own-games
else
    "$searchless" arena --player "$NETWORK,play=sampled,name=one" \
        --player "$NETWORK,play=adaptive,name=other" --games 600 --seed 5 --out own-games
fi
[ -f mates.csv.zst ] || "$searchless" suite mine --kind mates --games own-games/games.pgn \
    --engine "$stockfish" --nodes 20000 --look-nodes 1000 --per-game 2 --seed 2 --count 320 \
    --out mates.csv.zst

# 3. Openings: what the base itself plays.
"$searchless" openings --network "$NETWORK" --count 500 --seed 1 --out openings.pgn

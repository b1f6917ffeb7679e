#!/usr/bin/env bash
# Measures a base network for its model card: measure.sh NETWORK.pb.gz DATA FOLDER
#
# DATA holds Lichess's puzzles (puzzles/lichess_uniform_100k.csv.zst, _2400plus_20k, _mate_in_1_to_5),
# games of people (games/fics_202301_standard2000.pgn), Maia networks (nets/maia-*.pb.gz) and openings
# (openings/UHO_4060_v4.epd.zip). LIMIT puzzles of the first two suites; GAMES of each pair. Each part is written
# to a file in FOLDER; what is there is not measured again.
set -euo pipefail

network=${1:?the network} data=${2:?the folder of data} folder=${3:?the folder to write to}
searchless=${SEARCHLESS:-searchless}
stockfish=${STOCKFISH:-stockfish}
limit=${LIMIT:-10000}
games=${GAMES:-200}
mkdir -p "$folder"

measure() { # file, command..
    local file="$folder/$1"
    shift
    [ -s "$file" ] || { "$searchless" "$@" > "$file.part" && mv "$file.part" "$file"; }
    cat "$file"
}
measure puzzles.txt evaluate "$network" --results "$folder/results.sqlite" --limit "$limit" \
    --suite "$data/puzzles/lichess_uniform_100k.csv.zst" \
    --suite "$data/puzzles/lichess_2400plus_20k.csv.zst" --by rating
# All of them: they stand in the order of their depth.
measure mates.txt evaluate "$network" --results "$folder/results.sqlite" \
    --suite "$data/puzzles/lichess_mate_in_1_to_5.csv.zst" --by mate-depth
measure coverage.txt coverage "$network"
measure calibration.txt calibration "$network" --games "$data/games/fics_202301_standard2000.pgn"
# The entropies of what it plays; the base of the divergences is the network itself, so that they are 0.
measure shape.txt shape "$network"
ladder() { # name, more players..
    local directory="$folder/$1"
    shift
    if [ -d "$directory" ]; then
        "$searchless" arena --resume "$directory"
    else
        "$searchless" arena --player "$network,name=base" "$@" --gauntlet --games "$games" --seed 1 \
            --openings "$data/openings/UHO_4060_v4.epd.zip" --out "$directory"
    fi
}
players=()
for rating in 1100 1500 1900; do players+=(--player "$data/nets/maia-$rating.pb.gz"); done
ladder maia "${players[@]}"
engines=()
# Stockfish 15.1 limits itself by what it calls Elo, from 1350 on, which assumes more time than 10,000 nodes take.
for elo in 1350 1600; do
    engines+=(--player "engine:$stockfish,name=stockfish-$elo,nodes=10000,option.UCI_LimitStrength=true,option.UCI_Elo=$elo")
done
ladder stockfish "${engines[@]}"

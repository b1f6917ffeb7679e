#!/bin/bash
# Builds the suites of the study out of Lichess's puzzles.
#
#   suites.sh DATA FOLDER
#
# DATA holds lichess_uniform_100k.csv.zst (rows drawn from Lichess's puzzle database), _2400plus_20k
# (those rated 2400 or more), _mate_in_1_to_5 and lichess_training_pool_300k, which has none of their
# puzzles: what the base was trained on. FOLDER is made.
set -euo pipefail

data=${1:?the folder of puzzles}
folder=${2:?the folder of suites}
searchless=${SEARCHLESS:-searchless}
mkdir -p "$folder"
cd "$folder"

uniform=$data/lichess_uniform_100k.csv.zst
"$searchless" suite build --from "$uniform" --count 2000 --seed 1 --out selection.csv.zst
"$searchless" suite build --from "$uniform" --count 5000 --seed 2 --exclude selection.csv.zst --out uniform.csv.zst
"$searchless" suite build --from "$data/lichess_2400plus_20k.csv.zst" --count 2000 --seed 3 \
    --exclude selection.csv.zst --out hard.csv.zst
"$searchless" suite build --from "$data/lichess_mate_in_1_to_5.csv.zst" --stratify mate-depth --count 400 --seed 4 \
    --exclude selection.csv.zst --out mates.csv.zst
"$searchless" suite build --from "$data/lichess_training_pool_300k.csv.zst" --count 40000 --seed 5 \
    --no-acceptable --out pool.csv.zst

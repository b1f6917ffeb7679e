#!/usr/bin/env bash
# The commands of this study, in their order. `searchless reproduce` gives them; they can be
# given by hand, in a folder with the .toml files of this one.
set -euo pipefail
mkdir -p networks suites openings measurements

# 1. copy the base network
cp embedded/base.pb.gz networks/base.pb.gz

# 2. copy the suite selection
cp ../suites/selection.csv.zst suites/selection.csv.zst

# 3. copy the suite uniform
cp ../suites/uniform.csv.zst suites/uniform.csv.zst

# 4. copy the suite hard
cp ../suites/hard.csv.zst suites/hard.csv.zst

# 5. copy the suite mates
cp ../suites/mates.csv.zst suites/mates-all.csv.zst

# 6. draw mates of each length
searchless suite build --from suites/mates-all.csv.zst --out suites/mates.csv --force --mate-depth 1 2 3 4 5 --count 191 --stratify mate-depth --seed 1

# 7. copy the suite pool
cp ../suites/pool.csv.zst suites/pool.csv.zst

# 8. fine-tune by self-play: all terms, temperatures and coefficients (32 runs)
searchless sweep --network networks/base.pb.gz --config sweep.toml --out sweep

# 9. fine-tune with the coefficients between the decades (4 runs)
searchless sweep --network networks/base.pb.gz --config sweep-half.toml --out sweep-half

# 10. train the control on puzzle solutions
searchless train --network networks/base.pb.gz --out control --puzzles suites/pool.csv.zst --exclude suites/selection.csv.zst suites/uniform.csv.zst suites/hard.csv.zst suites/mates.csv --steps 207 --batch 89 --warmup-steps 20 --learning-rate-factor 10 --ema-decay 0.98 --seed 1

# 11. name the control's network
cp control/networks/step-000207.pb.gz networks/puzzle_tuned.pb.gz

# 12. evaluate all runs on the selection suite
searchless evaluate networks/base.pb.gz sweep/none-adaptive/networks/step-000207.pb.gz sweep/none-one/networks/step-000207.pb.gz sweep/entropy_bonus-adaptive-beta=0.0001/networks/step-000207.pb.gz sweep/entropy_bonus-adaptive-beta=0.001/networks/step-000207.pb.gz sweep/entropy_bonus-adaptive-beta=0.01/networks/step-000207.pb.gz sweep/entropy_bonus-adaptive-beta=0.1/networks/step-000207.pb.gz sweep/entropy_bonus-adaptive-beta=1/networks/step-000207.pb.gz sweep/entropy_bonus-one-beta=0.0001/networks/step-000207.pb.gz sweep/entropy_bonus-one-beta=0.001/networks/step-000207.pb.gz sweep/entropy_bonus-one-beta=0.01/networks/step-000207.pb.gz sweep/entropy_bonus-one-beta=0.1/networks/step-000207.pb.gz sweep/entropy_bonus-one-beta=1/networks/step-000207.pb.gz sweep/reverse_kl-adaptive-beta=0.0001/networks/step-000207.pb.gz sweep/reverse_kl-adaptive-beta=0.001/networks/step-000207.pb.gz sweep/reverse_kl-adaptive-beta=0.01/networks/step-000207.pb.gz sweep/reverse_kl-adaptive-beta=0.1/networks/step-000207.pb.gz sweep/reverse_kl-adaptive-beta=1/networks/step-000207.pb.gz sweep/reverse_kl-one-beta=0.0001/networks/step-000207.pb.gz sweep/reverse_kl-one-beta=0.001/networks/step-000207.pb.gz sweep/reverse_kl-one-beta=0.01/networks/step-000207.pb.gz sweep/reverse_kl-one-beta=0.1/networks/step-000207.pb.gz sweep/reverse_kl-one-beta=1/networks/step-000207.pb.gz sweep/forward_kl-adaptive-beta=0.0001/networks/step-000207.pb.gz sweep/forward_kl-adaptive-beta=0.001/networks/step-000207.pb.gz sweep/forward_kl-adaptive-beta=0.01/networks/step-000207.pb.gz sweep/forward_kl-adaptive-beta=0.1/networks/step-000207.pb.gz sweep/forward_kl-adaptive-beta=1/networks/step-000207.pb.gz sweep/forward_kl-one-beta=0.0001/networks/step-000207.pb.gz sweep/forward_kl-one-beta=0.001/networks/step-000207.pb.gz sweep/forward_kl-one-beta=0.01/networks/step-000207.pb.gz sweep/forward_kl-one-beta=0.1/networks/step-000207.pb.gz sweep/forward_kl-one-beta=1/networks/step-000207.pb.gz --suite suites/selection.csv.zst --results results.sqlite --limit 957 --seed 1 --json > measurements/evaluate-selection.jsonl

# 13. choose the network that stands for each arm
# of each arm the run that solves most puzzles, of equals that with the smaller coefficient;
# listed in selection.json
cp sweep/none-adaptive/networks/step-000207.pb.gz networks/none-adaptive.pb.gz
cp sweep/none-one/networks/step-000207.pb.gz networks/none-one.pb.gz
cp sweep/entropy_bonus-adaptive-beta=0.1/networks/step-000207.pb.gz networks/entropy_bonus-adaptive.pb.gz
cp sweep/entropy_bonus-one-beta=0.1/networks/step-000207.pb.gz networks/entropy_bonus-one.pb.gz
cp sweep/reverse_kl-adaptive-beta=0.001/networks/step-000207.pb.gz networks/reverse_kl-adaptive.pb.gz
cp sweep/reverse_kl-one-beta=0.001/networks/step-000207.pb.gz networks/reverse_kl-one.pb.gz
cp sweep/forward_kl-adaptive-beta=0.001/networks/step-000207.pb.gz networks/forward_kl-adaptive.pb.gz
cp sweep/forward_kl-one-beta=0.1/networks/step-000207.pb.gz networks/forward_kl-one.pb.gz

# 14. evaluate the selected networks on the uniform suite
searchless evaluate networks/base.pb.gz networks/none-adaptive.pb.gz networks/none-one.pb.gz networks/entropy_bonus-adaptive.pb.gz networks/entropy_bonus-one.pb.gz networks/reverse_kl-adaptive.pb.gz networks/reverse_kl-one.pb.gz networks/forward_kl-adaptive.pb.gz networks/forward_kl-one.pb.gz networks/puzzle_tuned.pb.gz --suite suites/uniform.csv.zst --results results.sqlite --limit 2392 --by rating --seed 1 --json > measurements/evaluate-uniform.jsonl

# 15. evaluate the selected networks on hard puzzles
searchless evaluate networks/base.pb.gz networks/none-adaptive.pb.gz networks/none-one.pb.gz networks/entropy_bonus-adaptive.pb.gz networks/entropy_bonus-one.pb.gz networks/reverse_kl-adaptive.pb.gz networks/reverse_kl-one.pb.gz networks/forward_kl-adaptive.pb.gz networks/forward_kl-one.pb.gz networks/puzzle_tuned.pb.gz --suite suites/hard.csv.zst --results results.sqlite --limit 957 --by rating --seed 1 --json > measurements/evaluate-hard.jsonl

# 16. evaluate the selected networks on mates
searchless evaluate networks/base.pb.gz networks/none-adaptive.pb.gz networks/none-one.pb.gz networks/entropy_bonus-adaptive.pb.gz networks/entropy_bonus-one.pb.gz networks/reverse_kl-adaptive.pb.gz networks/reverse_kl-one.pb.gz networks/forward_kl-adaptive.pb.gz networks/forward_kl-one.pb.gz networks/puzzle_tuned.pb.gz --suite suites/mates.csv --results results.sqlite --by mate-depth --seed 1 --json > measurements/evaluate-mates.jsonl

# 17. evaluate the forward KL at all coefficients on the uniform suite
searchless evaluate networks/base.pb.gz sweep/none-adaptive/networks/step-000207.pb.gz sweep/forward_kl-adaptive-beta=0.0001/networks/step-000207.pb.gz sweep/forward_kl-adaptive-beta=0.001/networks/step-000207.pb.gz sweep/forward_kl-adaptive-beta=0.01/networks/step-000207.pb.gz sweep/forward_kl-adaptive-beta=0.1/networks/step-000207.pb.gz sweep/forward_kl-adaptive-beta=1/networks/step-000207.pb.gz sweep-half/forward_kl-adaptive-beta=0.0003/networks/step-000207.pb.gz sweep-half/forward_kl-adaptive-beta=0.003/networks/step-000207.pb.gz sweep-half/forward_kl-adaptive-beta=0.03/networks/step-000207.pb.gz sweep-half/forward_kl-adaptive-beta=0.3/networks/step-000207.pb.gz --suite suites/uniform.csv.zst --results results.sqlite --limit 2392 --seed 1 --json > measurements/beta-curve.jsonl

# 18. measure trajectory coverage at four positions
searchless coverage networks/base.pb.gz networks/none-adaptive.pb.gz networks/none-one.pb.gz networks/entropy_bonus-adaptive.pb.gz networks/entropy_bonus-one.pb.gz networks/reverse_kl-adaptive.pb.gz networks/reverse_kl-one.pb.gz networks/forward_kl-adaptive.pb.gz networks/forward_kl-one.pb.gz --from initial --from ruy-lopez --from najdorf-english-attack --from qgd-tartakower --depth 4 --samples 0 --csv measurements/coverage.csv --json > measurements/coverage.json

# 19. measure policy shape
searchless shape networks/base.pb.gz networks/none-adaptive.pb.gz networks/none-one.pb.gz networks/entropy_bonus-adaptive.pb.gz networks/entropy_bonus-one.pb.gz networks/reverse_kl-adaptive.pb.gz networks/reverse_kl-one.pb.gz networks/forward_kl-adaptive.pb.gz networks/forward_kl-one.pb.gz --games 19 --seed 1 --json > measurements/shape.json

# 20. see what fine-tuning recovers
searchless recovery networks/base.pb.gz networks/forward_kl-adaptive.pb.gz networks/reverse_kl-adaptive.pb.gz --suite suites/uniform.csv.zst --results results.sqlite --limit 2392 --json > measurements/recovery.json

# 21. look at a position and its successors
searchless inspect networks/base.pb.gz --moves 'e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 c1e3' --successors --json > measurements/directions.json

# 22. copy the openings
cp ../suites/openings.pgn openings/book.pgn

# 23. play the argmax ladder (2160 games)
searchless arena --player networks/base.pb.gz,name=base --player networks/none-adaptive.pb.gz,name=none-adaptive --player networks/none-one.pb.gz,name=none-one --player networks/entropy_bonus-adaptive.pb.gz,name=entropy_bonus-adaptive --player networks/entropy_bonus-one.pb.gz,name=entropy_bonus-one --player networks/reverse_kl-adaptive.pb.gz,name=reverse_kl-adaptive --player networks/reverse_kl-one.pb.gz,name=reverse_kl-one --player networks/forward_kl-adaptive.pb.gz,name=forward_kl-adaptive --player networks/forward_kl-one.pb.gz,name=forward_kl-one --player networks/puzzle_tuned.pb.gz,name=puzzle_tuned --out arena-argmax --games 48 --openings openings/book.pgn --seed 1
# then the games of arena-argmax/games.pgn are put in the order of their rounds

# 24. rate the players of arena-argmax/games.pgn
searchless rate arena-argmax/games.pgn --anchor base=0 --versus base --json > measurements/rate-argmax.json

# 25. play everyone against the base (1728 games)
searchless arena --player networks/base.pb.gz,name=base --player networks/none-adaptive.pb.gz,name=none-adaptive --player networks/none-one.pb.gz,name=none-one --player networks/entropy_bonus-adaptive.pb.gz,name=entropy_bonus-adaptive --player networks/entropy_bonus-one.pb.gz,name=entropy_bonus-one --player networks/reverse_kl-adaptive.pb.gz,name=reverse_kl-adaptive --player networks/reverse_kl-one.pb.gz,name=reverse_kl-one --player networks/forward_kl-adaptive.pb.gz,name=forward_kl-adaptive --player networks/forward_kl-one.pb.gz,name=forward_kl-one --player networks/puzzle_tuned.pb.gz,name=puzzle_tuned --gauntlet --out arena-against-base --games 192 --openings openings/book.pgn --seed 1
# then the games of arena-against-base/games.pgn are put in the order of their rounds

# 26. rate the players of arena-against-base/games.pgn
searchless rate arena-against-base/games.pgn --anchor base=0 --versus base --json > measurements/rate-against-base.json

# 27. play the ladder of sampled moves (1260 games)
searchless arena --player networks/base.pb.gz,play=sampled,name=base --player networks/base.pb.gz,play=adaptive,name=base-mu --player networks/none-adaptive.pb.gz,play=adaptive,name=none-adaptive --player networks/none-one.pb.gz,play=sampled,name=none-one --player networks/entropy_bonus-adaptive.pb.gz,play=adaptive,name=entropy_bonus-adaptive --player networks/entropy_bonus-one.pb.gz,play=sampled,name=entropy_bonus-one --player networks/reverse_kl-adaptive.pb.gz,play=adaptive,name=reverse_kl-adaptive --player networks/reverse_kl-one.pb.gz,play=sampled,name=reverse_kl-one --player networks/forward_kl-adaptive.pb.gz,play=adaptive,name=forward_kl-adaptive --player networks/forward_kl-one.pb.gz,play=sampled,name=forward_kl-one --out arena-sampled --games 28 --openings openings/book.pgn --seed 1
# then the games of arena-sampled/games.pgn are put in the order of their rounds

# 28. rate the players of arena-sampled/games.pgn
searchless rate arena-sampled/games.pgn --anchor base=0 --versus base --json > measurements/rate-sampled.json

# 29. measure the value heads' calibration
searchless calibration networks/base.pb.gz networks/none-adaptive.pb.gz networks/none-one.pb.gz networks/entropy_bonus-adaptive.pb.gz networks/entropy_bonus-one.pb.gz networks/reverse_kl-adaptive.pb.gz networks/reverse_kl-one.pb.gz networks/forward_kl-adaptive.pb.gz networks/forward_kl-one.pb.gz networks/puzzle_tuned.pb.gz --games arena-argmax/games.pgn --seed 1 --json > measurements/calibration.jsonl

# 30. choose a game of the base
# the moves, in UCI notation, of the first game of arena-argmax/games.pgn that base wins
# are measurements/game-moves.txt

# 31. look at each position of the game
searchless inspect networks/base.pb.gz --moves "$(cat measurements/game-moves.txt)" --each-ply --json > measurements/game.jsonl

# 32. write the report
searchless report .

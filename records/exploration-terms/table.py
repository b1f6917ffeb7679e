"""Prints a table of this page from the raw metrics beside it: table.py [maia-1100|meangirl-8]."""

import gzip
import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
TERMS = ("none", "forward_kl", "reverse_kl", "entropy_bonus")
NETWORK = sys.argv[1] if len(sys.argv) > 1 else "maia-1100"
STEPS = {"maia-1100": (100, 200, 300, 400), "meangirl-8": (100, 200, 300)}[NETWORK]
WINDOW = 20


def mean(steps, *path):
    total = 0.0
    for step in steps:
        value = step
        for name in path:
            value = value[name]
        total += value
    return total / len(steps)


notes = []
print("| term | step | entropy | KL(base‖π) | KL(π‖base) | mean abs(A) | 8-ply openings | their entropy |")
print("|---|---|---|---|---|---|---|---|")
for term in TERMS:
    with gzip.open(HERE / NETWORK / f"{term}.jsonl.gz", "rt") as lines:
        steps = [json.loads(line) for line in lines]
    assert [step["step"] for step in steps] == list(range(1, STEPS[-1] + 1)), term
    games = [step["games"] for step in steps]
    finished = sum(game["finished"] for game in games)
    plies = sum(game["finished"] * (game["mean_plies"] or 0) for game in games) / finished
    notes.append(f"{term}: {finished} games finished, of {plies:.1f} plies on average")
    for last in STEPS:
        window = steps[last - WINDOW : last]
        openings = window[-1]["openings"]["eight_plies"]
        print(
            f"| {term} | {last} | {mean(window, 'policy', 'entropy'):.3f} "
            f"| {mean(window, 'policy', 'forward_kl'):.3f} "
            f"| {mean(window, 'policy', 'reverse_kl'):.3f} "
            f"| {mean(window, 'advantage', 'mean_absolute'):.4f} "
            f"| {openings['distinct']} of {openings['games']} | {openings['entropy']:.3f} |"
        )
print()
print("\n".join(notes))

"""Prints the table of this page from what the demonstrations printed: table.py"""

import re
from pathlib import Path

HERE = Path(__file__).parent
NETWORKS = ("base", "forward_kl", "none")
# What a row of a demonstration has behind the network's name.
COLUMNS = re.compile(
    r"(?P<puzzles>[\d.]+)% \([\d.-]+\) +(?P<mates>[\d.]+)% \([\d.-]+\) +(?P<solution>[\d.]+) +(?P<lines>\d+) +"
    r"(?P<entropy>[\d.]+|-) +(?P<divergence>[\d.]+|-) +(?:(?P<won>\d+)-(?P<drawn>\d+)-(?P<lost>\d+)|-) +"
    r"(?:(?P<elo>[+-]\d+) ± \d+|-)$"
)


def rows(path):
    """The numbers of each network."""
    found = {}
    for line in path.read_text().splitlines():
        name, _, rest = line.strip().partition(" ")
        if name in NETWORKS:
            numbers = COLUMNS.match(rest.strip())
            assert numbers, f"{path}: {line}"
            values = numbers.groupdict().items()
            found[name] = {key: float(value) for key, value in values if value not in (None, "-")}
    assert len(found) == len(NETWORKS), path
    return found


def spread(values, digits):
    mean = sum(values) / len(values)
    return f"{mean:.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


runs = [rows(path) for path in sorted(HERE.glob("seed-*.txt"))]
print(f"{len(runs)} seeds: mean (lowest to highest)\n")
print("| network | puzzles % | mates % | p* | K95 | entropy | KL(base‖π) | Elo against the base |")
print("|---|---|---|---|---|---|---|---|")
for name in NETWORKS:
    cells = [name]
    for column, digits in (
        ("puzzles", 1),
        ("mates", 1),
        ("solution", 4),
        ("lines", 0),
        ("entropy", 3),
        ("divergence", 3),
        ("elo", 0),
    ):
        values = [run[name][column] for run in runs if column in run[name]]
        cells.append(spread(values, digits) if values else "-")
    print("| " + " | ".join(cells) + " |")

print()
for what, holds in (
    ("forward KL keeps more lines of play than no term", lambda run: run["forward_kl"]["lines"] > run["none"]["lines"]),
    ("the base has more lines of play than forward KL", lambda run: run["base"]["lines"] > run["forward_kl"]["lines"]),
    ("forward KL stays nearer to the base's policy", lambda run: run["forward_kl"]["divergence"] < run["none"]["divergence"]),
    ("forward KL solves at least as many puzzles as the base", lambda run: run["forward_kl"]["puzzles"] >= run["base"]["puzzles"]),
    ("forward KL finds the solution more probable than the base", lambda run: run["forward_kl"]["solution"] > run["base"]["solution"]),
    ("forward KL loses less, or wins more, against the base than no term", lambda run: run["forward_kl"]["elo"] > run["none"]["elo"]),
    ("forward KL beats the base", lambda run: run["forward_kl"]["elo"] > 0),
):
    print(f"- {what}: in {sum(map(holds, runs))} of {len(runs)}")

#!/usr/bin/env python3
"""Compares how fast two networks play a match: in one process, and as processes under a match tool.

    cargo build --release --locked -p searchless
    benches/peers/matches.py --fastchess PROGRAM --openings BOOK.epd NETWORK NETWORK [--games N] [--rounds N]

The peer is fastchess (github.com/Disservin/fastchess), which starts each network as a UCI engine and
lets it think for one node a move, with as many games at once as there are processors. The engine is
this same binary, `searchless uci`, with one thread; with --engine any other one that loads Lc0's
files, as in --engine "lc0". Both play the same number of games from the same file of openings, each
opening twice with colours reversed.

Timed are whole processes, start and loading of the networks included. Rounds alternate between the
two; printed are the medians, and of the ratio the lowest and the highest round too.
"""

import argparse
import os
import shlex
import statistics
import subprocess
import tempfile
import time
from pathlib import Path


def ours(arguments, folder: Path) -> None:
    command = [arguments.searchless, "arena", "--games", arguments.games, "--seed", 1]
    for number, network in enumerate(arguments.networks):
        command += ["--player", f"{network},name={number}"]
    command += ["--openings", arguments.openings, "--out", folder / "match"]
    run(command, folder)
    assert (folder / "match" / "games.pgn").read_text().count("[Event ") == arguments.games


def theirs(arguments, folder: Path) -> None:
    engine, *words = shlex.split(arguments.engine or f"{arguments.searchless} uci --threads 1")
    command = [arguments.fastchess]
    for number, network in enumerate(arguments.networks):
        command += ["-engine", f"cmd={engine}", f"name={number}"]
        command += [f"args={' '.join(words)}"] if words else []
        command += [f"option.WeightsFile={network}"]
    form = "pgn" if arguments.openings.suffix == ".pgn" else "epd"
    command += ["-each", "tc=inf", "nodes=1"]
    command += ["-openings", f"file={arguments.openings}", f"format={form}", "order=random", "-srand", 1]
    command += ["-rounds", arguments.games // 2, "-games", 2, "-concurrency", os.cpu_count()]
    command += ["-pgnout", "file=games.pgn"]
    run(command, folder)
    assert (folder / "games.pgn").read_text().count("[Event ") == arguments.games


def run(command: list, folder: Path) -> None:
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(words)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("networks", nargs=2, type=Path)
    parser.add_argument("--openings", required=True, type=Path)
    parser.add_argument("--fastchess", required=True)
    parser.add_argument("--engine")
    parser.add_argument("--searchless", default=Path("target/release/searchless"), type=Path)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    arguments.networks = [network.resolve() for network in arguments.networks]
    for name in ("openings", "searchless"):
        setattr(arguments, name, getattr(arguments, name).resolve())
    if arguments.games % 2:
        parser.error("--games: each opening is played twice")

    speeds = {ours: [], theirs: []}
    for number in range(arguments.rounds):
        for play in (ours, theirs) if number % 2 == 0 else (theirs, ours):
            with tempfile.TemporaryDirectory() as folder:
                start = time.monotonic()
                play(arguments, Path(folder))
                speeds[play].append(arguments.games / (time.monotonic() - start))
    ratios = [one / other for one, other in zip(speeds[ours], speeds[theirs])]
    print(f"{arguments.games} games, {arguments.rounds} rounds, {os.cpu_count()} processors")
    print(f"searchless arena        {statistics.median(speeds[ours]):8.1f} games/s")
    print(f"processes, fastchess    {statistics.median(speeds[theirs]):8.1f} games/s")
    ratio = statistics.median(speeds[ours]) / statistics.median(speeds[theirs])
    print(f"ratio of the medians    {ratio:8.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main()

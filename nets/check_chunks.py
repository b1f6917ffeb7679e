#!/usr/bin/env python3
"""Reads chunks of `searchless label` with the parser of Lc0's own training (tf/chunkparser.py of
github.com/LeelaChessZero/lczero-training), and checks what it made of them.

    python3 nets/check_chunks.py LCZERO_TRAINING CHUNK.gz..

LCZERO_TRAINING is a checkout of that repository. Needs numpy and python-chess.
"""

import sys
from pathlib import Path


def main() -> None:
    checkout, *chunks = sys.argv[1:]
    sys.path.insert(0, str(Path(checkout) / "tf"))
    import chess
    import numpy
    from chunkparser import ChunkParser

    parser = ChunkParser(chunks, expected_input_format=1, workers=0, batch_size=64)
    positions = moves = 0
    entropy = largest_error = 0.0
    for planes, probabilities, winner, best, _ in parser.sequential():
        planes = numpy.frombuffer(planes, dtype=numpy.float32).reshape(-1, 112, 64)
        probabilities = numpy.frombuffer(probabilities, dtype=numpy.float32).reshape(-1, 1858)
        best = numpy.frombuffer(best, dtype=numpy.float32).reshape(-1, 3)
        for board_planes, targets, outcome in zip(planes, probabilities, best):
            board = board_of(chess, board_planes)
            legal = targets >= 0
            assert legal.sum() == board.legal_moves.count(), board.fen()
            largest_error = max(largest_error, abs(float(targets[legal].sum()) - 1.0))
            assert abs(float(outcome.sum()) - 1.0) < 1e-5, outcome
            shown = targets[targets > 0].astype(numpy.float64)
            entropy += float(-(shown * numpy.log(shown)).sum())
            positions += 1
            moves += int((targets > 0).sum())
    print(
        f"{positions} positions: as many legal moves in each as python-chess counts; "
        f"sums of targets within {largest_error:.1e} of 1; "
        f"{moves / positions:.2f} moves with a target, mean entropy {entropy / positions:.3f} nats"
    )


def board_of(chess, planes):
    """The position of 112 planes, with the side to move as White. Planes show no en passant by
    themselves: it is the pawn whose double step is the difference to the position before."""
    board = chess.Board(None)
    for plane in range(12):
        piece = chess.Piece(plane % 6 + 1, plane < 6)
        for square in range(64):
            if planes[plane, square] > 0:
                board.set_piece_at(square, piece)
    for plane, square in ((104, "a1"), (105, "h1"), (106, "a8"), (107, "h8")):
        if planes[plane].any():
            board.castling_rights |= chess.BB_SQUARES[chess.parse_square(square)]
    for file in range(8):
        start, end = chess.square(file, 6), chess.square(file, 4)
        was, now = planes[13 + 6], planes[6]
        if was[start] and not was[end] and now[end] and not now[start]:
            board.ep_square = chess.square(file, 5)
    return board


if __name__ == "__main__":
    main()

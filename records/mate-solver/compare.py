"""Compares the answers of the mate solver with Stockfish's.

    compare.py STOCKFISH ANSWERS.tsv [NODES [DEEP_NODES]]

ANSWERS are rows of the example program mate_suite. For a mate in n kept by k moves Stockfish
analyses the best k + 1 moves (MultiPV) with NODES nodes (default 200,000): the first k have to be
the moves that keep the mate, with scores of mate in n, and the next one none of mate in n or less.
For "none" no move may have a score of mate within the moves asked for. Stockfish may miss a mate
or give a longer one within its nodes, so what it misses is asked again, that move alone, with
DEEP_NODES (default 20,000,000). A mate of Stockfish's that the solver excludes would be an error of
the solver. Every disagreement is printed; the last lines count.
"""

import collections
import sys

import chess
import chess.engine


def mate(info):
    """Moves to mate of the side to move, or None."""
    moves = info["score"].relative.mate()
    return moves if moves is not None and moves > 0 else None


class Comparison:
    def __init__(self, engine, nodes, deep_nodes):
        self.engine, self.nodes, self.deep_nodes = engine, nodes, deep_nodes
        self.counts = collections.Counter()

    def analyse(self, board, moves, lines, nodes, only=None):
        limit = chess.engine.Limit(nodes=nodes, depth=4 * moves + 8)
        infos = self.engine.analyse(
            board, limit, multipv=lines, root_moves=only, game=object()
        )
        return {info["pv"][0]: mate(info) for info in infos if "pv" in info}

    def report(self, kind, row, text):
        self.counts[kind] += 1
        print(f"{kind}: {row}: {text}", flush=True)

    def row(self, puzzle, fen, asked, answer, keeping):
        board = chess.Board(fen)
        name = f"{puzzle} \"{fen}\""
        if answer == "unproved":
            self.counts["unproved"] += 1
            return
        if answer == "none":
            self.counts["no mate"] += 1
            for move, found in self.analyse(board, asked, 1, self.nodes).items():
                if found is not None and found <= asked:
                    self.report("EXCLUDED BY THE SOLVER", name, f"{move} mates in {found}")
            return
        moves = int(answer)
        self.counts[f"mate in {moves}"] += 1
        keeping = {chess.Move.from_uci(uci) for uci in keeping.split()}
        self.counts[f"mate in {moves}, several moves"] += len(keeping) > 1
        self.counts["keeping moves"] += len(keeping)
        lines = min(len(keeping) + 1, board.legal_moves.count())
        found = self.analyse(board, moves, lines, self.nodes)
        for move, distance in found.items():
            if distance is not None and distance < moves + (move not in keeping):
                self.report("EXCLUDED BY THE SOLVER", name, f"{move} mates in {distance}")
        for move in sorted(keeping, key=str):
            if found.get(move) == moves:
                continue
            self.counts["asked again"] += 1
            again = self.analyse(board, moves, 1, self.deep_nodes, [move]).get(move)
            if again != moves:
                self.report(
                    "not found by Stockfish", name,
                    f"{move} keeps mate in {moves}; Stockfish: {found.get(move)}, then {again}",
                )


def main():
    numbers = [int(text.replace(",", "")) for text in sys.argv[3:5]]
    nodes, deep_nodes = (numbers + [200_000, 20_000_000][len(numbers):])[:2]
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1]) as engine:
        engine.configure({"Threads": 1, "Hash": 64})
        print(engine.id["name"])
        comparison = Comparison(engine, nodes, deep_nodes)
        for line in open(sys.argv[2], encoding="utf-8"):
            puzzle, fen, asked, answer, keeping, _ = line.rstrip("\n").split("\t")
            comparison.row(puzzle, fen, int(asked), answer, keeping)
    for kind, count in sorted(comparison.counts.items()):
        print(f"{count:6} {kind}")


main()

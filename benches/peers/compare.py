"""Times our engine and others in alternating rounds and prints what came out.

A round is a second or so of batches on one side, then on the other. It counts where both sides had
their cores: a run on two threads whose CPU time is about its wall time had only one, and PyTorch
in particular then waits for a thread that does not run. What is printed of a comparison are the
medians over the rounds that count; of the ratio also the lowest and the highest round.
"""

import argparse
import datetime
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
# CPU time over wall time of a round that counts, for each thread.
BUSY = 0.65
# Rounds tried for each that must count.
PATIENCE = 4


@dataclass
class Comparison:
    # A preset or a published network.
    network: str
    peer: str
    mode: str
    batch: int
    precision: str = "f32"


CHESSFORMERS = ("chessformer-128x4", "chessformer-256x8")
COMPARISONS = [
    Comparison(preset, peer, mode, batch, precision)
    for precision, peer in (("f32", "PyTorch"), ("bf16", "PyTorch"), ("bf16", "ours in f32"))
    for preset in CHESSFORMERS
    for batch in (64, 256)
    for mode in ("forward", "training")
]
COMPARISONS += [
    Comparison(preset, "onnxruntime", "forward", batch)
    for preset in ("maia", *CHESSFORMERS)
    for batch in (64, 256)
]
COMPARISONS.append(Comparison("bt4", "PyTorch", "forward", 16))

# Networks that are not ours to make, by the file of the reference data that holds them.
PUBLISHED = {"maia-1900": "nets/maia-1900.pb.gz"}
COMPARISONS += [
    Comparison(name, "onnxruntime", "forward", batch) for name in PUBLISHED for batch in (64, 256)
]


def published(name):
    """Where a published network should be."""
    default = HERE.parent.parent.parent / "shared" / "data"
    data = Path(os.environ.get("SEARCHLESS_REFERENCE_DATA", default))
    return data / PUBLISHED[name]


class Side:
    """A process that computes batches on request."""

    def __init__(self, command, threads):
        environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.checks = []
        while (line := self.process.stdout.readline().strip()) != "ready":
            if not line:
                sys.exit(f"{command}: ended early")
            self.checks.append(line.removeprefix("# "))

    def round(self, seconds):
        """Positions per second, and CPU time over wall time."""
        before = self.cpu_seconds()
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        positions, elapsed = map(float, self.process.stdout.readline().split())
        return positions / elapsed, (self.cpu_seconds() - before) / elapsed

    def cpu_seconds(self):
        text = Path(f"/proc/{self.process.pid}/stat").read_text()
        user, system = text.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def peak_megabytes(self):
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024

    def end(self):
        self.process.kill()
        self.process.wait()


def compare(comparison, options, folder):
    network = folder / f"{comparison.network}.pb"
    peer = options.target / "examples" / "peer"
    if comparison.network in PUBLISHED:
        network = published(comparison.network)
    elif not network.exists():
        new = [options.target / "searchless", "new-network", "--preset", comparison.network]
        subprocess.run([*new, "--seed", "1", "--out", network], check=True, stdout=subprocess.DEVNULL)
    if not (folder / comparison.network).exists():
        (folder / comparison.network).mkdir()
        largest = max(row.batch for row in COMPARISONS if row.network == comparison.network)
        export = [peer, "export", network, str(largest), folder / comparison.network]
        subprocess.run(export, check=True)
    if comparison.mode == "training" and not (folder / comparison.network / "gradients.txt").exists():
        differentiate = [peer, "differentiate", network, folder / comparison.network]
        subprocess.run(differentiate, check=True)
    model, script = network, "torch_peer.py"
    if comparison.peer == "onnxruntime":
        model, script = folder / f"{comparison.network}.onnx", "onnx_peer.py"
        if not model.exists():
            convert = [options.lc0, "leela2onnx", f"--input={network}", f"--output={model}"]
            subprocess.run(convert, check=True, capture_output=True)
    size = [str(comparison.batch), str(options.threads)]
    ours = [peer, comparison.mode, network, *size]
    theirs = [sys.executable, HERE / script, comparison.mode, model, folder / comparison.network]
    theirs += [*size, comparison.precision]
    if comparison.peer == "ours in f32":
        theirs = [*ours, "f32"]
    sides = [Side([*ours, comparison.precision], options.threads), Side(theirs, options.threads)]
    try:
        rounds, tried = time_rounds(sides, options)
        peaks = [side.peak_megabytes() for side in sides]
    finally:
        for side in sides:
            side.end()
    print_row(comparison, rounds, tried, peaks)
    return sides[1].checks


def time_rounds(sides, options):
    """Positions per second of both sides in each round that counts, and the rounds tried."""
    rounds, tried = [], 0
    while len(rounds) < options.rounds and tried < PATIENCE * options.rounds:
        tried += 1
        # Who goes first alternates too.
        order = (0, 1) if tried % 2 else (1, 0)
        measured = {side: sides[side].round(options.seconds) for side in order}
        if all(busy >= BUSY * options.threads for _, busy in measured.values()):
            rounds.append((measured[0][0], measured[1][0]))
    return rounds, tried


HEADER = (
    f"{'network':<18} {'work':<9} {'batch':>5} {'type':<5} {'peer':<12} {'ours/s':>8} {'theirs/s':>8} "
    f"{'ratio':>6} {'lowest':>7} {'highest':>7}  {'rounds':>7}  {'peak MB ours':>12} {'theirs':>7}"
)


def print_row(comparison, rounds, tried, peaks):
    name = (
        f"{comparison.network:<18} {comparison.mode:<9} {comparison.batch:>5} "
        f"{comparison.precision:<5} {comparison.peer:<12}"
    )
    if not rounds:
        print(f"{name} no round counts: none of {tried} had its cores on both sides", flush=True)
        return
    ours, theirs = (statistics.median(side) for side in zip(*rounds))
    ratios = [one / other for one, other in rounds]
    print(
        f"{name} {ours:>8.1f} {theirs:>8.1f} {statistics.median(ratios):>6.2f} "
        f"{min(ratios):>7.2f} {max(ratios):>7.2f}  {len(rounds):>3}/{tried:<3}  "
        f"{peaks[0]:>12.0f} {peaks[1]:>7.0f}",
        flush=True,
    )


def describe(options):
    import onnxruntime
    import torch

    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, cwd=HERE
    ).stdout.strip()
    now = datetime.datetime.now(datetime.timezone.utc)
    print(f"{now:%Y-%m-%d %H:%M} UTC, {names[0] if names else platform.processor()}, ", end="")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {options.threads} threads")
    print(f"ours {commit}; PyTorch {torch.__version__} (eager, ", end="")
    print(f"{torch.backends.cpu.get_cpu_capability()}), onnxruntime {onnxruntime.__version__}")
    print("positions per second; ratio ours over theirs\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", type=Path, required=True, help="folder of our built programs")
    parser.add_argument("--lc0", type=Path, required=True, help="lc0, for leela2onnx")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="of one side's part of a round")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="", help="only rows with this text in their first five columns")
    options = parser.parse_args()
    describe(options)
    print(HEADER)
    checks = {}
    with tempfile.TemporaryDirectory() as folder:
        for comparison in COMPARISONS:
            name = (
                f"{comparison.network} {comparison.mode} {comparison.batch} {comparison.precision} "
                f"{comparison.peer}"
            )
            if options.only not in name:
                continue
            if comparison.network in PUBLISHED and not published(comparison.network).exists():
                print(f"{name}: skipped, no {published(comparison.network)}")
            else:
                checks[name] = compare(comparison, options, Path(folder))
    print(f"\nload at the end {os.getloadavg()[0]:.1f}; before the rounds the two sides agreed:")
    for name, lines in checks.items():
        print(f"  {name}: {'; '.join(lines)}")


main()

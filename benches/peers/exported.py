"""What our side exported, and the loop that both Python peers run."""

import sys
import time

import numpy

# Positions on which outputs and gradients are compared.
CHECKED = 64
# The gradient of the policy logits is the logits times this; that of the value logits themselves.
POLICY_GRADIENT = 1e-4
# The largest difference of an output, and the largest relative one of a tensor's gradient norm.
# What our side exports is always f32.
TOLERANCES = {"f32": 1e-3, "bf16": 0.3}


class Exported:
    def __init__(self, folder, precision="f32"):
        def array(name, shape):
            return numpy.fromfile(folder / name, "<f4").reshape(shape)

        self.planes = array("planes.f32", (-1, 112, 64))
        self.policy = array("policy.f32", (CHECKED, 1858))
        self.value = array("value.f32", (CHECKED, 3))
        self.norms = folder / "gradients.txt"
        self.tolerance = TOLERANCES[precision]

    def agree(self, what, difference):
        if not difference < self.tolerance:
            sys.exit(f"{what} differ by {difference}")
        print(f"# {what} agree within {difference:.1e}", flush=True)

    def check_outputs(self, policy, value):
        self.agree("policy logits", numpy.abs(policy - self.policy).max())
        self.agree("value logits", numpy.abs(value - self.value).max())

    def check_probabilities(self, policy, wdl):
        powers = numpy.exp(self.value - self.value.max(1, keepdims=True))
        self.agree("policy logits", numpy.abs(policy - self.policy).max())
        self.agree("outcomes", numpy.abs(wdl - powers / powers.sum(1, keepdims=True)).max())

    def check_gradients(self, norms):
        lines = [line.split() for line in self.norms.read_text().splitlines()]
        ours = {name: float(norm) for name, norm in lines if float(norm) > 0}
        if ours.keys() != norms.keys():
            sys.exit(f"gradients of different tensors: {sorted(ours.keys() ^ norms.keys())}")
        # Some gradients are 0 but for rounding: a bias that all keys of a softmax share.
        least = self.tolerance * max(ours.values())
        differences = [abs(norms[name] - norm) / max(norm, least) for name, norm in ours.items()]
        self.agree(f"gradient norms of {len(ours)} tensors", max(differences))


def serve(work, positions):
    work()
    print("ready", flush=True)
    for line in sys.stdin:
        seconds = float(line)
        done, start = 0, time.perf_counter()
        while True:
            work()
            done += positions
            elapsed = time.perf_counter() - start
            if elapsed >= seconds:
                break
        print(done, elapsed, flush=True)

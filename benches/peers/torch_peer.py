"""One side of a comparison: PyTorch.

    torch_peer.py (forward|training) NETWORK EXPORT BATCH THREADS (f32|bf16)

Checks itself against what our side exported, says "ready", and for each number of seconds that it
reads computes batches for so long and answers "POSITIONS SECONDS".
"""

import contextlib
import sys
from pathlib import Path

import numpy
import torch

from chessformer import Chessformer
from exported import CHECKED, POLICY_GRADIENT, Exported, serve


def main():
    mode, network, export, batch, threads, precision = sys.argv[1:]
    torch.set_num_threads(int(threads))
    exported = Exported(Path(export), precision)
    model = Chessformer(network)
    planes = torch.from_numpy(exported.planes)
    if mode == "forward":
        model.requires_grad_(False)
        if precision == "bf16":
            # Faster than autocast, which converts the weights in each pass.
            model, planes = model.bfloat16(), planes.bfloat16()
        batch = planes[: int(batch)]
        with torch.inference_mode():
            outputs = model(planes[:CHECKED])
            exported.check_outputs(*(output.float().numpy() for output in outputs[:2]))
            serve(lambda: model(batch), len(batch))
        return
    batch = planes[: int(batch)]
    # Weights, gradients and the optimiser stay in f32, as on our side.
    arithmetic = contextlib.nullcontext()
    if precision == "bf16":
        arithmetic = torch.autocast("cpu", dtype=torch.bfloat16)
    # The fastest of PyTorch's implementations.
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=1e-6, betas=(0.9, 0.98), eps=1e-8, weight_decay=0, fused=True
    )

    def differentiate(planes):
        with arithmetic:
            policy, value, _ = model(planes)
        policy, value = policy.float(), value.float()
        gradients = [policy.detach() * POLICY_GRADIENT, value.detach()]
        optimiser.zero_grad()
        torch.autograd.backward([policy, value], gradients)
        return policy.detach().numpy(), value.detach().numpy()

    exported.check_outputs(*differentiate(planes[:CHECKED]))
    norms = {
        name: float(numpy.linalg.norm(parameter.grad.numpy()))
        for name, parameter in model.at.items()
        if parameter.grad is not None
    }
    exported.check_gradients(norms)

    def step():
        differentiate(batch)
        optimiser.step()

    serve(step, len(batch))


main()

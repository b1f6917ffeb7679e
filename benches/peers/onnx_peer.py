"""One side of a comparison: onnxruntime, on what lc0's own leela2onnx makes of the network.

    onnx_peer.py forward MODEL EXPORT BATCH THREADS f32

Speaks as torch_peer.py does.
"""

import sys
from pathlib import Path

import onnxruntime

from exported import CHECKED, Exported, serve


def main():
    mode, model, export, batch, threads, precision = sys.argv[1:]
    assert (mode, precision) == ("forward", "f32")
    exported = Exported(Path(export))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(threads)
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    planes = exported.planes.reshape(-1, 112, 8, 8)

    def outputs(planes):
        return session.run(["/output/policy", "/output/wdl"], {"/input/planes": planes})

    policy, wdl = outputs(planes[:CHECKED])
    exported.check_probabilities(policy, wdl)
    batch = planes[: int(batch)]
    serve(lambda: outputs(batch), len(batch))


main()

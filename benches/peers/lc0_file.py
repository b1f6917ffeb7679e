"""Weights of an Lc0 network file, LINEAR16, as numpy arrays by path (LC0_FORMAT section 1)."""

import gzip

import numpy

LAYER = "layer"
NUMBER = "number"

FFN = {1: ("dense1_w", LAYER), 2: ("dense1_b", LAYER), 3: ("dense2_w", LAYER), 4: ("dense2_b", LAYER)}
SMOLGEN = {
    number: (name, LAYER)
    for number, name in enumerate(
        ["compress", "dense1_w", "dense1_b", "ln1_gammas", "ln1_betas"]
        + ["dense2_w", "dense2_b", "ln2_gammas", "ln2_betas"],
        start=1,
    )
}
MHA = {
    number: (name, LAYER)
    for number, name in enumerate(
        ["q_w", "q_b", "k_w", "k_b", "v_w", "v_b", "dense_w", "dense_b"], start=1
    )
} | {9: ("smolgen", SMOLGEN)}
ENCODER = {
    1: ("mha", MHA),
    2: ("ln1_gammas", LAYER),
    3: ("ln1_betas", LAYER),
    4: ("ffn", FFN),
    5: ("ln2_gammas", LAYER),
    6: ("ln2_betas", LAYER),
}
POLICY_HEAD = {
    number: (name, LAYER)
    for number, name in enumerate(
        ["ip_pol_w", "ip_pol_b", "ip2_pol_w", "ip2_pol_b", "ip3_pol_w", "ip3_pol_b", "ip4_pol_w"],
        start=1,
    )
}
VALUE_HEAD = {
    number: (name, LAYER)
    for number, name in enumerate(
        ["ip_val_w", "ip_val_b", "ip1_val_w", "ip1_val_b", "ip2_val_w", "ip2_val_b"], start=1
    )
}
WEIGHTS = {
    7: ("ip1_val_w", LAYER),
    8: ("ip1_val_b", LAYER),
    9: ("ip2_val_w", LAYER),
    10: ("ip2_val_b", LAYER),
    4: ("ip_pol_w", LAYER),
    5: ("ip_pol_b", LAYER),
    13: ("ip1_mov_w", LAYER),
    14: ("ip1_mov_b", LAYER),
    15: ("ip2_mov_w", LAYER),
    16: ("ip2_mov_b", LAYER),
    17: ("ip2_pol_w", LAYER),
    18: ("ip2_pol_b", LAYER),
    19: ("ip3_pol_w", LAYER),
    20: ("ip3_pol_b", LAYER),
    22: ("ip4_pol_w", LAYER),
    25: ("ip_emb_w", LAYER),
    26: ("ip_emb_b", LAYER),
    27: ("encoder", [ENCODER]),
    28: ("headcount", NUMBER),
    29: ("ip_val_w", LAYER),
    30: ("ip_val_b", LAYER),
    31: ("ip_mov_w", LAYER),
    32: ("ip_mov_b", LAYER),
    33: ("ip_mult_gate", LAYER),
    34: ("ip_add_gate", LAYER),
    35: ("smolgen_w", LAYER),
    37: ("ip_emb_preproc_w", LAYER),
    38: ("ip_emb_preproc_b", LAYER),
    39: ("ip_emb_ln_gammas", LAYER),
    40: ("ip_emb_ln_betas", LAYER),
    41: ("ip_emb_ffn", FFN),
    42: ("ip_emb_ffn_ln_gammas", LAYER),
    43: ("ip_emb_ffn_ln_betas", LAYER),
    44: ("value_heads", {1: ("winner", VALUE_HEAD)}),
    45: ("policy_heads", {1: ("ip_pol_w", LAYER), 2: ("ip_pol_b", LAYER), 3: ("vanilla", POLICY_HEAD)}),
}
NETWORK_FORMAT = {
    7: ("default_activation", NUMBER),
    8: ("smolgen_activation", NUMBER),
    9: ("ffn_activation", NUMBER),
    10: ("input_embedding", NUMBER),
}
NET = {4: ("format", {2: ("network_format", NETWORK_FORMAT)}), 10: ("weights", WEIGHTS)}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at += 1
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data):
    """(number, value) of each field; values are numbers or parts of `data`."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
        elif wire == 2:
            length, at = varint(data, at)
            value, at = data[at : at + length], at + length
        else:
            length = {1: 8, 5: 4}[wire]
            value, at = data[at : at + length], at + length
        yield number, value


def decode_layer(data):
    low = high = numpy.float32(0)
    params = b""
    for number, value in fields(data):
        if number == 1:
            low = numpy.frombuffer(value, "<f4")[0]
        elif number == 2:
            high = numpy.frombuffer(value, "<f4")[0]
        elif number == 3:
            params = value
    steps = numpy.frombuffer(params, "<u2").astype(numpy.float32) / numpy.float32(65535)
    return low * (1 - steps) + high * steps


def read_message(data, schema, path, out):
    counts = {}
    for number, value in fields(data):
        if number not in schema:
            continue
        name, kind = schema[number]
        here = f"{path}.{name}" if path else name
        if isinstance(kind, list):
            index = counts[name] = counts.get(name, -1) + 1
            read_message(value, kind[0], f"{here}.{index}", out)
        elif isinstance(kind, dict):
            read_message(value, kind, here, out)
        elif kind == LAYER:
            out[here] = decode_layer(value)
        else:
            out[here] = value


def read(path):
    """Numbers and arrays by path below the weights, and the markers below `format`."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    out = {}
    read_message(memoryview(data), NET, "", out)
    return {name.removeprefix("weights."): value for name, value in out.items()}

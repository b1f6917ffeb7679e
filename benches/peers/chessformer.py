"""Lc0's attention body with PE_DENSE, eagerly in PyTorch (LC0_FORMAT section 5)."""

import torch
import torch.nn.functional as F
from torch import nn

import lc0_file

SQUARES = 64
EPSILON = 1e-3


def move_slots():
    """Where each of the 1858 moves stands among 64 x 64 scores and 8 x 8 x 3 promotions."""
    slots = []
    for start in range(SQUARES):
        for end in range(SQUARES):
            files, ranks = abs(start % 8 - end % 8), abs(start // 8 - end // 8)
            queen = 0 in (files, ranks) or files == ranks
            if start != end and (queen or {files, ranks} == {1, 2}):
                slots.append(64 * start + end)
    for start in range(8):
        for end in range(max(0, start - 1), min(7, start + 1) + 1):
            slots += [4096 + 24 * start + 3 * end + piece for piece in range(3)]
    assert len(slots) == 1858
    return torch.tensor(slots)


class Chessformer(nn.Module):
    """Planes `[positions, 112, 64]` to policy logits, value logits and plies left (or None)."""

    def __init__(self, path):
        super().__init__()
        file = lc0_file.read(path)
        markers = {
            name.rsplit(".", 1)[1]: value
            for name, value in file.items()
            if name.startswith("format.")
        }
        # mish, swish, mish, PE_DENSE.
        assert markers == {
            "default_activation": 1,
            "smolgen_activation": 7,
            "ffn_activation": 1,
            "input_embedding": 2,
        }, markers
        self.heads = file["headcount"]
        self.encoders = 1 + max(int(name.split(".")[1]) for name in file if name[:8] == "encoder.")
        self.alpha = (2 * self.encoders) ** -0.25
        several = "policy_heads.vanilla.ip2_pol_w" in file
        self.policy = "policy_heads.vanilla." if several else ""
        self.value = "value_heads.winner." if several else ""
        self.policy_embedding = "policy_heads." if several else ""
        self.moves_left = "ip_mov_w" in file
        self.names = [name for name, value in file.items() if not isinstance(value, int)]
        tensors = [torch.from_numpy(self.shaped(name, file)) for name in self.names]
        self.list = nn.ParameterList(nn.Parameter(tensor) for tensor in tensors)
        self.at = dict(zip(self.names, self.list))
        self.register_buffer("slots", move_slots())

    @staticmethod
    def shaped(name, file):
        array = file[name]
        width = len(file["ip_emb_b"])
        if name.endswith("_gate"):
            return array.reshape(width, SQUARES)
        if name.endswith("compress"):
            return array.reshape(-1, width)
        if name == "smolgen_w":
            return array.reshape(SQUARES * SQUARES, -1)
        if name.endswith("ip4_pol_w"):
            return array.reshape(4, -1)
        if name.endswith("_w"):
            return array.reshape(len(file[name[:-1] + "b"]), -1)
        return array

    def linear(self, x, name):
        return F.linear(x, self.at[name + "_w"], self.at[name + "_b"])

    def norm(self, x, name):
        gammas = self.at[name + "_gammas"]
        return F.layer_norm(x, gammas.shape, gammas, self.at[name + "_betas"], EPSILON)

    def feed_forward(self, x, name):
        return self.linear(F.mish(self.linear(x, name + ".dense1")), name + ".dense2")

    def embedding(self, planes):
        x = planes.transpose(1, 2)
        pieces = x[:, :, :12].flatten(1)
        positions = self.linear(pieces, "ip_emb_preproc").unflatten(1, (SQUARES, -1))
        h = F.mish(self.linear(torch.cat([x, positions], 2), "ip_emb"))
        h = self.norm(h, "ip_emb_ln")
        h = h * self.at["ip_mult_gate"].T + self.at["ip_add_gate"].T
        return self.norm(h + self.alpha * self.feed_forward(h, "ip_emb_ffn"), "ip_emb_ffn_ln")

    def smolgen(self, h, name):
        compressed = F.linear(h, self.at[name + ".compress"]).flatten(1)
        g = self.norm(F.silu(self.linear(compressed, name + ".dense1")), name + ".ln1")
        g = self.norm(F.silu(self.linear(g, name + ".dense2")), name + ".ln2")
        g = g.unflatten(1, (self.heads, -1))
        return F.linear(g, self.at["smolgen_w"]).unflatten(2, (SQUARES, SQUARES))

    def attention(self, h, name):
        def by_head(part):
            return self.linear(h, f"{name}.{part}").unflatten(2, (self.heads, -1)).transpose(1, 2)

        q, k, v = by_head("q"), by_head("k"), by_head("v")
        bias = self.smolgen(h, name + ".smolgen")
        # Whichever is faster on a CPU: the fused attention has no fast gradient of its bias.
        if torch.is_grad_enabled():
            mixed = (q @ k.transpose(2, 3) * q.shape[3] ** -0.5 + bias).softmax(3) @ v
        else:
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        mixed = mixed.transpose(1, 2).flatten(2)
        return self.linear(mixed, name + ".dense")

    def policy_logits(self, h):
        t = F.mish(self.linear(h, self.policy_embedding + "ip_pol"))
        q, k = self.linear(t, self.policy + "ip2_pol"), self.linear(t, self.policy + "ip3_pol")
        scores = q @ k.transpose(1, 2) * q.shape[2] ** -0.5
        offsets = F.linear(k[:, 56:], self.at[self.policy + "ip4_pol_w"])
        offsets = offsets[:, None, :, :3] + offsets[:, None, :, 3:]
        promotions = scores[:, 48:56, 56:, None] + offsets
        return torch.cat([scores.flatten(1), promotions.flatten(1)], 1)[:, self.slots]

    def board_head(self, h, names):
        h = F.mish(self.linear(h, names[0])).flatten(1)
        return self.linear(F.mish(self.linear(h, names[1])), names[2])

    def forward(self, planes):
        h = self.embedding(planes)
        for layer in range(self.encoders):
            name = f"encoder.{layer}"
            h = self.norm(h + self.alpha * self.attention(h, name + ".mha"), name + ".ln1")
            h = self.norm(h + self.alpha * self.feed_forward(h, name + ".ffn"), name + ".ln2")
        value = self.board_head(h, [self.value + part for part in ("ip_val", "ip1_val", "ip2_val")])
        plies = None
        if self.moves_left:
            plies = F.relu(self.board_head(h, ["ip_mov", "ip1_mov", "ip2_mov"]))
        return self.policy_logits(h), value, plies

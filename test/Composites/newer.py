# What archives of PyTorch 2 call, and 1.13 does not have: compared with what it is by definition.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
import torch.nn.functional as F
from torch import Tensor


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor, scale: float) -> Tensor:
    scores = torch.matmul(q, k.transpose(-2, -1)) * scale + mask
    return torch.matmul(torch.softmax(scores, -1), v)


def near(a: Tensor, b: Tensor) -> bool:
    return torch.allclose(a, b, 1e-4, 1e-6)


def main():
    q = torch.sin(torch.arange(48.) * 0.37).reshape([2, 2, 3, 4])
    k = torch.cos(torch.arange(80.) * 0.61).reshape([2, 2, 5, 4])
    v = torch.sin(torch.arange(80.) * 0.83).reshape([2, 2, 5, 4])
    none = torch.zeros([3, 5])
    # CHECK: attention True True
    print("attention", near(F.scaled_dot_product_attention(q, k, v), attention(q, k, v, none, 0.5)),
          near(F.scaled_dot_product_attention(q, k, v, scale=0.3), attention(q, k, v, none, 0.3)))
    later = torch.full([3, 5], -float("inf")).triu(1)
    # CHECK: causal True
    print("causal", near(F.scaled_dot_product_attention(q, k, v, is_causal=True), attention(q, k, v, later, 0.5)))
    seen = later == 0
    added = torch.sin(torch.arange(15.)).reshape([3, 5])
    # CHECK: masks True True
    print("masks", near(F.scaled_dot_product_attention(q, k, v, seen), attention(q, k, v, later, 0.5)),
          near(F.scaled_dot_product_attention(q, k, v, added), attention(q, k, v, added, 0.5)))
    # A query that may see nothing gives zeros, and no NaN.
    blind = torch.tensor([[True] * 5, [False] * 5, [True] * 5])
    # CHECK: blind True True
    found = F.scaled_dot_product_attention(q, k, v, blind)
    print("blind", bool((found[:, :, 1] == 0).all()), near(found[:, :, 0], attention(q, k, v, none, 0.5)[:, :, 0]))
    # Groups of queries share a key.
    # CHECK: groups True
    print("groups", near(F.scaled_dot_product_attention(q, k[:, :1], v[:, :1], enable_gqa=True),
                         F.scaled_dot_product_attention(q, k[:, [0, 0]], v[:, [0, 0]])))
    x = torch.sin(torch.arange(24.)).reshape([2, 3, 4])
    w = torch.arange(4.)
    rms = x / torch.sqrt((x * x).mean([2], True) + 1e-5) * w
    # CHECK: rms True True
    print("rms", near(torch.rms_norm(x, [4], w, 1e-5), rms),
          near(torch.rms_norm(x, [3, 4]), x / torch.sqrt((x * x).mean([1, 2], True))))
    y = torch.zeros([1, 2, 1, 3, 1])
    # CHECK: squeeze torch.Size([2, 3]) torch.Size([2, 1, 3, 1]) torch.Size([1, 2, 1, 3, 1])
    print("squeeze", y.squeeze([0, 2, 4]).size(), y.squeeze([0, 1]).size(), y.squeeze([1, 3]).size())
    b = x > 0.9
    # CHECK: folds True True torch.Size([2, 1, 1])
    print("folds", bool((torch.any(b, [1, 2]) == b.flatten(1).any(1)).all()),
          bool((torch.all(b, [0]) == b.all(0)).all()), torch.any(b, [1, 2], True).size())
    # CHECK: safe True
    print("safe", bool((torch._safe_softmax(later - float("inf"), -1) == 0).all()))

# Recorded by utils/record_composite_tests.py with PyTorch's values; do not edit, edit nested.cases.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
# CHECK-NOT: differs
# CHECK: 7 cases
import torch
from typing import List, Optional
from checks import check
from torch import Tensor


def part0() -> None:
    x = torch.sin(torch.arange(64.) * 0.7).reshape([2, 4, 8])
    keep = torch.tensor([[True, True, True, False], [True, False, False, False]])
    n = torch._nested_tensor_from_mask(x, keep)
    qkv = torch.sin(torch.arange(192.) * 0.31).reshape([24, 8]) * 0.5
    out = torch.sin(torch.arange(64.) * 0.57).reshape([8, 8]) * 0.5
    w1 = torch.sin(torch.arange(128.) * 0.13).reshape([16, 8]) * 0.5
    w2 = torch.cos(torch.arange(128.) * 0.17).reshape([8, 16]) * 0.5
    b8 = torch.arange(8.) * 0.1
    b16 = torch.arange(16.) * 0.05
    b24 = torch.arange(24.) * 0.02
    check("to_padded_tensor", n.to_padded_tensor(0.), [2, 3, 8], 2.172, -1.20616, 3.97204)
    check("to_padded_tensor", n.to_padded_tensor(1.5, [2, 5, 8]), [2, 5, 8], 74.172, 2.74733, 11.1255)
    check("tensor", torch.tensor([n.is_nested, x.is_nested, torch._nested_tensor_from_mask_left_aligned(x, keep), torch._nested_tensor_from_mask_left_aligned(x, torch.logical_not(keep))]), [4], 2., 0.583853, 1.41421)
    check("_transformer_encoder_layer_fwd", torch._transformer_encoder_layer_fwd(n, 8, 2, qkv, b24, out, b8, True, False, 1e-5, b8 + 1, b8, b8 + 2, b8, w1, b16, w2, b8).to_padded_tensor(0.), [2, 3, 8], 12.489, -3.08939, 13.7021)
    check("_transformer_encoder_layer_fwd", torch._transformer_encoder_layer_fwd(n, 8, 2, qkv, b24, out, b8, False, True, 1e-5, b8 + 1, b8, b8 + 2, b8, w1, b16, w2, b8).to_padded_tensor(0.), [2, 3, 8], 26.6037, -2.77657, 20.8363)
    check("_transformer_encoder_layer_fwd", torch._transformer_encoder_layer_fwd(torch._transformer_encoder_layer_fwd(n, 8, 2, qkv, b24, out, b8, True, False, 1e-5, b8 + 1, b8, b8 + 2, b8, w1, b16, w2, b8), 8, 4, qkv, b24, out, b8, True, False, 1e-5, b8 + 1, b8, b8 + 2, b8, w1, b16, w2, b8).to_padded_tensor(0.), [2, 3, 8], 12.6569, -0.99385, 13.7393)
    check("_native_multi_head_attention", torch._native_multi_head_attention(n, n, n, 8, 2, qkv, b24, out, b8, None, False)[0].to_padded_tensor(0.), [2, 3, 8], 11.814, -0.294062, 3.0728)


def main():
    part0()
    print(7, "cases")

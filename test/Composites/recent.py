# Recorded by utils/record_composite_tests.py with PyTorch's values; do not edit, edit recent.cases.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
# CHECK-NOT: differs
# CHECK: 60 cases
import torch
from typing import List, Optional
from checks import check
from torch import Tensor


def part0() -> None:
    x = torch.sin(torch.arange(24.) * 0.7).reshape([2, 3, 4])
    y = torch.cos(torch.arange(24.) * 1.3).reshape([2, 3, 4])
    a = torch.sin(torch.arange(12.) * 0.3).reshape([3, 4])
    b = torch.cos(torch.arange(12.) * 0.8).reshape([4, 3])
    i = torch.arange(12).reshape([3, 4]) * 5 % 7
    j = torch.arange(12).reshape([3, 4]) % 3 + 1
    mask = a > 0.2
    bounds = torch.tensor([0.25, 2.5])
    channels = torch.tensor([0.5, 1.5, -0.5])
    mean = torch.tensor([0.1, -0.2, 0.3])
    spread = torch.tensor([0.9, 1.1, 1.4])
    signal = torch.sin(torch.arange(40.) * 0.9)
    w = torch.sin(torch.arange(6.) * 0.5 + 0.5)
    upright = torch.tensor([[5., 5., 4., 2., 0.], [1., 1., 2., 2., 0.], [20., 20., 3., 8., 0.]])
    turned = torch.tensor([[5.5, 5., 4., 2., 30.], [1., 1.5, 2., 2., 45.], [21., 19., 3., 8., -70.], [5., 5., 4., 2., 0.]])
    no: Optional[torch.Tensor] = None
    check("__iand__", torch.ops.aten.__iand__(i.clone(), j), [3, 4], 10., -4.5935, 4.47214)
    check("__ior__", torch.ops.aten.__ior__(i.clone(), 8), [3, 4], 132., -7.98138, 38.8072)
    check("__ixor__", torch.ops.aten.__ixor__(i.clone(), j), [3, 4], 40., 3.35115, 14.2127)
    check("__ilshift__", torch.ops.aten.__ilshift__(i.clone(), j), [3, 4], 204., -18.3617, 80.9444)
    check("__irshift__", torch.ops.aten.__irshift__(i.clone(), 1), [3, 4], 15., -0.957832, 5.74456)
    check("_is_all_true", torch.ops.aten._is_all_true(mask), [], 0., 0., 0.)
    check("_is_any_true", torch.ops.aten._is_any_true(mask), [], 1., 1., 1.)
    check("_autocast_to_full_precision", torch.ops.aten._autocast_to_full_precision(a, False, True), [3, 4], 6.4963, -0.198013, 2.29361)
    check("_autocast_to_reduced_precision", torch.ops.aten._autocast_to_reduced_precision(a, False, True, torch.half, torch.bfloat16).to(torch.float), [3, 4], 6.49902, -0.20416, 2.29436)
    check("_native_batch_norm_legit", torch.ops.aten._native_batch_norm_legit(x, channels, None, mean.clone(), spread.clone(), True, 0.1, 1e-5)[0], [2, 3, 4], -8.3819e-08, 1.02199, 4.69035)
    check("_native_batch_norm_legit", torch.ops.aten._native_batch_norm_legit(x, channels, None, mean.clone(), spread.clone(), False, 0.1, 1e-5)[0], [2, 3, 4], -0.974643, 0.477636, 2.74328)
    check("no_stats", torch.ops.aten._native_batch_norm_legit.no_stats(x, channels, mean, True, 0.1, 1e-5)[0], [2, 3, 4], 1.6, -0.272927, 4.80826)
    check("_native_batch_norm_legit_functional", torch.ops.aten._native_batch_norm_legit_functional(x, channels, None, mean, spread, True, 0.1, 1e-5)[3], [3], 0.210557, -0.122529, 0.391698)
    check("_native_batch_norm_legit_functional", torch.ops.aten._native_batch_norm_legit_functional(x, channels, None, mean, spread, True, 0.1, 1e-5)[4], [3], 3.18435, 0.870514, 1.86558)
    check("_native_batch_norm_legit_no_training", torch.ops.aten._native_batch_norm_legit_no_training(x, channels, None, mean, spread, 0.1, 1e-5)[0], [2, 3, 4], -0.974643, 0.477636, 2.74328)
    check("_unsafe_index_put", torch.ops.aten._unsafe_index_put(a, [None, torch.tensor([1, 1])], torch.ones([3, 2]), True), [3, 4], 12.4963, -0.372345, 4.91348)
    check("_unsafe_masked_index", torch.ops.aten._unsafe_masked_index(a, mask, [j - 1, i % 4], 0.5), [3, 4], 6.99197, 0.418685, 2.29033)
    check("_unsafe_masked_index_put_accumulate", torch.ops.aten._unsafe_masked_index_put_accumulate(a, mask, [j - 1, i % 4], a), [3, 4], 13.0092, -0.946705, 4.29762)
    check("_prelu_kernel", torch.ops.aten._prelu_kernel(x, channels.reshape([1, 3, 1])), [2, 3, 4], 2.68659, -1.05739, 3.77623)
    check("_int_mm", torch.ops.aten._int_mm(i.to(torch.int8).repeat([8, 1]), j.to(torch.int8).t().repeat([1, 8]).contiguous()), [24, 24], 13824., 3.84908, 599.52)


def part1() -> None:
    x = torch.sin(torch.arange(24.) * 0.7).reshape([2, 3, 4])
    y = torch.cos(torch.arange(24.) * 1.3).reshape([2, 3, 4])
    a = torch.sin(torch.arange(12.) * 0.3).reshape([3, 4])
    b = torch.cos(torch.arange(12.) * 0.8).reshape([4, 3])
    i = torch.arange(12).reshape([3, 4]) * 5 % 7
    j = torch.arange(12).reshape([3, 4]) % 3 + 1
    mask = a > 0.2
    bounds = torch.tensor([0.25, 2.5])
    channels = torch.tensor([0.5, 1.5, -0.5])
    mean = torch.tensor([0.1, -0.2, 0.3])
    spread = torch.tensor([0.9, 1.1, 1.4])
    signal = torch.sin(torch.arange(40.) * 0.9)
    w = torch.sin(torch.arange(6.) * 0.5 + 0.5)
    upright = torch.tensor([[5., 5., 4., 2., 0.], [1., 1., 2., 2., 0.], [20., 20., 3., 8., 0.]])
    turned = torch.tensor([[5.5, 5., 4., 2., 30.], [1., 1.5, 2., 2., 45.], [21., 19., 3., 8., -70.], [5., 5., 4., 2., 0.]])
    no: Optional[torch.Tensor] = None
    check("_linalg_eigvals", torch.ops.aten._linalg_eigvals(a @ b).abs().sort()[0], [3], 0.877171, 0.0544529, 0.620254)
    check("_logcumsumexp", torch.ops.aten._logcumsumexp(x, 1), [2, 3, 4], 20.5016, -2.16551, 5.1054)
    check("_chunk_cat", torch.ops.aten._chunk_cat([a, b], 0, 2), [2, 14], 7.28248, -1.44353, 3.37034)
    check("_ncf_unsqueeze", torch.ops.aten._ncf_unsqueeze(channels, 4), [1, 3, 1, 1], 1.5, 1.51853, 1.65831)
    check("_reshape_copy", torch.ops.aten._reshape_copy(a.t(), [6, 2]), [6, 2], 6.4963, -0.783746, 2.29361)
    check("_lazy_clone", torch.ops.aten._lazy_clone(a.t()), [4, 3], 6.4963, -0.783746, 2.29361)
    check("nonzero_static", torch.ops.aten.nonzero_static(mask, size=4), [4, 2], 7., 0.371474, 3.87298)
    check("nonzero_static", torch.ops.aten.nonzero_static(mask, size=14, fill_value=-3), [14, 2], -9., -5.10642, 11.4455)
    check("empty_permuted", torch.ops.aten.empty_permuted([2, 3, 4], [2, 0, 1]).fill_(2.), [2, 3, 4], 48., -1.08183, 9.79796)
    check("masked_scatter_backward", torch.ops.aten.masked_scatter_backward(a, mask, [4, 5]), [4, 5], 6.51292, 0.252022, 2.28383)
    check("slice_inverse", torch.ops.aten.slice_inverse(a[1:, ::2], a), [3, 4], 6.4963, -0.198013, 2.29361)
    check("squeeze_", torch.ops.aten.squeeze_(x.clone().reshape([2, 1, 12, 1]), [1, -1]), [2, 12], 2.44456, -0.0205436, 3.37096)
    check("squeeze_copy", torch.ops.aten.squeeze_copy(x.reshape([2, 1, 12, 1]), [1, 2]), [2, 12, 1], 2.44456, -0.0205436, 3.37096)
    check("linspace", torch.linspace(bounds[0], bounds[1], 7), [7], 9.625, 0.669634, 4.1439)
    check("linspace", torch.linspace(0.5, bounds[1], 7, dtype=torch.double), [7], 10.5, 0.796439, 4.34294)
    check("linspace", torch.linspace(bounds[0], 4, 3), [3], 6.375, -0.266445, 4.53631)
    check("logspace", torch.logspace(bounds[0], bounds[1], 5, 2.), [5], 15.0264, -6.43088, 7.60907)
    check("logspace", torch.logspace(bounds[0], 1, 4), [4], 20.564, -8.75323, 12.0327)
    check("stft", torch.stft(signal, 16, 4, 6, w, center=False, return_complex=True, align_to_window=True).abs(), [9, 9], 79.2114, 1.95398, 10.9778)
    check("stft", torch.stft(signal, 16, 4, 6, w, center=False, return_complex=True, align_to_window=False).real, [9, 7], -0.0333367, -0.0396214, 7.3339)


def part2() -> None:
    x = torch.sin(torch.arange(24.) * 0.7).reshape([2, 3, 4])
    y = torch.cos(torch.arange(24.) * 1.3).reshape([2, 3, 4])
    a = torch.sin(torch.arange(12.) * 0.3).reshape([3, 4])
    b = torch.cos(torch.arange(12.) * 0.8).reshape([4, 3])
    i = torch.arange(12).reshape([3, 4]) * 5 % 7
    j = torch.arange(12).reshape([3, 4]) % 3 + 1
    mask = a > 0.2
    bounds = torch.tensor([0.25, 2.5])
    channels = torch.tensor([0.5, 1.5, -0.5])
    mean = torch.tensor([0.1, -0.2, 0.3])
    spread = torch.tensor([0.9, 1.1, 1.4])
    signal = torch.sin(torch.arange(40.) * 0.9)
    w = torch.sin(torch.arange(6.) * 0.5 + 0.5)
    upright = torch.tensor([[5., 5., 4., 2., 0.], [1., 1., 2., 2., 0.], [20., 20., 3., 8., 0.]])
    turned = torch.tensor([[5.5, 5., 4., 2., 30.], [1., 1.5, 2., 2., 45.], [21., 19., 3., 8., -70.], [5., 5., 4., 2., 0.]])
    no: Optional[torch.Tensor] = None
    check("stft", torch.stft(signal, 16, 5, 7, None, center=False, return_complex=True, align_to_window=True).imag, [9, 7], 0.0378419, 0.4345, 10.7832)
    check("pad_sequence", torch.ops.aten.pad_sequence([channels, bounds, w], True, 0.5, "left"), [3, 6], 11.7173, -0.923393, 3.73501)
    check("pad_sequence", torch.ops.aten.pad_sequence([a, b.t()[:2]], False, 0., "right"), [3, 2, 4], 7.78323, -3.95736, 3.04743)
    check("_foreach_maximum", torch.ops.aten._foreach_maximum([a, b], 0.3)[1], [4, 3], 6.17381, 0.767159, 2.01827)
    check("_foreach_clamp_min", torch.ops.aten._foreach_clamp_min([a, b], [a * 0, b * b])[1], [4, 3], 6.80879, 0.262615, 2.31424)
    check("_foreach_clamp_max", torch.ops.aten._foreach_clamp_max([a, b], 0.2)[0], [3, 4], 1.78337, -0.234783, 0.636238)
    check("_foreach_pow", torch.ops.aten._foreach_pow([a.abs(), b.abs()], 1.5)[0], [3, 4], 5.88751, 0.0661606, 2.10912)
    check("_foreach_pow", torch.ops.aten._foreach_pow(2., [a, b])[1], [4, 3], 14.1003, 1.60327, 4.48218)
    check("_foreach_lerp", torch.ops.aten._foreach_lerp([a, b], [a * 2, b * b], 0.25)[1], [4, 3], 2.11428, 2.04525, 2.00452)
    check("_foreach_lerp", torch.ops.aten._foreach_lerp([a, b], [a * 2, b * b], [a.abs(), b.abs()])[0], [3, 4], 11.7072, 0.0461958, 4.25266)
    check("_foreach_add", torch.ops.aten._foreach_add([a, b], bounds[0], alpha=2.)[1], [4, 3], 6.78618, 2.46762, 3.144)
    check("_foreach_mul", torch.ops.aten._foreach_mul([a, b], bounds[1])[0], [3, 4], 16.2407, -0.495033, 5.73403)
    check("_foreach_div", torch.ops.aten._foreach_div([a, b], bounds[1])[1], [4, 3], 0.314473, 1.06965, 0.98781)
    check("_foreach_clone", torch.ops.aten._foreach_clone([a, b])[1], [4, 3], 0.786183, 2.67413, 2.46952)
    check("_foreach_max", torch.ops.aten._foreach_max([a, b])[1], [], 1., 1., 1.)
    check("_foreach_rsqrt", torch.ops.aten._foreach_rsqrt([a.abs() + 1, b])[0], [3, 4], 9.7733, -0.28954, 2.84092)
    check("_foreach_sign", torch.ops.aten._foreach_sign([a, b])[1], [4, 3], 0., 4.80851, 3.4641)
    check("_foreach_norm", torch.ops.aten._foreach_norm([a, b], 1, torch.double)[1], [], 7.53643, 7.53643, 7.53643)
    check("box_iou_rotated", torch.ops.torchvision.box_iou_rotated(upright, turned), [3, 4], 2.34675, -0.491871, 1.29012)
    check("box_iou_rotated", torch.ops.torchvision.box_iou_rotated(turned, turned), [4, 4], 5.10552, -0.395877, 2.14735)


def main():
    part0()
    part1()
    part2()
    print(60, "cases")

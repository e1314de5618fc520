# Recorded by utils/record_composite_tests.py with PyTorch's values; do not edit, edit names.cases.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
# CHECK-NOT: differs
# CHECK: 72 cases
import torch
from typing import List, Optional
from checks import check
from torch import Tensor


def part0() -> None:
    x = torch.sin(torch.arange(24.) * 0.7).reshape([2, 3, 4])
    y = torch.cos(torch.arange(24.) * 1.3).reshape([2, 3, 4])
    p = torch.sigmoid(x)
    im = torch.sin(torch.arange(144.) * 0.41).reshape([2, 2, 6, 6])
    w = torch.sin(torch.arange(36.) * 0.23).reshape([2, 2, 3, 3])
    q = torch.sin(torch.arange(48.) * 0.37).reshape([2, 2, 3, 4])
    no: Optional[torch.Tensor] = None
    check("_cast_Float", torch.ops.aten._cast_Float(torch.arange(5)), [5], 10., -5.87654, 5.47723)
    check("_cast_Long", torch.ops.aten._cast_Long(x * 9), [2, 3, 4], 19., 0.0735343, 27.2947)
    check("_cast_Half", torch.ops.aten._cast_Half(x), [2, 3, 4], 2.44449, -0.0211056, 3.37099)
    check("special_log_softmax", torch.ops.aten.special_log_softmax(x, 1, dtype=torch.double), [2, 3, 4], -30.694, 0.691942, 7.06227)
    check("special_softmax", torch.ops.aten.special_softmax(x, 2), [2, 3, 4], 6., 0.280215, 1.38671)
    check("special_logit", torch.ops.aten.special_logit(p, 0.3), [2, 3, 4], 2.32272, -0.0382708, 3.15638)
    check("special_logsumexp", torch.ops.aten.special_logsumexp(x, [0, 2], True), [1, 3, 1], 7.047, 2.50955, 4.103)
    check("special_round", torch.ops.aten.special_round(x, decimals=2), [2, 3, 4], 2.44, -0.0248451, 3.37028)
    check("special_sinc", torch.ops.aten.special_sinc(x), [2, 3, 4], 10.9666, 0.045772, 2.84867)
    check("special_xlogy", torch.ops.aten.special_xlogy(p, p), [2, 3, 4], -7.50809, 0.15756, 1.55277)
    check("special_xlogy", torch.ops.aten.special_xlogy(p, 2.5), [2, 3, 4], 11.5228, -0.25117, 2.45988)
    check("_stack", torch.ops.aten._stack([x, y], 1), [2, 2, 3, 4], 2.31525, 2.1599, 4.83294)
    check("_conj_physical", torch.ops.aten._conj_physical(torch.complex(x, y)).imag, [2, 3, 4], 0.129308, -1.49655, 3.46322)
    check("_aminmax", torch.ops.aten._aminmax(x)[1], [], 0.990607, 0.990607, 0.990607)
    check("_aminmax", torch.ops.aten._aminmax(x, 1, True)[0], [2, 1, 4], -5.67957, -0.0358676, 2.12025)
    check("_pdist_forward", torch.ops.aten._pdist_forward(x.reshape([6, 4]), 2.0), [15], 29.8961, 2.79396, 8.15448)
    check("_dim_arange", torch.ops.aten._dim_arange(x, 1), [3], 3., -0.291991, 2.23607)
    check("_reshape_from_tensor", torch.ops.aten._reshape_from_tensor(x, torch.tensor([4, 6])), [4, 6], 2.44456, -0.0205436, 3.37096)
    check("native_channel_shuffle", torch.ops.aten.native_channel_shuffle(im, 2), [2, 2, 6, 6], 4.01609, -1.49125, 8.50712)
    check("embedding_renorm", torch.ops.aten.embedding_renorm(x.reshape([6, 4]), torch.tensor([1, 3]), 0.5, 2.0), [6, 4], 3.69161, 0.186806, 2.85708)


def part1() -> None:
    x = torch.sin(torch.arange(24.) * 0.7).reshape([2, 3, 4])
    y = torch.cos(torch.arange(24.) * 1.3).reshape([2, 3, 4])
    p = torch.sigmoid(x)
    im = torch.sin(torch.arange(144.) * 0.41).reshape([2, 2, 6, 6])
    w = torch.sin(torch.arange(36.) * 0.23).reshape([2, 2, 3, 3])
    q = torch.sin(torch.arange(48.) * 0.37).reshape([2, 2, 3, 4])
    no: Optional[torch.Tensor] = None
    check("copy", torch.ops.aten.copy(x, y[0]), [2, 3, 4], 2.13592, -1.24521, 3.46148)
    check("flatten_dense_tensors", torch.ops.aten.flatten_dense_tensors([x, y[0]]), [36], 3.51252, -2.81374, 4.16585)
    check("unflatten_dense_tensors", torch.ops.aten.unflatten_dense_tensors(torch.arange(28.), [x, x[0, 0]])[1], [4], 102., -0.0420575, 51.049)
    check("gradient", torch.ops.aten.gradient(x, spacing=0.5, dim=[1, 2])[1], [2, 3, 4], -0.763235, 1.5358, 5.01396)
    check("alias_copy", torch.ops.aten.alias_copy(x), [2, 3, 4], 2.44456, -0.0205436, 3.37096)
    check("t_copy", torch.ops.aten.t_copy(x[0]), [4, 3], 1.65376, 0.275731, 2.42864)
    check("transpose_copy", torch.ops.aten.transpose_copy(x, 0, 2), [4, 3, 2], 2.44456, 1.23808, 3.37096)
    check("permute_copy", torch.ops.aten.permute_copy(x, [2, 0, 1]), [4, 2, 3], 2.44456, 1.41307, 3.37096)
    check("squeeze_copy", torch.ops.aten.squeeze_copy(x[:1]), [3, 4], 1.65376, -3.28295, 2.42864)
    check("squeeze_copy", torch.ops.aten.squeeze_copy(x[:1], 0), [3, 4], 1.65376, -3.28295, 2.42864)
    check("unsqueeze_copy", torch.ops.aten.unsqueeze_copy(x, 1), [2, 1, 3, 4], 2.44456, -0.0205436, 3.37096)
    check("select_copy", torch.ops.aten.select_copy(x, 1, 2), [2, 4], 2.7881, -2.27846, 1.93425)
    check("slice_copy", torch.ops.aten.slice_copy(x, 2, 1, 4, 2), [2, 3, 2], 1.13368, 0.910251, 2.40677)
    check("as_strided_copy", torch.ops.aten.as_strided_copy(x, [2, 3], [3, 2], 1), [2, 3], -0.0112103, 1.31559, 1.59798)
    check("unfold_copy", torch.ops.aten.unfold_copy(x, 2, 2, 1), [2, 3, 3, 2], 4.04264, 0.210083, 3.93582)
    check("unbind_copy", torch.ops.aten.unbind_copy(x, 1)[2], [2, 4], 2.7881, -2.27846, 1.93425)
    check("split_copy", torch.ops.aten.split_copy(x, 2, 1)[1], [2, 1, 4], 2.7881, -2.27846, 1.93425)
    check("split_with_sizes_copy", torch.ops.aten.split_with_sizes_copy(x, [1, 2], 1)[1], [2, 2, 4], 0.0241569, 5.8895, 2.73712)
    check("view_as_real_copy", torch.ops.aten.view_as_real_copy(torch.complex(x, y)), [2, 3, 4, 2], 2.31525, -1.22432, 4.83294)
    check("log_sigmoid_forward", torch.ops.aten.log_sigmoid_forward(x)[0], [2, 3, 4], -16.792, 0.427244, 3.80635)


def part2() -> None:
    x = torch.sin(torch.arange(24.) * 0.7).reshape([2, 3, 4])
    y = torch.cos(torch.arange(24.) * 1.3).reshape([2, 3, 4])
    p = torch.sigmoid(x)
    im = torch.sin(torch.arange(144.) * 0.41).reshape([2, 2, 6, 6])
    w = torch.sin(torch.arange(36.) * 0.23).reshape([2, 2, 3, 3])
    q = torch.sin(torch.arange(48.) * 0.37).reshape([2, 2, 3, 4])
    no: Optional[torch.Tensor] = None
    check("log_sigmoid_forward", torch.ops.aten.log_sigmoid_forward(x)[1], [2, 3, 4], 13.8135, -0.0307732, 2.98271)
    check("norm_except_dim", torch.ops.aten.norm_except_dim(w, 2, 1), [1, 2, 1, 1], 6.0352, 4.78484, 4.28824)
    check("_batch_norm_impl_index", torch.ops.aten._batch_norm_impl_index(im, torch.ones([2]), torch.zeros([2]), None, None, True, 0.1, 1e-5, False)[0], [2, 2, 6, 6], -1.59722e-07, -2.1204, 11.9999)
    check("slow_conv3d_forward", torch.ops.aten.slow_conv3d_forward(im.reshape([1, 2, 2, 6, 6]), w.reshape([2, 2, 1, 3, 3]), [1, 3, 3], None, [1, 1, 1], [0, 1, 1]), [1, 2, 2, 6, 6], 0.674679, -9.12888, 18.0945)
    check("_transform_bias_rescale_qkv", torch.ops.aten._transform_bias_rescale_qkv(x.reshape([2, 1, 12]), torch.arange(12.), 2)[0], [2, 2, 1, 2], 10.1968, -0.845717, 4.25295)
    check("_scaled_dot_product_attention_math", torch.ops.aten._scaled_dot_product_attention_math(q, q * 0.5, q + 1, None, 0.0, True, True)[0], [2, 2, 3, 4], 51.4293, -0.0481188, 8.44376)
    check("_scaled_dot_product_attention_math", torch.ops.aten._scaled_dot_product_attention_math(q, q * 0.5, q + 1, None, 0.0, True, True)[1], [2, 2, 3, 3], 12., 0.0344831, 2.77529)
    check("fake_quantize_per_tensor_affine", torch.fake_quantize_per_tensor_affine(x, 0.1, 3, -4, 7), [2, 3, 4], -0.7, 0.072788, 2.20681)
    check("fake_quantize_per_tensor_affine", torch.fake_quantize_per_tensor_affine(x, torch.tensor(0.05), torch.tensor(2, dtype=torch.int), 0, 15), [2, 3, 4], 5.95, -0.174798, 2.04878)
    check("fake_quantize_per_tensor_affine_cachemask", torch.ops.aten.fake_quantize_per_tensor_affine_cachemask(x, 0.1, 3, -4, 7)[1], [2, 3, 4], 11., -0.530068, 3.31662)
    check("fake_quantize_per_channel_affine", torch.fake_quantize_per_channel_affine(x, torch.tensor([0.1, 0.2, 0.3]), torch.tensor([0, 1, 2], dtype=torch.int), 1, -4, 7), [2, 3, 4], 2.1, -0.406965, 3.04138)
    check("quantize_per_tensor", torch.ops.aten.quantize_per_tensor(x, torch.tensor(0.1), torch.tensor(3), torch.quint8).int_repr(), [2, 3, 4], 130., -3.69633, 36.4966)
    check("dequantize", torch.ops.aten.dequantize([torch.quantize_per_tensor(x, 0.1, 3, torch.quint8)])[0], [2, 3, 4], 5.8, -0.207358, 2.77128)
    check("mkldnn_reorder_conv2d_weight", torch.ops.aten.mkldnn_reorder_conv2d_weight(w.to_mkldnn()).to_dense(), [2, 2, 3, 3], 5.66214, -1.06767, 4.28824)
    check("mkldnn_linear", torch.ops.aten.mkldnn_linear(x.to_mkldnn(), torch.arange(20.).reshape([5, 4]), torch.ones([5])).to_dense(), [2, 3, 5], 143.629, -63.7834, 99.0564)
    check("mkldnn_max_pool2d", torch.ops.aten.mkldnn_max_pool2d(im.to_mkldnn(), [2, 2]).to_dense(), [2, 2, 3, 3], 26.7506, -0.911391, 4.80312)
    check("mkldnn_adaptive_avg_pool2d", torch.ops.aten.mkldnn_adaptive_avg_pool2d(im.to_mkldnn(), [3, 3]).to_dense(), [2, 2, 3, 3], 1.00402, 0.363575, 1.38333)
    check("_test_optional_intlist", torch.ops.aten._test_optional_intlist(torch.arange(3, dtype=torch.int), [4, 5, 6]), [3], 18., 3.91264, 10.7703)
    check("_test_optional_floatlist", torch.ops.aten._test_optional_floatlist(torch.arange(3.), [0.5, 1.5, 2.5]), [3], 7.5, -0.021905, 5.17204)
    check("_test_optional_filled_intlist", torch.ops.aten._test_optional_filled_intlist(torch.arange(2, dtype=torch.int), [4, 5]), [2], 10., 7.24181, 7.2111)


def part3() -> None:
    x = torch.sin(torch.arange(24.) * 0.7).reshape([2, 3, 4])
    y = torch.cos(torch.arange(24.) * 1.3).reshape([2, 3, 4])
    p = torch.sigmoid(x)
    im = torch.sin(torch.arange(144.) * 0.41).reshape([2, 2, 6, 6])
    w = torch.sin(torch.arange(36.) * 0.23).reshape([2, 2, 3, 3])
    q = torch.sin(torch.arange(48.) * 0.37).reshape([2, 2, 3, 4])
    no: Optional[torch.Tensor] = None
    check("_test_optional_intlist", torch.ops.aten._test_optional_intlist(torch.arange(3), None), [3], 3., -0.291991, 2.23607)
    check("cat", torch.cat(torch._foreach_abs([x, y])), [4, 3, 4], 29.7438, 0.37623, 4.83294)
    check("cat", torch.cat(torch._foreach_sigmoid([x, y])), [4, 3, 4], 24.5436, 0.177962, 3.72025)
    check("cat", torch.cat(torch._foreach_add([x, y], 2.0)), [4, 3, 4], 98.3152, 0.740959, 14.9873)
    check("cat", torch.cat(torch._foreach_add([x, y], [y, x], alpha=0.5)), [4, 3, 4], 3.47287, 1.65944, 5.34358)
    check("cat", torch.cat(torch._foreach_addcdiv([x, y], [y, x], [p + 1, p + 2], 0.5)), [4, 3, 4], 2.54818, 1.06366, 5.01013)
    check("cat", torch.cat(torch._foreach_addcmul([x, y], [y, x], [p + 1, p + 2], 0.25)), [4, 3, 4], 4.44525, 1.745, 5.34595)
    check("cat", torch.cat(torch._foreach_maximum([x, y], [y, x])), [4, 3, 4], 21.8787, 0.667772, 5.0942)
    check("stack", torch.stack(torch._foreach_norm([x, y], 2)), [2], 6.83418, 5.24215, 4.83294)
    check("clamp", torch.clamp(torch.tensor([True, False, True]), 0, 1), [3], 2., 0.583853, 1.41421)
    check("clamp", torch.clamp(torch.tensor([True, False, True]), min=torch.tensor([False, True, False])), [3], 3., 1.12416, 1.73205)
    check("ldexp", torch.ldexp(torch.complex(x, y), torch.tensor([1, 2, 3, 4])).real, [2, 3, 4], 14.9239, -13.155, 35.0934)


def main():
    part0()
    part1()
    part2()
    part3()
    print(72, "cases")

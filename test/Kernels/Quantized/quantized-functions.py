# Functions of quantized tensors: those with a scale of their own, and PyTorch's operators that keep the operand's. The
# integers are those of PyTorch's fbgemm.

# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines --strict-whitespace
import torch
import torch.nn.functional as F
from torch import Tensor
from typing import List


def show(name: str, x: Tensor):
    integers: List[int] = torch.int_repr(x).to(torch.int64).flatten().tolist()
    print(name, int(x.q_scale() * 1000000), x.q_zero_point(), integers)


def main():
    reals = (torch.arange(24).to(torch.float32) - 11) * 0.37
    x = torch.quantize_per_tensor(reals.view(4, 6), 0.05, 120, torch.quint8)
    show("sigmoid", torch.ops.quantized.sigmoid(x, 1.0 / 256, 0))
    show("hardswish", torch.ops.quantized.hardswish(x, 0.097, 60))
    show("leaky_relu", torch.ops.quantized.leaky_relu(x, 0.1, False, 0.073, 90))
    show("elu", torch.ops.quantized.elu(x, 0.097, 30, 1.0))
    show("celu", torch.ops.quantized.celu(x, 0.097, 30, 1.5))
    slopes = torch.quantize_per_tensor(torch.arange(6) * 0.2, 0.05, 1, torch.quint8)
    show("prelu", torch.ops.quantized.prelu(x, slopes, 0.073, 90))
    show("prelu", torch.ops.quantized.prelu(x, slopes[1:2], 0.073, 90))
    gentle = torch.quantize_per_tensor(torch.arange(6) * 0.05, 0.001, 0, torch.quint8)
    show("prelu", torch.ops.quantized.prelu(x, gentle, 0.02, 90))
    show("relu6", torch.ops.quantized.relu6(x))
    show("clamp", torch.ops.quantized.clamp(x, -1.0, 2.0))
    show("threshold", torch.ops.quantized.threshold(x, 0.5, 0.25))
    show("softmax", torch.ops.quantized.softmax(x, 1, 1.0 / 256, 0))
    show("mul", torch.ops.quantized.mul(x, 2.5))
    show("mul_scalar", torch.ops.quantized.mul_scalar(x, -2.5))
    show("mul_scalar_relu", torch.ops.quantized.mul_scalar_relu(x, 0.0))
    show("add", torch.ops.quantized.add(x, 1.25))
    show("add_scalar", torch.ops.quantized.add_scalar(x, 100.0))
    show("add_scalar_relu", torch.ops.quantized.add_scalar_relu(x, -50.0))
    show("cat_relu", torch.ops.quantized.cat_relu([x[:1], x[2:3]], 1, 0.04, 3))
    show("matmul", torch.ops.quantized.matmul(x, x.transpose(0, 1), 0.5, 128))
    show("aten::sigmoid", torch.sigmoid(x))
    show("aten::tanh", torch.tanh(x))
    show("aten::hardsigmoid", F.hardsigmoid(x))
    show("aten::relu", torch.relu(x))
    show("aten::hardtanh", F.hardtanh(x, -1.0, 1.0))
    show("aten::mean", x.mean([1]))
    show("aten::max", torch.max(x, 1)[0])
    show("aten::topk", torch.topk(x, 2)[0])
    show("aten::cat", torch.cat([x[:1], x[1:2]], 1))
    show("aten::index_select", torch.index_select(x, 0, torch.tensor([3, 1])))
    show("aten::expand", x[:1].expand(2, 6))
    show("aten::clone", x.clone().fill_(1.0)[:1])
    print((x > 1.0).sum().item(), (x == x).all().item(), x[0, 1].item() == x.dequantize()[0, 1].item())
    y = x.clone()
    y[1] = torch.ones([6])
    show("written", y[:2])
    image = x.view(1, 2, 3, 4)
    show("max_pool2d", F.max_pool2d(image, 2, 1, 1))
    show("adaptive_avg_pool2d", F.adaptive_avg_pool2d(image, [1, 1]))
    show("interpolate", F.interpolate(image, scale_factor=2.0, mode="nearest")[:, :1, :2])
    w, b = torch.arange(2) * 0.3 + 0.2, torch.arange(2) * 0.1
    show("batch_norm2d_relu", torch.ops.quantized.batch_norm2d_relu(image, w, b, w * 0.2, w + 0.5, 1e-5, 0.2, 100))
    show("layer_norm", torch.ops.quantized.layer_norm(image, [4], None, None, 1e-5, 0.02, 100))
    show("group_norm", torch.ops.quantized.group_norm(image, 2, w, b, 1e-5, 0.02, 100))
    show("instance_norm", torch.ops.quantized.instance_norm(image, w, b, 1e-5, 0.02, 100))


if __name__ == "__main__":
    main()


# CHECK:sigmoid 3906 0 [4, 6, 9, 13, 18, 26, 35, 47, 64, 82, 106, 128, 150, 174, 192, 209, 221, 230, 238, 243, 247, 250, 252, 253]
# CHECK-NEXT:hardswish 97000 60 [60, 60, 60, 60, 58, 57, 56, 56, 56, 57, 58, 60, 62, 65, 68, 72, 75, 80, 85, 90, 95, 98, 102, 106]
# CHECK-NEXT:leaky_relu 73000 90 [84, 85, 85, 86, 86, 87, 87, 88, 88, 89, 90, 90, 95, 100, 105, 111, 115, 120, 126, 130, 136, 141, 145, 151]
# CHECK-NEXT:elu 97000 30 [20, 20, 20, 20, 20, 21, 21, 22, 23, 25, 27, 30, 34, 38, 41, 45, 49, 53, 57, 60, 65, 68, 72, 76]
# CHECK-NEXT:celu 97000 30 [16, 16, 16, 17, 17, 18, 19, 20, 22, 24, 27, 30, 34, 38, 41, 45, 49, 53, 57, 60, 65, 68, 72, 76]
# CHECK-NEXT:prelu 73000 90 [90, 80, 72, 66, 62, 60, 90, 86, 84, 84, 86, 90, 95, 100, 105, 111, 115, 120, 126, 130, 136, 141, 145, 151]
# CHECK-NEXT:prelu 73000 90 [79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 95, 100, 105, 111, 115, 120, 126, 130, 136, 141, 145, 151]
# CHECK-NEXT:prelu 20000 90 [90, 81, 73, 68, 64, 62, 90, 86, 84, 84, 86, 90, 94, 100, 104, 109, 114, 118, 123, 128, 133, 137, 142, 147]
# CHECK-NEXT:relu6 50000 120 [120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 127, 135, 142, 150, 157, 164, 172, 179, 187, 194, 201, 209]
# CHECK-NEXT:clamp 50000 120 [100, 100, 100, 100, 100, 100, 100, 100, 100, 105, 113, 120, 127, 135, 142, 150, 157, 160, 160, 160, 160, 160, 160, 160]
# CHECK-NEXT:threshold 50000 120 [125, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125, 125, 135, 142, 150, 157, 164, 172, 179, 187, 194, 201, 209]
# CHECK-NEXT:softmax 3906 0 [14, 20, 29, 43, 60, 90, 14, 20, 29, 42, 62, 89, 14, 21, 29, 43, 62, 87, 14, 20, 30, 42, 60, 90]
# CHECK-NEXT:mul 125000 120 [39, 46, 53, 61, 68, 76, 83, 90, 98, 105, 113, 120, 127, 135, 142, 150, 157, 164, 172, 179, 187, 194, 201, 209]
# CHECK-NEXT:mul_scalar 125000 135 [216, 209, 202, 194, 187, 179, 172, 165, 157, 150, 142, 135, 128, 120, 113, 105, 98, 91, 83, 76, 68, 61, 54, 46]
# CHECK-NEXT:mul_scalar_relu 1000000 0 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
# CHECK-NEXT:add 50000 95 [39, 46, 53, 61, 68, 76, 83, 90, 98, 105, 113, 120, 127, 135, 142, 150, 157, 164, 172, 179, 187, 194, 201, 209]
# CHECK-NEXT:add_scalar 418627 0 [229, 230, 231, 232, 233, 234, 234, 235, 236, 237, 238, 239, 240, 241, 242, 242, 243, 244, 245, 246, 247, 248, 249, 250]
# CHECK-NEXT:add_scalar_relu 219607 255 [255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255]
# CHECK-NEXT:cat_relu 40000 3 [3, 3, 3, 3, 3, 3, 12, 22, 31, 41, 49, 58]
# CHECK-NEXT:matmul 500000 128 [251, 168, 84, 0, 168, 143, 118, 94, 84, 118, 153, 187, 0, 94, 187, 255]
# CHECK-NEXT:aten::sigmoid 3906 0 [4, 6, 9, 13, 18, 26, 35, 47, 64, 82, 106, 128, 150, 174, 192, 209, 221, 230, 238, 243, 247, 250, 252, 253]
# CHECK-NEXT:aten::tanh 7812 128 [0, 0, 0, 1, 1, 3, 6, 12, 26, 47, 85, 128, 171, 209, 230, 244, 250, 253, 255, 255, 255, 255, 255, 255]
# CHECK-NEXT:aten::hardsigmoid 3906 0 [0, 0, 0, 2, 17, 34, 49, 64, 81, 96, 113, 128, 143, 160, 175, 192, 207, 222, 239, 254, 255, 255, 255, 255]
# CHECK-NEXT:aten::relu 50000 120 [120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 127, 135, 142, 150, 157, 164, 172, 179, 187, 194, 201, 209]
# CHECK-NEXT:aten::hardtanh 50000 120 [100, 100, 100, 100, 100, 100, 100, 100, 100, 105, 113, 120, 127, 135, 140, 140, 140, 140, 140, 140, 140, 140, 140, 140]
# CHECK-NEXT:aten::mean 50000 120 [57, 102, 146, 190]
# CHECK-NEXT:aten::max 50000 120 [76, 120, 164, 209]
# CHECK-NEXT:aten::topk 50000 120 [76, 68, 120, 113, 164, 157, 209, 201]
# CHECK-NEXT:aten::cat 50000 120 [39, 46, 53, 61, 68, 76, 83, 90, 98, 105, 113, 120]
# CHECK-NEXT:aten::index_select 50000 120 [172, 179, 187, 194, 201, 209, 83, 90, 98, 105, 113, 120]
# CHECK-NEXT:aten::expand 50000 120 [39, 46, 53, 61, 68, 76, 39, 46, 53, 61, 68, 76]
# CHECK-NEXT:aten::clone 50000 120 [140, 140, 140, 140, 140, 140]
# CHECK-NEXT:10 True True
# CHECK-NEXT:written 50000 120 [39, 46, 53, 61, 68, 76, 140, 140, 140, 140, 140, 140]
# CHECK-NEXT:max_pool2d 50000 120 [39, 46, 53, 61, 61, 68, 76, 83, 90, 90, 98, 105, 113, 120, 120, 98, 105, 113, 120, 120, 127, 135, 142, 150, 150, 157, 164, 172, 179, 179, 187, 194, 201, 209, 209, 187, 194, 201, 209, 209]
# CHECK-NEXT:adaptive_avg_pool2d 50000 120 [79, 168]
# CHECK-NEXT:interpolate 50000 120 [39, 39, 46, 46, 53, 53, 61, 61, 39, 39, 46, 46, 53, 53, 61, 61]
# CHECK-NEXT:batch_norm2d_relu 200000 100 [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 109, 110, 111]
# CHECK-NEXT:layer_norm 20000 100 [34, 77, 120, 169, 31, 80, 123, 166, 34, 76, 124, 166, 32, 79, 121, 168, 34, 76, 124, 166, 34, 77, 120, 169]
# CHECK-NEXT:group_norm 20000 100 [84, 87, 90, 93, 96, 99, 101, 104, 107, 110, 113, 116, 65, 73, 80, 87, 94, 101, 109, 116, 123, 130, 137, 145]
# CHECK-NEXT:instance_norm 20000 100 [84, 87, 90, 93, 96, 99, 101, 104, 107, 110, 113, 116, 65, 73, 80, 87, 94, 101, 109, 116, 123, 130, 137, 145]

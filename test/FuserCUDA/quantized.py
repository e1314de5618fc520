# RUN: tsc-run %s --device cuda --cuda-driver %fake_cuda_driver | FileCheck %s
# REQUIRES: fake-cuda-driver
import torch

# Quantized tensors have no form but the processor's: an operator that takes one with tensors of a device runs there, and
# what it makes goes back to the device.
def main():
    weight = torch.quantize_per_tensor(torch.ones([2, 4], device='cpu'), 0.5, 0, torch.qint8)
    packed = torch.ops.quantized.linear_prepack(weight, None)
    made = torch.ops.quantized.linear_dynamic(torch.ones([3, 4]), packed)
    # CHECK: cuda torch.Size([3, 2]) True
    print(made.device.type, made.shape, bool((made - 4).abs().max() < 0.1))

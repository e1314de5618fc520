# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile off 2>&1 | FileCheck %s
# REQUIRES: fake-cuda-driver
import torch
import torch.nn.functional as F
from Inputs.nearness import close, g

# Convolutions of row-major tensors are cuDNN's, and are what it gives. (The fake library checks descriptors and memory.)
# CHECK-NOT: remark: 'aten::{{_?conv}}
# CHECK: 28 convolutions
# CHECK-NOT: remark: 'aten::{{_?conv}}
def main():
    torch.manual_seed(5)
    count = 0
    for dtype in [torch.float, torch.double, torch.half, torch.bfloat16]:
        x, w, b = torch.randn([2, 4, 9, 7]).to(dtype), torch.randn([6, 4, 3, 2]).to(dtype), torch.randn([6]).to(dtype)
        close(F.conv2d(x, w, b), F.conv2d(g(x), g(w), g(b)), 'plain')
        close(F.conv2d(x, w, None, 2, [1, 2]), F.conv2d(g(x), g(w), None, 2, [1, 2]), 'strides')
        close(F.conv2d(x, w, b, [1, 2], 2, 2), F.conv2d(g(x), g(w), g(b), [1, 2], 2, 2), 'dilation')
        close(F.conv2d(x, w[:, :2].contiguous(), b, groups=2), F.conv2d(g(x), g(w[:, :2].contiguous()), g(b), groups=2), 'groups')
        ones = torch.ones([3, 9, 2]).to(dtype)
        close(F.conv1d(x[0], ones, None, 1, 1, 2), F.conv1d(g(x)[0], g(ones), None, 1, 1, 2), 'one dimension')
        v = x.view([2, 2, 2, 9, 7])
        k = torch.randn([3, 2, 2, 3, 1]).to(dtype)
        close(F.conv3d(v, k, None, 1, [1, 0, 2]), F.conv3d(g(v), g(k), None, 1, [1, 0, 2]), 'three dimensions')
        close(torch.convolution(x, w, b, [2, 1], [0, 1], [1, 1], False, [0, 0], 1),
              torch.convolution(g(x), g(w), g(b), [2, 1], [0, 1], [1, 1], False, [0, 0], 1), 'convolution')
        count += 7
    print(count, 'convolutions')

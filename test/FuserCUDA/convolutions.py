# RUN: tsc-run %s --cuda-driver %fake_cuda_driver --compile off 2>&1 | FileCheck %s
# RUN: tsc-run %s --entry filters --cuda-driver %fake_cuda_driver --compile eager 2>&1 | FileCheck %s --check-prefix=FILTERS
# REQUIRES: fake-cuda-driver
import torch
import torch.nn.functional as F
from Inputs.nearness import close, g

# Convolutions of row-major tensors are cuDNN's, and are what it gives. (The fake library checks descriptors and memory.)
# CHECK-NOT: remark: 'aten::{{_?conv}}
# CHECK: 48 convolutions
# CHECK: 3 gradients
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
        t = torch.randn([4, 3, 3, 2]).to(dtype)
        close(F.conv_transpose2d(x, t, b[:3]), F.conv_transpose2d(g(x), g(t), g(b[:3])), 'transposed')
        close(F.conv_transpose2d(x, t, None, [2, 3], [1, 0], [1, 2]),
              F.conv_transpose2d(g(x), g(t), None, [2, 3], [1, 0], [1, 2]), 'output padding')
        close(F.conv_transpose2d(x, t, b, 2, 1, 0, 2, 2), F.conv_transpose2d(g(x), g(t), g(b), 2, 1, 0, 2, 2), 'groups')
        close(F.conv_transpose1d(x[0], ones[:, :9].transpose(0, 1).contiguous(), None, 2, 1),
              F.conv_transpose1d(g(x)[0], g(ones[:, :9].transpose(0, 1).contiguous()), None, 2, 1), 'one dimension')
        close(F.conv_transpose3d(v, k.transpose(0, 1).contiguous(), None, 1, [1, 0, 0]),
              F.conv_transpose3d(g(v), g(k.transpose(0, 1).contiguous()), None, 1, [1, 0, 0]), 'three dimensions')
        count += 5
    print(count, 'convolutions')

    # The gradient of an image is a transposed convolution.
    here, there = torch.randn([2, 4, 9, 7]).requires_grad_(), torch.zeros([2, 4, 9, 7], device='cuda')
    with torch.no_grad():
        there.copy_(here)
    there.requires_grad_()
    w = torch.randn([6, 4, 3, 2])
    count = 0
    for stride in [1, 2, 3]:
        here.grad, there.grad = None, None
        F.conv2d(here, w, None, stride, 1).square().sum().backward()
        F.conv2d(there, g(w), None, stride, 1).square().sum().backward()
        one, other = here.grad, there.grad
        assert one is not None and other is not None
        close(one, other, 'gradient')
        count += 1
    print(count, 'gradients')

# The gradient of a filter is the library's too, and so are convolutions of views.
# FILTERS-NOT: remark: 'aten::{{_?conv}}
# FILTERS: 8 gradients of filters
# FILTERS: views
# FILTERS-NOT: remark: 'aten::{{_?conv}}
def filters():
    torch.manual_seed(5)
    count = 0
    for stride in [1, 2]:
        for dilation in [1, 2]:
            for groups in [1, 2]:
                here = torch.randn([6, 4 // groups, 3, 2]).requires_grad_()
                there = torch.zeros([6, 4 // groups, 3, 2], device='cuda')
                with torch.no_grad():
                    there.copy_(here)
                there.requires_grad_()
                x = torch.randn([2, 4, 9, 7])
                F.conv2d(x, here, None, stride, 1, dilation, groups).square().sum().backward()
                F.conv2d(g(x), there, None, stride, 1, dilation, groups).square().sum().backward()
                one, other = here.grad, there.grad
                assert one is not None and other is not None
                close(one.contiguous(), other.contiguous(), 'gradient')
                count += 1
    print(count, 'gradients of filters')
    x, w = torch.randn([4, 2, 9, 7]), torch.randn([6, 4, 3, 5])
    close(F.conv2d(x.transpose(0, 1), w[..., 1:3]), F.conv2d(g(x).transpose(0, 1), g(w)[..., 1:3]), 'views')
    print('views')

# A composite without a kernel is differentiated through what it is made of; what it raises comes from within.
#
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: %exits 1 tsc-run --entry fails %s 2>&1 | FileCheck --check-prefix=FAILS %s
import torch
from torch import Tensor


def slope(x: Tensor, y: Tensor) -> Tensor:
    found = torch.autograd.grad([y.sum()], [x])[0]
    assert found is not None
    return found


def main():
    x = torch.sin(torch.arange(12.)).reshape([3, 4]).requires_grad_()
    # CHECK: True
    print(torch.allclose(slope(x, torch.ops.aten.norm_except_dim(x, 2, 0)), x / x.norm(2, [1], True)))
    # A second derivative, through the operator that is a first one.
    gate = torch.sigmoid(x)
    # CHECK: True
    print(torch.allclose(slope(x, torch.ops.aten.silu_backward(torch.ones_like(x), x)),
                         gate * (1 - gate) * (2 + x * (1 - 2 * gate))))
    # What is rounded to integers has the slope of what was not, within their range.
    # CHECK: True
    print(torch.equal(slope(x, torch.fake_quantize_per_tensor_affine(x, 0.1, 0, -4, 7)),
                      ((x > -0.45) & (x < 0.75)).to(torch.float)))
    # CHECK: True
    both = torch.cat(torch._foreach_mul([x, x * 2], 0.5))
    print(torch.equal(slope(x, both), torch.full([3, 4], 1.5)))
    # Regions of an image, and a sparse matrix times one.
    image = torch.sin(torch.arange(36.)).reshape([1, 1, 6, 6]).requires_grad_()
    rois = torch.tensor([[0., 1., 1., 4., 4.]])
    # CHECK: tensor(4.) True
    pooled = torch.ops.torchvision.roi_align(image, rois, 1.0, 2, 2, 2, True)
    back = slope(image, pooled)
    print(back.sum(), torch.allclose((back * image).sum(), pooled.sum()))
    places = torch.tensor([[0, 2], [1, 0]])
    matrix = torch.sparse_coo_tensor(places, torch.tensor([2., 3.]), [3, 3])
    # CHECK: True
    print(torch.equal(slope(x, torch.sparse.mm(matrix, x)), matrix.to_dense().sum([0]).unsqueeze(1).expand([3, 4])))


# FAILS: RuntimeError: In-place elu backward calculation is triggered with a negative slope
def fails():
    x = torch.ones([2])
    return torch.ops.aten.elu_backward(x, -1.0, 1.0, 1.0, True, x)

# PyTorch issue 108670: from the third call on, TorchScript's derivative of what a mean of one dimension is subtracted from
# was of the mean's shape, or wrong. What was broadcast is summed where it came from, and the rest keeps its shape.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch

def centered(x):
    return x - x.mean(dim=1, keepdim=True)

def normalized(x, gamma):
    mean = x.mean(dim=1, keepdim=True)
    variance = x.var(dim=1, keepdim=True, unbiased=False)
    return gamma * ((x - mean) / torch.sqrt(variance))

def main():
    x = torch.tensor([[[1., 1.], [1., 1.], [-1., -1.], [-1., -1.]]], requires_grad=True)
    gamma = torch.ones([1, 4, 1]).requires_grad_()
    weights = torch.tensor([[[8., 0.], [0., 0.], [0., 8.], [0., 0.]]])
    # CHECK-COUNT-10: [1, 4, 2] tensor([ 6., -2., -2., -2., -2.,  6., -2., -2.])
    for i in range(10):
        g = torch.autograd.grad([(centered(x) * weights).sum()], [x])[0]
        assert g is not None
        print(list(g.size()), g.view(-1))
    # CHECK-COUNT-10: [1, 4, 1] tensor([ 4.,  0., -4.,  0.,  0.,  4.,  0., -4.]) tensor([ 8.,  0., -8.,  0.])
    for i in range(10):
        g, of_gamma = torch.autograd.grad([(normalized(x, gamma) * weights).sum()], [x, gamma])
        assert g is not None and of_gamma is not None
        print(list(of_gamma.size()), g.view(-1), of_gamma.view(-1))

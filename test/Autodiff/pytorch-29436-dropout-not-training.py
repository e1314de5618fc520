# PyTorch pull request 29436: where something required a gradient, TorchScript's dropout drew random numbers also when it
# was not training. It returns what it is given then, with a gradient of one, and leaves the generator alone.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch

def dropped(x, w, training: bool):
    return torch.nn.functional.dropout(x * w, 0.5, training)

def gradient(x, w, training: bool):
    y = dropped(x, w, training)
    g = torch.autograd.grad([y.sum()], [w])[0]
    assert g is not None
    return y.detach(), g

def main():
    x = torch.tensor([1., 2., 3., 4.])
    w = torch.tensor([1., 1., 2., 2.], requires_grad=True)
    # CHECK-COUNT-10: tensor([1., 2., 6., 8.]) tensor([1., 2., 3., 4.]) True
    for i in range(10):
        torch.manual_seed(i)
        drawn = torch.rand(3)
        torch.manual_seed(i)
        y, g = gradient(x, w, False)
        print(y, g, torch.equal(drawn, torch.rand(3)))
    # And between calls that train, whose gradients are twice those of what was kept.
    # CHECK-COUNT-10: True tensor([1., 2., 3., 4.])
    for i in range(10):
        y, g = gradient(x, w, True)
        kept = (y != 0).to(torch.float32) * 2
        y, same = gradient(x, w, False)
        print(torch.equal(g, kept * x), same)

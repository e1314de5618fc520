# PyTorch issue 140101: from the second call on, TorchScript's gradient of a complex logarithm lacked the conjugate.
# Of log|s| it is 1 / conj(s).
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch

def log_ratio(s, t):
    return (s.log() - t.log()).real

def main():
    s = torch.complex(torch.tensor([3., 6., 1.]), torch.tensor([4., 8., -1.])).requires_grad_()
    t = torch.complex(torch.tensor([2., 1., 5.]), torch.tensor([0., 1., 0.]))
    # CHECK-COUNT-10: tensor([0.1200+0.1600j, 0.0600+0.0800j, 0.5000-0.5000j])
    for i in range(10):
        g = torch.autograd.grad([log_ratio(s, t).sum()], [s])[0]
        assert g is not None
        print(g)

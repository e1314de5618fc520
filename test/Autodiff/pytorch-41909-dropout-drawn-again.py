# PyTorch issue 41909: from one state of the generator, a dropout of TorchScript drew other values under torch.no_grad() than
# with gradients, so that no checkpoint could be recomputed. Values are the same, and gradients are those of what was kept.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch

def dropped(table, rows):
    return torch.nn.functional.dropout(torch.nn.functional.embedding(rows, table), 0.5, True)

def main():
    table = torch.arange(1., 13.).view(3, 4).requires_grad_()
    rows = torch.tensor([0, 2])
    # CHECK-COUNT-10: True True False True True
    for i in range(10):
        torch.manual_seed(i + 5)
        with torch.no_grad():
            first = dropped(table, rows)
        torch.manual_seed(i + 5)
        again = dropped(table, rows)
        g = torch.autograd.grad([again.sum()], [table])[0]
        assert g is not None
        kept = (again != 0).to(torch.float32) * 2
        print(torch.equal(first, again.detach()), bool((first != 0).any()), first.requires_grad, torch.equal(g[rows], kept),
              bool((g[1] == 0).all()))

# PyTorch issue 153941: torch.tensor([x.item()]), and lists of numbers of several kinds, as eager PyTorch takes them.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch


def main() -> None:
    for i in range(10):
        n = torch.tensor([3]).item()
        print(torch.tensor([n], dtype=torch.int64), torch.tensor([1, 2.5]), torch.tensor([[True, 2], [3, 4]]),
              torch.tensor([[1, 2], [0.5, 4]]), torch.tensor([1, 2j]))


# What Python prints:
# CHECK-COUNT-10: tensor([3]) tensor([1.0000, 2.5000]) tensor({{[[][[]}}1, 2],

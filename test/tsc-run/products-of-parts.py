# Products whose last columns fill no vector: right, and nothing is written beside them.
# RUN: tsc-run %s | FileCheck %s
import torch


def main() -> None:
    worst = 0.0
    n = 0
    for m in [1, 2, 3, 5, 8, 11, 12, 13, 24, 25, 40]:
        for k in [1, 2, 7, 16, 33]:
            for columns in [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 63, 65]:
                a = torch.randn([m, k], dtype=torch.float64)
                b = torch.randn([k, columns + 3], dtype=torch.float64)[:, 1:columns + 1]
                d = torch.randn([m, columns], dtype=torch.float64)
                want = (a.unsqueeze(2) * b.unsqueeze(0)).sum(1)
                worst = max(worst, (torch.mm(a, b) - want).abs().max().item() / 10)
                worst = max(worst, (torch.addmm(d, a, b) - want - d).abs().max().item() / 10)
                f = torch.mm(a.float(), b.float()).double() - want
                worst = max(worst, f.abs().max().item() * 1e-9)
                g = torch.baddbmm(d.float().expand(3, m, columns), a.float().expand(3, m, k), b.float().expand(3, k, columns)).double() - want - d
                worst = max(worst, g.abs().max().item() * 1e-9)
                h = torch.bmm(a.t().contiguous().t().expand(2, m, k), b.expand(2, k, columns)) - want
                worst = max(worst, h.abs().max().item() / 10)
                big = torch.full([m + 2, columns + 5], 7.0)
                torch.mm(a.float(), b.float(), out=big[1:m + 1, 2:columns + 2])
                worst = max(worst, (big[1:m + 1, 2:columns + 2].double() - want).abs().max().item() * 1e-9)
                worst = max(worst, ((big == 7.0).sum().item() - ((m + 2) * (columns + 5) - m * columns)) * 1.0)
                n += 1
    print(n, worst < 1e-13)  # CHECK: 935 True

# Products whose last columns fill no vector: right, and nothing is written beside them.
# RUN: tsc-run %s | FileCheck %s
import torch


def is_near(got: torch.Tensor, want: torch.Tensor, bound: float) -> bool:
    return (got.double() - want).abs().max().item() < bound


def main() -> None:
    count, wrong = 0, 0
    for m in [1, 2, 3, 4, 5, 8, 11, 12, 13, 24, 25, 40]:
        for k in [1, 2, 4, 7, 16, 33]:
            for n in [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 63, 65]:
                a = torch.randn([m, k], dtype=torch.float64)
                b = torch.randn([k, n + 3], dtype=torch.float64)[:, 1:n + 1]
                d = torch.randn([m, n], dtype=torch.float64)
                product = (a.unsqueeze(2) * b.unsqueeze(0)).sum(1)
                x, y = a.float().expand(3, m, k), b.float().expand(3, k, n)
                turned = b.float().t().contiguous().t().expand(3, k, n)
                around = torch.full([m + 2, n + 5], 7.0)
                torch.mm(a.float(), b.float(), out=around[1:m + 1, 2:n + 2])
                right = [is_near(torch.mm(a, b), product, 1e-12), is_near(torch.addmm(d, a, b), product + d, 1e-12),
                         is_near(torch.mm(a.float(), b.float()), product, 1e-4),
                         is_near(torch.bmm(a.t().contiguous().t().expand(2, m, k), b.expand(2, k, n)), product, 1e-12),
                         is_near(torch.baddbmm(d.float().expand(3, m, n), x, y), product + d, 1e-4),
                         is_near(torch.bmm(x, turned), product, 1e-4),
                         is_near(around[1:m + 1, 2:n + 2], product, 1e-4),
                         int((around == 7.0).sum()) == (m + 2) * (n + 5) - m * n]
                wrong += int(not all(right))
                count += 1
    print(count, wrong)  # CHECK: 1224 0{{$}}
    # The layout of the right side makes no difference to the bits of small products. (Those of 5 x 5 are sums of another
    # order where the right side is turned and a vector has at most eight numbers.)
    for n in [2, 3, 4]:
        a, b = torch.randn([500, n, n]), torch.randn([500, n, n])
        print(torch.equal(torch.bmm(a, b), torch.bmm(a, b.transpose(1, 2).contiguous().transpose(1, 2))))
    # CHECK-COUNT-3: True

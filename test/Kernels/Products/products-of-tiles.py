# Long products are made of tiles. Whole numbers have exact sums, so that every tile has the bits of exact products,
# whichever kernel computes it; of 19201 columns, the last tile is a single column.
# RUN: tsc-run %s | FileCheck %s
# RUN: tsc-run --threads 2 %s | FileCheck %s
import torch


def whole(rows: int, columns: int) -> torch.Tensor:
    return torch.randint(-3, 4, [rows, columns]).float()


def main() -> None:
    # A sum of a product of two sums is the product of sums, over columns and over rows.
    for rows, terms, columns in [(780, 600, 19201), (19201, 600, 780), (1540, 8300, 780)]:
        a, b = whole(rows, terms), whole(terms, columns)
        product = torch.mm(a, b)
        x, y = a.bfloat16(), b.bfloat16()
        print(bool((product.double().sum(0) == a.double().sum(0) @ b.double()).all()),
              bool((product.double().sum(1) == a.double() @ b.double().sum(1)).all()),
              torch.equal(torch.mm(x, y), product.bfloat16()))
    # CHECK-COUNT-3: True True True

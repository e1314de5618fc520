# Sums and products of small integers wrap before a formula makes floats of them, and a hinge loss of operands of two dtypes has
# the dtype of the input, as in PyTorch; reflectors of a wide matrix are those of its first columns.
# RUN: %all_modes tsc-run %s | FileCheck %s --match-full-lines
import torch
import torch.nn.functional as F


def wrapped():
    a, b = torch.tensor([100, -100, 100], dtype=torch.int8), torch.tensor([-100, 100, 100], dtype=torch.int8)
    sign = torch.tensor([1, -1, 1], dtype=torch.int8)
    print(torch.trapezoid(a), torch.trapezoid(a, sign), torch.cumulative_trapezoid(a), torch.trapezoid(a[:1], dx=2))
    print(torch.gradient(a)[0], torch.gradient(a, spacing=2.0)[0], torch.gradient(a, edge_order=2)[0])
    print(torch.trapezoid(torch.tensor([1, 2**40]), dx=2), torch.trapezoid(a, torch.tensor([0.5, 1.0, 2.0])))
    print(F.hinge_embedding_loss(a, sign, margin=100.0, reduction="none"), F.hinge_embedding_loss(a, sign, reduction="sum"))
    print(F.margin_ranking_loss(a, b, sign, reduction="none"), F.margin_ranking_loss(a, b, sign))
    print(F.poisson_nll_loss(torch.tensor([1, 2], dtype=torch.int8), a[:2], reduction="none"))


def of_two_dtypes():
    a, b = torch.tensor([0.5, 3.0]), torch.tensor([1.0, -1.0], dtype=torch.double)
    print(F.hinge_embedding_loss(a, b).dtype, F.hinge_embedding_loss(b, a).dtype)


def main():
    wrapped()
    of_two_dtypes()
    x = torch.tensor([[1.0, 0.2, 0.3], [0.5, 1.0, 0.1]])
    print(torch.ormqr(x, torch.tensor([0.5, 1.5]), torch.ones(2, 2)))
    print(torch.ormqr(x, torch.tensor([0.5]), torch.ones(3, 2), left=False, transpose=True))


if __name__ == "__main__":
    main()

# CHECK: tensor(128.) tensor(0.) tensor([0., 0.]) tensor(256.)
# CHECK-NEXT: tensor([ 56.,   0., -56.]) tensor([ 28.,   0., -28.]) tensor([-144.,    0.,  144.])
# CHECK-NEXT: tensor(1.0995e+12) tensor(0.)
# CHECK-NEXT: tensor([100,   0, 100], dtype=torch.int8) tensor(301)
# CHECK-NEXT: tensor([56., 56.,  0.]) tensor(37.3333)
# CHECK-NEXT: tensor([-97.2817, -48.6109])
# CHECK-NEXT: torch.float32 torch.float64
# CHECK-NEXT: tensor({{\[\[}} 0.6250,  0.6250],
# CHECK-NEXT:         [-0.6875, -0.6875]])
# CHECK-NEXT: tensor({{\[\[}}0.2500, 0.6250],
# CHECK-NEXT:         [0.2500, 0.6250],
# CHECK-NEXT:         [0.2500, 0.6250]])

# A loss of NaN is NaN: training that has gone wrong shows.
# RUN: %all_modes tsc-run %s | FileCheck %s
import torch
import torch.nn.functional as F


def main() -> None:
    x = torch.ones([4, 3])
    y = torch.zeros([4, 3])
    bad = torch.ones([4, 3])
    bad[1, 1] = float("nan")
    sign = torch.tensor([1, -1, -1, 1])
    print(F.triplet_margin_loss(bad, x, y), F.triplet_margin_loss(x, y, bad))
    # CHECK: tensor(nan) tensor(nan)
    print(F.triplet_margin_loss(x, y, bad, swap=True), F.triplet_margin_loss(x, bad, y, swap=True))
    # CHECK-NEXT: tensor(nan) tensor(nan)
    print(F.margin_ranking_loss(bad, x, torch.ones([4, 3])), F.hinge_embedding_loss(bad, torch.full([4, 3], -1)))
    # CHECK-NEXT: tensor(nan) tensor(nan)
    print(F.cosine_embedding_loss(bad, x, sign, 0.5, reduction="none").isnan())
    # CHECK-NEXT: tensor([False,  True, False, False])

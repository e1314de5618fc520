# PyTorch issue 97638: an f-string over several lines.
# RUN: %all_modes tsc-run %s --entry main | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && %all_modes tsc-run %t.pt | FileCheck %s
import torch


def check(box_preds: torch.Tensor, cls_scores: torch.Tensor, cls_labels: torch.Tensor) -> str:
    return f'"cls_labels" should have the same shape as "cls_scores", but got {list(cls_labels.shape)} and \
{list(cls_scores.shape)}'


def fails(a: torch.Tensor, b: torch.Tensor) -> str:
    try:
        assert (
            1 == 2
        ), f'shapes {list(a.shape)} and \
        {list(b.shape)}' f" differ: {a.dim()=}" \
           f"""
and more {b.dim():>3}"""
    except AssertionError as e:
        return str(e)
    return ""


def main() -> None:
    for i in range(10):
        print(check(torch.ones(1), torch.ones(1, 2), torch.ones(3)))
        print(fails(torch.ones(1), torch.ones(2, 3)))


# What Python prints:
# CHECK: "cls_labels" should have the same shape as "cls_scores", but got [3] and [1, 2]
# CHECK-NEXT: shapes [1] and         [2, 3] differ: a.dim()=1
# CHECK-NEXT: and more   2
# CHECK-NEXT: "cls_labels" should have the same shape as "cls_scores", but got [3] and [1, 2]
# CHECK-NEXT: shapes [1] and         [2, 3] differ: a.dim()=1
# CHECK-NEXT: and more   2
# CHECK-NEXT: "cls_labels" should have the same shape as "cls_scores", but got [3] and [1, 2]
# CHECK-NEXT: shapes [1] and         [2, 3] differ: a.dim()=1
# CHECK-NEXT: and more   2
# CHECK-NEXT: "cls_labels" should have the same shape as "cls_scores", but got [3] and [1, 2]
# CHECK-NEXT: shapes [1] and         [2, 3] differ: a.dim()=1
# CHECK-NEXT: and more   2
# CHECK-NEXT: "cls_labels" should have the same shape as "cls_scores", but got [3] and [1, 2]
# CHECK-NEXT: shapes [1] and         [2, 3] differ: a.dim()=1
# CHECK-NEXT: and more   2
# CHECK-NEXT: "cls_labels" should have the same shape as "cls_scores", but got [3] and [1, 2]
# CHECK-NEXT: shapes [1] and         [2, 3] differ: a.dim()=1
# CHECK-NEXT: and more   2
# CHECK-NEXT: "cls_labels" should have the same shape as "cls_scores", but got [3] and [1, 2]
# CHECK-NEXT: shapes [1] and         [2, 3] differ: a.dim()=1
# CHECK-NEXT: and more   2
# CHECK-NEXT: "cls_labels" should have the same shape as "cls_scores", but got [3] and [1, 2]
# CHECK-NEXT: shapes [1] and         [2, 3] differ: a.dim()=1
# CHECK-NEXT: and more   2
# CHECK-NEXT: "cls_labels" should have the same shape as "cls_scores", but got [3] and [1, 2]
# CHECK-NEXT: shapes [1] and         [2, 3] differ: a.dim()=1
# CHECK-NEXT: and more   2
# CHECK-NEXT: "cls_labels" should have the same shape as "cls_scores", but got [3] and [1, 2]
# CHECK-NEXT: shapes [1] and         [2, 3] differ: a.dim()=1
# CHECK-NEXT: and more   2

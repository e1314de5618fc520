# Arguments: keywords, defaults, unpacked dicts, `input` as the first one of torch's functions.
# RUN: %all_modes tsc-run %s | FileCheck %s
# RUN: tsc-translate %s --entry main -o %t.pt && tsc-run %t.pt | FileCheck %s
import torch
import torch.nn.functional as F
from collections import OrderedDict
from typing import Dict, List, Optional

SCALE = 2.0
SIZES = [1, 2]


def keyword_only(a: int, *, b: int = 2) -> int:
    return a * 10 + b


def computed_defaults(x: float, scale: float = SCALE * 3, sizes: List[int] = SIZES) -> float:
    return x * scale + len(sizes)


def anything(x: object) -> bool:
    return isinstance(x, int)


def main() -> None:
    print(torch.sum(input=torch.ones(3)).item(), F.relu(input=torch.tensor([-1.0, 2.0])))
    print(torch.add(input=torch.ones(1), other=torch.ones(1)), torch.cat([torch.ones(1), torch.zeros(1)], dim=0))
    print(keyword_only(2), keyword_only(2, b=5), keyword_only(**{"a": 3, "b": 4}))
    print(computed_defaults(1.0), computed_defaults(1.0, scale=1.0, sizes=[1]))
    d: Dict[str, int] = OrderedDict()
    d["b"] = 1
    d["a"] = 2
    print(list(d.keys()), anything(1), anything("a"))
    torch._assert(len(d) == 2, "two")
    print(torch.finfo(torch.float32).eps, torch.finfo(torch.float16).max, torch.iinfo(torch.int8).min)
    print(torch.get_default_dtype() == torch.float32, torch.ones(2).type(torch.int32).dtype == torch.int32)
    q = torch.arange(6.0).view(1, 3, 2)
    print(F.scaled_dot_product_attention(q, q, q, is_causal=True))
    print(torch.norm_except_dim(q.view(3, 2), 2, 0).flatten())


# What Python prints:
# CHECK: 3.0 tensor([0., 2.])
# CHECK-NEXT: tensor([2.]) tensor([1., 0.])
# CHECK-NEXT: 22 25 34
# CHECK-NEXT: 8.0 2.0
# CHECK-NEXT: ['b', 'a'] True False
# CHECK-NEXT: 1.1920928955078125e-07 65504.0 -128
# CHECK-NEXT: True True
# CHECK-NEXT: tensor({{[[][[]}}[0.0000, 1.0000],
# CHECK-NEXT:          [1.9983, 2.9983],
# CHECK-NEXT:          [4.0000, 5.0000]]])
# CHECK-NEXT: tensor([1.0000, 3.6056, 6.4031])

# Calls of operators: which overload is meant, and what converts to what.

# Sizes may follow one another; a lone number is a size, not a dtype.
# RUN: tsc-run %s --entry view_sizes --args 'torch.ones([4]), 4' | FileCheck --check-prefix=VIEW %s
# VIEW: ([4], [4], [2, 2], [4])

# Of tensors, `//` is floor_divide.
# RUN: tsc-run %s --entry floors --args 'torch.tensor([3., -3.])' | FileCheck --check-prefix=FLOORS %s
# FLOORS: (tensor([ 1., -2.]), tensor([1., 1.]), tensor([-4,  3]), tensor([-3.,  2.]), tensor(3), tensor([-4,  3]))

# `[]` is a list of what the place wants; once a variable holds it, of tensors.
# RUN: tsc-run %s --entry empties --args 'torch.ones([]), []' | FileCheck --check-prefix=EMPTIES %s
# EMPTIES: (tensor(0.), tensor(1.), tensor(1.), tensor(1.), tensor(1.), tensor(1.), tensor(1.), 0, True, True, [2], 0)
# RUN: not tsc-run %s --entry untyped --args 'torch.ones([])' 2>&1 | FileCheck --check-prefix=UNTYPED %s
# UNTYPED: 'sum' takes an Optional[List[int]] as 'dim', and a List[Tensor] was given

# Several results have the names of the schema.
# RUN: tsc-run %s --entry named --args 'torch.tensor([1., 2.])' | FileCheck --check-prefix=NAMED %s
# NAMED: (tensor(2.), tensor(1), tensor([1., 2.]), tensor([1]), tensor(2.), tensor(1.), tensor([1., 1.]), tensor(1.), tensor(1.), tensor(0), tensor([0, 1]), tensor([1., 1.]))

# A tensor of one element is a truth value under `not` as well.
# RUN: tsc-run %s --entry nots --args 'torch.ones([2])' | FileCheck --check-prefix=TRUE %s
# TRUE: 2
# RUN: tsc-run %s --entry nots --args 'torch.zeros([2])' | FileCheck --check-prefix=FALSE %s
# FALSE: 1

# The receiver is the argument named self, wherever it stands.
# RUN: tsc-run %s --entry where --args 'torch.tensor([1., 2.])' | FileCheck --check-prefix=WHERE %s
# WHERE: tensor([-9.,  2.])

# Keywords of dict() are entries; of enumerate(), the start.
# RUN: tsc-run %s --entry keywords --args '[5, 6]' | FileCheck --check-prefix=KEYWORDS %s
# KEYWORDS: ({'a': 1, 'b': 2}, {'a': 1, 'b': 3}, {'b': 1.0}, 21)

# A parameter before `/` is given by its place.
# RUN: tsc-run %s --entry places --args '3' | FileCheck --check-prefix=PLACES %s
# PLACES: 31
import torch
from typing import Dict, List, Tuple

def view_sizes(x: torch.Tensor, n: int):
    return x.view(-1).size(), x.view(n).size(), x.view(2, -1).size(), x.reshape(n).size()

def floors(x: torch.Tensor):
    y = torch.tensor([-7, 7])
    z = y.clone()
    z //= 2
    return x // 2, x // x, y // 2, y // 2.5, torch.tensor(7) // 2, z

def takes(xs: List[int]):
    return len(xs)

class Holder:
    def __init__(self):
        self.xs: List[int] = [1]

def empties(x: torch.Tensor, a: List[int]):
    h = Holder()
    h.xs = []
    h.xs.append(2)
    return torch.zeros([]), x.view([]), x.reshape([]), x.expand([]), x.permute([]), x.sum(dim=[]), x.as_strided([], []), takes([]), a == [], [] == a, h.xs, takes(xs=[])

def untyped(x: torch.Tensor):
    a = []
    return x.sum(dim=a)

def named(x: torch.Tensor):
    r = x.sort()
    m = x.max(0)
    return m.values, m.indices, r.values, torch.topk(x, 1).indices, torch.aminmax(x).max, torch.linalg.slogdet(torch.eye(2)).sign, torch.svd(torch.eye(2)).S, torch.kthvalue(x, 1).values, x.mode().values, x.median(0).indices, x.cummax(0).indices, torch.linalg.eigh(torch.eye(2)).eigenvalues

def nots(x: torch.Tensor):
    if not x.all():
        return 1
    return int(not (x[0] > 5)) + 1

def where(x: torch.Tensor):
    return x.where(x > 1, x - 10)

def keywords(xs: List[int]):
    pairs: List[Tuple[str, int]] = [("a", 1), ("b", 2)]
    floats: Dict[str, float] = dict(b=1.0)
    total = 0
    for i, x in enumerate(xs, start=1):
        total += i * x
    return dict(pairs), dict({"a": 1}, b=3), floats, total + 4

def digits(a: int, /, b: int):
    return 10 * a + b

def places(x: int):
    return digits(x, b=1)

# A number whose kind is known only when the program runs, as x.item() is, becomes what the place wants where it comes to
# one: an element, a value of a dict, an argument, a result, an attribute, a variable.
# RUN: tsc-run %s --entry lists --args 'torch.tensor(2.5)' -O0 | FileCheck --check-prefix=LISTS %s
# RUN: tsc-run %s --entry lists --args 'torch.tensor(2.5)' -O1 | FileCheck --check-prefix=LISTS %s
# RUN: tsc-run %s --entry lists --args 'torch.tensor(2.5)' -O2 | FileCheck --check-prefix=LISTS %s
# RUN: tsc-run %s --entry lists --args 'torch.tensor(2.5)' -O3 | FileCheck --check-prefix=LISTS %s
# RUN: tsc-run %s --entry lists --args 'torch.tensor(2.5)' --compile=eager | FileCheck --check-prefix=LISTS %s
# LISTS: ([2.5, 2.5, 3.5], [2.5, 7.5], [2, 4], [5.0, 2.5])
# RUN: tsc-run %s --entry lists --args 'torch.tensor(2)' -O0 | FileCheck --check-prefix=LISTS2 %s
# RUN: tsc-run %s --entry lists --args 'torch.tensor(2)' -O1 | FileCheck --check-prefix=LISTS2 %s
# RUN: tsc-run %s --entry lists --args 'torch.tensor(2)' -O2 | FileCheck --check-prefix=LISTS2 %s
# RUN: tsc-run %s --entry lists --args 'torch.tensor(2)' -O3 | FileCheck --check-prefix=LISTS2 %s
# RUN: tsc-run %s --entry lists --args 'torch.tensor(2)' --compile=eager | FileCheck --check-prefix=LISTS2 %s
# LISTS2: ([2.0, 2.0, 3.0], [2.0, 7.0], [2, 4], [4.0, 2.0])
# RUN: tsc-run %s --entry literals --args 'torch.tensor(2)' -O0 | FileCheck --check-prefix=LITERALS %s
# RUN: tsc-run %s --entry literals --args 'torch.tensor(2)' -O1 | FileCheck --check-prefix=LITERALS %s
# RUN: tsc-run %s --entry literals --args 'torch.tensor(2)' -O2 | FileCheck --check-prefix=LITERALS %s
# RUN: tsc-run %s --entry literals --args 'torch.tensor(2)' -O3 | FileCheck --check-prefix=LITERALS %s
# RUN: tsc-run %s --entry literals --args 'torch.tensor(2)' --compile=eager | FileCheck --check-prefix=LITERALS %s
# LITERALS: ([2.0, 1.0], [0.0, 2.0], [('a', 2.0)], [2.0], [{{\[}}2.0{{\]}}], {'a': 2.0})
# RUN: tsc-run %s --entry dicts --args 'torch.tensor(2)' -O0 | FileCheck --check-prefix=DICTS %s
# RUN: tsc-run %s --entry dicts --args 'torch.tensor(2)' -O1 | FileCheck --check-prefix=DICTS %s
# RUN: tsc-run %s --entry dicts --args 'torch.tensor(2)' -O2 | FileCheck --check-prefix=DICTS %s
# RUN: tsc-run %s --entry dicts --args 'torch.tensor(2)' -O3 | FileCheck --check-prefix=DICTS %s
# RUN: tsc-run %s --entry dicts --args 'torch.tensor(2)' --compile=eager | FileCheck --check-prefix=DICTS %s
# DICTS: ({'a': 3.0, 'b': 2.0, 'c': 2.0}, {2: 1.0})
# RUN: tsc-run %s --entry places --args 'torch.tensor(2)' -O0 | FileCheck --check-prefix=PLACES %s
# RUN: tsc-run %s --entry places --args 'torch.tensor(2)' -O1 | FileCheck --check-prefix=PLACES %s
# RUN: tsc-run %s --entry places --args 'torch.tensor(2)' -O2 | FileCheck --check-prefix=PLACES %s
# RUN: tsc-run %s --entry places --args 'torch.tensor(2)' -O3 | FileCheck --check-prefix=PLACES %s
# RUN: tsc-run %s --entry places --args 'torch.tensor(2)' --compile=eager | FileCheck --check-prefix=PLACES %s
# PLACES: (3.0, 2.0, 2, (2.0, 1), 2.0, 4.0)
# RUN: tsc-run %s --entry attributes --args 'torch.tensor(2)' -O0 | FileCheck --check-prefix=ATTRIBUTES %s
# RUN: tsc-run %s --entry attributes --args 'torch.tensor(2)' -O1 | FileCheck --check-prefix=ATTRIBUTES %s
# RUN: tsc-run %s --entry attributes --args 'torch.tensor(2)' -O2 | FileCheck --check-prefix=ATTRIBUTES %s
# RUN: tsc-run %s --entry attributes --args 'torch.tensor(2)' -O3 | FileCheck --check-prefix=ATTRIBUTES %s
# RUN: tsc-run %s --entry attributes --args 'torch.tensor(2)' --compile=eager | FileCheck --check-prefix=ATTRIBUTES %s
# ATTRIBUTES: (4.0, [2.0, 2.0])
# RUN: tsc-run %s --entry kinds --args 'torch.tensor(0.5)' -O0 | FileCheck --check-prefix=KINDS %s
# RUN: tsc-run %s --entry kinds --args 'torch.tensor(0.5)' -O1 | FileCheck --check-prefix=KINDS %s
# RUN: tsc-run %s --entry kinds --args 'torch.tensor(0.5)' -O2 | FileCheck --check-prefix=KINDS %s
# RUN: tsc-run %s --entry kinds --args 'torch.tensor(0.5)' -O3 | FileCheck --check-prefix=KINDS %s
# RUN: tsc-run %s --entry kinds --args 'torch.tensor(0.5)' --compile=eager | FileCheck --check-prefix=KINDS %s
# KINDS: (True, 1, False, (0.0, 0.5), tensor(0.5000), tensor(0.5000, dtype=torch.float64))
# RUN: tsc-run %s --entry kinds --args 'torch.tensor(0)' -O0 | FileCheck --check-prefix=KINDS2 %s
# RUN: tsc-run %s --entry kinds --args 'torch.tensor(0)' -O1 | FileCheck --check-prefix=KINDS2 %s
# RUN: tsc-run %s --entry kinds --args 'torch.tensor(0)' -O2 | FileCheck --check-prefix=KINDS2 %s
# RUN: tsc-run %s --entry kinds --args 'torch.tensor(0)' -O3 | FileCheck --check-prefix=KINDS2 %s
# RUN: tsc-run %s --entry kinds --args 'torch.tensor(0)' --compile=eager | FileCheck --check-prefix=KINDS2 %s
# KINDS2: (False, 0, True, (0, 0), tensor(0), tensor(0., dtype=torch.float64))
import torch
from typing import Dict, List, NamedTuple, Optional, Tuple


def lists(x: torch.Tensor):
    history: List[float] = []
    history += [x.item()]
    for i in range(2):
        history.append(x.max().item() + i)
    set: List[float] = [1.0, 5.0]
    set[0] = x.item()
    set[1] += x.item()
    whole = [1, 2]
    whole[0] = x.item()
    whole[1] += x.item()
    changed = [1.0]
    changed.insert(0, x.item())
    changed[0] += x.item()
    changed.pop()
    changed += [x.item() for i in range(1)]
    return history, set, whole, changed


def literals(x: torch.Tensor):
    listed: List[float] = [x.item(), 1.0]
    computed: List[float] = [x.item() * i for i in range(2)]
    pairs: List[Tuple[str, float]] = []
    pairs.append(("a", x.item()))
    maybe: List[Optional[float]] = []
    maybe.append(x.item())
    nested: List[List[float]] = [[]]
    nested[0] += [x.item()]
    named: Dict[str, float] = {"a": x.item()}
    return listed, computed, pairs, maybe, nested, named


def dicts(x: torch.Tensor):
    d: Dict[str, float] = {"a": 1.0}
    d["a"] += x.item()
    d["b"] = x.item()
    d.setdefault("c", x.item())
    numbered: Dict[int, float] = {}
    numbered[x.item()] = 1.0
    return d, numbered


def takes(f: float) -> float:
    return f + 1


def gives(x: torch.Tensor) -> float:
    return x.item()


def gives_int(x: torch.Tensor) -> int:
    return x.item()


def gives_both(x: torch.Tensor) -> Tuple[float, int]:
    return x.item(), 1


def places(x: torch.Tensor):
    f: float = x.item()
    total = 0.0
    for i in range(2):
        total += x.item()
    return takes(x.item()), gives(x), gives_int(x), gives_both(x), f, total


class Noted:
    def __init__(self, f: float):
        self.f = f
        self.all: List[float] = []

    def put(self, x: torch.Tensor):
        self.f += x.item()
        self.all.append(x.item())
        self.all += [x.item()]


def attributes(x: torch.Tensor):
    noted = Noted(x.item())
    noted.put(x)
    return noted.f, noted.all


# Where no one kind is wanted, the number has the kind that it has.
def kinds(x: torch.Tensor):
    n = 0
    if x.item():
        n = 1
    number = x.item()
    return bool(number), n, not x.item(), divmod(x.item(), 2), torch.tensor(number), torch.tensor(number, dtype=torch.float64)

# Programs whose traces would be wrong for other inputs: each is refused, and the line is named.
# RUN: %exits 1 tsc-run %s --entry positive --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=POSITIVE
# RUN: %exits 1 tsc-run %s --entry rows --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=ROWS
# RUN: %exits 1 tsc-run %s --entry shape --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=SHAPE
# RUN: %exits 1 tsc-run %s --entry elements --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=ELEMENTS
# RUN: %exits 1 tsc-run %s --entry length --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=LENGTH
# RUN: %exits 1 tsc-run %s --entry strides --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=STRIDES
# RUN: %exits 1 tsc-run %s --entry contiguous --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=CONTIGUOUS
# RUN: %exits 1 tsc-run %s --entry over_rows --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=OVER-ROWS
# RUN: %exits 1 tsc-run %s --entry until --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=UNTIL
# RUN: %exits 1 tsc-run %s --entry each_row --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=EACH-ROW
# RUN: %exits 1 tsc-run %s --entry each_chunk --args 'torch.ones([6])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=EACH-CHUNK
# RUN: %exits 1 tsc-run %s --entry item --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=ITEM
# RUN: %exits 1 tsc-run %s --entry int_of --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=INT-OF
# RUN: %exits 1 tsc-run %s --entry float_of --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=FLOAT-OF
# RUN: %exits 1 tsc-run %s --entry number --args 'torch.ones([2, 3]), 3' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=NUMBER
# RUN: %exits 1 tsc-run %s --entry text --args 'torch.ones([2, 3]), "max"' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=TEXT
# RUN: %exits 1 tsc-run %s --entry flag --args 'torch.ones([2, 3]), True' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=FLAG
# RUN: %exits 1 tsc-run %s --entry flags --args 'torch.ones([2, 3]), [True]' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=FLAGS
# RUN: %exits 1 tsc-run %s --entry in_dict --args '{"a": torch.ones([2, 3])}' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=IN-DICT
# RUN: %exits 1 tsc-run %s --entry in_tuple --args '(torch.ones([2, 3]), 3), 0' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=IN-TUPLE
# RUN: %exits 1 tsc-run %s --entry random --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=RANDOM
# RUN: %exits 1 tsc-run %s --entry called --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=CALLED
# RUN: %exits 1 tsc-run %s --entry called_list --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=CALLED-LIST
# RUN: %exits 1 tsc-run %s --entry filled_list --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=FILLED-LIST
# RUN: %exits 1 tsc-run %s --entry called_maybe --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=CALLED-MAYBE
# RUN: %exits 1 tsc-run %s --entry nested --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=NESTED
# RUN: %exits 1 tsc-run %s --entry asserted --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=ASSERTED
# RUN: %exits 1 tsc-run %s --entry grows --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=GROWS
# RUN: %exits 1 tsc-run %s --entry nonzero --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=NONZERO
# RUN: %exits 1 tsc-run %s --entry kept_size --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=KEPT-SIZE
# RUN: %exits 1 tsc-run %s --entry chosen --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=CHOSEN
# RUN: %exits 1 tsc-run %s --entry both --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=BOTH
# RUN: %exits 1 tsc-run %s --entry at_most --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=AT-MOST
# RUN: %exits 1 tsc-run %s --entry to_list --args 'torch.ones([3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=TO-LIST
# RUN: %exits 1 tsc-run %s --entry returns_early --args 'torch.ones([3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=RETURNS-EARLY
# RUN: %exits 1 tsc-run %s --entry breaks --args 'torch.ones([3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=BREAKS
# RUN: %exits 1 tsc-run %s --entry equal --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=EQUAL
# RUN: %exits 1 tsc-run %s --entry any_of --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=ANY-OF
# RUN: %exits 1 tsc-run %s --entry written --args 'torch.ones([2, 3])' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=WRITTEN
# RUN: %exits 1 tsc-run %s --entry list_of_inputs --args '[torch.ones([2, 3]), torch.ones([2, 3])]' --trace-to %t.pt 2>&1 | FileCheck %s --check-prefix=LIST-OF-INPUTS
import torch
from torch import Tensor
from typing import Dict, List, Optional, Tuple


def positive(x: Tensor) -> Tensor:
    # POSITIVE: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if x.sum() > 0:
        return x * 2
    return x


def rows(x: Tensor) -> Tensor:
    # ROWS: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on the sizes of tensors
    if x.size(0) > 2:
        return x * 2
    return x


def shape(x: Tensor) -> Tensor:
    # SHAPE: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on the sizes of tensors
    if x.shape[1] == 3:
        return x * 2
    return x


def elements(x: Tensor) -> Tensor:
    # ELEMENTS: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on the sizes of tensors
    if x.numel() > 3:
        return x * 2
    return x


def length(x: Tensor) -> Tensor:
    # LENGTH: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on the sizes of tensors
    if len(x) > 1:
        return x * 2
    return x


def strides(x: Tensor) -> Tensor:
    # STRIDES: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on the sizes of tensors
    if x.stride(0) == 3:
        return x * 2
    return x


def contiguous(x: Tensor) -> Tensor:
    # CONTIGUOUS: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on the sizes of tensors
    if x.is_contiguous():
        return x * 2
    return x


def over_rows(x: Tensor) -> Tensor:
    # OVER-ROWS: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this loop depends on the sizes of tensors
    for i in range(x.size(0)):
        x = x + i
    return x


def until(x: Tensor) -> Tensor:
    # UNTIL: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this loop depends on values that are known only when the trace runs
    while x.max() < 10:
        x = x * 2
    return x


def each_row(x: Tensor) -> Tensor:
    y = x[0]
    # EACH-ROW: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this loop depends on
    for row in x:
        y = y + row
    return y


def each_chunk(x: Tensor) -> Tensor:
    y = torch.zeros([2])
    # EACH-CHUNK: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this loop depends on
    for part in x.chunk(3):
        y = y + part
    return y


def item(x: Tensor) -> Tensor:
    # ITEM: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if x.max().item() > 1.0:
        return x * 2
    return x


def int_of(x: Tensor) -> Tensor:
    n = int(x.sum())
    # INT-OF: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this loop depends on values that are known only when the trace runs
    for i in range(n):
        x = x + i
    return x


def float_of(x: Tensor) -> Tensor:
    # FLOAT-OF: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if float(x.sum()) > 1.5:
        return x * 2
    return x


def number(x: Tensor, n: int) -> Tensor:
    # NUMBER: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if n > 2:
        return x * 2
    return x


def text(x: Tensor, mode: str) -> Tensor:
    # TEXT: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if mode == "max":
        return x.max()
    return x


def flag(x: Tensor, doubles: bool) -> Tensor:
    # FLAG: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if doubles:
        return x * 2
    return x


def flags(x: Tensor, doubles: List[bool]) -> Tensor:
    # FLAGS: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if doubles[0]:
        return x * 2
    return x


def in_dict(d: Dict[str, Tensor]) -> Tensor:
    # IN-DICT: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if d["a"].sum() > 0:
        return d["a"] * 2
    return d["a"]


def in_tuple(t: Tuple[Tensor, int], unused: int) -> Tensor:
    x, n = t
    # IN-TUPLE: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if n > 2:
        return x * 2
    return x


def random(x: Tensor) -> Tensor:
    # RANDOM: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if torch.rand([1]).item() < 2.0:
        return x * 2
    return x


def is_large(x: Tensor) -> bool:
    return bool(x.sum() > 2)


def called(x: Tensor) -> Tensor:
    # CALLED: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if is_large(x):
        return x * 2
    return x


def parts_of(x: Tensor) -> List[Tensor]:
    parts = [x]
    if x.size(0) > 1:
        parts.append(x)
    return parts


def called_list(x: Tensor) -> Tensor:
    y = x
    # CALLED-LIST: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this loop depends on values that are known only when the trace runs
    for part in parts_of(x):
        y = y + part
    return y


def fill(parts: List[Tensor], x: Tensor) -> None:
    if x.size(0) > 1:
        parts.append(x)


def filled_list(x: Tensor) -> Tensor:
    parts = [x]
    fill(parts, x)
    # FILLED-LIST: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if len(parts) > 1:
        return x * 2
    return x


def maybe(x: Tensor) -> Optional[Tensor]:
    if x.size(0) > 1:
        return x
    return None


def called_maybe(x: Tensor) -> Tensor:
    y = maybe(x)
    # CALLED-MAYBE: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if y is None:
        return x
    return x * 2


def nested(x: Tensor) -> Tensor:
    for i in range(2):
        # NESTED: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
        if x[i].sum() > 0:
            x = x * 2
    return x


def asserted(x: Tensor) -> Tensor:
    # ASSERTED: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    assert bool(x.sum() > 0)
    return x * 2


def grows(x: Tensor) -> List[Tensor]:
    rows: List[Tensor] = []
    # GROWS: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this loop depends on the sizes of tensors
    for i in range(x.size(0)):
        rows.append(x[i])
    return rows


def nonzero(x: Tensor) -> Tensor:
    # NONZERO: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this loop depends on the sizes of tensors
    for i in range(torch.nonzero(x).size(0)):
        x = x + i
    return x


def kept_size(x: Tensor) -> Tensor:
    sizes = [0]
    sizes.append(x.size(0))
    # KEPT-SIZE: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on the sizes of tensors
    if sizes[1] > 1:
        return x * 2
    return x


def chosen(x: Tensor) -> Tensor:
    # CHOSEN: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    return x if x.mean() > 0 else -x


def both(x: Tensor) -> Tensor:
    # BOTH: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on the sizes of tensors
    if x.size(0) > 1 and x.sum() > 0:
        return x * 2
    return x


def at_most(x: Tensor) -> Tensor:
    # AT-MOST: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this loop depends on the sizes of tensors
    for i in range(min(x.size(0), 3)):
        x = x + i
    return x


def to_list(x: Tensor) -> Tensor:
    numbers: List[float] = x.tolist()
    # TO-LIST: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if numbers[0] > 0.5:
        return x * 2
    return x


def returns_early(x: Tensor) -> Tensor:
    for i in range(3):
        # RETURNS-EARLY: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
        if x[i] > 2:
            return x * 2
    return x


def breaks(x: Tensor) -> Tensor:
    y = x
    for i in range(3):
        # BREAKS: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
        if x[i] > 2:
            break
        y = y + i
    return y


def equal(x: Tensor) -> Tensor:
    # EQUAL: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if torch.equal(x, x + 1):
        return x * 2
    return x


def any_of(x: Tensor) -> Tensor:
    # ANY-OF: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if x.isnan().any():
        return x * 2
    return x


def written(x: Tensor) -> Tensor:
    y = torch.zeros([2, 3])
    y.add_(x)
    # WRITTEN: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if y[0, 0] > 0:
        return x * 2
    return x


def list_of_inputs(xs: List[Tensor]) -> Tensor:
    xs.append(xs[0] + 1)
    # LIST-OF-INPUTS: refused.py:[[#@LINE+1]]:{{[0-9]+}}: this branch depends on values that are known only when the trace runs, so that no trace can hold it
    if xs[2].sum() > 0:
        return xs[0] * 2
    return xs[0]

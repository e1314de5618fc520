# Operators on packed parameters are written under PyTorch's names, whatever their overload is called here.
# RUN: tsc-translate %s --entry main --to py | FileCheck %s
import torch
from typing import List, Tuple
from torch import Tensor


# CHECK-DAG: torch.quantized_gru(x, sizes, h, cells, True, 1, 0., False, False)
# CHECK-DAG: ops.quantized.add(q, 2)
def main(x: Tensor, sizes: Tensor, h: Tensor, cells: List[torch.classes.rnn.CellParamsBase], q: Tensor):
    return torch.quantized_gru(x, sizes, h, cells, True, 1, 0.0, False, False), torch.ops.quantized.add(q, 2)

# Operators on packed parameters are written under PyTorch's names, whatever their overload is called here.
# RUN: tsc-translate %s --entry main --to py | FileCheck %s
import torch
from typing import List, Tuple
from torch import Tensor


# CHECK-DAG: torch.quantized_gru(x, sizes, h, cells, True, 1, 0., False, False)
# CHECK-DAG: ops.quantized.add(q, 2)
def main(x: Tensor, sizes: Tensor, h: Tensor, cells: List[torch.classes.rnn.CellParamsBase], q: Tensor):
    return torch.quantized_gru(x, sizes, h, cells, True, 1, 0.0, False, False), torch.ops.quantized.add(q, 2)


# What PyTorch takes by keyword alone is written so, and what is as usual not at all.
# RUN: tsc-translate %s --entry lstm --to py | FileCheck %s --check-prefix=LSTM
# LSTM-DAG: torch.quantized_lstm(x, hx, cells, True, 1, 0., False, False, True, dtype=12, use_dynamic=True)
# LSTM-DAG: torch.quantized_lstm(x, sizes, hx, cells, True, 1, 0., False, False, use_dynamic=True)
# LSTM-DAG: torch.quantized_lstm(x, hx, cells, True, 1, 0., False, False, False)
def lstm(x: Tensor, sizes: Tensor, hx: List[Tensor], cells: List[torch.classes.rnn.CellParamsBase]):
    a = torch.quantized_lstm(x, hx, cells, True, 1, 0.0, False, False, True, dtype=torch.qint8, use_dynamic=True)
    b = torch.quantized_lstm(x, sizes, hx, cells, True, 1, 0.0, False, False, use_dynamic=True)
    return a, b, torch.quantized_lstm(x, hx, cells, True, 1, 0.0, False, False, False)

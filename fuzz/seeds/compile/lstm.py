# An LSTM over a sequence, its cell written out in TorchScript: no Python and no libtorch run it.
#   tsc-run --seed 0 examples/lstm.py
#   tsc-run --print-ir=frontend --entry lstm_cell … shows the graph of the cell.
import torch
from typing import List, Tuple
from torch import Tensor


def lstm_cell(input: Tensor, hidden: Tuple[Tensor, Tensor], w_ih: Tensor, w_hh: Tensor, b_ih: Tensor,
              b_hh: Tensor) -> Tuple[Tensor, Tensor]:
    hx, cx = hidden
    gates = torch.mm(input, w_ih.t()) + torch.mm(hx, w_hh.t()) + b_ih + b_hh
    ingate, forgetgate, cellgate, outgate = gates.chunk(4, 1)
    cy = torch.sigmoid(forgetgate) * cx + torch.sigmoid(ingate) * torch.tanh(cellgate)
    hy = torch.sigmoid(outgate) * torch.tanh(cy)
    return hy, cy


def lstm(inputs: Tensor, hidden: Tuple[Tensor, Tensor], w_ih: Tensor, w_hh: Tensor, b_ih: Tensor,
         b_hh: Tensor) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
    outputs: List[Tensor] = []
    for step in range(inputs.size(0)):
        hidden = lstm_cell(inputs[step], hidden, w_ih, w_hh, b_ih, b_hh)
        outputs.append(hidden[0])
    return torch.stack(outputs), hidden


def main():
    steps, batch, width, size = 3, 2, 4, 5
    inputs = torch.randn([steps, batch, width])
    hidden = (torch.zeros([batch, size]), torch.zeros([batch, size]))
    w_ih, w_hh = torch.randn([4 * size, width]), torch.randn([4 * size, size])
    b_ih, b_hh = torch.randn([4 * size]), torch.randn([4 * size])
    outputs, hidden = lstm(inputs, hidden, w_ih, w_hh, b_ih, b_hh)
    print("last hidden state:", hidden[0])
    return outputs

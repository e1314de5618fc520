# Recurrent cells whose products are linear maps of integers, over sequences that are padded or packed. The parameters of
# a layer and direction are an object of torch.classes.rnn: its kind, tensors, numbers and two packed linear maps, of the
# input and of the hidden state.
import torch
from typing import List, Optional, Tuple
from torch import Tensor


def make_quantized_cell_params_dynamic(w_ih: LinearPackedParamsBase, w_hh: LinearPackedParamsBase, bias_ih: Tensor,
                                       bias_hh: Tensor, reduce_range: bool = False) -> torch.classes.rnn.CellParamsBase:
    none: List[float] = []
    return torch.classes.rnn.CellParamsBase("quantized_dynamic", [bias_ih, bias_hh], none, [int(reduce_range)],
                                            [w_ih, w_hh])


def make_quantized_cell_params_fp16(w_ih: LinearPackedParamsBase,
                                    w_hh: LinearPackedParamsBase) -> torch.classes.rnn.CellParamsBase:
    tensors: List[Tensor] = []
    doubles: List[float] = []
    longs: List[int] = []
    return torch.classes.rnn.CellParamsBase("quantized_fp16", tensors, doubles, longs, [w_ih, w_hh])


# The product of the input (0) or of the hidden state (1) with its weight.

def _product(params: torch.classes.rnn.CellParamsBase, which: int, x: Tensor) -> Tensor:
    if params.type == "quantized_dynamic":
        return linear_dynamic(x, params.packed[which], bool(params.longs[0]))
    if params.type == "quantized_fp16":
        return linear_dynamic_fp16(x, params.packed[which])
    raise RuntimeError("cells with parameters of the kind '" + params.type + "' are not supported")


def _lstm_step(igates: Tensor, hgates: Tensor, c: Tensor) -> Tuple[Tensor, Tensor]:
    gates = torch.chunk(igates + hgates, 4, 1)
    cell = torch.sigmoid(gates[1]) * c + torch.sigmoid(gates[0]) * torch.tanh(gates[2])
    return torch.sigmoid(gates[3]) * torch.tanh(cell), cell


def _gru_step(igates: Tensor, hgates: Tensor, h: Tensor) -> Tensor:
    i = torch.chunk(igates, 3, 1)
    g = torch.chunk(hgates, 3, 1)
    reset = torch.sigmoid(g[0] + i[0])
    update = torch.sigmoid(g[1] + i[1])
    new = torch.tanh(i[2] + g[2] * reset)
    return (h - new) * update + new


# One direction of a layer. The rows of a step are those sequences that are as long: they grow fewer with time, so the
# state of those that ended is set aside, and backwards in time sequences join with their first state. The input of all
# steps is quantized as one, the hidden state of each step by itself.

def _lstm_direction(data: Tensor, sizes: List[int], first_h: Tensor, first_c: Tensor,
                    params: torch.classes.rnn.CellParamsBase, backwards: bool) -> Tuple[Tensor, Tensor, Tensor]:
    igates = _product(params, 0, data).split(sizes)
    outputs: List[Tensor] = []
    ended_h: List[Tensor] = []
    ended_c: List[Tensor] = []
    rows = sizes[-1] if backwards else first_h.size(0)
    h = first_h[:rows]
    c = first_c[:rows]
    for t in range(len(sizes)):
        step = len(sizes) - 1 - t if backwards else t
        now = sizes[step]
        if now < rows:
            ended_h.append(h[now:])
            ended_c.append(c[now:])
            h = h[:now]
            c = c[:now]
        elif now > rows:
            h = torch.cat([h, first_h[rows:now]])
            c = torch.cat([c, first_c[rows:now]])
        rows = now
        h, c = _lstm_step(igates[step], _product(params, 1, h), c)
        outputs.append(h)
    if backwards:
        outputs.reverse()
    ended_h.append(h)
    ended_c.append(c)
    ended_h.reverse()
    ended_c.reverse()
    return torch.cat(outputs), torch.cat(ended_h), torch.cat(ended_c)


def _gru_direction(data: Tensor, sizes: List[int], first_h: Tensor, params: torch.classes.rnn.CellParamsBase,
                   backwards: bool) -> Tuple[Tensor, Tensor]:
    igates = _product(params, 0, data).split(sizes)
    outputs: List[Tensor] = []
    ended: List[Tensor] = []
    rows = sizes[-1] if backwards else first_h.size(0)
    h = first_h[:rows]
    for t in range(len(sizes)):
        step = len(sizes) - 1 - t if backwards else t
        now = sizes[step]
        if now < rows:
            ended.append(h[now:])
            h = h[:now]
        elif now > rows:
            h = torch.cat([h, first_h[rows:now]])
        rows = now
        h = _gru_step(igates[step], _product(params, 1, h), h)
        outputs.append(h)
    if backwards:
        outputs.reverse()
    ended.append(h)
    ended.reverse()
    return torch.cat(outputs), torch.cat(ended)


def _check_layers(sizes: List[int], params: int, num_layers: int, bidirectional: bool, states: int):
    directions = 2 if bidirectional else 1
    if len(sizes) == 0:
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    if params != num_layers * directions:
        raise RuntimeError(f"got {params} parameter objects for {num_layers} layers of {directions} directions")
    if states != num_layers * directions:
        raise RuntimeError(f"got {states} hidden states for {num_layers} layers of {directions} directions")


def _lstm_layers(data: Tensor, sizes: List[int], hx: List[Tensor], params: List[torch.classes.rnn.CellParamsBase],
                 num_layers: int, dropout: float, train: bool,
                 bidirectional: bool) -> Tuple[Tensor, Tensor, Tensor]:
    _check_layers(sizes, len(params), num_layers, bidirectional, hx[0].size(0))
    hs: List[Tensor] = []
    cs: List[Tensor] = []
    at = 0
    for layer in range(num_layers):
        output, h, c = _lstm_direction(data, sizes, hx[0][at], hx[1][at], params[at], False)
        hs.append(h)
        cs.append(c)
        at += 1
        if bidirectional:
            other, h2, c2 = _lstm_direction(data, sizes, hx[0][at], hx[1][at], params[at], True)
            hs.append(h2)
            cs.append(c2)
            at += 1
            output = torch.cat([output, other], 1)
        data = output if layer + 1 == num_layers else torch.dropout(output, dropout, train)
    return data, torch.stack(hs), torch.stack(cs)


def _gru_layers(data: Tensor, sizes: List[int], hx: Tensor, params: List[torch.classes.rnn.CellParamsBase],
                num_layers: int, dropout: float, train: bool, bidirectional: bool) -> Tuple[Tensor, Tensor]:
    _check_layers(sizes, len(params), num_layers, bidirectional, hx.size(0))
    hs: List[Tensor] = []
    at = 0
    for layer in range(num_layers):
        output, h = _gru_direction(data, sizes, hx[at], params[at], False)
        hs.append(h)
        at += 1
        if bidirectional:
            other, h2 = _gru_direction(data, sizes, hx[at], params[at], True)
            hs.append(h2)
            at += 1
            output = torch.cat([output, other], 1)
        data = output if layer + 1 == num_layers else torch.dropout(output, dropout, train)
    return data, torch.stack(hs)


# A padded sequence is a packed one whose steps all have as many rows.

def _packed(input: Tensor, batch_first: bool) -> Tuple[Tensor, List[int]]:
    steps = input.transpose(0, 1) if batch_first else input
    sizes: List[int] = []
    for _ in range(steps.size(0)):
        sizes.append(steps.size(1))
    return steps.flatten(0, 1), sizes


def _padded(output: Tensor, sizes: List[int], batch_first: bool) -> Tensor:
    steps = output.view(len(sizes), sizes[0], -1)
    return steps.transpose(0, 1) if batch_first else steps


def quantized_lstm(input: Tensor, hx: List[Tensor], params: List[torch.classes.rnn.CellParamsBase], has_biases: bool,
                   num_layers: int, dropout: float, train: bool, bidirectional: bool, batch_first: bool,
                   *, dtype: Optional[int] = None, use_dynamic: bool = False) -> Tuple[Tensor, Tensor, Tensor]:
    data, sizes = _packed(input, batch_first)
    output, h, c = _lstm_layers(data, sizes, hx, params, num_layers, dropout, train, bidirectional)
    return _padded(output, sizes, batch_first), h, c


def _quantized_lstm_of_packed(data: Tensor, batch_sizes: Tensor, hx: List[Tensor],
                              params: List[torch.classes.rnn.CellParamsBase], has_biases: bool, num_layers: int,
                              dropout: float, train: bool, bidirectional: bool, *, dtype: Optional[int] = None,
                              use_dynamic: bool = False) -> Tuple[Tensor, Tensor, Tensor]:
    sizes: List[int] = batch_sizes.tolist()
    return _lstm_layers(data, sizes, hx, params, num_layers, dropout, train, bidirectional)


def quantized_gru(input: Tensor, hx: Tensor, params: List[torch.classes.rnn.CellParamsBase], has_biases: bool,
                  num_layers: int, dropout: float, train: bool, bidirectional: bool,
                  batch_first: bool) -> Tuple[Tensor, Tensor]:
    data, sizes = _packed(input, batch_first)
    output, h = _gru_layers(data, sizes, hx, params, num_layers, dropout, train, bidirectional)
    return _padded(output, sizes, batch_first), h


def _quantized_gru_of_packed(data: Tensor, batch_sizes: Tensor, hx: Tensor,
                             params: List[torch.classes.rnn.CellParamsBase], has_biases: bool, num_layers: int,
                             dropout: float, train: bool, bidirectional: bool) -> Tuple[Tensor, Tensor]:
    sizes: List[int] = batch_sizes.tolist()
    return _gru_layers(data, sizes, hx, params, num_layers, dropout, train, bidirectional)


# Single cells keep within seven bits of the input.

def quantized_lstm_cell_dynamic(input: Tensor, hx: List[Tensor], w_ih: LinearPackedParamsBase,
                                w_hh: LinearPackedParamsBase, bias_ih: Tensor,
                                bias_hh: Tensor) -> Tuple[Tensor, Tensor]:
    return _lstm_step(linear_dynamic(input, w_ih, True), linear_dynamic(hx[0], w_hh, True), hx[1])


def quantized_gru_cell_dynamic(input: Tensor, hx: Tensor, w_ih: LinearPackedParamsBase, w_hh: LinearPackedParamsBase,
                               b_ih: Tensor, b_hh: Tensor) -> Tensor:
    return _gru_step(linear_dynamic(input, w_ih, True), linear_dynamic(hx, w_hh, True), hx)


def quantized_rnn_tanh_cell_dynamic(input: Tensor, hx: Tensor, w_ih: LinearPackedParamsBase,
                                    w_hh: LinearPackedParamsBase, b_ih: Tensor, b_hh: Tensor) -> Tensor:
    return torch.tanh(linear_dynamic(input, w_ih, True) + linear_dynamic(hx, w_hh, True))


def quantized_rnn_relu_cell_dynamic(input: Tensor, hx: Tensor, w_ih: LinearPackedParamsBase,
                                    w_hh: LinearPackedParamsBase, b_ih: Tensor, b_hh: Tensor) -> Tensor:
    return torch.relu(linear_dynamic(input, w_ih, True) + linear_dynamic(hx, w_hh, True))

# Recurrent layers and their cells.

class RNNBase(Module):
    def __init__(self, mode, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__()
        if proj_size < 0 or (proj_size > 0 and proj_size >= hidden_size):
            raise ValueError("proj_size has to be smaller than hidden_size")
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._directions = 2 if bidirectional else 1
        gates = {"LSTM": 4, "GRU": 3}.get(mode, 1)
        width = proj_size if proj_size > 0 else hidden_size
        names = []
        for layer in range(num_layers):
            for suffix in ["", "_reverse"][:self._directions]:
                inner = input_size if layer == 0 else width * self._directions
                shapes = [("weight_ih", (gates * hidden_size, inner)), ("weight_hh", (gates * hidden_size, width))]
                if bias:
                    shapes += [("bias_ih", (gates * hidden_size,)), ("bias_hh", (gates * hidden_size,))]
                if proj_size > 0:
                    shapes.append(("weight_hr", (proj_size, hidden_size)))
                for name, shape in shapes:
                    full = "{}_l{}{}".format(name, layer, suffix)
                    setattr(self, full, Parameter(torch.empty(shape, device=device, dtype=dtype)))
                    names.append(full)
        self._flat_weights_names = tuple(names)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0.0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def flatten_parameters(self):
        pass

    def _check_input(self, input: Tensor) -> None:
        if input.dim() != 2 and input.dim() != 3:
            raise RuntimeError("input must have 2 or 3 dimensions, got {}".format(input.dim()))
        if input.size(-1) != self.input_size:
            raise RuntimeError("input.size(-1) must be equal to input_size. Expected {}, got {}".format(
                self.input_size, input.size(-1)))

    def _check_hidden(self, state: Tensor, expected: List[int], message: str) -> None:
        if list(state.size()) != expected:
            raise RuntimeError(message.format(expected, list(state.size())))

    def extra_repr(self):
        s = "{}, {}".format(self.input_size, self.hidden_size)
        if self.proj_size != 0:
            s += ", proj_size={}".format(self.proj_size)
        if self.num_layers != 1:
            s += ", num_layers={}".format(self.num_layers)
        if self.bias is not True:
            s += ", bias={}".format(self.bias)
        if self.batch_first is not False:
            s += ", batch_first={}".format(self.batch_first)
        if self.dropout != 0:
            s += ", dropout={}".format(self.dropout)
        if self.bidirectional is not False:
            s += ", bidirectional={}".format(self.bidirectional)
        return s


class RNN(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False,
                 dropout=0.0, bidirectional=False, device=None, dtype=None):
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError("Unknown nonlinearity '{}'".format(nonlinearity))
        super().__init__("RNN_" + nonlinearity.upper(), input_size, hidden_size, num_layers, bias, batch_first, dropout,
                         bidirectional, 0, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        self._check_input(input)
        is_batched = input.dim() == 3
        batch_dim = 0 if self.batch_first else 1
        if not is_batched:
            input = input.unsqueeze(batch_dim)
        rows = self.num_layers * self._directions
        if hx is None:
            hx = torch.zeros(rows, input.size(batch_dim), self.hidden_size, dtype=input.dtype, device=input.device)
        elif not is_batched:
            hx = hx.unsqueeze(1)
        self._check_hidden(hx, [rows, input.size(batch_dim), self.hidden_size], "Expected hidden size {}, got {}")
        if self.nonlinearity == "tanh":
            output, hidden = torch.rnn_tanh(input, hx, list(self.parameters()), self.bias, self.num_layers,
                                            self.dropout, self.training, self.bidirectional, self.batch_first)
        else:
            output, hidden = torch.rnn_relu(input, hx, list(self.parameters()), self.bias, self.num_layers,
                                            self.dropout, self.training, self.bidirectional, self.batch_first)
        if not is_batched:
            return output.squeeze(batch_dim), hidden.squeeze(1)
        return output, hidden


class LSTM(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        super().__init__("LSTM", input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional,
                         proj_size, device, dtype)

    def forward(self, input: Tensor,
                hx: Optional[Tuple[Tensor, Tensor]] = None) -> Tuple[Tensor, Tuple[Tensor, Tensor]]:
        self._check_input(input)
        is_batched = input.dim() == 3
        batch_dim = 0 if self.batch_first else 1
        if not is_batched:
            input = input.unsqueeze(batch_dim)
        rows = self.num_layers * self._directions
        batches = input.size(batch_dim)
        width = self.proj_size if self.proj_size > 0 else self.hidden_size
        if hx is None:
            state = [torch.zeros(rows, batches, width, dtype=input.dtype, device=input.device),
                     torch.zeros(rows, batches, self.hidden_size, dtype=input.dtype, device=input.device)]
        elif is_batched:
            state = [hx[0], hx[1]]
        else:
            state = [hx[0].unsqueeze(1), hx[1].unsqueeze(1)]
        self._check_hidden(state[0], [rows, batches, width], "Expected hidden[0] size {}, got {}")
        self._check_hidden(state[1], [rows, batches, self.hidden_size], "Expected hidden[1] size {}, got {}")
        output, hidden, cell = torch.lstm(input, state, list(self.parameters()), self.bias, self.num_layers,
                                          self.dropout, self.training, self.bidirectional, self.batch_first)
        if not is_batched:
            return output.squeeze(batch_dim), (hidden.squeeze(1), cell.squeeze(1))
        return output, (hidden, cell)


class GRU(RNNBase):
    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, device=None, dtype=None):
        super().__init__("GRU", input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, 0,
                         device, dtype)

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tuple[Tensor, Tensor]:
        self._check_input(input)
        is_batched = input.dim() == 3
        batch_dim = 0 if self.batch_first else 1
        if not is_batched:
            input = input.unsqueeze(batch_dim)
        rows = self.num_layers * self._directions
        if hx is None:
            hx = torch.zeros(rows, input.size(batch_dim), self.hidden_size, dtype=input.dtype, device=input.device)
        elif not is_batched:
            hx = hx.unsqueeze(1)
        self._check_hidden(hx, [rows, input.size(batch_dim), self.hidden_size], "Expected hidden size {}, got {}")
        output, hidden = torch.gru(input, hx, list(self.parameters()), self.bias, self.num_layers, self.dropout,
                                   self.training, self.bidirectional, self.batch_first)
        if not is_batched:
            return output.squeeze(batch_dim), hidden.squeeze(1)
        return output, hidden


class RNNCellBase(Module):
    def __init__(self, input_size, hidden_size, bias, num_chunks, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        self.weight_ih = Parameter(torch.empty((num_chunks * hidden_size, input_size), device=device, dtype=dtype))
        self.weight_hh = Parameter(torch.empty((num_chunks * hidden_size, hidden_size), device=device, dtype=dtype))
        if bias:
            self.bias_ih = Parameter(torch.empty((num_chunks * hidden_size,), device=device, dtype=dtype))
            self.bias_hh = Parameter(torch.empty((num_chunks * hidden_size,), device=device, dtype=dtype))
        else:
            self.register_parameter("bias_ih", None)
            self.register_parameter("bias_hh", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0.0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self):
        s = "{}, {}".format(self.input_size, self.hidden_size)
        if self.bias is not True:
            s += ", bias={}".format(self.bias)
        return s


class RNNCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        is_batched = input.dim() == 2
        if not is_batched:
            input = input.unsqueeze(0)
        if hx is None:
            hx = torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
        elif not is_batched:
            hx = hx.unsqueeze(0)
        if self.nonlinearity == "tanh":
            result = torch.rnn_tanh_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        else:
            result = torch.rnn_relu_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return result if is_batched else result.squeeze(0)

    def extra_repr(self):
        s = super().extra_repr()
        if self.nonlinearity != "tanh":
            s += ", nonlinearity={}".format(self.nonlinearity)
        return s


class LSTMCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(self, input: Tensor, hx: Optional[Tuple[Tensor, Tensor]] = None) -> Tuple[Tensor, Tensor]:
        is_batched = input.dim() == 2
        if not is_batched:
            input = input.unsqueeze(0)
        if hx is None:
            zeros = torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
            state = [zeros, zeros]
        elif is_batched:
            state = [hx[0], hx[1]]
        else:
            state = [hx[0].unsqueeze(0), hx[1].unsqueeze(0)]
        hidden, cell = torch.lstm_cell(input, state, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        if not is_batched:
            return hidden.squeeze(0), cell.squeeze(0)
        return hidden, cell


class GRUCell(RNNCellBase):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Optional[Tensor] = None) -> Tensor:
        is_batched = input.dim() == 2
        if not is_batched:
            input = input.unsqueeze(0)
        if hx is None:
            hx = torch.zeros(input.size(0), self.hidden_size, dtype=input.dtype, device=input.device)
        elif not is_batched:
            hx = hx.unsqueeze(0)
        result = torch.gru_cell(input, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return result if is_batched else result.squeeze(0)

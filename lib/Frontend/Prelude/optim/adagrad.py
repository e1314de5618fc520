# Adagrad: steps divided by the root of the sum of all squared gradients.

class Adagrad:
    def __init__(self, params: List[Tensor], lr: float = 1e-2, lr_decay: float = 0.0, weight_decay: float = 0.0,
                 initial_accumulator_value: float = 0.0, eps: float = 1e-10, maximize: bool = False) -> None:
        _check("learning rate", lr)
        _check("lr_decay value", lr_decay)
        _check("weight_decay value", weight_decay)
        _check("initial_accumulator_value value", initial_accumulator_value)
        _check("epsilon value", eps)
        self.params = params
        self.lr = lr
        self.initial_lr: Optional[float] = None
        self.lr_decay = lr_decay
        self.weight_decay = weight_decay
        self.eps = eps
        self.maximize = maximize
        self.steps: Dict[int, int] = {}
        self.initial_accumulator_value = initial_accumulator_value
        self.sum: Dict[int, Tensor] = {}

    def _rate(self) -> float:
        return self.lr

    def _set_rate(self, lr: float) -> None:
        self.lr = lr

    def _initial_rate(self) -> float:
        rate = _known_rate(self.initial_lr, self.lr)
        self.initial_lr = rate
        return rate

    def zero_grad(self, set_to_none: bool = True) -> None:
        _zero_grad(self.params, set_to_none)

    def step(self) -> None:
        with torch.no_grad():
            for i, param in enumerate(self.params):
                gradient = _gradient(param, self.maximize, self.weight_decay)
                if gradient is not None:
                    rate = self.lr / (1 + (_next_step(self.steps, i) - 1) * self.lr_decay)
                    if i not in self.sum:
                        self.sum[i] = torch.full_like(param, self.initial_accumulator_value)
                    self.sum[i].addcmul_(gradient, gradient, value=1)
                    param.addcdiv_(gradient, self.sum[i].sqrt().add_(self.eps), value=-rate)

    def state_dict(self) -> Dict[str, Tensor]:
        state: Dict[str, Tensor] = {}
        _put_steps(state, self.steps)
        _put(state, "sum", self.sum)
        return state

    def load_state_dict(self, state_dict: Dict[str, Tensor]) -> None:
        self.steps = _take_steps(state_dict, self.params)
        self.sum = _take(state_dict, "sum", self.params)

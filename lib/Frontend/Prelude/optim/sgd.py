# Stochastic gradient descent, with momentum.

class SGD:
    def __init__(self, params: List[Tensor], lr: float = 1e-3, momentum: float = 0.0, dampening: float = 0.0,
                 weight_decay: float = 0.0, nesterov: bool = False, maximize: bool = False) -> None:
        _check("learning rate", lr)
        _check("momentum value", momentum)
        _check("weight_decay value", weight_decay)
        if nesterov and (momentum <= 0.0 or dampening != 0.0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        self.params = params
        self.lr = lr
        self.initial_lr: Optional[float] = None
        self.momentum = momentum
        self.dampening = dampening
        self.weight_decay = weight_decay
        self.nesterov = nesterov
        self.maximize = maximize
        self.momentum_buffer: Dict[int, Tensor] = {}

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
                    param.add_(self._direction(i, gradient), alpha=-self.lr)

    def _direction(self, i: int, gradient: Tensor) -> Tensor:
        if self.momentum == 0.0:
            return gradient
        if i in self.momentum_buffer:
            self.momentum_buffer[i].mul_(self.momentum).add_(gradient, alpha=1 - self.dampening)
        else:
            self.momentum_buffer[i] = gradient.clone()
        velocity = self.momentum_buffer[i]
        return gradient.add(velocity, alpha=self.momentum) if self.nesterov else velocity

    def state_dict(self) -> Dict[str, Tensor]:
        state: Dict[str, Tensor] = {}
        _put(state, "momentum_buffer", self.momentum_buffer)
        return state

    def load_state_dict(self, state_dict: Dict[str, Tensor]) -> None:
        self.momentum_buffer = _take(state_dict, "momentum_buffer", self.params)

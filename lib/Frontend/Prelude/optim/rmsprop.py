# RMSprop: steps divided by a running root mean square of the gradient; centered: by its standard deviation.

class RMSprop:
    def __init__(self, params: List[Tensor], lr: float = 1e-2, alpha: float = 0.99, eps: float = 1e-8,
                 weight_decay: float = 0.0, momentum: float = 0.0, centered: bool = False,
                 maximize: bool = False) -> None:
        _check("learning rate", lr)
        _check("epsilon value", eps)
        _check("momentum value", momentum)
        _check("weight_decay value", weight_decay)
        _check("alpha value", alpha)
        self.params = params
        self.lr = lr
        self.initial_lr: Optional[float] = None
        self.alpha = alpha
        self.eps = eps
        self.weight_decay = weight_decay
        self.momentum = momentum
        self.centered = centered
        self.maximize = maximize
        self.square_avg: Dict[int, Tensor] = {}
        self.grad_avg: Dict[int, Tensor] = {}
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
                    self._step(i, param, gradient)

    def _step(self, i: int, param: Tensor, gradient: Tensor) -> None:
        square_avg = _zeros_once(self.square_avg, i, param)
        square_avg.mul_(self.alpha).addcmul_(gradient, gradient, value=1 - self.alpha)
        if self.centered:
            grad_avg = _zeros_once(self.grad_avg, i, param)
            grad_avg.lerp_(gradient, 1 - self.alpha)
            root = square_avg.addcmul(grad_avg, grad_avg, value=-1).sqrt_()
        else:
            root = square_avg.sqrt()
        root.add_(self.eps)
        if self.momentum > 0.0:
            velocity = _zeros_once(self.momentum_buffer, i, param)
            velocity.mul_(self.momentum).addcdiv_(gradient, root)
            param.add_(velocity, alpha=-self.lr)
        else:
            param.addcdiv_(gradient, root, value=-self.lr)

    def state_dict(self) -> Dict[str, Tensor]:
        state: Dict[str, Tensor] = {}
        _put(state, "square_avg", self.square_avg)
        _put(state, "grad_avg", self.grad_avg)
        _put(state, "momentum_buffer", self.momentum_buffer)
        return state

    def load_state_dict(self, state_dict: Dict[str, Tensor]) -> None:
        self.square_avg = _take(state_dict, "square_avg", self.params)
        self.grad_avg = _take(state_dict, "grad_avg", self.params)
        self.momentum_buffer = _take(state_dict, "momentum_buffer", self.params)

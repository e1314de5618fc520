# Adam, and AdamW, which takes weights down by themselves and not through the gradient.

def _check_adam(lr: float, betas: Tuple[float, float], eps: float, weight_decay: float) -> None:
    _check("learning rate", lr)
    _check("epsilon value", eps)
    _check("weight_decay value", weight_decay)
    if not 0.0 <= betas[0] < 1.0:
        raise ValueError("Invalid beta parameter at index 0: " + str(betas[0]))
    if not 0.0 <= betas[1] < 1.0:
        raise ValueError("Invalid beta parameter at index 1: " + str(betas[1]))


def _adam_step(param: Tensor, gradient: Tensor, exp_avg: Tensor, exp_avg_sq: Tensor, max_exp_avg_sq: Optional[Tensor],
               step: float, lr: float, betas: Tuple[float, float], eps: float) -> None:
    exp_avg.lerp_(gradient, 1 - betas[0])
    exp_avg_sq.mul_(betas[1]).addcmul_(gradient, gradient, value=1 - betas[1])
    second = exp_avg_sq
    if max_exp_avg_sq is not None:
        max_exp_avg_sq.copy_(torch.maximum(max_exp_avg_sq, exp_avg_sq))
        second = max_exp_avg_sq
    step_size = lr / (1 - betas[0] ** step)
    denominator = (second.sqrt() / (1 - betas[1] ** step) ** 0.5).add_(eps)
    param.addcdiv_(exp_avg, denominator, value=-step_size)


class Adam:
    def __init__(self, params: List[Tensor], lr: float = 1e-3, betas: Tuple[float, float] = (0.9, 0.999),
                 eps: float = 1e-8, weight_decay: float = 0.0, amsgrad: bool = False,
                 maximize: bool = False) -> None:
        _check_adam(lr, betas, eps, weight_decay)
        self.params = params
        self.lr = lr
        self.initial_lr: Optional[float] = None
        self.betas = betas
        self.eps = eps
        self.weight_decay = weight_decay
        self.amsgrad = amsgrad
        self.maximize = maximize
        self.steps: Dict[int, int] = {}
        self.exp_avg: Dict[int, Tensor] = {}
        self.exp_avg_sq: Dict[int, Tensor] = {}
        self.max_exp_avg_sq: Dict[int, Tensor] = {}

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

    # The direction to go down for a parameter; what decays by itself has decayed by then.
    def _descent(self, param: Tensor) -> Optional[Tensor]:
        return _gradient(param, self.maximize, self.weight_decay)

    def step(self) -> None:
        with torch.no_grad():
            for i, param in enumerate(self.params):
                gradient = self._descent(param)
                if gradient is not None:
                    _adam_step(param, gradient, _zeros_once(self.exp_avg, i, param),
                               _zeros_once(self.exp_avg_sq, i, param),
                               _zeros_once(self.max_exp_avg_sq, i, param) if self.amsgrad else None,
                               _next_step(self.steps, i), self.lr, self.betas, self.eps)

    def state_dict(self) -> Dict[str, Tensor]:
        state: Dict[str, Tensor] = {}
        _put_steps(state, self.steps)
        _put(state, "exp_avg", self.exp_avg)
        _put(state, "exp_avg_sq", self.exp_avg_sq)
        _put(state, "max_exp_avg_sq", self.max_exp_avg_sq)
        return state

    def load_state_dict(self, state_dict: Dict[str, Tensor]) -> None:
        self.steps = _take_steps(state_dict, self.params)
        self.exp_avg = _take(state_dict, "exp_avg", self.params)
        self.exp_avg_sq = _take(state_dict, "exp_avg_sq", self.params)
        self.max_exp_avg_sq = _take(state_dict, "max_exp_avg_sq", self.params)


class AdamW(Adam):
    def __init__(self, params: List[Tensor], lr: float = 1e-3, betas: Tuple[float, float] = (0.9, 0.999),
                 eps: float = 1e-8, weight_decay: float = 1e-2, amsgrad: bool = False,
                 maximize: bool = False) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize)

    def _descent(self, param: Tensor) -> Optional[Tensor]:
        gradient = _gradient(param, self.maximize, 0.0)
        if gradient is not None and self.weight_decay != 0.0:
            param.mul_(1 - self.lr * self.weight_decay)
        return gradient

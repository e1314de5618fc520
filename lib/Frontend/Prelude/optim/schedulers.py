# Schedulers of the learning rate, with PyTorch's arguments and order of arithmetic: each step changes what the one before
# has set. They take any optimizer of this library.

@torch.jit.interface
class _Rated:
    def _rate(self) -> float:
        pass

    def _set_rate(self, lr: float) -> None:
        pass

    def _initial_rate(self) -> float:
        pass


class StepLR:
    def __init__(self, optimizer: _Rated, step_size: int, gamma: float = 0.1) -> None:
        self.optimizer = optimizer
        self.base_lrs = [optimizer._initial_rate()]
        self.step_size = step_size
        self.gamma = gamma
        self.last_epoch = 0
        self._last_lr = [optimizer._rate()]

    def step(self) -> None:
        self.last_epoch += 1
        if self.last_epoch % self.step_size == 0:
            self.optimizer._set_rate(self.optimizer._rate() * self.gamma)
        self._last_lr = [self.optimizer._rate()]

    def get_last_lr(self) -> List[float]:
        return self._last_lr


class MultiStepLR:
    def __init__(self, optimizer: _Rated, milestones: List[int], gamma: float = 0.1) -> None:
        self.optimizer = optimizer
        self.base_lrs = [optimizer._initial_rate()]
        self.milestones = milestones
        self.gamma = gamma
        self.last_epoch = 0
        self._last_lr = [optimizer._rate()]

    def step(self) -> None:
        self.last_epoch += 1
        count = self.milestones.count(self.last_epoch)
        if count > 0:
            self.optimizer._set_rate(self.optimizer._rate() * self.gamma ** float(count))
        self._last_lr = [self.optimizer._rate()]

    def get_last_lr(self) -> List[float]:
        return self._last_lr


class ExponentialLR:
    def __init__(self, optimizer: _Rated, gamma: float) -> None:
        self.optimizer = optimizer
        self.base_lrs = [optimizer._initial_rate()]
        self.gamma = gamma
        self.last_epoch = 0
        self._last_lr = [optimizer._rate()]

    def step(self) -> None:
        self.last_epoch += 1
        self.optimizer._set_rate(self.optimizer._rate() * self.gamma)
        self._last_lr = [self.optimizer._rate()]

    def get_last_lr(self) -> List[float]:
        return self._last_lr


class ConstantLR:
    def __init__(self, optimizer: _Rated, factor: float = 1.0 / 3, total_iters: int = 5) -> None:
        if factor > 1.0 or factor < 0.0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.optimizer = optimizer
        self.base_lrs = [optimizer._initial_rate()]
        self.factor = factor
        self.total_iters = total_iters
        self.last_epoch = 0
        optimizer._set_rate(optimizer._rate() * factor)
        self._last_lr = [optimizer._rate()]

    def step(self) -> None:
        self.last_epoch += 1
        if self.last_epoch == self.total_iters:
            self.optimizer._set_rate(self.optimizer._rate() * (1.0 / self.factor))
        self._last_lr = [self.optimizer._rate()]

    def get_last_lr(self) -> List[float]:
        return self._last_lr


class LinearLR:
    def __init__(self, optimizer: _Rated, start_factor: float = 1.0 / 3, end_factor: float = 1.0,
                 total_iters: int = 5) -> None:
        if start_factor > 1.0 or start_factor <= 0.0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        self.optimizer = optimizer
        self.base_lrs = [optimizer._initial_rate()]
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        self.last_epoch = 0
        optimizer._set_rate(optimizer._rate() * start_factor)
        self._last_lr = [optimizer._rate()]

    def step(self) -> None:
        self.last_epoch += 1
        if self.last_epoch <= self.total_iters:
            rise = self.end_factor - self.start_factor
            before = self.total_iters * self.start_factor + (self.last_epoch - 1) * rise
            self.optimizer._set_rate(self.optimizer._rate() * (1.0 + rise / before))
        self._last_lr = [self.optimizer._rate()]

    def get_last_lr(self) -> List[float]:
        return self._last_lr


class PolynomialLR:
    def __init__(self, optimizer: _Rated, total_iters: int = 5, power: float = 1.0) -> None:
        self.optimizer = optimizer
        self.base_lrs = [optimizer._initial_rate()]
        self.total_iters = total_iters
        self.power = power
        self.last_epoch = 0
        self._last_lr = [optimizer._rate()]

    def step(self) -> None:
        self.last_epoch += 1
        if self.last_epoch <= self.total_iters:
            left = 1.0 - self.last_epoch / self.total_iters
            before = 1.0 - (self.last_epoch - 1) / self.total_iters
            self.optimizer._set_rate(self.optimizer._rate() * (left / before) ** self.power)
        self._last_lr = [self.optimizer._rate()]

    def get_last_lr(self) -> List[float]:
        return self._last_lr


class CosineAnnealingLR:
    def __init__(self, optimizer: _Rated, T_max: int, eta_min: float = 0.0) -> None:
        self.optimizer = optimizer
        self.base_lrs = [optimizer._initial_rate()]
        self.T_max = T_max
        self.eta_min = eta_min
        self.last_epoch = 0
        self._last_lr = [optimizer._rate()]

    def step(self) -> None:
        self.last_epoch += 1
        rate = self.optimizer._rate()
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            rate = rate + (self.base_lrs[0] - self.eta_min) * (1 - math.cos(math.pi / self.T_max)) / 2
        else:
            part = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
            before = 1 + math.cos(math.pi * (self.last_epoch - 1) / self.T_max)
            rate = part / before * (rate - self.eta_min) + self.eta_min
        self.optimizer._set_rate(rate)
        self._last_lr = [self.optimizer._rate()]

    def get_last_lr(self) -> List[float]:
        return self._last_lr


class CosineAnnealingWarmRestarts:
    def __init__(self, optimizer: _Rated, T_0: int, T_mult: int = 1, eta_min: float = 0.0) -> None:
        if T_0 <= 0 or T_mult < 1:
            raise ValueError("Expected positive integer T_0 and integer T_mult >= 1")
        self.optimizer = optimizer
        self.base_lrs = [optimizer._initial_rate()]
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur = 0
        self.last_epoch = 0
        optimizer._set_rate(self.base_lrs[0])  # whatever schedulers before it have done
        self._last_lr = [optimizer._rate()]

    def step(self) -> None:
        self.last_epoch += 1
        self.T_cur += 1
        if self.T_cur >= self.T_i:
            self.T_cur -= self.T_i
            self.T_i *= self.T_mult
        part = 1 + math.cos(math.pi * self.T_cur / self.T_i)
        self.optimizer._set_rate(self.eta_min + (self.base_lrs[0] - self.eta_min) * part / 2)
        self._last_lr = [self.optimizer._rate()]

    def get_last_lr(self) -> List[float]:
        return self._last_lr


class ReduceLROnPlateau:
    def __init__(self, optimizer: _Rated, mode: str = "min", factor: float = 0.1, patience: int = 10,
                 threshold: float = 1e-4, threshold_mode: str = "rel", cooldown: int = 0, min_lr: float = 0.0,
                 eps: float = 1e-8) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode != "min" and mode != "max":
            raise ValueError("mode " + mode + " is unknown!")
        if threshold_mode != "rel" and threshold_mode != "abs":
            raise ValueError("threshold mode " + threshold_mode + " is unknown!")
        self.optimizer = optimizer
        self.mode = mode
        self.factor = factor
        self.patience = patience
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.cooldown = cooldown
        self.min_lr = min_lr
        self.eps = eps
        self.best = math.inf if mode == "min" else -math.inf
        self.num_bad_epochs = 0
        self.cooldown_counter = 0
        self.last_epoch = 0
        self._last_lr = [optimizer._rate()]

    def _is_better(self, value: float) -> bool:
        if self.mode == "min":
            bound = self.best * (1.0 - self.threshold) if self.threshold_mode == "rel" else self.best - self.threshold
            return value < bound
        bound = self.best * (self.threshold + 1.0) if self.threshold_mode == "rel" else self.best + self.threshold
        return value > bound

    def step(self, metrics: float) -> None:
        self.last_epoch += 1
        if self._is_better(metrics):
            self.best = metrics
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            rate = self.optimizer._rate()
            lower = max(rate * self.factor, self.min_lr)
            if rate - lower > self.eps:
                self.optimizer._set_rate(lower)
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = [self.optimizer._rate()]

    def get_last_lr(self) -> List[float]:
        return self._last_lr

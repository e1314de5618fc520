# Learning rates as functions of the number of steps made before, which is 0 at first: the closed forms of the schedulers
# that PyTorch has as classes. A program sets `optimizer.lr` to what they give.

# Multiplied by `gamma` every `step_size` steps.
def step_lr(step: int, lr: float, step_size: int, gamma: float = 0.1) -> float:
    return lr * gamma ** float(step // step_size)


# Multiplied by `gamma` at every milestone.
def multi_step_lr(step: int, lr: float, milestones: List[int], gamma: float = 0.1) -> float:
    passed = 0
    for milestone in milestones:
        if step >= milestone:
            passed += 1
    return lr * gamma ** float(passed)


# Multiplied by `gamma` every step.
def exponential_lr(step: int, lr: float, gamma: float) -> float:
    return lr * gamma ** float(step)


# Half a cosine from `lr` to `eta_min` in `T_max` steps.
def cosine_annealing_lr(step: int, lr: float, T_max: int, eta_min: float = 0.0) -> float:
    return eta_min + (lr - eta_min) * (1 + math.cos(math.pi * step / T_max)) / 2


# A line from `start_factor` to `end_factor` in `total_iters` steps, and `end_factor` afterwards: a warmup by default.
def linear_lr(step: int, lr: float, start_factor: float = 1.0 / 3, end_factor: float = 1.0,
              total_iters: int = 5) -> float:
    return lr * (start_factor + (end_factor - start_factor) * min(total_iters, step) / total_iters)


def _cosine(start: float, end: float, part: float) -> float:
    return end + (start - end) / 2.0 * (math.cos(math.pi * part) + 1)


def _line(start: float, end: float, part: float) -> float:
    return start + (end - start) * part


# Up from max_lr / div_factor to max_lr, then down to the first one / final_div_factor.
def one_cycle_lr(step: int, max_lr: float, total_steps: int, pct_start: float = 0.3, anneal_strategy: str = "cos",
                 div_factor: float = 25.0, final_div_factor: float = 1e4) -> float:
    if step > total_steps:
        raise ValueError("Tried to step " + str(step) + " times. The specified number of total steps is " +
                         str(total_steps))
    if anneal_strategy != "cos" and anneal_strategy != "linear":
        raise ValueError("anneal_strategy must be one of 'cos' or 'linear', instead got " + anneal_strategy)
    first = max_lr / div_factor
    last = first / final_div_factor
    top = pct_start * total_steps - 1
    if step <= top:
        start, end, part = first, max_lr, step / top
    else:
        start, end, part = max_lr, last, (step - top) / (total_steps - 1 - top)
    return _cosine(start, end, part) if anneal_strategy == "cos" else _line(start, end, part)

# torch.cuda: which devices are there is seen when a program asks.
import torch


def _is_there(index: int) -> bool:
    try:
        torch.empty([0], device="cuda:" + str(index))
        return True
    except RuntimeError:
        return False


def is_available() -> bool:
    return _is_there(0)


def device_count() -> int:
    count = 0
    while count < 64 and _is_there(count):
        count += 1
    return count

# Modules of kinds of devices that programs never find here: torch.mps, torch.backends.mps, torch.xpu.


def is_available() -> bool:
    return False


def is_built() -> bool:
    return False


def device_count() -> int:
    return 0

"""Models of timm: of each of its modules the smallest, by its name, and those that it has for tests."""
import timm
import torch

from .common import Model

# Parts of names by which a model is a small one of its family, smallest first.
SMALL = ("atto", "femto", "pico", "nano", "xxs", "xxtiny", "xtiny", "tiny", "_xs", "mini", "small", "_s", "_0", "18", "26", "b0",
         "050", "s0", "s1", "2x2", "base")


# Parts of names of models that this machine need not try.
LARGE = ("giant", "gigantic", "huge", "large", "xlarge", "_1b", "_3b", "_7b", "so400m", "_xl", "so150m")


def models():
    for name in names():
        yield Model("timm", name, lambda name=name: timm.create_model(name, pretrained=False, num_classes=7),
                    lambda batch, dtype, name=name: ((torch.rand(batch, *size_of(name), dtype=dtype),), {}))


def names():
    for module in timm.list_modules():
        listed = [one for one in timm.list_models(module=module) if not one.startswith("test_") and
                  not any(mark in one for mark in LARGE)]
        yield from sorted(listed, key=smallness)[:1]
    yield from timm.list_models("test_*")


def smallness(name):
    return next((number for number, mark in enumerate(SMALL) if mark in name), len(SMALL)), len(name), name


def size_of(name):
    """Returns the size of pictures that a model takes: a small one, where it takes several."""
    settings = timm.get_pretrained_cfg(name)
    if settings is None:
        return 3, 224, 224
    if settings.fixed_input_size or settings.pool_size is None:
        return settings.input_size
    return settings.min_input_size or (3, 96, 96)

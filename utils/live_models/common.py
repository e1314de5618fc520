"""What a model to try is, and what such models are called with."""
import torch


class Model:
    """A model to try: how it is made, what it is called with, and what its loss is.

    `make()` returns the module. `inputs(batch, dtype)` returns positional arguments and keyword arguments.
    `loss(result)` returns a scalar; without one it is a sum of squares of what is floating-point. `training_inputs`
    stands for `inputs` where training takes others, such as targets. `mode` forces "script" or "trace"."""

    def __init__(self, package, name, make, inputs, loss=None, training_inputs=None, mode=None, batches=(2, 3)):
        self.package, self.name, self.make, self.inputs = package, name, make, inputs
        self.loss = loss or square_loss
        self.training_inputs = training_inputs or inputs
        self.mode, self.batches = mode, batches


def tensors_in(value):
    """Yields the tensors in a result, in its order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif hasattr(value, "items"):
        for _, one in value.items():
            yield from tensors_in(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from tensors_in(one)
    elif hasattr(value, "__dict__"):
        for one in vars(value).values():
            yield from tensors_in(one)


def square_loss(result):
    """Returns the mean square of each floating-point tensor's distance to one, added up."""
    found = [one for one in tensors_in(result) if one.is_floating_point() and one.numel() and one.requires_grad]
    return sum((one.clamp(-1e3, 1e3) - 1).square().mean() for one in found)


def loss_of_dict(result):
    """Returns the sum of the losses that a detector gives in training: compiled code gives a pair, with the detections."""
    if isinstance(result, tuple):
        result = result[0]
    return sum(result.values())


def image(size, channels=3):
    def inputs(batch, dtype):
        return (torch.rand(batch, channels, size, size, dtype=dtype),), {}

    return inputs

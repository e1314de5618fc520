"""Parameters, and buffers that an attribute may hold."""

from .. import Tensor, _tsc, tensor


class Parameter(Tensor):
    """A tensor that a module trains: as an attribute of a module, it is one of the module's parameters.

    It shares the memory of the tensor that it is made of, and requires gradients unless told otherwise.
    """

    def __new__(cls, data=None, requires_grad=True):
        made = _tsc._as_subclass(cls, tensor([]) if data is None else data.detach())
        made.requires_grad = requires_grad
        return made

    def __repr__(self):
        return "Parameter containing:\n" + super().__repr__()

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        made = memo[id(self)] = type(self)(self.detach().clone(), self.requires_grad)
        if self.grad is not None:
            made.grad = self.grad.detach().clone()
        return made

    def __reduce__(self):
        return type(self), (self.detach(), self.requires_grad)

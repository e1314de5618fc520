"""Methods of tensors that are written in Python, and are put into the type."""

from . import _tsc
from . import autograd
from ._tsc import Tensor


def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    """Adds the gradient of this tensor to `.grad` of the leaves that it was computed from."""
    autograd.backward(self, gradient, retain_graph, create_graph, inputs)


def requires_grad_(self, requires_grad=True):
    """Sets whether gradients are computed for the tensor, and returns it."""
    self.requires_grad = requires_grad
    return self


def retain_grad(self):
    """Lets backward() keep the gradient of this tensor, also if it is no leaf."""
    if not self.requires_grad:
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    _tsc._retain_grad(self)


def is_contiguous(self, memory_format=None):
    """Whether the elements stand in memory in the order of the format."""
    if memory_format is None:
        return _tsc._find_operator("aten::is_contiguous")(self)
    return _tsc._find_operator("aten::is_contiguous")(self, memory_format=memory_format)


def type_(self, dtype=None):
    """Returns the name of the tensor's type, as "torch.FloatTensor", or converts it to a dtype."""
    if dtype is not None:
        return self.to(dtype)
    names = {"float32": "Float", "float64": "Double", "float16": "Half", "bfloat16": "BFloat16", "uint8": "Byte",
             "int8": "Char", "int16": "Short", "int32": "Int", "int64": "Long", "bool": "Bool",
             "complex64": "ComplexFloat", "complex128": "ComplexDouble"}
    name = repr(self.dtype).split(".")[-1]
    return f"torch.{names.get(name, name)}Tensor"


def view(self, *size):
    """Returns a view of other sizes, or, where a dtype is given, of the same bytes as another dtype."""
    aten = _tsc._find_operator("aten::view")
    return aten.dtype(self, size[0]) if len(size) == 1 and isinstance(size[0], _tsc.dtype) else aten(self, *size)


def cpu(self):
    """Returns the tensor in the processor's memory: itself."""
    return self.to("cpu")


def is_complex(self):
    """Whether the elements are complex numbers."""
    return self.dtype.is_complex


def new_tensor(self, data, *, dtype=None, requires_grad=False):
    """Makes a tensor of this one's dtype."""
    return _tsc._tensor(data, dtype or self.dtype, requires_grad)


def _rebuild_tensor(data, dtype, sizes, requires_grad):
    return _tsc._tensor_of_bytes(data, dtype, sizes, requires_grad)


def __reduce__(self):
    if self.is_quantized or self.layout is not _tsc.strided:
        raise TypeError("tensors that are quantized or sparse cannot be pickled: use tsc.save")
    if self.requires_grad and not self.is_leaf:
        raise RuntimeError("only tensors that no recorded operator has computed can be pickled: call detach() first")
    return _rebuild_tensor, (self.detach()._bytes(), self.dtype, list(self.shape), self.requires_grad)


def __deepcopy__(self, memo):
    if self.requires_grad and not self.is_leaf:
        raise RuntimeError("Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at "
                           "the moment")
    copied = self.detach().clone().requires_grad_(self.requires_grad)
    if self.grad is not None:
        copied.grad = self.grad.detach().clone()
    memo[id(self)] = copied
    return copied


def _repr_html_(self):
    from . import _html

    return _html.of_tensor(self)


def __reversed__(self):
    return self if self.dim() == 0 else self.flip(0)


for _name, _function in list(globals().items()):
    if callable(_function) and getattr(_function, "__module__", None) == __name__ and _name != "_rebuild_tensor":
        setattr(Tensor, "type" if _name == "type_" else _name, _function)
for _name in ("T", "mT", "H", "mH", "real", "imag"):
    _operator = {"T": "numpy_T", "H": "matrix_H"}.get(_name, _name)
    if _tsc._find_operator("aten::" + _operator) is not None:
        setattr(Tensor, _name, property(lambda self, op="aten::" + _operator: _tsc._find_operator(op)(self)))
for _name, _dtype in {"float": _tsc.float32, "double": _tsc.float64, "half": _tsc.float16, "bfloat16": _tsc.bfloat16,
                     "long": _tsc.int64, "int": _tsc.int32, "short": _tsc.int16, "char": _tsc.int8, "byte": _tsc.uint8,
                     "bool": _tsc.bool, "cfloat": _tsc.complex64, "cdouble": _tsc.complex128}.items():
    def _convert(self, dtype=_dtype):
        return self.to(dtype)

    _convert.__name__ = _name
    _convert.__doc__ = f"Converts the elements to {_dtype!r}."
    setattr(Tensor, _name, _convert)
Tensor.__array_priority__ = 1000  # an array beside a tensor leaves the arithmetic to the tensor

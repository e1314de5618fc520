"""What a trace changes in torch while it lasts."""

import threading

import torch

from . import _indexing, _tracing
from ._torch_functions import setting
from ._tracing import TracedFloat, TracedInt

# Functions of one tensor that authors give sizes where torch.jit.trace, whose sizes are tensors, is under way.
_OF_ONE_TENSOR = ("abs", "ceil", "exp", "floor", "log", "log2", "round", "rsqrt", "sqrt", "trunc")


def _as_tensor(tracer, number):
    """Returns a tensor of one element for a number that the trace computes. It has the dtype that a quotient of tensors would
    have, or that of a size."""
    recorded = number.recorded(tracer.trace)
    with tracer.pause():
        made = torch.scalar_tensor(int.__int__(number), dtype=torch.int64) if isinstance(number, int) else \
            torch.scalar_tensor(float.__add__(number, 0.0))
    given = {"s": recorded, "dtype": setting(made.dtype)}
    tracer.know(made, tracer.trace.call("aten::scalar_tensor", "", given)[0])
    return made


def _overrides(args):
    """Whether an argument's class of tensors says itself what functions of torch's do."""
    plain = (torch.Tensor, torch.nn.Parameter)
    own = torch.Tensor.__torch_function__
    for one in args:
        kind = type(one)
        if kind in plain or not hasattr(kind, "__torch_function__"):
            continue
        found = kind.__torch_function__
        if getattr(found, "__func__", found) is not getattr(own, "__func__", own) and \
                found is not torch._C._disabled_torch_function_impl:
            return True
    return False


class Changes:
    """Functions of torch's that are others while traces last, in their threads. The first trace puts them in the place of
    torch's, and the last one that ends puts torch's back: traces of several threads begin and end in any order."""

    _lock = threading.Lock()
    _active = {}  # thread -> the Changes of its trace
    _undo = []

    def __init__(self, tracer):
        self.tracer = tracer
        self.grad_enabled = torch.is_grad_enabled()

    @classmethod
    def _mine(cls):
        """Returns that of this thread's trace, or None where it does not trace, or is paused."""
        found = cls._active.get(threading.get_ident())
        return None if found is None or found.tracer.paused else found

    @classmethod
    def _put(cls, owner, name, make):
        if name not in vars(owner) and owner is not torch.Tensor:
            return
        had, before = name in vars(owner), getattr(owner, name)
        setattr(owner, name, make(before))
        cls._undo.append(lambda: setattr(owner, name, before) if had else delattr(owner, name))

    def __enter__(self):
        with self._lock:
            if not self._active:
                self._put_all()
            self._active[threading.get_ident()] = self
        return self

    def __exit__(self, *exception):
        with self._lock:
            del self._active[threading.get_ident()]
            while not self._active and self._undo:
                self._undo.pop()()

    @classmethod
    def _put_all(cls):
        import torch.functional
        import torch.nn.functional
        import torch.nn.modules.activation
        cls._put(torch.nn.Module, "__call__", cls._module_call)
        cls._put(torch.Tensor, "__getitem__", cls._get_item)
        cls._put(torch.Tensor, "__setitem__", cls._set_item)
        cls._put(torch.Tensor, "__len__", cls._length)
        cls._put(torch.Tensor, "__iter__", cls._iterate)
        cls._put(torch, "is_grad_enabled", cls._grad_enabled)
        cls._put(torch._ops.OpOverloadPacket, "__call__", cls._operator_call)
        for name in _OF_ONE_TENSOR:
            cls._put(torch, name, cls._of_one_tensor)
        for owner in (torch.jit, torch.jit._trace):
            cls._put(owner, "is_tracing", lambda before: lambda: True if cls._mine() else before())
        for owner in (torch.nn.functional, torch.functional, torch._tensor, torch.overrides,
                      torch.nn.modules.activation, torch.nn.modules.linear, torch.nn.modules.transformer):
            cls._put(owner, "has_torch_function", lambda before: lambda args: _overrides(args) if cls._mine()
                     else before(args))
            cls._put(owner, "has_torch_function_unary", lambda before: lambda one: _overrides((one,)) if cls._mine()
                     else before(one))
            cls._put(owner, "has_torch_function_variadic", lambda before: lambda *args: _overrides(args)
                     if cls._mine() else before(*args))

    @classmethod
    def _module_call(cls, before):
        def __call__(module, *args, **kwargs):
            mine = cls._mine()
            if mine is None or not mine.tracer.enter(module):
                return before(module, *args, **kwargs)
            try:
                return before(module, *args, **kwargs)
            finally:
                mine.tracer.trace.leave_module()

        return __call__

    @classmethod
    def _of_one_tensor(cls, before):
        def call(*args, **kwargs):
            if args and isinstance(args[0], (TracedInt, TracedFloat)):
                mine = cls._mine()
                if mine is not None:
                    args = (_as_tensor(mine.tracer, args[0]), *args[1:])
            return before(*args, **kwargs)

        return call

    @classmethod
    def _operator_call(cls, before):
        def __call__(packet, *args, **kwargs):
            result = before(packet, *args, **kwargs)
            if result is None and packet._qualified_op_name.startswith("prim::"):
                mine = cls._mine()
                if mine is not None:
                    mine.tracer.note_effect(packet, args, kwargs)
            return result

        return __call__

    @classmethod
    def _get_item(cls, before):
        def __getitem__(tensor, index):
            mine = cls._mine()
            if mine is None or mine.tracer.numbers is not None:
                return before(tensor, index)
            return _indexing.get_item(mine.tracer, before, tensor, index)

        return __getitem__

    @classmethod
    def _set_item(cls, before):
        def __setitem__(tensor, index, value):
            mine = cls._mine()
            if mine is None or mine.tracer.numbers is not None:
                return before(tensor, index, value)
            return _indexing.set_item(mine.tracer, before, tensor, index, value)

        return __setitem__

    @classmethod
    def _length(cls, before):
        def __len__(tensor):
            if cls._mine():
                _tracing.warn(_tracing.LENGTH)
            return before(tensor)

        return __len__

    @classmethod
    def _iterate(cls, before):
        def __iter__(tensor):
            if cls._mine():
                _tracing.warn(_tracing.ITERATION)
            return before(tensor)

        return __iter__

    @classmethod
    def _grad_enabled(cls, before):
        def is_grad_enabled():
            mine = cls._mine()
            return before() if mine is None else mine.grad_enabled

        return is_grad_enabled

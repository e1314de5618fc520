"""torch's tensors as tsc's, and back, over the same memory; gradients through compiled code."""

import inspect
import threading

import torch

import tsc

from . import _objects, _random, _torch_runs, _values

_script = tsc._tsc._script

# dtypes that neither NumPy nor DLPack of torch 1.13 hands over as they are: as what, and as what again.
_AS_BYTES = {torch.bfloat16: torch.int16, torch.complex32: torch.int32}


def to_tsc(tensor):
    """Returns a tensor of tsc's over the memory of one of torch's."""
    made = _script._take_torch_tensor(tensor)
    if made is not None:
        return made
    shared = tensor.detach()
    if shared.layout in (torch.sparse_coo, torch.sparse_csr):
        return _sparse_to_tsc(shared)
    if shared.is_conj() or shared.is_neg():
        shared = shared.resolve_conj().resolve_neg()
    if shared.layout is not torch.strided or shared.device.type != "cpu" or shared.is_quantized:
        raise TypeError(f"compiled code cannot take this tensor: its layout is {shared.layout}, its device "
                        f"{shared.device}, its dtype {shared.dtype}")
    other = _AS_BYTES.get(shared.dtype)
    if other is not None:
        return tsc.from_numpy(shared.view(other).numpy()).view(getattr(tsc, str(tensor.dtype)[6:]))
    return tsc.from_numpy(shared.numpy())


def _keep_memory(tensor):
    """Returns an array over a tensor's memory. As long as there is one, torch does not resize the tensor."""
    shared = tensor.detach()
    other = _AS_BYTES.get(shared.dtype)
    return (shared if other is None else shared.view(other)).numpy()


def to_tsc_in_storage(tensor, storages):
    """As to_tsc. Tensors that share a storage have one storage of tsc's too: `storages` has what is known of them."""
    is_plain = tensor.layout is torch.strided and tensor.device.type == "cpu" and not tensor.is_quantized and \
        tensor.dtype not in _AS_BYTES and not (tensor.is_conj() or tensor.is_neg())
    if not is_plain or not tensor.numel():
        return to_tsc(tensor)
    storage = tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()
    key = storage.data_ptr(), tensor.dtype
    if key not in storages:
        size = storage.nbytes() // tensor.element_size()
        storages[key] = tsc.from_numpy(tensor.detach().as_strided((size,), (1,), 0).numpy())
    return storages[key].as_strided(list(tensor.shape), list(tensor.stride()), tensor.storage_offset()).detach()


def to_torch(tensor):
    """Returns a tensor of torch's over the memory of one of tsc's."""
    made = _script._give_torch_tensor(tensor)
    if made is not None:
        return made
    dtype = getattr(torch, str(tensor.dtype)[6:])
    shared = tensor.detach()
    if shared.layout is not tsc.strided:
        return _sparse_to_torch(shared)
    if dtype.is_complex and shared.is_conj():
        shared = shared.resolve_conj()
    if dtype in _AS_BYTES:
        as_bytes = getattr(tsc, str(_AS_BYTES[dtype])[6:])
        return torch.from_numpy(shared.view(as_bytes).numpy()).view(dtype)
    return torch.from_numpy(shared.numpy())


def _sparse_to_tsc(tensor):
    """Shares the indices and values of a sparse tensor, and copies nothing."""
    if tensor.device.type != "cpu":
        raise TypeError(f"compiled code cannot take a sparse tensor on the device {tensor.device}")
    sizes = list(tensor.shape)
    if tensor.layout is torch.sparse_csr:
        parts = (tensor.crow_indices(), tensor.col_indices(), tensor.values())
        return tsc.ops.aten.sparse_csr_tensor(*map(to_tsc, parts), sizes)
    parts = map(to_tsc, (tensor._indices(), tensor._values()))
    return tsc.ops.aten._sparse_coo_tensor_unsafe(*parts, sizes, is_coalesced=tensor.is_coalesced())


def _sparse_to_torch(tensor):
    sizes = list(tensor.shape)
    if tensor.layout is tsc.sparse_csr:
        parts = (tensor.crow_indices(), tensor.col_indices(), tensor.values())
        return torch.sparse_csr_tensor(*map(to_torch, parts), sizes)
    made = torch.sparse_coo_tensor(to_torch(tensor._indices()), to_torch(tensor._values()), sizes)
    return made._coalesced_(bool(tensor.is_coalesced()))


def _replace(value, of, within):
    """Returns a value with `of(tensor)` in the place of each tensor of torch's or tsc's. `within(object, replace)` does so
    for the attributes of what is no container."""
    if isinstance(value, (torch.Tensor, tsc.Tensor)):
        return of(value)

    def replace(one):
        return _replace(one, of, within)

    made = _values.with_elements(value, replace)
    if made is not _values.NO_CONTAINER:
        return made
    if type(value) is tsc.device:
        return torch.device(str(value))
    return within(value, replace)


def _finish(result, given, leaves):
    """Returns what Python is given for a result of a call that C++ has made. `given` and `leaves` are pairs of torch's and
    tsc's tensors: those of the arguments, and those that gradients are computed for."""
    made = _Call(leaves)
    made.given = {id(tensor): (tensor, shared) for tensor, shared in given}
    return made.results(_values.lift(result))


def call(compiled, args, kwargs, own=()):
    """Calls compiled code with torch's tensors, default dtype and random numbers. Results take part in torch's gradients
    where arguments require some, or `own`, pairs of torch's and tsc's tensors that the code has."""
    links = [link for module in _objects.modules_in([args, kwargs]) for link in module.shared_tensors()]
    if links:
        more = [(link.tensor, link.made) for link in links if link.tensor is not None and link.tensor.requires_grad]
        own = list({id(tensor): (tensor, made) for tensor, made in [*own, *more]}.values())
    result = _call_as_torch(compiled, args, kwargs, own)
    for link in links:
        link.take_back()
    return result


def _call_as_torch(compiled, args, kwargs, own):
    """Calls compiled code under torch's default dtype and, where it draws random numbers, with torch's."""
    before = tsc._tsc._enter_default_dtype(torch.get_default_dtype())
    draws = compiled._draws
    if before is None and not draws:
        return _Call(own).run(compiled, args, kwargs)
    try:
        if not draws:
            return _Call(own).run(compiled, args, kwargs)
        with _random.of_torch():
            return _Call(own).run(compiled, args, kwargs)
    finally:
        if before is not None:
            tsc.set_default_dtype(before)


_here = threading.local()  # `call`: the _Call that this thread is in


def call_python(function, arguments):
    """Calls a function of Python's for compiled code, and returns what compiled code is given."""
    current = getattr(_here, "call", None)
    with _random.in_python():
        if current is not None:
            return current.call_python(function, arguments)
        return _values.to_tsc(function(*_values.to_python(list(arguments))))


class _Call:
    """One call of compiled code, with the tensors of torch's that it is given."""

    def __init__(self, own):
        self.own = own
        self.given = {}  # id -> (torch's tensor, tsc's) of the arguments
        self.leaves = list(own)  # pairs of torch's and tsc's tensors for which gradients are computed
        self.records = torch.is_grad_enabled()

    def share(self, tensor):
        """Returns the tensor of tsc's for one of torch's: the same one for the same one."""
        known = self.given.get(id(tensor))
        if known is not None:
            return known[1]
        made = None
        if tensor.requires_grad:  # it may be one that the code has
            made = next((made for known, made in self.own if known is tensor), None)
        if made is None:
            made = to_tsc(tensor)
            if self.records and tensor.requires_grad:
                made = made.requires_grad_()
                self.leaves.append((tensor, made))
        self.given[id(tensor)] = (tensor, made)
        return made

    def run(self, compiled, args, kwargs):
        outer, _here.call = getattr(_here, "call", None), self
        try:
            return self._run(compiled, args, kwargs)
        finally:
            _here.call = outer

    def _run(self, compiled, args, kwargs):
        args, kwargs = (_replace(given, self.share, _objects.lower) for given in (args, kwargs))
        if compiled._uses_gradients:
            for tensor, made in self.leaves:
                has_gradient = tensor.is_leaf and tensor.grad is not None
                made.grad = to_tsc(tensor.grad) if has_gradient else None
        if self.records:
            result = compiled(*args, **kwargs)
        else:
            with tsc.no_grad():
                result = compiled(*args, **kwargs)
        if compiled._uses_gradients:
            self.take_gradients()
        if isinstance(result, tsc.Tensor) and not result.requires_grad:
            return self.plain(result)
        return self.results(_values.lift(result))

    def call_python(self, function, arguments):
        """Calls a function of Python's for compiled code. What that has computed so far takes part in torch's gradients,
        and what the function gives is a leaf of compiled code's, whose gradients go on in torch."""

        def out(tensor):
            if not isinstance(tensor, tsc.Tensor) or not tensor.requires_grad:
                return self.plain(tensor)
            for known, made in self.leaves:
                if made.is_same(tensor):
                    return known
            return _Gradients.apply([tensor], [one for _, one in self.leaves], *[one for one, _ in self.leaves])[0]

        with torch.set_grad_enabled(self.records and tsc.is_grad_enabled()):
            records, self.records = self.records, torch.is_grad_enabled()
            try:
                given = _replace(_values.lift(list(arguments)), out, _objects.update)
                return _replace(function(*given), self.share, _objects.lower)
            finally:
                self.records = records

    def take_gradients(self):
        """Gives torch's tensors the gradients that compiled code has computed for them."""
        for tensor, made in self.leaves:
            found = made.grad
            if found is None:
                continue
            if not tensor.is_leaf:  # the gradients go on to what it was computed from
                tensor.backward(to_torch(found))
            elif tensor.grad is None or tensor.grad.data_ptr() != found.data_ptr():
                tensor.grad = to_torch(found)

    def plain(self, tensor):
        """Returns torch's tensor for one without a history: the same one that was given, where that comes back."""
        if not isinstance(tensor, tsc.Tensor):
            return tensor
        for known, made in self.given.values():
            if made.is_same(tensor) and known.shape == tensor.shape and known.layout is torch.strided and \
                    known.stride() == tensor.stride():
                return known
        return to_torch(tensor)

    def results(self, result):
        outputs = {}

        def note(tensor):
            if isinstance(tensor, tsc.Tensor) and tensor.requires_grad:
                outputs[hash(tensor)] = tensor
            return tensor

        _replace(result, note, _objects.update)
        if not outputs:
            return _replace(result, self.plain, _objects.update)
        given = {hash(made): tensor for tensor, made in self.leaves}
        made_within = [one for key, one in outputs.items() if one.is_leaf and key not in given]
        for one in made_within:  # compiled code has made leaves of its own
            leaf = to_torch(one).requires_grad_()
            given[hash(one)] = leaf
            self.leaves.append((leaf, one))
        computed = [one for key, one in outputs.items() if key not in given]
        if computed:
            made = _Gradients.apply(computed, [one for _, one in self.leaves], *[one for one, _ in self.leaves])
            given.update(zip(map(hash, computed), made))

        def give(tensor):
            if not isinstance(tensor, tsc.Tensor):  # an object that stands twice in the result has torch's by now
                return tensor
            return given[hash(tensor)] if tensor.requires_grad else self.plain(tensor)

        return _replace(result, give, _objects.update)


class _Gradients(torch.autograd.Function):
    """Compiled code as a function of torch's: its gradients are those that tsc computes. So are theirs."""

    @staticmethod
    def forward(ctx, outputs, inputs, *tensors):
        unique = list({id(one): one for one in outputs}.values())
        ctx.outputs, ctx.inputs = unique, inputs
        ctx.save_for_backward(*tensors)
        return tuple(to_torch(one) for one in unique)

    @staticmethod
    def backward(ctx, *gradients):
        again = torch.is_grad_enabled()
        given = [None if one is None else to_tsc(one) for one in gradients]
        more = []
        if again:
            for gradient, made in zip(gradients, given):
                if gradient is not None and gradient.requires_grad:
                    more.append((gradient, made.requires_grad_()))
        found = tsc.autograd.grad(ctx.outputs, ctx.inputs, given, retain_graph=True, create_graph=again, allow_unused=True)
        results = [None if one is None else to_torch(one) for one in found]
        with_history = [one for one in found if one is not None and one.requires_grad] if again else []
        if with_history:
            pairs = [*zip(ctx.saved_tensors, ctx.inputs), *more]
            made = _Gradients.apply(with_history, [one for _, one in pairs], *[one for one, _ in pairs])
            order = list({id(one): one for one in with_history})
            by_id = dict(zip(order, made))
            results = [by_id.get(id(one), result) for one, result in zip(found, results)]
        return (None, None, *results)


def _of_tensors(*names):
    """Returns the attributes of torch's tensors as their class has them, by name."""
    return {name: inspect.getattr_static(torch.Tensor, name, None) for name in names}


# Calls in C++ (src/torch) do without the code above where that would find nothing to do.
_script._use_torch({
    **_of_tensors("requires_grad", "shape", "dtype", "layout", "is_cpu", "is_neg", "data_ptr", "stride"),
    "Tensor": torch.Tensor, "Parameter": torch.nn.Parameter, "strided": torch.strided,
    "function_modes": getattr(torch._C, "_len_torch_function_stack", None),
    "dispatch_modes": getattr(torch._C, "_len_torch_dispatch_stack", None),
    "is_tracing": getattr(torch._C, "_is_tracing", None),
    "is_autocast": _torch_runs.is_autocast,
    "forward_ad": vars(torch.autograd.forward_ad), "a_tensor": torch.empty(0, device="cpu"),
    "is_grad_enabled": torch.is_grad_enabled, "default_dtype": torch.get_default_dtype,
    "exchange_api": getattr(torch.Tensor, "__dlpack_c_exchange_api__", None),
    "from_dlpack": torch._C._from_dlpack,
    "dtypes": [(getattr(torch, name), getattr(tsc, name)) for name in (
        "float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool")],
    "to_torch": to_torch, "keep_memory": _keep_memory, "record": _Gradients.apply, "finish": _finish})

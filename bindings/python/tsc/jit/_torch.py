"""torch's tensors as tsc's, and back, over the same memory; gradients through compiled code."""

import torch

import tsc

from . import _objects, _values

# dtypes that neither NumPy nor DLPack of torch 1.13 hands over as they are: as what, and as what again.
_AS_BYTES = {torch.bfloat16: torch.int16}


def to_tsc(tensor):
    """Returns a tensor of tsc's over the memory of one of torch's."""
    shared = tensor.detach()
    if shared.is_conj() or shared.is_neg():
        shared = shared.resolve_conj().resolve_neg()
    if shared.layout is not torch.strided or shared.device.type != "cpu" or shared.is_quantized:
        raise TypeError(f"compiled code cannot take this tensor: its layout is {shared.layout}, its device "
                        f"{shared.device}, its dtype {shared.dtype}")
    other = _AS_BYTES.get(shared.dtype)
    if other is not None:
        return tsc.from_numpy(shared.view(other).numpy()).view(getattr(tsc, str(tensor.dtype)[6:]))
    return tsc.from_numpy(shared.numpy())


def to_torch(tensor):
    """Returns a tensor of torch's over the memory of one of tsc's."""
    dtype = getattr(torch, str(tensor.dtype)[6:])
    shared = tensor.detach()
    if dtype in _AS_BYTES:
        as_bytes = getattr(tsc, str(_AS_BYTES[dtype])[6:])
        return torch.from_numpy(shared.view(as_bytes).numpy()).view(dtype)
    return torch.from_numpy(shared.numpy())


def _collect(value, found):
    """Collects the tensors in a value, in the order in which _replace() comes to them."""
    if isinstance(value, torch.Tensor):
        found.append(value)
    elif isinstance(value, (list, tuple)):
        for one in value:
            _collect(one, found)
    elif isinstance(value, dict):
        for one in value.values():
            _collect(one, found)
    else:
        for one in _objects.parts_of(value):
            _collect(one, found)


def _replace(value, of, within):
    """Returns a value with `of(tensor)` in the place of each tensor of torch's or tsc's. `within(object, replace)` does so
    for the attributes of what is no container."""
    if isinstance(value, (torch.Tensor, tsc.Tensor)):
        return of(value)

    def replace(one):
        return _replace(one, of, within)

    kind = type(value)
    if kind is list:
        return [replace(one) for one in value]
    if kind is tuple:
        return tuple(replace(one) for one in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*(replace(one) for one in value))
    if isinstance(value, dict):
        return {key: replace(one) for key, one in value.items()}
    return within(value, replace)


def call(compiled, args, kwargs, own=()):
    """Calls compiled code with torch's tensors. Results take part in torch's gradients where arguments require some, or
    `own`, pairs of torch's and tsc's tensors that the code has."""
    tensors = [one for one, _ in own]
    _collect(args, tensors)
    _collect(kwargs, tensors)
    needs = torch.is_grad_enabled() and any(one.requires_grad for one in tensors)
    if not needs:
        with tsc.set_grad_enabled(torch.is_grad_enabled()):
            result = compiled(*_values.to_tsc(args), **_values.to_tsc(kwargs))
        return _values.to_torch(result)
    return _call_with_gradients(compiled, args, kwargs, own)


def _call_with_gradients(compiled, args, kwargs, own):
    given = {id(tensor): made for tensor, made in own}
    inputs = list(own)

    def share(tensor):
        if id(tensor) not in given:
            made = to_tsc(tensor)
            if tensor.requires_grad:
                made = made.requires_grad_()
                inputs.append((tensor, made))
            given[id(tensor)] = made
        return given[id(tensor)]

    lower = _objects.lower
    result = _values.lift(compiled(*_replace(args, share, lower), **_replace(kwargs, share, lower)))
    outputs = []

    def note(tensor):
        if isinstance(tensor, tsc.Tensor) and tensor.requires_grad:
            outputs.append(tensor)
        return tensor

    _replace(result, note, _objects.update)
    if not outputs:
        return _values.to_torch(result)
    made = iter(_Gradients.apply(outputs, [one for _, one in inputs], *[one for one, _ in inputs]))
    known = {}

    def give(tensor):
        if not isinstance(tensor, tsc.Tensor) or not tensor.requires_grad:
            return to_torch(tensor) if isinstance(tensor, tsc.Tensor) else tensor
        if id(tensor) not in known:
            known[id(tensor)] = next(made)
        return known[id(tensor)]

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

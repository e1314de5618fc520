"""Files of results that tsc-run writes (--output, --observe): whether two of them hold the same bits."""
import zipfile


def contents(file):
    with zipfile.ZipFile(file) as archive:
        return {name.split("/", 1)[-1]: archive.read(name) for name in archive.namelist()}


def are_same(a, b):
    """Whether two files hold the same bits. Elements that are NaN may differ in sign and payload; only a Python with torch can tell
    those apart, so that without one a difference in NaNs counts."""
    if contents(a) == contents(b):
        return True
    try:
        import torch
    except ImportError:
        return False
    return are_same_values(torch.load(a), torch.load(b))


def are_same_values(x, y):
    """The same for two values that torch.load has given."""
    import torch
    if type(x) is not type(y):
        return False
    if isinstance(x, torch.Tensor):
        return are_same_tensors(x.detach(), y.detach()) and x.requires_grad == y.requires_grad
    if isinstance(x, (list, tuple)):
        return len(x) == len(y) and all(map(are_same_values, x, y))
    if isinstance(x, dict):
        return list(x) == list(y) and all(are_same_values(x[key], y[key]) for key in x)
    return x == y or x != x and y != y


def are_same_tensors(x, y):
    import torch
    if (x.dtype, x.shape, x.layout) != (y.dtype, y.shape, y.layout):
        return False
    if x.layout != torch.strided or x.is_quantized:
        return bool(x.equal(y))
    if x.stride() != y.stride():
        return False
    if x.is_complex():
        return are_same_tensors(torch.view_as_real(x.resolve_conj()), torch.view_as_real(y.resolve_conj()))
    if not x.is_floating_point():
        return torch.equal(x, y)
    words = {2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()]
    nans = x.isnan()
    return torch.equal(nans, y.isnan()) and \
        torch.equal(*(z.masked_fill(nans, 0).contiguous().view(words) for z in (x, y)))

# The functions and classes of torch that PyTorch writes in Python, in TorchScript. A name that is not here means the
# operator of the same name. Signatures and checks are PyTorch's; compiled on first use.
import torch
from typing import Any, List, Optional, Tuple
from torch import Tensor


# Gradient modes, as context managers.

class no_grad:
    def __init__(self) -> None:
        self.before = False

    def __enter__(self) -> None:
        self.before = torch.is_grad_enabled()
        torch.set_grad_enabled(False)

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        torch.set_grad_enabled(self.before)


class enable_grad:
    def __init__(self) -> None:
        self.before = False

    def __enter__(self) -> None:
        self.before = torch.is_grad_enabled()
        torch.set_grad_enabled(True)

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        torch.set_grad_enabled(self.before)


# What `with torch.set_grad_enabled(mode)` enters. The mode holds from the call on, as in PyTorch.

class set_grad_enabled:
    def __init__(self, mode: bool) -> None:
        self.before = torch.is_grad_enabled()
        torch.set_grad_enabled(mode)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        torch.set_grad_enabled(self.before)


# The name of a stretch of the program, for profilers. Nobody listens here.

class record_function:
    def __init__(self, name: str, args: Optional[str] = None) -> None:
        self.name = name

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        pass


# What is within is fused as far as it can be, with or without the mark.

class strict_fusion:
    def __init__(self) -> None:
        pass

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        pass


# Distinct elements. The suffix names the flags of the call that are True.

def _distinct(input: Tensor, sorted: bool, return_inverse: bool, return_counts: bool,
              dim: Optional[int]) -> Tuple[Tensor, Tensor, Tensor]:
    if dim is not None:
        return torch.unique_dim(input, dim, sorted, return_inverse, return_counts)
    return torch._unique2(input, sorted, return_inverse, return_counts)


def unique(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
           dim: Optional[int] = None) -> Tensor:
    return _distinct(input, sorted, False, False, dim)[0]


def unique_return_inverse(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
                          dim: Optional[int] = None) -> Tuple[Tensor, Tensor]:
    values, inverse, _ = _distinct(input, sorted, True, False, dim)
    return values, inverse


def unique_return_counts(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
                         dim: Optional[int] = None) -> Tuple[Tensor, Tensor]:
    values, _, counts = _distinct(input, sorted, False, True, dim)
    return values, counts


def unique_return_inverse_return_counts(input: Tensor, sorted: bool = True, return_inverse: bool = False,
                                        return_counts: bool = False,
                                        dim: Optional[int] = None) -> Tuple[Tensor, Tensor, Tensor]:
    return _distinct(input, sorted, True, True, dim)


def unique_consecutive(input: Tensor, return_inverse: bool = False, return_counts: bool = False,
                       dim: Optional[int] = None) -> Tensor:
    return input.unique_consecutive(False, False, dim)[0]


def unique_consecutive_return_inverse(input: Tensor, return_inverse: bool = False, return_counts: bool = False,
                                      dim: Optional[int] = None) -> Tuple[Tensor, Tensor]:
    values, inverse, _ = input.unique_consecutive(True, False, dim)
    return values, inverse


def unique_consecutive_return_counts(input: Tensor, return_inverse: bool = False, return_counts: bool = False,
                                     dim: Optional[int] = None) -> Tuple[Tensor, Tensor]:
    values, _, counts = input.unique_consecutive(False, True, dim)
    return values, counts


def unique_consecutive_return_inverse_return_counts(input: Tensor, return_inverse: bool = False,
                                                    return_counts: bool = False,
                                                    dim: Optional[int] = None) -> Tuple[Tensor, Tensor, Tensor]:
    return input.unique_consecutive(True, True, dim)


# Linear algebra whose arguments are of several types.

def _in(out: Optional[Tensor], result: Tensor) -> Tensor:
    """The result, where one was asked for in a tensor of the caller's."""
    if out is None:
        return result
    if out.dtype != result.dtype:
        raise RuntimeError("Expected out tensor to have dtype {}, but got {} instead".format(result.dtype, out.dtype))
    return out.resize_(result.size()).copy_(result)


def norm(input: Tensor, p: str = "fro", dim: Optional[BroadcastingList1[int]] = None, keepdim: bool = False,
         out: Optional[Tensor] = None, dtype: Optional[int] = None) -> Tensor:
    if p == "fro":
        if dtype is not None:
            raise ValueError("dtype argument is not supported in frobenius norm")
        dims = torch.jit.annotate(List[int], []) if dim is None else dim
        return _in(out, torch.frobenius_norm(input, dims, keepdim))
    if p == "nuc":
        if dtype is not None:
            raise ValueError("dtype argument is not supported in nuclear norm")
        return _in(out, torch.nuclear_norm(input, keepdim) if dim is None else torch.nuclear_norm(input, dim, keepdim))
    raise RuntimeError("only valid string values are 'fro' and 'nuc', found {}".format(p))


def _norm_of_order(input: Tensor, p: number, dim: Optional[BroadcastingList1[int]] = None, keepdim: bool = False,
                   out: Optional[Tensor] = None, dtype: Optional[int] = None) -> Tensor:
    dims = [i for i in range(input.dim())] if dim is None else dim
    if dtype is None:
        return _in(out, input.norm(p, dims, keepdim))
    return _in(out, input.norm(p, dims, keepdim, dtype=dtype))


def tensordot(a: Tensor, b: Tensor, dims: int = 2) -> Tensor:
    if dims < 0:
        raise RuntimeError("tensordot expects dims >= 0, but got dims={}".format(dims))
    return torch.ops.aten.tensordot(a, b, [i for i in range(-dims, 0)], [i for i in range(dims)])


def _tensordot_of_pairs(a: Tensor, b: Tensor, dims: Tuple[List[int], List[int]]) -> Tensor:
    return torch.ops.aten.tensordot(a, b, dims[0], dims[1])


def _tensordot_of_lists(a: Tensor, b: Tensor, dims: List[List[int]]) -> Tensor:
    return torch.ops.aten.tensordot(a, b, dims[0], dims[1])


def _tensordot_of_tensor(a: Tensor, b: Tensor, dims: Tensor) -> Tensor:
    if dims.numel() > 1:
        left: List[int] = dims[0].tolist()
        right: List[int] = dims[1].tolist()
        return torch.ops.aten.tensordot(a, b, left, right)
    return tensordot(a, b, int(dims.item()))


# Short-time Fourier transform. Its operator knows nothing of `center`.

def stft(input: Tensor, n_fft: int, hop_length: Optional[int] = None, win_length: Optional[int] = None,
         window: Optional[Tensor] = None, center: bool = True, pad_mode: str = "reflect", normalized: bool = False,
         onesided: Optional[bool] = None, return_complex: Optional[bool] = None,
         align_to_window: Optional[bool] = None) -> Tensor:
    if center and align_to_window is not None:
        raise RuntimeError("stft align_to_window should only be set when center = false")
    signal = input
    if center:
        # Padding by reflection wants a batch and a channel.
        batched = input.view([1] * (3 - input.dim()) + input.size())
        padded = torch.pad(batched, [n_fft // 2, n_fft // 2], pad_mode)
        signal = padded.view(padded.size()[-input.dim():])
    return torch.ops.aten.stft(signal, n_fft, hop_length, win_length, window, normalized, onesided, return_complex,
                               align_to_window)


# torch.nn.init.

def zeros_(tensor: Tensor) -> Tensor:
    with no_grad():
        return tensor.zero_()


def ones_(tensor: Tensor) -> Tensor:
    with no_grad():
        return tensor.fill_(1.0)


def constant_(tensor: Tensor, val: float) -> Tensor:
    with no_grad():
        return tensor.fill_(val)


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0) -> Tensor:
    with no_grad():
        return tensor.uniform_(a, b)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0) -> Tensor:
    with no_grad():
        return tensor.normal_(mean, std)


# Limits of dtypes, whose numbers are PyTorch's.

class finfo:
    def __init__(self, dtype: int = 6) -> None:
        kind = dtype
        if dtype == 8 or dtype == 9 or dtype == 10:  # of the parts of a complex number
            kind = dtype - 3
        if kind == 5:
            self.bits, self.dtype = 16, "float16"
            self.max, self.eps, self.tiny = 65504., 0.0009765625, 6.103515625e-05
            self.smallest_normal, self.resolution = 6.103515625e-05, 0.001
        elif kind == 15:
            self.bits, self.dtype = 16, "bfloat16"
            self.max, self.eps, self.tiny = 3.3895313892515355e+38, 0.0078125, 1.1754943508222875e-38
            self.smallest_normal, self.resolution = 1.1754943508222875e-38, 0.01
        elif kind == 6:
            self.bits, self.dtype = 32, "float32"
            self.max, self.eps, self.tiny = 3.4028234663852886e+38, 1.1920928955078125e-07, 1.1754943508222875e-38
            self.smallest_normal, self.resolution = 1.1754943508222875e-38, 1e-06
        elif kind == 7:
            self.bits, self.dtype = 64, "float64"
            self.max, self.eps, self.tiny = 1.7976931348623157e+308, 2.220446049250313e-16, 2.2250738585072014e-308
            self.smallest_normal, self.resolution = 2.2250738585072014e-308, 1e-15
        else:
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'")
        self.min = -self.max


class iinfo:
    def __init__(self, dtype: int) -> None:
        self.min, self.max = 0, 255
        self.bits, self.dtype = 8, "uint8"
        if dtype == 1:
            self.min, self.max, self.bits, self.dtype = -128, 127, 8, "int8"
        elif dtype == 2:
            self.min, self.max, self.bits, self.dtype = -32768, 32767, 16, "int16"
        elif dtype == 3:
            self.min, self.max, self.bits, self.dtype = -2147483648, 2147483647, 32, "int32"
        elif dtype == 4:
            self.min, self.max, self.bits, self.dtype = -9223372036854775807 - 1, 9223372036854775807, 64, "int64"
        elif dtype != 0:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")


def get_default_dtype() -> int:
    return torch.empty([0]).dtype


def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    if dim == -1:
        return v.norm(pow)
    sizes = [1 for _ in range(v.dim())]
    if dim == 0:
        sizes[0] = v.size(0)
        return v.contiguous().view([v.size(0), -1]).norm(pow, [1]).view(sizes)
    if dim == v.dim() - 1:
        sizes[v.dim() - 1] = v.size(v.dim() - 1)
        return v.contiguous().view([-1, v.size(v.dim() - 1)]).norm(pow, [0]).view(sizes)
    return norm_except_dim_moved(v.transpose(0, dim), pow).transpose(0, dim)


def norm_except_dim_moved(v: Tensor, pow: int) -> Tensor:
    sizes = [1 for _ in range(v.dim())]
    sizes[0] = v.size(0)
    return v.contiguous().view([v.size(0), -1]).norm(pow, [1]).view(sizes)


def _assert(condition: bool, message: str) -> None:
    assert condition, message


def _assert_tensor(condition: Tensor, message: str) -> None:
    assert bool(condition), message

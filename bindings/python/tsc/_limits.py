"""torch.finfo and torch.iinfo: the limits of dtypes, as tsc's library has them."""

from . import _prelude
from . import dtype as _dtype
from . import float32

_text = {"__name__": __name__}
_prelude.run(["torch.py"], _text, only=("finfo", "iinfo"))


class finfo(_text["finfo"]):
    """Limits of a floating-point dtype: bits, max, min, eps, tiny, smallest_normal, resolution, dtype (its name)."""

    def __init__(self, type=float32):  # noqa: A002  torch's name
        if not isinstance(type, _dtype) or not (type.is_floating_point or type.is_complex):
            raise TypeError(f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{type}'")
        super().__init__(int(type))

    def __repr__(self):
        return (f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
                f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})")


class iinfo(_text["iinfo"]):
    """Limits of an integer dtype: bits, max, min, dtype (its name)."""

    def __init__(self, type):  # noqa: A002  torch's name
        if not isinstance(type, _dtype) or type.is_floating_point or type.is_complex:
            raise TypeError(f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{type}'")
        super().__init__(int(type))

    def __repr__(self):
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"

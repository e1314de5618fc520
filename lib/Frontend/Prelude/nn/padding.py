# Padding, up-sampling, and rearrangement of pixels and channels.

class _PadNd(Module):
    # `_dims`, `_mode` and `_value` are those of the class.
    _value = 0.0

    def __init__(self, padding):
        super().__init__()
        self.padding = _ntuple(padding, 2 * self._dims)

    def forward(self, input: Tensor) -> Tensor:
        if self._mode == "constant":
            return F.pad(input, self.padding, "constant", self._value)
        return F.pad(input, self.padding, self._mode)

    def extra_repr(self):
        return "{}".format(self.padding)


class _ConstantPadNd(_PadNd):
    _mode = "constant"

    def __init__(self, padding, value):
        super().__init__(padding)
        self.value = value
        self._value = float(value)

    def extra_repr(self):
        return "padding={}, value={}".format(self.padding, self.value)


class ConstantPad1d(_ConstantPadNd):
    _dims = 1


class ConstantPad2d(_ConstantPadNd):
    _dims = 2


class ConstantPad3d(_ConstantPadNd):
    _dims = 3


class ZeroPad2d(_PadNd):
    _dims = 2
    _mode = "constant"


class ReflectionPad1d(_PadNd):
    _dims = 1
    _mode = "reflect"


class ReflectionPad2d(_PadNd):
    _dims = 2
    _mode = "reflect"


class ReflectionPad3d(_PadNd):
    _dims = 3
    _mode = "reflect"


class ReplicationPad1d(_PadNd):
    _dims = 1
    _mode = "replicate"


class ReplicationPad2d(_PadNd):
    _dims = 2
    _mode = "replicate"


class ReplicationPad3d(_PadNd):
    _dims = 3
    _mode = "replicate"


class PixelShuffle(Module):
    def __init__(self, upscale_factor):
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_shuffle(input, self.upscale_factor)

    def extra_repr(self):
        return "upscale_factor={}".format(self.upscale_factor)


class PixelUnshuffle(Module):
    def __init__(self, downscale_factor):
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.pixel_unshuffle(input, self.downscale_factor)

    def extra_repr(self):
        return "downscale_factor={}".format(self.downscale_factor)


class ChannelShuffle(Module):
    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, input: Tensor) -> Tensor:
        return F.channel_shuffle(input, self.groups)

    def extra_repr(self):
        return "groups={}".format(self.groups)


class Upsample(Module):
    size: Optional[List[int]]
    scale_factor: Optional[List[float]]

    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None,
                 recompute_scale_factor=None):
        super().__init__()
        self.shown = "scale_factor={}".format(self._as_floats(scale_factor)) if scale_factor is not None else (
            "size={}".format(size))
        # One number stands for each of the dimensions, whose count the input shows.
        self.size = None if size is None else list(size) if isinstance(size, (list, tuple)) else [size]
        self.scale_factor = None if scale_factor is None else (
            [float(s) for s in scale_factor] if isinstance(scale_factor, (list, tuple)) else [float(scale_factor)])
        self.mode = mode
        self.align_corners: Optional[bool] = align_corners
        self.recompute_scale_factor: Optional[bool] = recompute_scale_factor

    def _as_floats(self, value):
        return tuple(float(v) for v in value) if isinstance(value, (list, tuple)) else float(value)

    def forward(self, input: Tensor) -> Tensor:
        size = self.size
        scale = self.scale_factor
        if size is not None and len(size) == 1:
            size = size * (input.dim() - 2)
        if scale is not None and len(scale) == 1:
            scale = scale * (input.dim() - 2)
        return F.interpolate(input, size, scale, self.mode, self.align_corners,
                             recompute_scale_factor=self.recompute_scale_factor)

    def extra_repr(self):
        return "{}, mode={!r}".format(self.shown, self.mode)


class UpsamplingNearest2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    def __init__(self, size=None, scale_factor=None):
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)


class CosineSimilarity(Module):
    def __init__(self, dim=1, eps=1e-8):
        super().__init__()
        self.dim = dim
        self.eps = eps

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)


class PairwiseDistance(Module):
    def __init__(self, p=2.0, eps=1e-6, keepdim=False):
        super().__init__()
        self.norm = float(p)
        self.eps = eps
        self.keepdim = keepdim

    def forward(self, x1: Tensor, x2: Tensor) -> Tensor:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)

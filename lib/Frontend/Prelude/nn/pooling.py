# Pooling.

class _MaxPoolNd(Module):
    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def extra_repr(self):
        return "kernel_size={}, stride={}, padding={}, dilation={}, ceil_mode={}".format(
            self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode)


class MaxPool1d(_MaxPoolNd):
    def forward(self, input: Tensor):
        return F.max_pool1d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode,
                            self.return_indices)


class MaxPool2d(_MaxPoolNd):
    def forward(self, input: Tensor):
        return F.max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode,
                            self.return_indices)


class MaxPool3d(_MaxPoolNd):
    def forward(self, input: Tensor):
        return F.max_pool3d(input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode,
                            self.return_indices)


class _MaxUnpoolNd(Module):
    def __init__(self, kernel_size, stride=None, padding=0):
        super().__init__()
        n = self._dims
        self.kernel_size = _ntuple(kernel_size, n)
        self.stride = _ntuple(stride if stride is not None else kernel_size, n)
        self.padding = _ntuple(padding, n)

    def extra_repr(self):
        return "kernel_size={}, stride={}, padding={}".format(self.kernel_size, self.stride, self.padding)


class MaxUnpool1d(_MaxUnpoolNd):
    _dims = 1

    def forward(self, input: Tensor, indices: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        return F.max_unpool1d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool2d(_MaxUnpoolNd):
    _dims = 2

    def forward(self, input: Tensor, indices: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        return F.max_unpool2d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class MaxUnpool3d(_MaxUnpoolNd):
    _dims = 3

    def forward(self, input: Tensor, indices: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        return F.max_unpool3d(input, indices, self.kernel_size, self.stride, self.padding, output_size)


class AvgPool1d(Module):
    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__()
        self.kernel_size = _ntuple(kernel_size, 1)
        self.stride = _ntuple(stride if stride is not None else kernel_size, 1)
        self.padding = _ntuple(padding, 1)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)

    def extra_repr(self):
        return "kernel_size={}, stride={}, padding={}".format(self.kernel_size, self.stride, self.padding)


class _AvgPoolNd(Module):
    def __init__(self, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
                 divisor_override=None):
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def extra_repr(self):
        return "kernel_size={}, stride={}, padding={}".format(self.kernel_size, self.stride, self.padding)


class AvgPool2d(_AvgPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool2d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
                            self.divisor_override)


class AvgPool3d(_AvgPoolNd):
    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool3d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
                            self.divisor_override)


class LPPool1d(Module):
    def __init__(self, norm_type, kernel_size, stride=None, ceil_mode=False):
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool1d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self):
        return "norm_type={}, kernel_size={}, stride={}, ceil_mode={}".format(self.norm_type, self.kernel_size,
                                                                              self.stride, self.ceil_mode)


class LPPool2d(LPPool1d):
    def forward(self, input: Tensor) -> Tensor:
        return F.lp_pool2d(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)


class FractionalMaxPool2d(Module):
    _dims = 2

    def __init__(self, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None):
        super().__init__()
        n = self._dims
        if (output_size is None) == (output_ratio is None):
            raise ValueError("FractionalMaxPool requires either output_size or output_ratio to be defined")
        self.kernel_size = _ntuple(kernel_size, n)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = _ntuple(output_size, n) if output_size is not None else None
        self.output_ratio = _ntuple(output_ratio, n) if output_ratio is not None else None

    def _sizes(self, input: Tensor) -> List[int]:
        sizes: List[int] = []
        for d in range(len(self.kernel_size)):
            if self.output_size is not None:
                sizes.append(self.output_size[d])
            elif self.output_ratio is not None:
                sizes.append(int(input.size(d - len(self.kernel_size)) * self.output_ratio[d]))
        return sizes

    def _samples(self, input: Tensor) -> Tensor:
        if self._random_samples is not None:
            return self._random_samples
        dims = len(self.kernel_size)
        batch = 1 if input.dim() == dims + 1 else input.size(0)
        return torch.rand([batch, input.size(-dims - 1), dims], dtype=input.dtype)

    def forward(self, input: Tensor):
        values, indices = torch.fractional_max_pool2d(input, self.kernel_size, self._sizes(input), self._samples(input))
        if self.return_indices:
            return values, indices
        return values


class FractionalMaxPool3d(FractionalMaxPool2d):
    _dims = 3

    def forward(self, input: Tensor):
        values, indices = torch.fractional_max_pool3d(input, self.kernel_size, self._sizes(input), self._samples(input))
        if self.return_indices:
            return values, indices
        return values


class _AdaptivePoolNd(Module):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size
        self._fixed = tuple(-1 if size is None else size for size in _ntuple(output_size, self._dims))

    def _sizes(self, input: Tensor) -> List[int]:
        # A size that was left out is the input's.
        sizes: List[int] = []
        for d in range(len(self._fixed)):
            sizes.append(self._fixed[d] if self._fixed[d] >= 0 else input.size(d - len(self._fixed)))
        return sizes

    def extra_repr(self):
        return "output_size={}".format(self.output_size)


class AdaptiveAvgPool1d(_AdaptivePoolNd):
    _dims = 1

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(input, self._sizes(input))


class AdaptiveAvgPool2d(_AdaptivePoolNd):
    _dims = 2

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, self._sizes(input))


class AdaptiveAvgPool3d(_AdaptivePoolNd):
    _dims = 3

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(input, self._sizes(input))


class _AdaptiveMaxPoolNd(_AdaptivePoolNd):
    def __init__(self, output_size, return_indices=False):
        super().__init__(output_size)
        self.return_indices = return_indices


class AdaptiveMaxPool1d(_AdaptiveMaxPoolNd):
    _dims = 1

    def forward(self, input: Tensor):
        return F.adaptive_max_pool1d(input, self._sizes(input), self.return_indices)


class AdaptiveMaxPool2d(_AdaptiveMaxPoolNd):
    _dims = 2

    def forward(self, input: Tensor):
        return F.adaptive_max_pool2d(input, self._sizes(input), self.return_indices)


class AdaptiveMaxPool3d(_AdaptiveMaxPoolNd):
    _dims = 3

    def forward(self, input: Tensor):
        return F.adaptive_max_pool3d(input, self._sizes(input), self.return_indices)

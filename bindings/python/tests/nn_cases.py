"""Modules of torch.nn with arguments and inputs, for whichever library has them.

A case is the name of a class, its arguments, its keyword arguments, and a function that makes the inputs with a library:
torch or tsc. The numbers are the same in both.
"""


class Numbers:
    """Makes tensors of a library's, each time the same numbers."""

    def __init__(self, library):
        self.library = library

    def make(self, shape, of):
        """A tensor of `of(n)` for n in 0, 1, ... in the order of memory."""
        count = 1
        for size in shape:
            count *= size
        return self.library.tensor([of(n) for n in range(count)]).reshape(shape)

    def normal(self, *shape):
        """Numbers between -2 and 2, all different."""
        return self.make(shape, lambda n: (n * 7919 % 4001) / 1000.0 - 2.0)

    def unit(self, *shape):
        """Numbers between 0 and 1."""
        return self.make(shape, lambda n: (n * 6007 % 997 + 1) / 999.0)

    def ints(self, *shape, high, low=0):
        return self.make(shape, lambda n: low + (n * 31 + 7) % 17 % (high - low))

    def signs(self, *shape):
        return self.ints(*shape, high=2) * 2 - 1


CASES = []


def add(name, *args, inputs=lambda make: [make.normal(2, 3)], **kwargs):
    CASES.append((name, args, kwargs, inputs))


for _name in ("ReLU", "ReLU6", "SiLU", "Mish", "Hardsigmoid", "Hardswish", "SELU", "Sigmoid", "Tanh", "LogSigmoid", "Softsign",
              "Tanhshrink", "GELU", "ELU", "CELU", "LeakyReLU", "PReLU", "Hardshrink", "Softshrink", "Softplus",
              "Hardtanh", "Identity", "Flatten", "Softmax"):
    add(_name)
for _name in ("Softmax", "Softmin", "LogSoftmax"):
    add(_name, 1)
add("GELU", "tanh")
add("ReLU", True)
add("Threshold", 0.1, 2.0)
add("GLU", inputs=lambda make: [make.normal(2, 4)])
add("Softmax2d", inputs=lambda make: [make.normal(2, 3, 4, 4)])
add("Linear", 3, 5)
add("Linear", 3, 5, False)
add("Bilinear", 3, 4, 5, inputs=lambda make: [make.normal(2, 3), make.normal(2, 4)])
add("Unflatten", 1, (1, 3))
add("Dropout", 0.3)
add("LayerNorm", 3)
add("LayerNorm", (2, 3), elementwise_affine=False)
add("GroupNorm", 2, 4, inputs=lambda make: [make.normal(2, 4, 5)])
add("LocalResponseNorm", 2, inputs=lambda make: [make.normal(2, 4, 5)])
add("LocalResponseNorm", 2, inputs=lambda make: [make.normal(2, 4, 5, 5)])


def _images(dims):
    return lambda make: [make.normal(2, 4, *[6] * dims)]


for _dims in (1, 2, 3):
    _image = _images(_dims)
    add(f"Conv{_dims}d", 4, 6, 3, inputs=_image)
    add(f"Conv{_dims}d", 4, 6, 3, padding="same", groups=2, inputs=_image)
    add(f"Conv{_dims}d", 4, 6, 3, padding=1, stride=2, bias=False, inputs=_image)
    add(f"Conv{_dims}d", 4, 6, 3, padding=1, padding_mode="circular", inputs=_image)
    add(f"ConvTranspose{_dims}d", 4, 6, 3, stride=2, output_padding=1, padding=1, inputs=_image)
    add(f"ConvTranspose{_dims}d", 4, 6, 3, stride=2,
        inputs=lambda make, image=_image, dims=_dims: [*image(make), [14] * dims])
    add(f"MaxPool{_dims}d", 2, inputs=_image)
    add(f"MaxPool{_dims}d", 3, stride=2, padding=1, return_indices=True, ceil_mode=True, inputs=_image)
    add(f"AvgPool{_dims}d", 2, inputs=_image)
    add(f"AvgPool{_dims}d", 3, 2, 1, ceil_mode=True, inputs=_image)
    add(f"AdaptiveAvgPool{_dims}d", 3, inputs=_image)
    add(f"AdaptiveMaxPool{_dims}d", 2, inputs=_image)
    add(f"AdaptiveMaxPool{_dims}d", 2, return_indices=True, inputs=_image)
    add(f"BatchNorm{_dims}d", 4, inputs=_image)
    add(f"BatchNorm{_dims}d", 4, momentum=None, inputs=_image)
    add(f"BatchNorm{_dims}d", 4, track_running_stats=False, affine=False, inputs=_image)
    add(f"InstanceNorm{_dims}d", 4, affine=True, track_running_stats=True, inputs=_image)
    add(f"ConstantPad{_dims}d", 1, 3.5, inputs=_image)
    add(f"ReflectionPad{_dims}d", 1, inputs=_image)
    add(f"ReplicationPad{_dims}d", 1, inputs=_image)
    add(f"MaxUnpool{_dims}d", 2, inputs=lambda make, image=_image, dims=_dims: list(
        getattr(make.library.nn.functional, f"max_pool{dims}d")(image(make)[0], 2, return_indices=True)))
    add("Upsample", scale_factor=2, inputs=_image)
    add("Upsample", size=7, mode=("linear", "bilinear", "trilinear")[_dims - 1], align_corners=True, inputs=_image)
add("ZeroPad2d", 1, inputs=lambda make: [make.normal(1, 2, 3, 3)])
add("LPPool1d", 2, 3, inputs=lambda make: [make.unit(2, 4, 7)])
add("LPPool2d", 2, (3, 2), inputs=lambda make: [make.unit(2, 4, 7, 7)])
add("AdaptiveAvgPool2d", (None, 3), inputs=lambda make: [make.normal(2, 4, 7, 7)])
add("Fold", (4, 4), 2, stride=2, inputs=lambda make: [make.normal(2, 12, 4)])
add("Unfold", 2, inputs=lambda make: [make.normal(2, 3, 4, 4)])
add("PixelShuffle", 2, inputs=lambda make: [make.normal(1, 4, 3, 3)])
add("PixelUnshuffle", 2, inputs=lambda make: [make.normal(1, 1, 4, 4)])
add("ChannelShuffle", 2, inputs=lambda make: [make.normal(1, 4, 3, 3)])
add("UpsamplingNearest2d", scale_factor=2, inputs=lambda make: [make.normal(1, 4, 3, 3)])
add("UpsamplingBilinear2d", scale_factor=2, inputs=lambda make: [make.normal(1, 4, 3, 3)])
add("Embedding", 5, 4, inputs=lambda make: [make.ints(2, 3, high=5)])
add("Embedding", 5, 4, padding_idx=1, inputs=lambda make: [make.ints(2, 3, high=5)])
add("EmbeddingBag", 5, 4, inputs=lambda make: [make.ints(2, 3, high=5)])
add("EmbeddingBag", 5, 4, mode="sum", inputs=lambda make: [make.ints(2, 3, high=5), None, make.normal(2, 3)])
add("CosineSimilarity", inputs=lambda make: [make.normal(2, 3), make.unit(2, 3)])
add("PairwiseDistance", inputs=lambda make: [make.normal(2, 3), make.unit(2, 3)])

for _name in ("RNN", "LSTM", "GRU"):
    add(_name, 3, 5, inputs=lambda make: [make.normal(4, 2, 3)])
    add(_name, 3, 5, num_layers=2, bidirectional=True, inputs=lambda make: [make.normal(4, 2, 3)])
    add(_name, 3, 5, batch_first=True, bias=False, inputs=lambda make: [make.normal(4, 2, 3)])
    add(_name, 3, 5, inputs=lambda make: [make.normal(4, 3)])
    add(_name + "Cell", 3, 5, inputs=lambda make: [make.normal(2, 3)])
    add(_name + "Cell", 3, 5, inputs=lambda make: [make.normal(3)])
add("RNN", 3, 5, nonlinearity="relu", inputs=lambda make: [make.normal(4, 2, 3)])
add("LSTM", 3, 5, proj_size=2, inputs=lambda make: [make.normal(4, 2, 3)])
add("LSTM", 3, 5, inputs=lambda make: [make.normal(4, 2, 3), (make.normal(1, 2, 5), make.unit(1, 2, 5))])
add("MultiheadAttention", 8, 2, inputs=lambda make: [make.normal(5, 3, 8)] * 3)
add("MultiheadAttention", 8, 2, batch_first=True, add_bias_kv=True, add_zero_attn=True,
    inputs=lambda make: [make.normal(5, 3, 8)] * 3)
add("MultiheadAttention", 8, 2, kdim=6, vdim=4, inputs=lambda make: [
    make.normal(5, 3, 8), make.normal(5, 3, 6), make.normal(5, 3, 4), make.ints(3, 5, high=2) > 0])
add("MultiheadAttention", 8, 2, inputs=lambda make: [*[make.normal(5, 3, 8)] * 3, None, True, make.normal(5, 5)])
add("MultiheadAttention", 8, 2, inputs=lambda make: [*[make.normal(5, 8)] * 3, None, True, make.normal(2, 5, 5)])
add("TransformerEncoderLayer", 8, 2, 16, 0.0, inputs=lambda make: [make.normal(5, 3, 8)])
add("TransformerDecoderLayer", 8, 2, 16, 0.0, norm_first=True, activation="gelu",
    inputs=lambda make: [make.normal(5, 3, 8), make.normal(4, 3, 8)])
add("Transformer", 8, 2, 2, 2, 16, 0.0, inputs=lambda make: [make.normal(5, 3, 8), make.normal(4, 3, 8)])

for _name in ("L1Loss", "MSELoss", "SmoothL1Loss", "HuberLoss", "SoftMarginLoss", "HingeEmbeddingLoss", "PoissonNLLLoss"):
    add(_name, inputs=lambda make: [make.normal(4, 3), make.signs(4, 3)])
    add(_name, reduction="sum", inputs=lambda make: [make.normal(4, 3), make.signs(4, 3)])
for _name in ("BCELoss", "KLDivLoss", "BCEWithLogitsLoss", "MultiLabelSoftMarginLoss"):
    add(_name, inputs=lambda make: [make.unit(4, 3), 1 - make.unit(4, 3)])
add("KLDivLoss", reduction="batchmean", inputs=lambda make: [make.normal(4, 3), make.unit(4, 3)])
add("NLLLoss", inputs=lambda make: [make.normal(4, 3), make.ints(4, high=3)])
add("CrossEntropyLoss", label_smoothing=0.1, inputs=lambda make: [make.normal(4, 3), make.ints(4, high=3)])
add("CrossEntropyLoss", ignore_index=1, inputs=lambda make: [make.normal(4, 3), make.ints(4, high=3)])
add("GaussianNLLLoss", inputs=lambda make: [make.normal(4, 3), make.unit(4, 3), make.unit(4, 3)])
add("MultiLabelMarginLoss", inputs=lambda make: [make.normal(4, 3), make.ints(4, 3, high=3)])
add("CosineEmbeddingLoss", inputs=lambda make: [make.normal(4, 3), make.unit(4, 3), make.signs(4)])
add("MarginRankingLoss", inputs=lambda make: [make.normal(4), make.unit(4), make.signs(4)])
add("MultiMarginLoss", inputs=lambda make: [make.normal(4, 3), make.ints(4, high=3)])
add("TripletMarginLoss", swap=True, inputs=lambda make: [make.normal(4, 3), make.unit(4, 3), 2 * make.normal(4, 3)])
add("CTCLoss", inputs=lambda make: [make.normal(6, 2, 5).log_softmax(2), make.ints(2, 3, low=1, high=5),
                                    make.library.tensor([6, 6]), make.library.tensor([3, 2])])


def text_of(case):
    """How a case is written: for messages."""
    name, args, kwargs, _ = case
    return f"{name}({', '.join([*map(repr, args), *(f'{key}={value!r}' for key, value in kwargs.items())])})"


def tensors_in(value):
    """The tensors of a result, in order."""
    if isinstance(value, (tuple, list)):
        return [tensor for one in value for tensor in tensors_in(one)]
    return [] if value is None else [value]


def differ(first, second, tolerance):
    """Whether nested lists of numbers differ by more than a part of them, or in their form."""
    if isinstance(first, list) or isinstance(second, list):
        return type(first) is not type(second) or len(first) != len(second) or any(
            differ(one, other, tolerance) for one, other in zip(first, second))
    return first != second and not (first != first and second != second) and not (
        abs(first - second) <= tolerance * (1 + abs(first)))

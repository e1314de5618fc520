# Which results have the same bits with every level of vector instructions: each line has a kind of operators, and a number that
# depends on every bit of its results. docs/Bits.md says why some differ; Inputs/level_bits.txt has the numbers of every level.
# A build for one processor rounds products and sums of scalar code together, so that a few of its numbers are others.
# REQUIRES: all-simd-levels
# RUN: %python %S/Inputs/check_level_bits.py tsc-run %s %S/Inputs/level_bits.txt %source_dir/docs/Bits.md | FileCheck %s
# CHECK: {{^}}110 kinds with {{v2|neon}}
import torch
import torch.nn.functional as F
from torch import Tensor
from typing import List, Tuple


def numbers(count: int, seed: int, low: float, high: float) -> Tensor:
    """Numbers that any processor computes the same: quotients of integers by a power of two."""
    state = (torch.arange(count) * 1103515245 + 12345 * seed) % 2147483648
    state = (state * 22695477 + 1) % 2147483648 // 32768
    return low + (high - low) * (state.double() / 65536.0)


def floats(shape: List[int], seed: int = 1, low: float = -4.0, high: float = 4.0) -> Tensor:
    count = 1
    for size in shape:
        count *= size
    return numbers(count, seed, low, high).float().view(shape)


def doubles(shape: List[int], seed: int = 1, low: float = -4.0, high: float = 4.0) -> Tensor:
    return floats(shape, seed, low, high).double() + floats(shape, seed + 1).double() * 1e-9


def hashed(t: Tensor) -> int:
    t = t.detach().contiguous().view(-1)
    if t.is_complex():
        t = torch.view_as_real(t).contiguous().view(-1)
    if t.dtype == torch.float64:
        t = t.view(torch.int64)
    elif t.dtype == torch.float32:
        t = t.view(torch.int32)
    elif t.dtype == torch.float16 or t.dtype == torch.bfloat16:
        t = t.view(torch.int16)
    bits = t.to(torch.int64)
    place = torch.arange(bits.numel()) * 6364136223846793005 + 1442695040888963407
    mixed = (bits ^ (bits >> 29)) * place
    return int((mixed ^ (mixed >> 32)).sum())


def say(kind: str, results: List[Tensor]) -> None:
    total = 0
    for i, t in enumerate(results):
        total = total * 31 + hashed(t)
    print(kind + ": " + str(total % 1000000007))


def pointwise(x: Tensor, y: Tensor, p: Tensor) -> None:
    name = " of floats" if x.dtype == torch.float32 else " of doubles"
    say("sums, products, quotients, roots" + name, [x + y, x - y, x * y, x / y, p.sqrt(), x.abs(), -x, x.reciprocal(), p.rsqrt()])
    say("a product and a sum" + name, [torch.addcmul(x, y, p), torch.addcdiv(x, y, p), torch.lerp(x, y, p), torch.add(x, y, alpha=0.3)])
    say("comparisons, selections, bounds" + name, [x < y, torch.where(x > y, x, p), x.clamp(-1.0, 1.0), torch.maximum(x, y), x.sign(), F.relu(x), x.floor(), x.round()])
    say("remainders" + name, [torch.fmod(x, y), torch.remainder(x, y), torch.floor_divide(x, y)])
    say("exp" + name, [x.exp(), torch.exp2(x), x.expm1()])
    say("log" + name, [p.log(), p.log2(), p.log10(), p.log1p()])
    say("sigmoid, tanh" + name, [x.sigmoid(), x.tanh(), F.silu(x), F.softplus(x), F.mish(x), F.logsigmoid(x)])
    say("erf, gelu" + name, [x.erf(), x.erfc(), F.gelu(x), F.gelu(x, approximate="tanh")])
    say("sin, cos, tan" + name, [x.sin(), x.cos(), x.tan()])
    say("inverse and hyperbolic functions" + name, [(x / 4.5).asin(), (x / 4.5).acos(), x.atan(), x.sinh(), x.cosh(), torch.atan2(x, y), x.asinh(), (p + 1).acosh(), (x / 4.5).atanh()])
    say("pow" + name, [p.pow(1.7), p.pow(y), x.pow(3.0), x.pow(2.0), p.pow(-0.5)])
    say("gamma functions" + name, [p.lgamma(), p.digamma(), torch.special.gammainc(p, p + 1)])
    say("inverse of erf, Bessel functions" + name, [(x / 4.5).erfinv(), torch.special.i0(x), torch.special.i1(x), torch.special.bessel_j0(x), torch.special.ndtri(p / 4.5)])
    say("zeta functions" + name, [torch.special.zeta(p + 1.5, p), torch.polygamma(1, p)])


def halves(dtype: torch.dtype, name: str) -> None:
    x, y = floats([1003]).to(dtype), floats([1003], 5).to(dtype)
    say("conversions" + name, [x, x.float(), y.double(), floats([1003]).to(dtype), doubles([1003]).to(dtype), x.int()])
    say("sums, products, quotients" + name, [x + y, x * y, x / y, F.relu(x), torch.lerp(x, y, 0.25)])
    say("exp, sigmoid, gelu" + name, [x.exp(), x.sigmoid(), F.gelu(x), x.tanh()])
    m = floats([40, 100]).to(dtype)
    say("folds, softmax, norms" + name, [m.sum(), m.sum(1), m.mean(0), F.softmax(m, 1), F.layer_norm(m, [100])])
    say("products of matrices" + name, [m @ m.t(), m @ m[0]])


def integers() -> None:
    a, b = (numbers(1003, 3, -1e9, 1e9)).long(), numbers(1003, 4, 1.0, 5000.0).long()
    for dtype, name in [(torch.int64, "int64"), (torch.int32, "int32"), (torch.int16, "int16"), (torch.int8, "int8"), (torch.uint8, "uint8")]:
        x, y = a.to(dtype), b.to(dtype).clamp(1)
        say("sums, products, quotients, folds of " + name, [x + y, x * y, x // y, x % y, x & y, x ^ y, x.sum(), x.cumsum(0), x.double(), x.float(), x > y])
        say("sorting of " + name, [x.sort()[0], x.argsort(stable=True), x.topk(5)[0], x.unique()])
    say("shifts, gcd", [a << 3, a >> 5, torch.gcd(a, b), torch.bincount(b)])


def folds(m: Tensor) -> None:
    name = " of floats" if m.dtype == torch.float32 else " of doubles"
    big = m.repeat([3, 7])
    say("sum, mean" + name, [m.sum(), m.sum(0), m.sum(1), big.mean(), big.mean(1), big.sum(0), m.t().sum(0)])
    say("prod, amax, argmax, cumsum, cumprod" + name, [(m / 4).prod(1), m.amax(1), m.argmax(), m.cumsum(1), (m / 4).cumprod(0), m.cummax(0)[0]])
    say("var, std, norm" + name, [m.var(), big.std(1), m.norm(), torch.linalg.vector_norm(m, 3.0, 1), big.var(0)])
    say("softmax, logsumexp" + name, [F.softmax(m, 1), F.log_softmax(m, 0), m.logsumexp(1), F.softmax(big, 0)])
    n = m.size(1)
    say("layer, group, batch and instance norm" + name, [F.layer_norm(m, [n]), F.group_norm(m.view(2, 10, -1), 5), F.batch_norm(m, None, None, training=True), F.instance_norm(m.view(2, 10, -1))])
    say("losses" + name, [F.mse_loss(m, m.flip(0)), F.cross_entropy(m, torch.arange(m.size(0)) % n), F.smooth_l1_loss(m, m.flip(1)), F.kl_div(F.log_softmax(m, 1), F.softmax(m.flip(1), 1)), F.binary_cross_entropy_with_logits(m, (m > 0).to(m.dtype))])
    say("distances" + name, [torch.cdist(m, m.flip(0)), torch.cdist(m, m, 1.0), F.cosine_similarity(m, m.flip(0)), F.pairwise_distance(m, m.flip(1))])
    say("sort, topk, median, quantile" + name, [m.sort(1)[0], m.topk(3)[1], m.median(1)[0], m.kthvalue(4)[0], torch.quantile(m, 0.3)])


def products(a: Tensor, b: Tensor) -> None:
    name = " of floats" if a.dtype == torch.float32 else " of doubles"
    say("products of matrices" + name, [a @ b, a[:3] @ b, a[:, :17] @ b[:17], a.t().contiguous().t() @ b])
    say("products with vectors" + name, [a @ b[:, 0], torch.dot(a[0], a[1]), b.t() @ a[0], torch.outer(a[0], b[0]), torch.addmv(a[:, 0], a, b[:, 1])])
    say("products in batches" + name, [torch.bmm(a.view(5, 20, -1), b.view(5, -1, b.size(1))[:, :a.size(1)].repeat(1, 7, 1)[:, :a.size(1)]), torch.einsum("ij,kj->ik", a, a)])


def layers() -> None:
    x, w = floats([2, 8, 19, 21]), floats([16, 8, 3, 3], 2)
    say("convolutions", [F.conv2d(x, w, padding=1), F.conv2d(x, w, stride=2), F.conv2d(x, w[:, :, :1, :1]), F.conv2d(x, w, dilation=2)])
    say("convolutions in groups", [F.conv2d(x, w[:8, :1], groups=8, padding=1), F.conv2d(x, w[:, :2], groups=4), F.conv1d(x[:, :, 0], w[:, :, 0])])
    say("transposed convolutions", [F.conv_transpose2d(x, floats([8, 6, 4, 4], 3), stride=2), F.conv_transpose2d(x, floats([8, 1, 3, 3], 3), groups=8)])
    say("pooling", [F.max_pool2d(x, 3, 2), F.avg_pool2d(x, 2), F.adaptive_avg_pool2d(x, [3, 5])])
    say("resizing", [F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False), F.interpolate(x, scale_factor=1.5, mode="bicubic", align_corners=True), F.interpolate(x, scale_factor=2.0, mode="nearest")])
    grid = floats([2, 9, 9, 2], 7, -1.25, 1.25)
    say("grid_sample", [F.grid_sample(x, grid, align_corners=False), F.grid_sample(x, grid, mode="nearest", align_corners=True)])
    table = floats([50, 24])
    ids = (torch.arange(60) * 7 % 50).view(6, 10)
    say("embeddings", [F.embedding(ids, table), F.embedding_bag(ids, table)])
    say("scaled products of attention", [F.scaled_dot_product_attention(x[:, :, :, :16], x[:, :, :, 3:19], x[:, :, :, :16])])


def recurrent() -> None:
    x = floats([7, 3, 12])
    w = [floats([40, 12], 2, -0.5, 0.5), floats([40, 10], 3, -0.5, 0.5), floats([40], 4), floats([40], 5)]
    h = torch.zeros([1, 3, 10])
    say("LSTM", list(torch.lstm(x, [h, h], w, True, 1, 0.0, False, False, False)))
    v = [w[0][:30], w[1][:30], w[2][:30], w[3][:30]]
    say("GRU", list(torch.gru(x, h, v, True, 1, 0.0, False, False, False)))


def quantized() -> None:
    x = floats([20, 33])
    q = torch.quantize_per_tensor(x, 0.05, 3, torch.quint8)
    say("quantization", [q.int_repr(), q.dequantize(), torch.fake_quantize_per_tensor_affine(x, 0.05, 3, 0, 255)])
    w = torch.quantize_per_tensor(floats([16, 33], 4), 0.04, 0, torch.qint8)
    packed = torch.ops.quantized.linear_prepack(w, floats([16], 6))
    y = torch.ops.quantized.linear(q, packed, 0.5, 10)
    say("quantized products", [y.int_repr(), y.dequantize()])


def random() -> None:
    torch.manual_seed(7)
    say("rand, randint, randperm, bernoulli", [torch.rand([1003]), torch.randint(1000, [1003]), torch.randperm(1003), torch.bernoulli(torch.full([1003], 0.3)), torch.rand([77], dtype=torch.float64)])
    say("normal numbers", [torch.randn([1003]), torch.randn([77], dtype=torch.float64), torch.normal(1.0, 2.0, [100])])
    say("other distributions", [torch.empty([1003]).exponential_(), torch.empty([100]).cauchy_(), torch.multinomial(numbers(100, 3, 0.1, 1.0), 20)])
    say("dropout", [F.dropout(floats([1003]), 0.4, True), F.feature_dropout(floats([4, 10, 10]), 0.4, True)])


def algebra(m: Tensor) -> None:
    name = " of floats" if m.dtype == torch.float32 else " of doubles"
    n = m.size(0)
    positive = m @ m.t() + torch.eye(n, dtype=m.dtype) * (10.0 * n)
    say("cholesky, solve, inv, det" + name, [torch.linalg.cholesky(positive), torch.linalg.solve(positive, m), torch.linalg.inv(positive), torch.linalg.det(m[:5, :5]), torch.linalg.lu_factor(m)[0]])
    say("qr, lstsq" + name, [torch.linalg.qr(m)[1], torch.linalg.lstsq(m[:, :9], m[:, :2]).solution])
    say("eigenvalues, singular values" + name, [torch.linalg.eigvalsh(positive), torch.linalg.svdvals(m), torch.linalg.pinv(m)])
    say("matrix_exp" + name, [torch.matrix_exp(m / 8)])


def spectra() -> None:
    say("Fourier transforms of floats", [torch.fft.fft(floats([6, 64])), torch.fft.rfft(floats([6, 60])), torch.fft.ifft(torch.fft.fft(floats([97]))), torch.fft.fft2(floats([12, 20]))])
    say("Fourier transforms of doubles", [torch.fft.fft(doubles([6, 64])), torch.fft.irfft(torch.fft.rfft(doubles([6, 60]))), torch.fft.fft(doubles([97]))])
    for dtype in [torch.float32, torch.float64]:
        name = " of floats" if dtype == torch.float32 else " of doubles"
        z = torch.complex(floats([1003]).to(dtype), floats([1003], 2).to(dtype))
        w = torch.complex(floats([1003], 3).to(dtype), floats([1003], 4).to(dtype))
        say("complex sums and products" + name, [z + w, z * w, z.conj(), z.abs()])
        say("complex folds" + name, [z.sum(), torch.vdot(z, w)])
        say("complex quotients" + name, [z / w, z.reciprocal()])
        say("complex functions" + name, [z.exp(), z.log(), z.sqrt(), z.angle(), z.sin(), z.tanh()])
        m = z[:900].view(30, 30)
        say("complex matrices" + name, [m @ m, torch.linalg.inv(m)])


def copies() -> None:
    x = floats([17, 23, 5])
    say("copies, indexing, concatenation", [x.permute(2, 0, 1).contiguous(), x.flip(0), x.roll(3, 1), torch.cat([x, x], 1), x[:, 3:9], x.gather(0, (torch.arange(x.numel()) % 17).view(x.size())), x.index_select(1, torch.arange(7)), x.masked_select(x > 0)])
    say("sums at indices", [torch.zeros([17, 23, 5]).scatter_add(0, (torch.arange(x.numel()) % 17).view(x.size()), x), torch.zeros([9, 5]).index_add(0, torch.arange(23) % 9, x[0])])


def fused(x: Tensor, y: Tensor) -> Tensor:
    z = x.sigmoid() * y.tanh() + (x - y).abs() * 0.3
    return (z * z + x.exp()).relu() / (y.abs() + 1.0)


def main() -> None:
    pointwise(floats([1003]), floats([1003], 2), floats([1003], 3, 0.01, 4.0))
    pointwise(doubles([1003]), doubles([1003], 2), doubles([1003], 3, 0.01, 4.0).abs() + 0.01)
    halves(torch.float16, " of float16")
    halves(torch.bfloat16, " of bfloat16")
    integers()
    folds(floats([20, 50]))
    folds(doubles([20, 50]))
    products(floats([100, 75]), floats([75, 43], 3))
    products(doubles([100, 75]), doubles([75, 43], 3))
    layers()
    recurrent()
    quantized()
    random()
    algebra(floats([20, 20]))
    algebra(doubles([20, 20]))
    spectra()
    copies()
    x, y = floats([100, 77]), floats([100, 77], 9)
    say("a group that is fused", [fused(x, y)])

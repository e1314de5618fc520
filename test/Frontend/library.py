# What PyTorch writes in Python: pooling with a number for all sizes, functions that flags or types select, gradient modes.

# RUN: tsc-run %s --entry pools --args 'torch.ones([1, 1, 4, 4])' | FileCheck --check-prefix=POOLS %s
# POOLS: ([1, 1, 2, 2], [1, 4, 2], [1, 1, 3, 4], [1, 1, 2, 2], [1, 4, 2], [1, 1, 2, 2], [1, 1, 2, 1], [1, 1, 2, 2], [1, 4, 9], [1, 1, 4, 4], [1, 1, 8, 8], [1, 1, 2, 2], [1, 1, 2, 3])

# RUN: not tsc-run %s --entry flag --args 'torch.ones([1, 1, 4, 4]), True' 2>&1 | FileCheck --check-prefix=FLAG %s
# FLAG: argument 'return_indices' decides on the type of the result: it has to be True or False

# RUN: tsc-run %s --entry distinct --args 'torch.tensor([3, 1, 1, 3])' | FileCheck --check-prefix=DISTINCT %s
# DISTINCT: (tensor([1, 3]), (tensor([1, 3]), tensor([2, 2])), (tensor([1, 3]), tensor([1, 0, 0, 1])), (tensor([1, 3]), tensor([1, 0, 0, 1]), tensor([2, 2])), tensor([3, 1, 3]), (tensor([3, 1, 3]), tensor([1, 2, 1])), tensor({{\[\[}}1, 3{{\]\]}}))

# RUN: tsc-run %s --entry norms --args 'torch.eye(2)' | FileCheck --check-prefix=NORMS %s
# NORMS: (tensor(1.4142), tensor(1.4142), tensor([1., 1.]), tensor([1., 1.]), tensor(2.), tensor(1.), tensor({{\[\[}}1.4142{{\]\]}}), tensor(2.), tensor({{\[\[}}1., 0.],
# NORMS-NEXT:         [0., 1.{{\]\]}}), tensor({{\[\[}}1., 0.],
# NORMS-NEXT:         [0., 1.{{\]\]}}), tensor({{\[\[}}1., 0.],
# NORMS-NEXT:         [0., 1.{{\]\]}}))

# RUN: tsc-run %s --entry modes --args 'torch.ones([2])' | FileCheck --check-prefix=MODES %s
# MODES: (tensor([0., 0.]), tensor([2., 2.]), False, tensor([2., 2.]))

# RUN: tsc-run %s --entry bags --args 'torch.tensor([0, 1, 2]), torch.arange(6.).view(3, 2)' | FileCheck --check-prefix=BAGS %s
# BAGS: (tensor({{\[\[}}1., 2.],
# BAGS-NEXT:         [4., 5.{{\]\]}}), tensor({{\[\[}}6., 9.{{\]\]}}))

# RUN: tsc-run %s --entry texts --args '"abc"' | FileCheck --check-prefix=TEXTS %s
# TEXTS: (True, True, True, '•á', '• abc{', -1.0, '1000000000000000.0', '1.2345678901234568e+17')

# Integers of another dtype than the boundaries, or to be measured in floats; chains of one; orders without a number.
# RUN: tsc-run %s --entry mixed | FileCheck --check-prefix=MIXED %s
# MIXED: (tensor([1, 2]), tensor([1]), tensor([0, 1]), tensor(1), tensor(7.), tensor(5., dtype=torch.float64))
# RUN: tsc-run %s --entry edges --args "float('nan')" | FileCheck --check-prefix=EDGES %s
# EDGES: (tensor({{\[\[}}1., 1.{{\]\]}}), tensor([0.0000, 0.5000]), tensor([ 0.0000,  0.2500, -0.5000, -0.2500]), (1.0, nan, 1.0, nan))

# A matrix that is too large is refused before its first power.
# RUN: not tsc-run %s --entry powers --args '1 << 45' 2>&1 | FileCheck --check-prefix=POWERS %s
# RUN: tsc-run %s --entry powers --args 3 | FileCheck --check-prefix=FEWPOWERS %s
# POWERS: can't allocate memory
# FEWPOWERS: tensor({{\[\[}}1., 2., 4.],
# FEWPOWERS-NEXT:    [1., 3., 9.{{\]\]}})

# RUN: tsc-run %s --entry spectrum | FileCheck --check-prefix=SPECTRUM %s
# SPECTRUM: ([5, 49], [5, 45], [5, 49])

# A transposed input draws the mask of a contiguous one.
# RUN: tsc-run %s --seed 0 --entry masks | FileCheck --check-prefix=MASKS %s
# MASKS: (True, True, True)

# RUN: tsc-run %s --entry attention | FileCheck --check-prefix=ATTENTION %s
# ATTENTION: (tensor({{\[\[\[}}0.5000, 1.5000]],
# ATTENTION: {{ *\[\[}}0.5000, 1.5000{{\]\]\]}}), tensor({{\[\[\[}}0.5000, 0.5000],
# ATTENTION-NEXT: {{ *\[}}0.5000, 0.5000{{\]\]\]}}), [2, 4], [2, 2, 2])
# RUN: %exits 1 tsc-run %s --entry wrong_heads 2>&1 | FileCheck --check-prefix=HEADS %s
# HEADS: AssertionError: embed_dim 2 not divisible by num_heads 3

# RUN: tsc-run %s --entry losses | FileCheck --check-prefix=LOSSES %s
# LOSSES: ([2], 4.0, 8.0, 0.4318{{[0-9]*}})

# RUN: tsc-run %s --entry resampled | FileCheck --check-prefix=RESAMPLED %s
# RESAMPLED: ([0.0, 1.0, 1.0, 2.0, 3.0, 3.0], [1, 1, 2, 2], [1, 1, 2, 2])
# RUN: %exits 1 tsc-run %s --entry cornered 2>&1 | FileCheck --check-prefix=CORNERED %s
# CORNERED: ValueError: align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear

import math
import torch
import torch.nn.functional as F

def pools(x: torch.Tensor):
    v = x[0]
    return (F.max_pool2d(x, 2).size(), F.max_pool1d(v, 2).size(), F.max_pool2d(x, [2, 1], stride=1).size(), F.max_pool2d(x, 2, return_indices=True)[1].size(),
            F.adaptive_max_pool1d(v, 2).size(), F.adaptive_max_pool2d(x, 2).size(), F.adaptive_max_pool2d(x, [2, 1], return_indices=True)[1].size(),
            F.lp_pool2d(x, 2.0, 2).size(), F.unfold(x, 2).size(), F.fold(F.unfold(x, 2), [4, 4], 2).size(),
            F.interpolate(x, size=8).size(), F.interpolate(x, scale_factor=0.5, mode='bilinear').size(), F.interpolate(x, size=[2, 3]).size())

def flag(x: torch.Tensor, b: bool):
    return F.max_pool2d(x, 2, return_indices=b)

def distinct(t: torch.Tensor):
    return (torch.unique(t), torch.unique(t, return_counts=True), torch.unique(t, True, True), torch.unique(t, return_inverse=True, return_counts=True),
            torch.unique_consecutive(t), torch.unique_consecutive(t, return_counts=True), torch.unique(t.view(1, -1), dim=1))

def norms(m: torch.Tensor):
    return (torch.norm(m), torch.norm(m, p='fro'), torch.norm(m, dim=0), torch.norm(m, 1, 1), torch.norm(m, p='nuc'), torch.norm(m, float('inf')),
            torch.norm(m, dim=[0, 1], keepdim=True), torch.tensordot(m, m, 2), torch.tensordot(m, m, dims=[[1], [1]]), torch.tensordot(m, m, dims=1), torch.tensordot(m, m, ([0], [0])))

def modes(x: torch.Tensor):
    with torch.no_grad():
        y = x * 2
        inner = torch.is_grad_enabled()
    with torch.autograd.profiler.record_function('zeros'), torch.profiler.record_function('named'):
        torch.nn.init.zeros_(x)
    return x, y, inner, torch.nn.init.constant_(x.clone(), 2.)

def bags(t: torch.Tensor, m: torch.Tensor):
    return F.embedding_bag(t, m, torch.tensor([0, 2])), F.embedding_bag(t[None], m, mode='sum')

def texts(s: str):
    return 'a' in s, 'z' not in s, '' in s, '\N{BULLET}\N{Latin small letter a with acute}', f'\N{BULLET} {s}{{', math.remainder(5.0, 3.0), str(1e15), "{}".format(123456789012345680.0)

def spectrum():
    x = torch.ones([96])
    return (torch.stft(x, 8, return_complex=True).size(), torch.stft(x, 8, center=False, return_complex=True).size(),
            torch.functional.stft(x, 8, return_complex=True).size())

def masks():
    x = torch.arange(1., 13.).view(3, 4).t()
    torch.manual_seed(0)
    a = F.dropout(x)
    b = F.gumbel_softmax(x)
    c = torch.bernoulli(x / 20)
    torch.manual_seed(0)
    y = x.contiguous()
    return torch.equal(a, F.dropout(y)), torch.allclose(b, F.gumbel_softmax(y)), torch.equal(c, torch.bernoulli(y / 20))

def attention():
    x = torch.tensor([[[0., 1.]], [[1., 2.]]])
    identity = torch.cat([torch.zeros([4, 2]), torch.eye(2)])
    out, weights = F.multi_head_attention_forward(x, x, x, 2, 1, identity, None, None, None, False, 0.0, torch.eye(2), None)
    y = torch.ones([2, 4])
    mask = torch.zeros([2, 2]).bool()
    flat, heads = F.multi_head_attention_forward(y, y, y, 4, 2, torch.ones([12, 4]), torch.zeros([12]), None, None, False, 0.0, torch.eye(4),
                                                 torch.zeros([4]), attn_mask=mask, average_attn_weights=False)
    assert weights is not None and heads is not None
    return out, weights, flat.size(), heads.size()

def wrong_heads():
    x = torch.ones([2, 1, 2])
    return F.multi_head_attention_forward(x, x, x, 2, 3, torch.ones([6, 2]), None, None, None, False, 0.0, torch.eye(2), None)

def losses():
    x = torch.tensor([0., 2.])
    y = torch.tensor([0., 4.])
    margin = F.multilabel_soft_margin_loss(torch.tensor([[1., -1.], [0.5, 2.]]), torch.tensor([[1., 0.], [0., 1.]]))
    return (F.mse_loss(x, y, reduce=False).size(), float(F.mse_loss(x, y, size_average=False)), 4 * float(F.mse_loss(x, y, size_average=True)),
            float(margin))

def resampled():
    x = torch.arange(4.).view(1, 1, 4)
    exact: List[float] = F.interpolate(x, size=6, mode='nearest-exact')[0, 0].tolist()
    square = torch.arange(16.).view(1, 1, 4, 4)
    return exact, F.interpolate(square, size=2, mode='bilinear', antialias=True).size(), F.interpolate(square, scale_factor=0.5, mode='area').size()

def cornered():
    return F.interpolate(torch.ones([1, 1, 4]), size=2, align_corners=True)


def mixed():
    edges = torch.tensor([0, 1, 2])
    ints = torch.tensor([3, 4])
    spans = torch.searchsorted(torch.tensor([1.0, 2.0]), torch.tensor([1, 2]))
    places = torch.bucketize(torch.tensor([0.5, 1.5]), edges), torch.bucketize(torch.tensor([1]), torch.tensor([0.5, 1.0]))
    return places[0], places[1], spans, torch.bucketize(0.5, edges), ints.norm(1.0, dtype=torch.float), torch.norm(ints, p=2, dim=[0], dtype=torch.double)


def edges(a: float):
    extrema = max(1.0, a), max(a, 1.0), min(1, a), min(a, 1)
    return torch.chain_matmul([torch.ones([1, 2])]), torch.fft.rfftfreq(2), torch.fft.fftfreq(4), extrema


def powers(n: int):
    return torch.linalg.vander(torch.tensor([2.0, 3.0]), N=n)

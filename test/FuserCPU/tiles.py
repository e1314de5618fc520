# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry products --compile eager --print-kernels loops --args 'torch.ones([40, 2]), torch.ones([40, 2])' | FileCheck %s --check-prefix=PRODUCTS
# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry directions --compile eager --print-kernels loops --args 'torch.ones([100, 3])' | FileCheck %s --check-prefix=DIRECTIONS
# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry affine --compile eager --print-kernels loops --args 'torch.ones([100, 3]), torch.ones([100, 1])' | FileCheck %s --check-prefix=AFFINE
# RUN: tsc-run %s --compile eager | FileCheck %s
# RUN: tsc-run %s --compile eager --threads 2 | FileCheck %s
# RUN: tsc-run %s -O0 | FileCheck %s
import torch

# Elements that stand apart come as rows of neighbours: no operand is strided.
# PRODUCTS: kernel(%0 : Float contiguous, %1 : Float contiguous, %2 : Float contiguous, %3 : Float contiguous) -> (%4 : Float contiguous, %5 : Float contiguous)
# PRODUCTS-NOT: kernel
def products(a, b):
    re = a[:, 0] * b[:, 0] - a[:, 1] * b[:, 1]
    im = a[:, 0] * b[:, 1] + a[:, 1] * b[:, 0]
    return torch.stack([re, im], 1)

# Rows of three elements are no rows to fold in: the lengths come first, then what is divided by them.
# DIRECTIONS: kernel({{.*}}) -> (%3 : Float contiguous){{$}}
# DIRECTIONS-NOT: fold
# DIRECTIONS: kernel(%0 : Float contiguous, %1 : Float contiguous) -> (%2 : Float contiguous){{$}}
def directions(x):
    return x / (x * x).sum(1, keepdim=True).sqrt()

# Nor to walk along: an operand that is the same in a row is a row itself when rows and columns change places.
# AFFINE: kernel(%0 : Float contiguous, %1 : Float contiguous) -> (%2 : Float contiguous){{$}}
def affine(x, y):
    return x * y + 1.0

def brightness(image):
    return 0.25 * image[:, :, 0] + 0.5 * image[:, :, 1] + 0.125 * image[:, :, 2]

def weigh(x):
    # Which element is where decides, too.
    weights = torch.arange(x.numel()) % 11
    return (x.flatten().to(torch.float64) * weights).sum().item()

# More than one tile, and a last one that is not whole. The figures are PyTorch's.
def main():
    a = (torch.arange(5006) % 7).reshape([2503, 2]).to(torch.float32)
    b = (torch.arange(5006) % 5).reshape([2503, 2]).to(torch.float32)
    c = (torch.arange(7509) % 4).reshape([2503, 3]).to(torch.float32) * 2
    image = (torch.arange(3 * 61 * 47) % 16).reshape([61, 47, 3])
    # CHECK: 149850.
    print(weigh(products(a, b)))
    # CHECK: 49927.
    print(weigh(products(a[::3], b[1::3].flip(0).repeat(2, 1)[:835])))
    # CHECK: 17506.03433355
    print(weigh(directions(c)))
    # CHECK: 17506.03460057
    print(weigh(directions(c.to(torch.float64).t().contiguous().t())))
    # CHECK: 374651.
    print(weigh(affine(c, a[:, 1:])))
    # CHECK: 87404.
    print(weigh(affine(a[::2].to(torch.float64), b[::2, :1].to(torch.float64))))
    # CHECK: 94048.375
    print(weigh(brightness(image.to(torch.float16))))
    # CHECK: 94071.875
    print(weigh(brightness(image.to(torch.uint8).permute(1, 0, 2))))

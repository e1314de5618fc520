# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry products --compile eager --print-kernels loops --args 'torch.ones([40, 2]), torch.ones([40, 2])' | FileCheck %s --check-prefix=PRODUCTS
# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry directions --compile eager --print-kernels loops --args 'torch.ones([100, 3])' | FileCheck %s --check-prefix=DIRECTIONS
# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry affine --compile eager --print-kernels loops --args 'torch.ones([100, 3]), torch.ones([100, 1])' | FileCheck %s --check-prefix=AFFINE
# RUN: tsc-run %s --compile eager | FileCheck %s
# RUN: tsc-run %s --compile eager --threads 2 | FileCheck %s
# RUN: tsc-run %s -O0 | FileCheck %s
# RUN: env XDG_CACHE_HOME=/dev/null tsc-run %s --entry lengths --compile eager --print-kernels loops --args 'torch.ones([100, 3])' | FileCheck %s --check-prefix=LENGTHS
import torch

# Elements that stand apart come as rows of neighbours: no operand is strided.
# PRODUCTS: kernel(%0 : Float contiguous, %1 : Float contiguous, %2 : Float contiguous, %3 : Float contiguous) -> (%4 : Float contiguous, %5 : Float contiguous)
# PRODUCTS-NOT: kernel
def products(a, b):
    re = a[:, 0] * b[:, 0] - a[:, 1] * b[:, 1]
    im = a[:, 0] * b[:, 1] + a[:, 1] * b[:, 0]
    return torch.stack([re, im], 1)

# Rows of three elements are no rows to fold in: the lengths come first, then what is divided by them.
# DIRECTIONS:      kernel(%0 : Float contiguous, %1 : Float contiguous, %2 : Float contiguous) -> (%3 : Float contiguous){{$}}
# DIRECTIONS-NOT:  {{fold|store}}
# DIRECTIONS:      store
# DIRECTIONS-NEXT: {{# tsc_.*}}
# DIRECTIONS-NEXT: kernel(%0 : Float contiguous, %1 : Float contiguous) -> (%2 : Float contiguous){{$}}
# DIRECTIONS-NOT:  fold
def directions(x):
    return x / (x * x).sum(1, keepdim=True).sqrt()

# Squared lengths that are a result, too, are stored once.
# LENGTHS:      store
# LENGTHS-NEXT: {{# tsc_.*}}
# LENGTHS-NEXT: kernel
def lengths(x):
    square = (x * x).sum(1, keepdim=True)
    return square, x / square

# Nor to walk along: an operand that is the same in a row is a row itself when rows and columns change places.
# AFFINE: kernel(%0 : Float contiguous, %1 : Float contiguous) -> (%2 : Float contiguous){{$}}
def affine(x, y):
    return x * y + 1.0

def brightness(image):
    return 0.25 * image[:, :, 0] + 0.5 * image[:, :, 1] + 0.125 * image[:, :, 2]

# Column 1 is missing, and column 2 comes twice, by other strides of a dimension that has one element.
def missing(x):
    return x[:, 0].unsqueeze(0) * x[:, 2].unsqueeze(0) + x.t()[2:3]

def conjugate(q):
    w, x, y, z = q.unbind(1)
    return torch.stack([w + 0, -x, -y, -z], 1)

def five(x):
    return x[:, 0] * x[:, 1] + x[:, 2] * x[:, 3] - x[:, 4]

def signs(x):
    return torch.stack([x[:, 0] > x[:, 1], x[:, 1] > x[:, 2], x[:, 2] * 2 > x[:, 0]], 1)

def blend(x, y):
    return x.permute(0, 2, 1) * 2 + y

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
    # CHECK: 112432.
    print(weigh(missing(c)[0]))
    # CHECK: -37503.
    print(weigh(conjugate(a.reshape([1, 5006])[:, :5004].reshape([1251, 4]))))
    # CHECK: 174922.
    print(weigh(five(torch.cat([c, a], 1))))
    # CHECK: 12512.
    print(weigh(signs(c)))
    # For several threads: one row, and rows by columns.
    numbers = (torch.arange(540000) % 13).to(torch.float32)
    # CHECK: 114748419.
    print(weigh(products(numbers.reshape([270000, 2]), numbers.flip(0).reshape([270000, 2]))))
    # CHECK: 1483473.138204
    print(weigh(directions(numbers.reshape([180000, 3]) + 1)))
    # CHECK: 48600614.
    print(weigh(blend(numbers.reshape([3, 400, 450]), numbers.reshape([3, 450, 400]))))
    # Outputs that are written around the caches, and such as go through tiles.
    many = (torch.arange(9000000) % 17).to(torch.float32)
    # CHECK: 1079999040.
    print(weigh(blend(many.reshape([1, 3000, 3000]), many.reshape([1, 3000, 3000]))))
    # CHECK: 3599995471.
    print(weigh(products(many.reshape([4500000, 2]), many.reshape([4500000, 2]))))

//===- RandomTest.cpp - The numbers of PyTorch's CPU generator ------------===//
#include "tsc/Kernels/Random.h"
#include "Shown.h"

/// A generator with the seed that each line was made with.
static Generator &seeded(uint64_t seed) {
  static Generator generator;
  generator.setSeed(seed);
  return generator;
}
/// The last five elements: where blocks and remainders show.
static StatusOr<Tensor> tail(const StatusOr<Tensor> &t) {
  if (!t.ok() || t->numel() <= 5)
    return t;
  return narrow(*t, 0, t->numel() - 5, 5);
}
static Tensor filled(int64_t n, double value, DType dtype) { return *Tensor::full({n}, Scalar(value), dtype); }

TEST_CASE("Random: the same seed gives PyTorch's numbers") {
  CHECK(show(tail(rand(seeded(4), {1}, DType::Float, {}, {}, {}))) == "tensor([0.5596])");
  CHECK(show(tail(randn(seeded(4), {1}, DType::Float, {}, {}, {}))) == "tensor([-1.6053])");
  CHECK(show(tail(normalInPlace(seeded(4), filled(1, 0.25, DType::Float), 1, 2))) == "tensor([-2.2106])");
  CHECK(show(tail(uniformInPlace(seeded(4), filled(1, 0.25, DType::Float), -1, 3))) == "tensor([1.2386])");
  CHECK(show(tail(bernoulli(seeded(4), filled(1, 0.25, DType::Float)))) == "tensor([0.])");
  CHECK(show(tail(bernoulliInPlace(seeded(4), filled(1, 0.25, DType::Float), 0.25))) == "tensor([0.])");
  CHECK(show(tail(dropout(seeded(4), filled(1, 0.25, DType::Float), 0.5, true))) == "tensor([0.5000])");
  CHECK(show(tail(rand(seeded(8), {5}, DType::Float, {}, {}, {}))) ==
        "tensor([0.5979, 0.8453, 0.9464, 0.2965, 0.5138])");
  CHECK(show(tail(randn(seeded(8), {5}, DType::Float, {}, {}, {}))) ==
        "tensor([ 0.2713, -1.2729,  0.5027,  0.4181, -0.6394])");
  CHECK(show(tail(normalInPlace(seeded(8), filled(5, 0.25, DType::Float), 1, 2))) ==
        "tensor([ 1.5426, -1.5458,  2.0054,  1.8362, -0.2788])");
  CHECK(show(tail(uniformInPlace(seeded(8), filled(5, 0.25, DType::Float), -1, 3))) ==
        "tensor([1.3917, 2.3812, 2.7856, 0.1861, 1.0552])");
  CHECK(show(tail(bernoulli(seeded(8), filled(5, 0.25, DType::Float)))) == "tensor([0., 0., 0., 0., 0.])");
  CHECK(show(tail(bernoulliInPlace(seeded(8), filled(5, 0.25, DType::Float), 0.25))) == "tensor([0., 0., 1., 1., 0.])");
  CHECK(show(tail(dropout(seeded(8), filled(5, 0.25, DType::Float), 0.5, true))) ==
        "tensor([0.0000, 0.0000, 0.5000, 0.5000, 0.0000])");
  CHECK(show(tail(exponentialInPlace(seeded(8), filled(5, 0.25, DType::Float), 2))) ==
        "tensor([0.7649, 0.4235, 0.0585, 0.1069, 0.4939])");
  CHECK(show(tail(geometricInPlace(seeded(8), filled(5, 0.25, DType::Float), 0.25))) == "tensor([1., 2., 8., 6., 2.])");
  CHECK(show(tail(logNormalInPlace(seeded(8), filled(5, 0.25, DType::Float), 1, 2))) ==
        "tensor([4.6765, 0.2131, 7.4290, 6.2724, 0.7567])");
  CHECK(show(tail(cauchyInPlace(seeded(8), filled(5, 0.25, DType::Float), 1, 2))) ==
        "tensor([ 3.4711,  1.4555, -4.5326, -1.8948,  1.8477])");
  CHECK(show(tail(randomInPlace(seeded(8), filled(5, 0.25, DType::Float)))) ==
        "tensor([10031332., 14181714., 15877882.,  4974892.,  8619943.])");
  CHECK(show(tail(poisson(seeded(8), filled(5, 20.5, DType::Float)))) == "tensor([25., 14., 22., 22., 20.])");
  CHECK(show(tail(alphaDropout(seeded(8), filled(5, 0.25, DType::Float), 0.5, true))) ==
        "tensor([-0.7792, -0.7792,  1.0008,  1.0008, -0.7792])");
  CHECK(show(tail(multinomial(seeded(8), filled(5, 0.25, DType::Float), 5, true))) == "tensor([3, 2, 0, 0, 3])");
  CHECK(show(tail(multinomial(seeded(8), filled(5, 0.25, DType::Float), 3, false))) == "tensor([2, 3, 1])");
  CHECK(show(tail(normalTensorTensor(seeded(8), filled(5, 0.25, DType::Float), filled(5, 0.25, DType::Float)))) ==
        "tensor([ 0.3178, -0.0682,  0.3757,  0.3545,  0.0901])");
  CHECK(show(tail(rand(seeded(18), {15}, DType::Float, {}, {}, {}))) ==
        "tensor([0.0349, 0.9457, 0.5220, 0.2842, 0.9012])");
  CHECK(show(tail(randn(seeded(18), {15}, DType::Float, {}, {}, {}))) ==
        "tensor([ 0.8008, -0.2450, -0.5422, -1.2667, -1.5098])");
  CHECK(show(tail(normalInPlace(seeded(18), filled(15, 0.25, DType::Float), 1, 2))) ==
        "tensor([ 2.6016,  0.5101, -0.0845, -1.5333, -2.0196])");
  CHECK(show(tail(uniformInPlace(seeded(18), filled(15, 0.25, DType::Float), -1, 3))) ==
        "tensor([-0.8604,  2.7829,  1.0881,  0.1369,  2.6049])");
  CHECK(show(tail(bernoulli(seeded(18), filled(15, 0.25, DType::Float)))) == "tensor([1., 0., 0., 0., 0.])");
  CHECK(show(tail(bernoulliInPlace(seeded(18), filled(15, 0.25, DType::Float), 0.25))) ==
        "tensor([0., 0., 0., 0., 0.])");
  CHECK(show(tail(dropout(seeded(18), filled(15, 0.25, DType::Float), 0.5, true))) ==
        "tensor([0.0000, 0.5000, 0.0000, 0.0000, 0.0000])");
  CHECK(show(tail(rand(seeded(19), {16}, DType::Float, {}, {}, {}))) ==
        "tensor([0.2946, 0.0261, 0.0891, 0.4880, 0.0860])");
  CHECK(show(tail(randn(seeded(19), {16}, DType::Float, {}, {}, {}))) ==
        "tensor([1.4157, 0.1141, 0.2676, 0.0713, 0.0943])");
  CHECK(show(tail(normalInPlace(seeded(19), filled(16, 0.25, DType::Float), 1, 2))) ==
        "tensor([3.8314, 1.2281, 1.5351, 1.1426, 1.1886])");
  CHECK(show(tail(uniformInPlace(seeded(19), filled(16, 0.25, DType::Float), -1, 3))) ==
        "tensor([ 0.1786, -0.8955, -0.6436,  0.9520, -0.6562])");
  CHECK(show(tail(bernoulli(seeded(19), filled(16, 0.25, DType::Float)))) == "tensor([0., 1., 1., 0., 1.])");
  CHECK(show(tail(bernoulliInPlace(seeded(19), filled(16, 0.25, DType::Float), 0.25))) ==
        "tensor([0., 0., 0., 0., 0.])");
  CHECK(show(tail(dropout(seeded(19), filled(16, 0.25, DType::Float), 0.5, true))) ==
        "tensor([0.5000, 0.5000, 0.5000, 0.0000, 0.5000])");
  CHECK(show(tail(rand(seeded(20), {17}, DType::Float, {}, {}, {}))) ==
        "tensor([0.9423, 0.2536, 0.7388, 0.5404, 0.4356])");
  CHECK(show(tail(randn(seeded(20), {17}, DType::Float, {}, {}, {}))) ==
        "tensor([ 0.3670, -0.8730,  1.6860,  0.3176, -0.7787])");
  CHECK(show(tail(normalInPlace(seeded(20), filled(17, 0.25, DType::Float), 1, 2))) ==
        "tensor([ 1.7340, -0.7459,  4.3721,  1.6352, -0.5574])");
  CHECK(show(tail(uniformInPlace(seeded(20), filled(17, 0.25, DType::Float), -1, 3))) ==
        "tensor([2.7693, 0.0144, 1.9552, 1.1615, 0.7423])");
  CHECK(show(tail(bernoulli(seeded(20), filled(17, 0.25, DType::Float)))) == "tensor([0., 0., 0., 0., 0.])");
  CHECK(show(tail(bernoulliInPlace(seeded(20), filled(17, 0.25, DType::Float), 0.25))) ==
        "tensor([0., 0., 0., 1., 0.])");
  CHECK(show(tail(dropout(seeded(20), filled(17, 0.25, DType::Float), 0.5, true))) ==
        "tensor([0.0000, 0.5000, 0.0000, 0.5000, 0.0000])");
  CHECK(show(tail(rand(seeded(103), {100}, DType::Float, {}, {}, {}))) ==
        "tensor([0.1617, 0.7749, 0.5913, 0.6676, 0.2339])");
  CHECK(show(tail(randn(seeded(103), {100}, DType::Float, {}, {}, {}))) ==
        "tensor([ 1.0505,  0.5573, -0.9775,  0.4395, -1.9385])");
  CHECK(show(tail(normalInPlace(seeded(103), filled(100, 0.25, DType::Float), 1, 2))) ==
        "tensor([ 3.1011,  2.1146, -0.9550,  1.8789, -2.8770])");
  CHECK(show(tail(uniformInPlace(seeded(103), filled(100, 0.25, DType::Float), -1, 3))) ==
        "tensor([-0.3532,  2.0997,  1.3653,  1.6702, -0.0645])");
  CHECK(show(tail(bernoulli(seeded(103), filled(100, 0.25, DType::Float)))) == "tensor([1., 0., 0., 0., 1.])");
  CHECK(show(tail(bernoulliInPlace(seeded(103), filled(100, 0.25, DType::Float), 0.25))) ==
        "tensor([0., 0., 0., 0., 0.])");
  CHECK(show(tail(dropout(seeded(103), filled(100, 0.25, DType::Float), 0.5, true))) == "tensor([0., 0., 0., 0., 0.])");
  CHECK(show(tail(exponentialInPlace(seeded(103), filled(100, 0.25, DType::Float), 2))) ==
        "tensor([0.8172, 0.5696, 0.3984, 1.0404, 1.1768])");
  CHECK(show(tail(geometricInPlace(seeded(103), filled(100, 0.25, DType::Float), 0.25))) ==
        "tensor([1., 2., 3., 1., 1.])");
  CHECK(show(tail(logNormalInPlace(seeded(103), filled(100, 0.25, DType::Float), 1, 2))) ==
        "tensor([ 0.0953,  0.9266,  0.2770, 58.6515,  0.1268])");
  CHECK(show(tail(cauchyInPlace(seeded(103), filled(100, 0.25, DType::Float), 1, 2))) ==
        "tensor([3.8445, 2.2685, 1.3117, 5.8357, 7.4998])");
  CHECK(show(tail(randomInPlace(seeded(103), filled(100, 0.25, DType::Float)))) ==
        "tensor([ 2712778., 13000885.,  9920595., 11199512.,  3923754.])");
  CHECK(show(tail(poisson(seeded(103), filled(100, 20.5, DType::Float)))) == "tensor([24., 15., 23., 23., 30.])");
  CHECK(show(tail(alphaDropout(seeded(103), filled(100, 0.25, DType::Float), 0.5, true))) ==
        "tensor([-0.7792, -0.7792, -0.7792, -0.7792, -0.7792])");
  CHECK(show(tail(multinomial(seeded(103), filled(100, 0.25, DType::Float), 5, true))) ==
        "tensor([96, 79,  9, 99, 52])");
  CHECK(show(tail(multinomial(seeded(103), filled(100, 0.25, DType::Float), 3, false))) == "tensor([14, 87, 57])");
  CHECK(show(tail(normalTensorTensor(seeded(103), filled(100, 0.25, DType::Float), filled(100, 0.25, DType::Float)))) ==
        "tensor([ 0.5126,  0.3893,  0.0056,  0.3599, -0.2346])");
  CHECK(show(tail(rand(seeded(1003), {1000}, DType::Float, {}, {}, {}))) ==
        "tensor([0.2596, 0.5906, 0.0195, 0.7101, 0.5345])");
  CHECK(show(tail(randn(seeded(1003), {1000}, DType::Float, {}, {}, {}))) ==
        "tensor([ 0.6771, -0.3359,  0.6731, -0.8988,  0.3029])");
  CHECK(show(tail(normalInPlace(seeded(1003), filled(1000, 0.25, DType::Float), 1, 2))) ==
        "tensor([ 2.3543,  0.3281,  2.3463, -0.7977,  1.6059])");
  CHECK(show(tail(uniformInPlace(seeded(1003), filled(1000, 0.25, DType::Float), -1, 3))) ==
        "tensor([ 0.0382,  1.3624, -0.9222,  1.8405,  1.1381])");
  CHECK(show(tail(bernoulli(seeded(1003), filled(1000, 0.25, DType::Float)))) == "tensor([0., 0., 1., 0., 0.])");
  CHECK(show(tail(bernoulliInPlace(seeded(1003), filled(1000, 0.25, DType::Float), 0.25))) ==
        "tensor([1., 0., 0., 0., 0.])");
  CHECK(show(tail(dropout(seeded(1003), filled(1000, 0.25, DType::Float), 0.5, true))) ==
        "tensor([0.5000, 0.0000, 0.0000, 0.0000, 0.5000])");
  CHECK(show(tail(rand(seeded(4), {1}, DType::Double, {}, {}, {}))) == "tensor([0.4771], dtype=torch.float64)");
  CHECK(show(tail(randn(seeded(4), {1}, DType::Double, {}, {}, {}))) == "tensor([-1.6053], dtype=torch.float64)");
  CHECK(show(tail(normalInPlace(seeded(4), filled(1, 0.25, DType::Double), 1, 2))) ==
        "tensor([-2.2106], dtype=torch.float64)");
  CHECK(show(tail(uniformInPlace(seeded(4), filled(1, 0.25, DType::Double), -1, 3))) ==
        "tensor([0.9084], dtype=torch.float64)");
  CHECK(show(tail(bernoulli(seeded(4), filled(1, 0.25, DType::Double)))) == "tensor([0.], dtype=torch.float64)");
  CHECK(show(tail(bernoulliInPlace(seeded(4), filled(1, 0.25, DType::Double), 0.25))) ==
        "tensor([0.], dtype=torch.float64)");
  CHECK(show(tail(dropout(seeded(4), filled(1, 0.25, DType::Double), 0.5, true))) ==
        "tensor([0.5000], dtype=torch.float64)");
  CHECK(show(tail(rand(seeded(8), {5}, DType::Double, {}, {}, {}))) ==
        "tensor([0.7834, 0.5713, 0.1104, 0.1924, 0.6276], dtype=torch.float64)");
  CHECK(show(tail(randn(seeded(8), {5}, DType::Double, {}, {}, {}))) ==
        "tensor([ 0.2713, -1.2729,  0.5027,  0.4181, -0.6394], dtype=torch.float64)");
  CHECK(show(tail(normalInPlace(seeded(8), filled(5, 0.25, DType::Double), 1, 2))) ==
        "tensor([ 1.5426, -1.5458,  2.0054,  1.8362, -0.2788], dtype=torch.float64)");
  CHECK(show(tail(uniformInPlace(seeded(8), filled(5, 0.25, DType::Double), -1, 3))) ==
        "tensor([ 2.1337,  1.2851, -0.5583, -0.2302,  1.5105], dtype=torch.float64)");
  CHECK(show(tail(bernoulli(seeded(8), filled(5, 0.25, DType::Double)))) ==
        "tensor([0., 0., 1., 1., 0.], dtype=torch.float64)");
  CHECK(show(tail(bernoulliInPlace(seeded(8), filled(5, 0.25, DType::Double), 0.25))) ==
        "tensor([0., 0., 1., 1., 0.], dtype=torch.float64)");
  CHECK(show(tail(dropout(seeded(8), filled(5, 0.25, DType::Double), 0.5, true))) ==
        "tensor([0.0000, 0.0000, 0.5000, 0.5000, 0.0000], dtype=torch.float64)");
  CHECK(show(tail(exponentialInPlace(seeded(8), filled(5, 0.25, DType::Double), 2))) ==
        "tensor([0.7649, 0.4235, 0.0585, 0.1069, 0.4939], dtype=torch.float64)");
  CHECK(show(tail(geometricInPlace(seeded(8), filled(5, 0.25, DType::Double), 0.25))) ==
        "tensor([1., 2., 8., 6., 2.], dtype=torch.float64)");
  CHECK(show(tail(logNormalInPlace(seeded(8), filled(5, 0.25, DType::Double), 1, 2))) ==
        "tensor([4.6765, 0.2131, 7.4290, 6.2724, 0.7567], dtype=torch.float64)");
  CHECK(show(tail(cauchyInPlace(seeded(8), filled(5, 0.25, DType::Double), 1, 2))) ==
        "tensor([ 3.4711,  1.4555, -4.5326, -1.8948,  1.8477], dtype=torch.float64)");
  CHECK(show(tail(randomInPlace(seeded(8), filled(5, 0.25, DType::Double)))) ==
        "tensor([7.0564e+15, 5.1457e+15, 9.9453e+14, 1.7334e+15, 5.6530e+15],\n       dtype=torch.float64)");
  CHECK(show(tail(poisson(seeded(8), filled(5, 20.5, DType::Double)))) ==
        "tensor([25., 14., 22., 22., 20.], dtype=torch.float64)");
  CHECK(show(tail(alphaDropout(seeded(8), filled(5, 0.25, DType::Double), 0.5, true))) ==
        "tensor([-0.7792, -0.7792,  1.0008,  1.0008, -0.7792], dtype=torch.float64)");
  CHECK(show(tail(multinomial(seeded(8), filled(5, 0.25, DType::Double), 5, true))) == "tensor([3, 2, 0, 0, 3])");
  CHECK(show(tail(multinomial(seeded(8), filled(5, 0.25, DType::Double), 3, false))) == "tensor([2, 3, 1])");
  CHECK(show(tail(normalTensorTensor(seeded(8), filled(5, 0.25, DType::Double), filled(5, 0.25, DType::Double)))) ==
        "tensor([ 0.3178, -0.0682,  0.3757,  0.3545,  0.0901], dtype=torch.float64)");
  CHECK(show(tail(rand(seeded(18), {15}, DType::Double, {}, {}, {}))) ==
        "tensor([0.9528, 0.2958, 0.6856, 0.6130, 0.5632], dtype=torch.float64)");
  CHECK(show(tail(randn(seeded(18), {15}, DType::Double, {}, {}, {}))) ==
        "tensor([ 0.8008, -0.2450, -0.5422, -1.2667, -1.5098], dtype=torch.float64)");
  CHECK(show(tail(normalInPlace(seeded(18), filled(15, 0.25, DType::Double), 1, 2))) ==
        "tensor([ 2.6016,  0.5101, -0.0845, -1.5333, -2.0196], dtype=torch.float64)");
  CHECK(show(tail(uniformInPlace(seeded(18), filled(15, 0.25, DType::Double), -1, 3))) ==
        "tensor([2.8110, 0.1831, 1.7425, 1.4519, 1.2528], dtype=torch.float64)");
  CHECK(show(tail(bernoulli(seeded(18), filled(15, 0.25, DType::Double)))) ==
        "tensor([0., 0., 0., 0., 0.], dtype=torch.float64)");
  CHECK(show(tail(bernoulliInPlace(seeded(18), filled(15, 0.25, DType::Double), 0.25))) ==
        "tensor([0., 0., 0., 0., 0.], dtype=torch.float64)");
  CHECK(show(tail(dropout(seeded(18), filled(15, 0.25, DType::Double), 0.5, true))) ==
        "tensor([0.0000, 0.5000, 0.0000, 0.0000, 0.0000], dtype=torch.float64)");
  CHECK(show(tail(rand(seeded(19), {16}, DType::Double, {}, {}, {}))) ==
        "tensor([0.4082, 0.3068, 0.3878, 0.9105, 0.3022], dtype=torch.float64)");
  CHECK(show(tail(randn(seeded(19), {16}, DType::Double, {}, {}, {}))) ==
        "tensor([ 1.1549,  1.6878,  1.8516, -0.3651,  2.0501], dtype=torch.float64)");
  CHECK(show(tail(normalInPlace(seeded(19), filled(16, 0.25, DType::Double), 1, 2))) ==
        "tensor([3.3098, 4.3756, 4.7031, 0.2699, 5.1001], dtype=torch.float64)");
  CHECK(show(tail(uniformInPlace(seeded(19), filled(16, 0.25, DType::Double), -1, 3))) ==
        "tensor([0.6327, 0.2272, 0.5512, 2.6421, 0.2087], dtype=torch.float64)");
  CHECK(show(tail(bernoulli(seeded(19), filled(16, 0.25, DType::Double)))) ==
        "tensor([0., 0., 0., 0., 0.], dtype=torch.float64)");
  CHECK(show(tail(bernoulliInPlace(seeded(19), filled(16, 0.25, DType::Double), 0.25))) ==
        "tensor([0., 0., 0., 0., 0.], dtype=torch.float64)");
  CHECK(show(tail(dropout(seeded(19), filled(16, 0.25, DType::Double), 0.5, true))) ==
        "tensor([0.5000, 0.5000, 0.5000, 0.0000, 0.5000], dtype=torch.float64)");
  CHECK(show(tail(rand(seeded(20), {17}, DType::Double, {}, {}, {}))) ==
        "tensor([0.5914, 0.4710, 0.7015, 0.0885, 0.9888], dtype=torch.float64)");
  CHECK(show(tail(randn(seeded(20), {17}, DType::Double, {}, {}, {}))) ==
        "tensor([ 1.0042, -0.5539,  0.3639, -0.5161,  0.0525], dtype=torch.float64)");
  CHECK(show(tail(normalInPlace(seeded(20), filled(17, 0.25, DType::Double), 1, 2))) ==
        "tensor([ 3.0083, -0.1079,  1.7278, -0.0323,  1.1050], dtype=torch.float64)");
  CHECK(show(tail(uniformInPlace(seeded(20), filled(17, 0.25, DType::Double), -1, 3))) ==
        "tensor([ 1.3656,  0.8840,  1.8062, -0.6460,  2.9551], dtype=torch.float64)");
  CHECK(show(tail(bernoulli(seeded(20), filled(17, 0.25, DType::Double)))) ==
        "tensor([0., 0., 0., 1., 0.], dtype=torch.float64)");
  CHECK(show(tail(bernoulliInPlace(seeded(20), filled(17, 0.25, DType::Double), 0.25))) ==
        "tensor([0., 0., 0., 1., 0.], dtype=torch.float64)");
  CHECK(show(tail(dropout(seeded(20), filled(17, 0.25, DType::Double), 0.5, true))) ==
        "tensor([0.0000, 0.5000, 0.0000, 0.5000, 0.0000], dtype=torch.float64)");
  CHECK(show(tail(rand(seeded(103), {100}, DType::Double, {}, {}, {}))) ==
        "tensor([0.8049, 0.6799, 0.5492, 0.8752, 0.9050], dtype=torch.float64)");
  CHECK(show(tail(randn(seeded(103), {100}, DType::Double, {}, {}, {}))) ==
        "tensor([-0.2948, -0.7853, -1.0959,  0.1123, -0.4605], dtype=torch.float64)");
  CHECK(show(tail(normalInPlace(seeded(103), filled(100, 0.25, DType::Double), 1, 2))) ==
        "tensor([ 0.4104, -0.5707, -1.1918,  1.2246,  0.0789], dtype=torch.float64)");
  CHECK(show(tail(uniformInPlace(seeded(103), filled(100, 0.25, DType::Double), -1, 3))) ==
        "tensor([2.2197, 1.7196, 1.1968, 2.5007, 2.6199], dtype=torch.float64)");
  CHECK(show(tail(bernoulli(seeded(103), filled(100, 0.25, DType::Double)))) ==
        "tensor([0., 0., 0., 0., 0.], dtype=torch.float64)");
  CHECK(show(tail(bernoulliInPlace(seeded(103), filled(100, 0.25, DType::Double), 0.25))) ==
        "tensor([0., 0., 0., 0., 0.], dtype=torch.float64)");
  CHECK(show(tail(dropout(seeded(103), filled(100, 0.25, DType::Double), 0.5, true))) ==
        "tensor([0., 0., 0., 0., 0.], dtype=torch.float64)");
  CHECK(show(tail(exponentialInPlace(seeded(103), filled(100, 0.25, DType::Double), 2))) ==
        "tensor([0.8172, 0.5696, 0.3984, 1.0404, 1.1768], dtype=torch.float64)");
  CHECK(show(tail(geometricInPlace(seeded(103), filled(100, 0.25, DType::Double), 0.25))) ==
        "tensor([1., 2., 3., 1., 1.], dtype=torch.float64)");
  CHECK(show(tail(logNormalInPlace(seeded(103), filled(100, 0.25, DType::Double), 1, 2))) ==
        "tensor([ 0.0953,  0.9266,  0.2770, 58.6515,  0.1268], dtype=torch.float64)");
  CHECK(show(tail(cauchyInPlace(seeded(103), filled(100, 0.25, DType::Double), 1, 2))) ==
        "tensor([3.8445, 2.2685, 1.3117, 5.8357, 7.4998], dtype=torch.float64)");
  CHECK(show(tail(randomInPlace(seeded(103), filled(100, 0.25, DType::Double)))) ==
        "tensor([7.2502e+15, 6.1241e+15, 4.9468e+15, 7.8828e+15, 8.1514e+15],\n       dtype=torch.float64)");
  CHECK(show(tail(poisson(seeded(103), filled(100, 20.5, DType::Double)))) ==
        "tensor([24., 15., 23., 23., 30.], dtype=torch.float64)");
  CHECK(show(tail(alphaDropout(seeded(103), filled(100, 0.25, DType::Double), 0.5, true))) ==
        "tensor([-0.7792, -0.7792, -0.7792, -0.7792, -0.7792], dtype=torch.float64)");
  CHECK(show(tail(multinomial(seeded(103), filled(100, 0.25, DType::Double), 5, true))) ==
        "tensor([96, 79,  9, 99, 52])");
  CHECK(show(tail(multinomial(seeded(103), filled(100, 0.25, DType::Double), 3, false))) == "tensor([14, 87, 57])");
  CHECK(
      show(tail(normalTensorTensor(seeded(103), filled(100, 0.25, DType::Double), filled(100, 0.25, DType::Double)))) ==
      "tensor([ 0.1763,  0.0537, -0.0240,  0.2781,  0.1349], dtype=torch.float64)");
  CHECK(show(tail(rand(seeded(1003), {1000}, DType::Double, {}, {}, {}))) ==
        "tensor([0.0623, 0.5137, 0.9627, 0.9992, 0.3471], dtype=torch.float64)");
  CHECK(show(tail(randn(seeded(1003), {1000}, DType::Double, {}, {}, {}))) ==
        "tensor([ 0.0434,  1.9162, -0.8002, -0.8743,  0.7153], dtype=torch.float64)");
  CHECK(show(tail(normalInPlace(seeded(1003), filled(1000, 0.25, DType::Double), 1, 2))) ==
        "tensor([ 1.0868,  4.8325, -0.6004, -0.7486,  2.4307], dtype=torch.float64)");
  CHECK(show(tail(uniformInPlace(seeded(1003), filled(1000, 0.25, DType::Double), -1, 3))) ==
        "tensor([-0.7508,  1.0546,  2.8507,  2.9966,  0.3886], dtype=torch.float64)");
  CHECK(show(tail(bernoulli(seeded(1003), filled(1000, 0.25, DType::Double)))) ==
        "tensor([1., 0., 0., 0., 0.], dtype=torch.float64)");
  CHECK(show(tail(bernoulliInPlace(seeded(1003), filled(1000, 0.25, DType::Double), 0.25))) ==
        "tensor([1., 0., 0., 0., 0.], dtype=torch.float64)");
  CHECK(show(tail(dropout(seeded(1003), filled(1000, 0.25, DType::Double), 0.5, true))) ==
        "tensor([0.5000, 0.0000, 0.0000, 0.0000, 0.5000], dtype=torch.float64)");
  CHECK(show(tail(randint(seeded(1), 10, {1}, {}, {}, {}, {}))) == "tensor([5])");
  CHECK(show(tail(randintLow(seeded(1), -5, int64_t{1} << 40, {1}, {}, {}, {}, {}))) == "tensor([163161683746])");
  CHECK(show(tail(randperm(seeded(1), 1, {}, {}, {}, {}))) == "tensor([0])");
  CHECK(show(tail(randomInPlace(seeded(1), ints({1})))) == "tensor([7692698082559361259])");
  CHECK(show(tail(randint(seeded(5), 10, {5}, {}, {}, {}, {}))) == "tensor([1, 4, 7, 5, 6])");
  CHECK(show(tail(randintLow(seeded(5), -5, int64_t{1} << 40, {5}, {}, {}, {}, {}))) ==
        "tensor([ 425420136978, 1029994667309,  989387375290,  622604916187,\n          34704545867])");
  CHECK(show(tail(randperm(seeded(5), 5, {}, {}, {}, {}))) == "tensor([1, 3, 0, 4, 2])");
  CHECK(show(tail(randomInPlace(seeded(5), ints({5})))) ==
        "tensor([4095051218741643470, 6838803925648402109, 3813295331020233846,\n        7722008223506294857, "
        "9009596224835060452])");
  CHECK(show(tail(randint(seeded(100), 10, {100}, {}, {}, {}, {}))) == "tensor([1, 2, 4, 7, 2])");
  CHECK(show(tail(randintLow(seeded(100), -5, int64_t{1} << 40, {100}, {}, {}, {}, {}))) ==
        "tensor([1052700996886,  400992954457,  396632614425, 1056029850552,\n         546584830078])");
  CHECK(show(tail(randperm(seeded(100), 100, {}, {}, {}, {}))) == "tensor([ 0, 10, 76,  2, 92])");
  CHECK(show(tail(randomInPlace(seeded(100), ints({100})))) ==
        "tensor([2931926873546548882, 4690223435502082935, 2602858879957729836,\n        3691628938490602553, "
        "2907664543851766528])");
  CHECK(show(normalInPlace(seeded(1), *t(*zeros({5, 4})), 0, 1)) ==
        "tensor([[ 0.6614, -0.4519, -1.0276, -0.1955, -0.4212],\n        [ 0.2669, -0.1661, -0.5631, -0.9656, "
        "-0.5107],\n        [ 0.0617, -1.5228, -0.8923,  0.4224, -1.5727],\n        [ 0.6213,  0.3817, -0.0583,  "
        "0.2673, -0.1232]])");
  CHECK(show(randn(seeded(1), {2}, DType::ComplexFloat, {}, {}, {})) == "tensor([0.4676+0.1887j, 0.0436+0.4393j])");
  CHECK(show(featureDropout(seeded(1), *ones({2, 3, 2}), 0.5, true)) ==
        "tensor([[[2., 2.],\n         [2., 2.],\n         [2., 2.]],\n\n        [[2., 2.],\n         [0., 0.],\n       "
        "  [2., 2.]]])");
  CHECK(show(uniformInPlace(seeded(1), ints({2}), 0, 1)) ==
        "error: \"check_uniform_bounds\" not implemented for 'Long'");
  CHECK(show(randint(seeded(1), 0, {2}, {}, {}, {}, {})) ==
        "error: random_ expects 'from' to be less than 'to', but got from=0 >= to=0");
  CHECK(show(dropout(seeded(1), ramp({2}), 2, true)) ==
        "error: dropout probability has to be between 0 and 1, but got 2");
}

/// A sum over the bit patterns: equal only when, as good as certainly, every element is.
static int64_t sumOfBits(const StatusOr<Tensor> &t) {
  REQUIRE(t.ok());
  int64_t sum = 0;
  for (int64_t i = 0; i != t->numel(); ++i)
    sum += reinterpret_cast<const int32_t *>(t->data())[i];
  return sum;
}

TEST_CASE("Random: normal numbers have the bits that PyTorch 1.13 gives on AVX2") {
  CHECK(sumOfBits(randn(seeded(16), {16}, DType::Float, {}, {}, {})) == -220016605);
  CHECK(sumOfBits(randn(seeded(100), {100}, DType::Float, {}, {}, {})) == -16642688963);
  CHECK(sumOfBits(randn(seeded(65537), {65537}, DType::Float, {}, {}, {})) == -1934397339242);
  CHECK(sumOfBits(normalInPlace(seeded(3), filled(1000, 0, DType::Float), 0.5, 3)) == 88963117110);
}

//===- Random.h - Random factories and in-place fills -----------*- C++ -*-===//
//
// Each function is the kernel of an operator whose record in include/tsc/IR/Ops
// names it, and computes what PyTorch computes for that operator, or fails with its
// message. Arguments are those of the schema, in its order; an undefined tensor
// stands for None. Names that end in InPlace write into `self` and return it.
// Numbers are drawn from the generator in PyTorch's order.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_KERNELS_RANDOM_H
#define TSC_KERNELS_RANDOM_H

#include "tsc/Kernels/Factories.h"
#include "tsc/Tensor/Generator.h"
#include <tuple>

namespace tsc::cpu {

StatusOr<Tensor> rand(Generator &, ArrayRef<int64_t> size, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> randLike(Generator &, const Tensor &self, OptDType, OptLayout, OptDevice, OptBool, OptFormat);
StatusOr<Tensor> randn(Generator &, ArrayRef<int64_t> size, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> randnLike(Generator &, const Tensor &self, OptDType, OptLayout, OptDevice, OptBool, OptFormat);
StatusOr<Tensor> randint(Generator &, int64_t high, ArrayRef<int64_t> size, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> randintLow(Generator &, int64_t low, int64_t high, ArrayRef<int64_t> size, OptDType, OptLayout,
                            OptDevice, OptBool);
StatusOr<Tensor> randintLike(Generator &, const Tensor &self, int64_t high, OptDType, OptLayout, OptDevice, OptBool,
                             OptFormat);
StatusOr<Tensor> randintLikeLow(Generator &, const Tensor &self, int64_t low, int64_t high, OptDType, OptLayout,
                                OptDevice, OptBool, OptFormat);
StatusOr<Tensor> randperm(Generator &, int64_t n, OptDType, OptLayout, OptDevice, OptBool);
StatusOr<Tensor> normalSized(Generator &, double mean, double std, ArrayRef<int64_t> size, OptDType, OptLayout,
                             OptDevice, OptBool);
StatusOr<Tensor> normalTensorTensor(Generator &, const Tensor &mean, const Tensor &std);
StatusOr<Tensor> normalTensorFloat(Generator &, const Tensor &mean, double std);
StatusOr<Tensor> normalFloatTensor(Generator &, double mean, const Tensor &std);
StatusOr<Tensor> bernoulli(Generator &, const Tensor &self);
StatusOr<Tensor> bernoulliP(Generator &, const Tensor &self, double p);
StatusOr<Tensor> bernoulliTensor(Generator &, const Tensor &self, const Tensor &p);
StatusOr<Tensor> multinomial(Generator &, const Tensor &self, int64_t samples, bool replacement);
StatusOr<Tensor> poisson(Generator &, const Tensor &self);
StatusOr<Tensor> dropout(Generator &, const Tensor &input, double p, bool train);
StatusOr<Tensor> featureDropout(Generator &, const Tensor &input, double p, bool train);
StatusOr<Tensor> alphaDropout(Generator &, const Tensor &input, double p, bool train);
StatusOr<Tensor> featureAlphaDropout(Generator &, const Tensor &input, double p, bool train);
StatusOr<std::tuple<Tensor, Tensor>> nativeDropout(Generator &, const Tensor &input, double p,
                                                   std::optional<bool> train);

// In place.
StatusOr<Tensor> uniformInPlace(Generator &, const Tensor &self, double from, double to);
StatusOr<Tensor> uniform(Generator &, const Tensor &self, double from, double to);
StatusOr<Tensor> normalInPlace(Generator &, const Tensor &self, double mean, double std);
/// Returns a tensor of the sizes and dtype of `self`, drawn from the normal distribution; `self` stays as it is.
StatusOr<Tensor> normalLike(Generator &, const Tensor &self, double mean, double std);
StatusOr<Tensor> bernoulliInPlace(Generator &, const Tensor &self, double p);
StatusOr<Tensor> bernoulliTensorInPlace(Generator &, const Tensor &self, const Tensor &p);
StatusOr<Tensor> binomial(Generator &, const Tensor &counts, const Tensor &probabilities);
StatusOr<Tensor> standardGamma(Generator &, const Tensor &shapes);
/// Returns how each draw from a gamma distribution moves with its shape, the random numbers held.
StatusOr<Tensor> standardGammaGrad(const Tensor &shapes, const Tensor &draws);
StatusOr<Tensor> sampleDirichlet(Generator &, const Tensor &concentrations);
StatusOr<Tensor> exponentialInPlace(Generator &, const Tensor &self, double lambda);
StatusOr<Tensor> geometricInPlace(Generator &, const Tensor &self, double p);
StatusOr<Tensor> logNormalInPlace(Generator &, const Tensor &self, double mean, double std);
StatusOr<Tensor> cauchyInPlace(Generator &, const Tensor &self, double median, double sigma);
StatusOr<Tensor> randomInPlace(Generator &, const Tensor &self);
StatusOr<Tensor> randomToInPlace(Generator &, const Tensor &self, int64_t to);
StatusOr<Tensor> randomFromInPlace(Generator &, const Tensor &self, int64_t from, std::optional<int64_t> to);

// Kernels of `out` overloads: they write into `out`, which is resized and keeps its dtype, and return it.
StatusOr<Tensor> randOut(Generator &, ArrayRef<int64_t> size, const Tensor &out);
StatusOr<Tensor> randnOut(Generator &, ArrayRef<int64_t> size, const Tensor &out);
StatusOr<Tensor> randintOut(Generator &, int64_t high, ArrayRef<int64_t> size, const Tensor &out);
StatusOr<Tensor> randintLowOut(Generator &, int64_t low, int64_t high, ArrayRef<int64_t> size, const Tensor &out);
StatusOr<Tensor> randpermOut(Generator &, int64_t n, const Tensor &out);

} // namespace tsc::cpu

#endif

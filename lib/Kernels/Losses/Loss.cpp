//===- Loss.cpp - Loss functions ------------------------------------------===//
//
// The common losses of real numbers are what the operators give that they are made of
// (their definitions in the records say the same), in one pass where operands are
// whole rows (LossRows.h). Other elementwise losses are computed and reduced in double,
// then rounded once to the result's dtype. The losses over classes are in ClassLoss.cpp.
//
//===----------------------------------------------------------------------===//
#include "LossReduction.h"
#include "LossRows.h"
#include "Products/RowProducts.h"
#include "Reductions/Reduce.h"
#include "tsc/Kernels/LinearAlgebra.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/PointwiseProgram.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Tensor/DefaultDType.h"
#include <cmath>
#include <numbers>

using namespace tsc;
using namespace tsc::cpu;

StatusOr<Tensor> tsc::cpu::reduceLoss(const Tensor &loss, int64_t reduction, DType dtype) {
  if (reduction == 0)
    return toDType(loss, dtype);
  TSC_ASSIGN_OR_RETURN(Tensor sum, sumOver(loss, {}, false));
  if (reduction == 1)
    sum.mutableData<double>()[0] /= static_cast<double>(loss.numel());
  return toDType(sum, dtype);
}

/// The loss of (self, target) pairs that broadcast together.
template <typename Fn>
static StatusOr<Tensor> pairLoss(const Tensor &self, const Tensor &target, int64_t reduction, Fn fn) {
  TSC_ASSIGN_OR_RETURN(Tensor loss, zip(self, target, DType::Double, fn));
  return reduceLoss(loss, reduction, resultType(self, target));
}
/// The same for a loss whose formula makes floats of integers.
template <typename Fn>
static StatusOr<Tensor> floatPairLoss(const Tensor &self, const Tensor &target, int64_t reduction, Fn fn) {
  TSC_ASSIGN_OR_RETURN(Tensor loss, zip(self, target, DType::Double, fn));
  return reduceLoss(loss, reduction, floatingDType(resultType(self, target)));
}

static StatusOr<Tensor> widened(const Tensor &t) { return toDType(t, workType(t.dtype())); }

/// The losses of real numbers, operator by operator: `elements`, then mean or sum; half types in float with one
/// rounding at the end, to `result`.
template <typename Elements>
static StatusOr<Tensor> operatorLoss(const Tensor &self, const Tensor &target, int64_t reduction, DType result,
                                     Elements elements) {
  TSC_ASSIGN_OR_RETURN(Tensor x, widened(self));
  TSC_ASSIGN_OR_RETURN(Tensor t, widened(target));
  TSC_ASSIGN_OR_RETURN(Tensor loss, elements(x, t));
  if (reduction == 1) {
    TSC_ASSIGN_OR_RETURN(loss, mean(loss, std::nullopt));
  } else if (reduction == 2) {
    TSC_ASSIGN_OR_RETURN(loss, sum(loss, std::nullopt));
  }
  return toDType(loss, result);
}

static StatusOr<Tensor> product(const Tensor &a, const Tensor &b) {
  return pointwise(PointwiseKind::Aten_mul_Tensor, {PointwiseArg(a), PointwiseArg(b)});
}
static StatusOr<Tensor> difference(const Tensor &a, const Tensor &b) {
  return pointwise(PointwiseKind::Aten_sub_Tensor, {PointwiseArg(a), PointwiseArg(b), PointwiseArg(Scalar(1))});
}

/// Losses that have kernels for rows, of operands that are such rows. Undefined: of others.
static StatusOr<Tensor> rowLoss(losses::Kind kind, const Tensor &self, const Tensor &target, int64_t reduction,
                                double limit = 0) {
  if (self.dtype() != target.dtype() || (self.dtype() != DType::Float && self.dtype() != DType::Double) ||
      self.sizes() != target.sizes() || !self.isContiguous() || !target.isContiguous() || self.numel() == 0 ||
      self.get()->negative || target.get()->negative)
    return Tensor();
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(reduction == 0 ? self.sizes() : ArrayRef<int64_t>(), self.dtype()));
  TSC_RETURN_IF_ERROR(dispatchFloatDouble(self.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::Type;
    const losses::Kernels<T> &kernels = losses::kernels<T>();
    const T *x = self.data<T>(), *t = target.data<T>();
    T *to = out.mutableData<T>();
    const int64_t n = self.numel();
    if (reduction == 0) {
      parallelFor(0, n, parallelGrain, [&](int64_t begin, int64_t end) {
        kernels.each(kind, to + begin, x + begin, t + begin, limit, end - begin);
      });
      return;
    }
    *to = sumByChunks<T>(
        n, [&](int64_t begin, int64_t count) { return kernels.sum(kind, x + begin, t + begin, limit, count); });
    if (reduction == 1)
      *to /= static_cast<T>(n);
  }));
  return out;
}

/// Of differences, which `shape` makes losses of.
template <typename Shape>
static StatusOr<Tensor> differenceLoss(const Tensor &self, const Tensor &target, int64_t reduction, Shape shape) {
  return operatorLoss(self, target, reduction, resultType(self, target),
                      [&](const Tensor &x, const Tensor &t) -> StatusOr<Tensor> {
                        TSC_ASSIGN_OR_RETURN(Tensor d, difference(x, t));
                        return shape(d);
                      });
}

StatusOr<Tensor> tsc::cpu::mseLoss(const Tensor &self, const Tensor &target, int64_t reduction) {
  TSC_ASSIGN_OR_RETURN(Tensor ofRows, rowLoss(losses::Kind::Squared, self, target, reduction));
  if (ofRows.defined())
    return ofRows;
  const DType type = resultType(self, target);
  if (isComplex(type))
    return detail::dtypeNotImplemented("mse_cpu", type);
  if (isFloating(type))
    return differenceLoss(self, target, reduction, [](const Tensor &d) { return product(d, d); });
  return pairLoss(self, target, reduction, [](double x, double t) { return (x - t) * (x - t); });
}

StatusOr<Tensor> tsc::cpu::l1Loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  if (isComplex(self.dtype()) || isComplex(target.dtype())) {
    TSC_ASSIGN_OR_RETURN(Tensor difference, arith(Arith::Sub, self, target));
    TSC_ASSIGN_OR_RETURN(Tensor one, unsqueeze(difference, difference.dim()));
    TSC_ASSIGN_OR_RETURN(Tensor size, vectorNorm(one, Scalar(2), Dims{difference.dim()}, false, std::nullopt));
    TSC_ASSIGN_OR_RETURN(Tensor wide, toDType(size, DType::Double));
    return reduceLoss(wide, reduction, size.dtype());
  }
  TSC_ASSIGN_OR_RETURN(Tensor ofRows, rowLoss(losses::Kind::Absolute, self, target, reduction));
  if (ofRows.defined())
    return ofRows;
  if (isFloating(resultType(self, target)))
    return differenceLoss(self, target, reduction,
                          [](const Tensor &d) { return pointwise(PointwiseKind::Aten_abs, {PointwiseArg(d)}); });
  // Differences of integers wrap, and their sum is of int64.
  TSC_ASSIGN_OR_RETURN(Tensor loss, difference(self, target));
  TSC_ASSIGN_OR_RETURN(loss, pointwise(PointwiseKind::Aten_abs, {PointwiseArg(loss)}));
  return reduction == 1 ? mean(loss, std::nullopt) : reduction == 2 ? sum(loss, std::nullopt) : loss;
}

/// Half the squares of small differences, or these over the limit; of others, what they exceed half the limit by, or
/// the limit times that. All in one pass.
static StatusOr<Tensor> bentLoss(const Tensor &self, const Tensor &target, double limit, bool isSmoothL1) {
  using K = PointwiseKind;
  enum Number : unsigned { one, half, whole, halfLimit };
  static const auto programOf = [](bool isSmoothL1) {
    using Operand = PointwiseProgram::Operand;
    auto input = [](unsigned i) { return Operand{Operand::Input, i, {}}; };
    auto step = [](unsigned i) { return Operand{Operand::Step, i, {}}; };
    auto number = [](Number n) { return Operand{Operand::Number, n, {}}; };
    PointwiseProgram program;
    const unsigned difference = program.addStep({K::Aten_sub_Tensor, {input(0), input(1), number(one)}});
    const unsigned size = program.addStep({K::Aten_abs, {step(difference)}});
    const unsigned halved = program.addStep({K::Aten_mul_Scalar, {step(size), number(half)}});
    unsigned square = program.addStep({K::Aten_mul_Tensor, {step(halved), step(size)}});
    unsigned line = program.addStep({K::Aten_sub_Scalar, {step(size), number(halfLimit), number(one)}});
    if (isSmoothL1)
      square = program.addStep({K::Aten_div_Scalar, {step(square), number(whole)}});
    else
      line = program.addStep({K::Aten_mul_Scalar, {step(line), number(whole)}});
    const unsigned isSmall = program.addStep({K::Aten_lt_Scalar, {step(size), number(whole)}});
    program.addOutput(program.addStep({K::Aten_where_self, {step(isSmall), step(square), step(line)}}));
    return program;
  };
  static const PointwiseProgram smoothL1 = programOf(true), huber = programOf(false);
  const Scalar numbers[] = {Scalar(1), Scalar(0.5), Scalar(limit), Scalar(0.5 * limit)};
  TSC_ASSIGN_OR_RETURN(std::vector<Tensor> losses, (isSmoothL1 ? smoothL1 : huber).run({self, target}, numbers));
  return losses.front();
}

StatusOr<Tensor> tsc::cpu::smoothL1Loss(const Tensor &self, const Tensor &target, int64_t reduction, double beta) {
  if (beta < 0)
    return invalidArgument("smooth_l1_loss does not support negative values for beta.");
  TSC_ASSIGN_OR_RETURN(Tensor ofRows, rowLoss(losses::Kind::SmoothL1, self, target, reduction, beta));
  if (ofRows.defined())
    return ofRows;
  if (isFloating(resultType(self, target)))
    return operatorLoss(self, target, reduction, resultType(self, target),
                        [=](const Tensor &x, const Tensor &t) { return bentLoss(x, t, beta, true); });
  return pairLoss(self, target, reduction, [=](double x, double t) {
    double d = std::fabs(x - t);
    return d < beta ? 0.5 * d * d / beta : d - 0.5 * beta;
  });
}

StatusOr<Tensor> tsc::cpu::huberLoss(const Tensor &self, const Tensor &target, int64_t reduction, double delta) {
  if (!(delta > 0))
    return invalidArgument("huber_loss does not support non-positive values for delta.");
  TSC_RETURN_IF_ERROR(checkCast(resultType(self, target), self.dtype())); // it is written into one like self
  TSC_RETURN_IF_ERROR(checkFloating(self, "huber_cpu"));
  TSC_ASSIGN_OR_RETURN(Tensor ofRows, rowLoss(losses::Kind::Huber, self, target, reduction, delta));
  if (ofRows.defined())
    return ofRows;
  return operatorLoss(self, target, reduction, self.dtype(),
                      [=](const Tensor &x, const Tensor &t) { return bentLoss(x, t, delta, false); });
}

StatusOr<Tensor> tsc::cpu::softMarginLoss(const Tensor &self, const Tensor &target, int64_t reduction) {
  if (isFloating(resultType(self, target)))
    return operatorLoss(self, target, reduction, resultType(self, target),
                        [](const Tensor &x, const Tensor &t) -> StatusOr<Tensor> {
                          TSC_ASSIGN_OR_RETURN(Tensor margin, pointwise(PointwiseKind::Aten_neg, {PointwiseArg(x)}));
                          TSC_ASSIGN_OR_RETURN(margin, product(margin, t));
                          TSC_ASSIGN_OR_RETURN(margin, pointwise(PointwiseKind::Aten_exp, {PointwiseArg(margin)}));
                          return pointwise(PointwiseKind::Aten_log1p, {PointwiseArg(margin)});
                        });
  return pairLoss(self, target, reduction, [](double x, double t) { return std::log1p(std::exp(-t * x)); });
}

/// loss * weight where there is a weight.
static StatusOr<Tensor> weighted(const Tensor &loss, const Tensor &weight) {
  if (!weight.defined())
    return loss;
  return zip(loss, weight, DType::Double, [](double l, double w) { return l * w; });
}

StatusOr<Tensor> tsc::cpu::binaryCrossEntropy(const Tensor &self, const Tensor &target, const Tensor &weight,
                                              int64_t reduction) {
  if (self.dtype() != target.dtype())
    return invalidArgument("Found dtype " + dtypeText(target.dtype()) + " but expected " + dtypeText(self.dtype()));
  bool inRange = true;
  if (!weight.defined()) {
    TSC_ASSIGN_OR_RETURN(Tensor ofRows, rowLoss(losses::Kind::CrossEntropy, self, target, reduction));
    if (ofRows.defined()) {
      TSC_RETURN_IF_ERROR(dispatchFloatDouble(self.dtype(), [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const T *x = self.data<T>();
        for (int64_t i = 0, n = self.numel(); i != n; ++i)
          inRange &= x[i] >= 0 && x[i] <= 1;
      }));
      return inRange ? StatusOr<Tensor>(ofRows) : invalidArgument("all elements of input should be between 0 and 1");
    }
  }
  TSC_ASSIGN_OR_RETURN(Tensor loss, zip(self, target, DType::Double, [&](double x, double t) {
                         inRange &= x >= 0 && x <= 1;
                         return (t - 1) * std::max(std::log1p(-x), -100.0) - t * std::max(std::log(x), -100.0);
                       }));
  if (!inRange)
    return invalidArgument("all elements of input should be between 0 and 1");
  TSC_ASSIGN_OR_RETURN(loss, weighted(loss, weight));
  return reduceLoss(loss, reduction, self.dtype());
}

StatusOr<Tensor> tsc::cpu::binaryCrossEntropyWithLogits(const Tensor &self, const Tensor &target, const Tensor &weight,
                                                        const Tensor &posWeight, int64_t reduction) {
  TSC_RETURN_IF_ERROR(checkFloating(self, "log_sigmoid_cpu"));
  TSC_RETURN_IF_ERROR(checkCast(resultType(self, target), target.dtype())); // it is computed in one like target
  return operatorLoss(
      self, target, reduction, target.dtype(), [&](const Tensor &x, const Tensor &t) -> StatusOr<Tensor> {
        using K = PointwiseKind;
        auto plus = [](K kind, const Tensor &t, double number) {
          return pointwise(kind, {PointwiseArg(t), PointwiseArg(Scalar(number)), PointwiseArg(Scalar(1))});
        };
        TSC_ASSIGN_OR_RETURN(Tensor linear, plus(K::Aten_rsub_Scalar, t, 1));
        TSC_ASSIGN_OR_RETURN(linear, product(linear, x));
        TSC_ASSIGN_OR_RETURN(Tensor logistic, pointwise(K::Aten_log_sigmoid, {PointwiseArg(x)}));
        if (posWeight.defined()) {
          TSC_ASSIGN_OR_RETURN(Tensor factor, widened(posWeight));
          TSC_ASSIGN_OR_RETURN(factor, plus(K::Aten_sub_Scalar, factor, 1));
          TSC_ASSIGN_OR_RETURN(factor, product(factor, t));
          TSC_ASSIGN_OR_RETURN(factor, plus(K::Aten_add_Scalar, factor, 1));
          TSC_ASSIGN_OR_RETURN(logistic, product(factor, logistic));
        }
        TSC_ASSIGN_OR_RETURN(Tensor loss, difference(linear, logistic));
        if (!weight.defined())
          return loss;
        TSC_ASSIGN_OR_RETURN(Tensor factor, widened(weight));
        return product(loss, factor);
      });
}

StatusOr<Tensor> tsc::cpu::klDiv(const Tensor &self, const Tensor &target, int64_t reduction, bool logTarget) {
  if (!logTarget && (isIntegral(self.dtype(), true) || isIntegral(target.dtype(), true)))
    return invalidArgument("kl_div: Integral inputs not supported.");
  if (isFloating(resultType(self, target)))
    return operatorLoss(
        self, target, reduction, resultType(self, target), [&](const Tensor &x, const Tensor &t) -> StatusOr<Tensor> {
          if (logTarget) {
            TSC_ASSIGN_OR_RETURN(Tensor distance, difference(t, x));
            TSC_ASSIGN_OR_RETURN(Tensor p, pointwise(PointwiseKind::Aten_exp, {PointwiseArg(t)}));
            return product(p, distance);
          }
          TSC_ASSIGN_OR_RETURN(Tensor entropy,
                               pointwise(PointwiseKind::Aten_xlogy_Tensor, {PointwiseArg(t), PointwiseArg(t)}));
          TSC_ASSIGN_OR_RETURN(Tensor cross, product(t, x));
          return difference(entropy, cross);
        });
  return pairLoss(self, target, reduction, [=](double x, double t) {
    if (logTarget)
      return std::exp(t) * (t - x);
    double entropy = t == 0 ? 0 : t * std::log(t);
    return entropy - t * x;
  });
}

StatusOr<Tensor> tsc::cpu::poissonNllLoss(const Tensor &input, const Tensor &target, bool logInput, bool full,
                                          double eps, int64_t reduction) {
  if (!full) {
    TSC_ASSIGN_OR_RETURN(Tensor ofRows, rowLoss(logInput ? losses::Kind::PoissonLog : losses::Kind::Poisson, input,
                                                target, reduction, eps));
    if (ofRows.defined())
      return ofRows;
  }
  if (logInput && !full && isIntegral(input.dtype()) && isIntegral(target.dtype())) { // their product wraps
    TSC_ASSIGN_OR_RETURN(Tensor both, product(target, input));
    return floatPairLoss(input, both, reduction, [](double x, double b) { return std::exp(x) - b; });
  }
  return floatPairLoss(input, target, reduction, [=](double x, double t) {
    double loss = logInput ? std::exp(x) - t * x : x - t * std::log(x + eps);
    if (full && t > 1)
      loss += t * std::log(t) - t + 0.5 * std::log(2 * std::numbers::pi * t);
    return loss;
  });
}

/// What is above zero of a number; NaN of NaN, which std::max would lose.
static double excess(double x) { return x < 0 ? 0 : x; }
/// NaN if one of the two is, which std::min loses.
static double smaller(double a, double b) { return a < b || std::isnan(a) ? a : b; }

StatusOr<Tensor> tsc::cpu::hingeEmbeddingLoss(const Tensor &self, const Tensor &target, double margin,
                                              int64_t reduction) {
  if (isIntegral(self.dtype())) { // the margin is an integer of that dtype as well, and what is left of it wraps
    TSC_ASSIGN_OR_RETURN(Tensor whole, Tensor::scalar(Scalar(margin), self.dtype()));
    TSC_ASSIGN_OR_RETURN(Tensor rest, difference(whole, self));
    TSC_ASSIGN_OR_RETURN(Tensor far,
                         zip(rest, target, self.dtype(), [](double r, double t) { return t != 1 ? excess(r) : 0; }));
    TSC_ASSIGN_OR_RETURN(Tensor near,
                         zip(self, target, self.dtype(), [](double x, double t) { return t != -1 ? x : 0; }));
    TSC_ASSIGN_OR_RETURN(Tensor loss, arith(Arith::Add, far, near));
    return reduction == 1 ? mean(loss, std::nullopt) : reduction == 2 ? sum(loss, std::nullopt) : loss;
  }
  TSC_ASSIGN_OR_RETURN(Tensor loss, zip(self, target, DType::Double, [=](double x, double t) {
                         return (t != 1 ? excess(margin - x) : 0) + (t != -1 ? x : 0);
                       }));
  return reduceLoss(loss, reduction, self.dtype());
}

StatusOr<Tensor> tsc::cpu::marginRankingLoss(const Tensor &input1, const Tensor &input2, const Tensor &target,
                                             double margin, int64_t reduction) {
  const DType type = promoteTypes(resultType(input1, input2), target.dtype());
  if (isIntegral(type)) { // wraps until the margin makes floats of it
    TSC_ASSIGN_OR_RETURN(Tensor apart, difference(input1, input2));
    TSC_ASSIGN_OR_RETURN(Tensor back, pointwise(PointwiseKind::Aten_neg, {PointwiseArg(target)}));
    TSC_ASSIGN_OR_RETURN(back, product(back, apart));
    TSC_ASSIGN_OR_RETURN(Tensor loss,
                         zip(back, back, DType::Double, [=](double b, double) { return excess(margin + b); }));
    return reduceLoss(loss, reduction, floatingDType(type));
  }
  TSC_ASSIGN_OR_RETURN(Tensor difference, zip(input1, input2, DType::Double, [](double a, double b) { return a - b; }));
  TSC_ASSIGN_OR_RETURN(
      Tensor loss, zip(difference, target, DType::Double, [=](double d, double t) { return excess(margin - t * d); }));
  return reduceLoss(loss, reduction, floatingDType(type));
}

StatusOr<Tensor> tsc::cpu::cosineEmbeddingLoss(const Tensor &input1, const Tensor &input2, const Tensor &target,
                                               double margin, int64_t reduction) {
  int64_t dim = target.dim();
  if (dim > 1)
    return invalidArgument("0D or 1D target tensor expected, multi-target not supported");
  for (const Tensor *input : {&input1, &input2})
    if (input->dim() != dim + 1)
      return invalidArgument(
          dim == 1 ? llvm::Twine("1D target tensor expects 2D input tensors, but found inputs with sizes ") +
                         shapeString(input1.sizes()) + " and " + shapeString(input2.sizes()) + "."
                   : llvm::Twine("0D target tensor expects 1D input tensors, but found inputs with sizes ") +
                         shapeString(input1.sizes()) + " and " + shapeString(input2.sizes()) + ".");
  auto sumOfProducts = [&](const Tensor &a, const Tensor &b) -> StatusOr<Tensor> {
    if (dim == 1 && a.dtype() == DType::Float && b.dtype() == DType::Float && a.sizes() == b.sizes())
      return rowProducts(a, b);
    TSC_ASSIGN_OR_RETURN(Tensor product, zip(a, b, DType::Double, [](double x, double y) { return x * y; }));
    return sumOver(product, {dim}, false);
  };
  TSC_ASSIGN_OR_RETURN(Tensor dot, sumOfProducts(input1, input2));
  TSC_ASSIGN_OR_RETURN(Tensor square1, sumOfProducts(input1, input1));
  TSC_ASSIGN_OR_RETURN(Tensor square2, sumOfProducts(input2, input2));
  TSC_ASSIGN_OR_RETURN(Tensor size, zip(square1, square2, DType::Double,
                                        [](double a, double b) { return std::sqrt((a + 1e-12) * (b + 1e-12)); }));
  TSC_ASSIGN_OR_RETURN(Tensor cosine, zip(dot, size, DType::Double, [](double d, double n) { return d / n; }));
  TSC_ASSIGN_OR_RETURN(Tensor loss, zip(cosine, target, DType::Double, [=](double c, double t) {
                         return t == 1 ? 1 - c : t == -1 ? excess(c - margin) : 0.0;
                       }));
  return reduceLoss(loss, reduction, floatingDType(resultType(input1, input2)));
}

StatusOr<Tensor> tsc::cpu::tripletMarginLoss(const Tensor &anchor, const Tensor &positive, const Tensor &negative,
                                             double margin, double p, double eps, bool swap, int64_t reduction) {
  if (anchor.dim() != positive.dim() || anchor.dim() != negative.dim())
    return invalidArgument("All inputs should have same dimension but got " + llvm::Twine(anchor.dim()) + "D, " +
                           llvm::Twine(positive.dim()) + "D and " + llvm::Twine(negative.dim()) + "D inputs.");
  TSC_ASSIGN_OR_RETURN(Tensor near, pairwiseDistance(anchor, positive, p, eps, false));
  TSC_ASSIGN_OR_RETURN(Tensor far, pairwiseDistance(anchor, negative, p, eps, false));
  if (swap) {
    TSC_ASSIGN_OR_RETURN(Tensor other, pairwiseDistance(positive, negative, p, eps, false));
    TSC_ASSIGN_OR_RETURN(far, zip(far, other, DType::Double, smaller));
  }
  TSC_ASSIGN_OR_RETURN(Tensor loss,
                       zip(near, far, DType::Double, [=](double a, double b) { return excess(margin + a - b); }));
  return reduceLoss(loss, reduction, near.dtype());
}

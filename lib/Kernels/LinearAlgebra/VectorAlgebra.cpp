//===- VectorAlgebra.cpp - Cross products, traces, covariances ------------===//
#include "Support/Compute.h"
#include "tsc/Kernels/LinearAlgebra.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/DefaultDType.h"
#include <cmath>

using namespace tsc;
using namespace tsc::cpu;

/// a[i + 1] b[i + 2] - a[i + 2] b[i + 1] along a dimension of tensors of one shape.
static StatusOr<Tensor> crossAlong(const Tensor &a, const Tensor &b, int64_t dim) {
  const DType type = resultType(a, b);
  TSC_ASSIGN_OR_RETURN(Tensor x, dense(a, type));
  TSC_ASSIGN_OR_RETURN(Tensor y, dense(b, type));
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(a.sizes(), type));
  int64_t inner = 1; // how far the parts of one vector are from each other
  for (int64_t d = dim + 1; d < a.dim(); ++d)
    inner *= a.size(d);
  const int64_t outer = inner == 0 ? 0 : a.numel() / (3 * inner);
  TSC_RETURN_IF_ERROR(dispatchAll(
      type,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        auto difference = [](T p1, T q2, T p2, T q1) {
          if constexpr (std::is_integral_v<T>) {
            using U = uint64_t; // which wraps
            return convertTo<T>(static_cast<int64_t>(U(p1) * U(q2) - U(p2) * U(q1)));
          } else {
            using C = ComputeType<T>;
            return T(static_cast<C>(T(static_cast<C>(p1) * static_cast<C>(q2))) -
                     static_cast<C>(T(static_cast<C>(p2) * static_cast<C>(q1))));
          }
        };
        const T *p = x.data<T>(), *q = y.data<T>();
        T *to = out.mutableData<T>();
        for (int64_t o = 0; o != outer; ++o, p += 3 * inner, q += 3 * inner, to += 3 * inner)
          for (int64_t part = 0; part != 3; ++part) {
            const T *p1 = p + (part + 1) % 3 * inner, *p2 = p + (part + 2) % 3 * inner;
            const T *q1 = q + (part + 1) % 3 * inner, *q2 = q + (part + 2) % 3 * inner;
            for (int64_t i = 0; i != inner; ++i)
              to[part * inner + i] = difference(p1[i], q2[i], p2[i], q1[i]);
          }
      },
      "cross"));
  return out;
}

StatusOr<Tensor> tsc::cpu::linalgCross(const Tensor &self, const Tensor &other, int64_t dim) {
  if (self.dim() != other.dim())
    return invalidArgument("linalg.cross: inputs must have the same number of dimensions.");
  TSC_ASSIGN_OR_RETURN(int64_t d, wrapDim(dim, self.dim()));
  if (self.dim() == 0 || self.size(d) != 3 || other.size(d) != 3)
    return invalidArgument("linalg.cross: inputs dimension " + llvm::Twine(dim) + " must have length 3. Got " +
                           llvm::Twine(self.dim() ? self.size(d) : 1) + " and " +
                           llvm::Twine(other.dim() ? other.size(d) : 1));
  TSC_ASSIGN_OR_RETURN(Dims shape, broadcastShapes(self.sizes(), other.sizes()));
  TSC_ASSIGN_OR_RETURN(Tensor a, expand(self, shape));
  TSC_ASSIGN_OR_RETURN(Tensor b, expand(other, shape));
  return crossAlong(a, b, d);
}

StatusOr<Tensor> tsc::cpu::cross(const Tensor &self, const Tensor &other, std::optional<int64_t> dim) {
  if (dim)
    return linalgCross(self, other, *dim);
  for (int64_t d = 0; d < self.dim(); ++d)
    if (self.size(d) == 3)
      return linalgCross(self, other, d);
  return invalidArgument("no dimension of size 3 in input");
}

StatusOr<Tensor> tsc::cpu::vecdot(const Tensor &x, const Tensor &y, int64_t dim) {
  TSC_ASSIGN_OR_RETURN(Tensor a, isComplex(x.dtype()) ? conj(x) : StatusOr<Tensor>(x));
  TSC_ASSIGN_OR_RETURN(Tensor product, arith(Arith::Mul, a, y));
  return sumOver(product, {dim}, false);
}

StatusOr<Tensor> tsc::cpu::linalgDiagonal(const Tensor &a, int64_t offset, int64_t dim1, int64_t dim2) {
  return diagonal(a, offset, dim1, dim2);
}

StatusOr<Tensor> tsc::cpu::trace(const Tensor &self) {
  if (self.dim() != 2)
    return invalidArgument("trace: expected a matrix, but got tensor with dim " + llvm::Twine(self.dim()));
  TSC_ASSIGN_OR_RETURN(Tensor elements, diagonal(self, 0, 0, 1));
  if (isIntegral(self.dtype(), true)) {
    TSC_ASSIGN_OR_RETURN(elements, toDType(elements, DType::Int64));
  }
  return sumOver(elements, {}, false);
}

StatusOr<Tensor> tsc::cpu::linalgVander(const Tensor &x, std::optional<int64_t> n) {
  if (x.dtype() == DType::Bool)
    return invalidArgument("linalg.vander: x must be a floating, complex or integer tensor. Got Bool");
  int64_t count = n.value_or(x.dim() == 0 ? 1 : x.sizes().back());
  if (count <= 1)
    return invalidArgument("N must be greater than 1.");
  DType type = isIntegral(x.dtype()) ? DType::Int64 : x.dtype();
  TSC_ASSIGN_OR_RETURN(Tensor base, toDType(x, type));
  if (x.dim() == 0) {
    TSC_ASSIGN_OR_RETURN(base, unsqueeze(base, 0));
  }
  Dims sizes(base.sizes().begin(), base.sizes().end());
  sizes.push_back(count);
  TSC_ASSIGN_OR_RETURN(Tensor powers, Tensor::empty(sizes, type));
  TSC_ASSIGN_OR_RETURN(Tensor power, ones(base.sizes(), type));
  work::LongLoop turns(512 + base.numel());
  for (int64_t i = 0; i < count && base.numel(); ++i) {
    if (!turns.goOn())
      return work::stopped();
    TSC_ASSIGN_OR_RETURN(Tensor column, select(powers, -1, i));
    TSC_RETURN_IF_ERROR(copyInto(column, power));
    TSC_ASSIGN_OR_RETURN(power, arith(Arith::Mul, power, base));
  }
  return powers;
}

StatusOr<Tensor> tsc::cpu::cov(const Tensor &self, int64_t correction, const Tensor &fweights, const Tensor &aweights) {
  if (self.dim() > 2)
    return invalidArgument("cov(): expected input to have two or fewer dimensions but got an input with " +
                           llvm::Twine(self.dim()) + " dimensions");
  if (self.dtype() == DType::Bool)
    return invalidArgument("cov(): bool dtype is not supported for input");
  DType type = floatingDType(self.dtype());
  const bool isFloat = type == DType::Float && !isIntegral(self.dtype(), true);
  TSC_ASSIGN_OR_RETURN(Tensor x, toDType(self, isFloat           ? type
                                               : isComplex(type) ? DType::ComplexDouble
                                                                 : DType::Double));
  TSC_ASSIGN_OR_RETURN(x,
                       reshape(x, {self.dim() < 2 ? 1 : self.size(0), self.dim() < 2 ? self.numel() : self.size(1)}));
  int64_t observations = x.size(1);
  Tensor w;
  for (auto [name, given] : {std::pair("fweights", &fweights), std::pair("aweights", &aweights)}) {
    if (!given->defined())
      continue;
    const bool areCounts = given == &fweights;
    if (areCounts ? !isIntegral(given->dtype()) : !isFloating(given->dtype()))
      return invalidArgument(llvm::Twine("cov(): expected ") + name + " to have " +
                             (areCounts ? "integral" : "floating point") + " dtype but got " + name + " with " +
                             dtypeText(given->dtype()) + " dtype");
    if (given->dim() > 1 || given->numel() != observations)
      return invalidArgument(llvm::Twine("cov(): expected ") + name +
                             " to have the same numel as there are observations in the input but got " +
                             llvm::Twine(given->numel()) + " != " + llvm::Twine(observations));
    TSC_ASSIGN_OR_RETURN(Tensor wide, dense(*given, DType::Double));
    for (int64_t i = 0; i < wide.numel(); ++i)
      if (wide.data<double>()[i] < 0)
        return invalidArgument(llvm::Twine("cov(): ") + name + " cannot be negative");
    if (!w.defined()) {
      w = wide;
    } else {
      TSC_ASSIGN_OR_RETURN(w, arith(Arith::Mul, w, wide));
    }
  }
  double total = static_cast<double>(observations), norm;
  Tensor weighted = x;
  if (w.defined()) {
    TSC_ASSIGN_OR_RETURN(Tensor sum, sumOver(w, {}, false));
    total = sum.at(0).toDouble();
    if (total == 0)
      return invalidArgument("cov(): weights sum to zero, can't be normalized");
    TSC_ASSIGN_OR_RETURN(w, toDType(w, isFloat ? type : DType::Double));
    TSC_ASSIGN_OR_RETURN(weighted, arith(Arith::Mul, x, w));
  }
  if (w.defined() && aweights.defined() && correction != 0) {
    TSC_ASSIGN_OR_RETURN(Tensor wa, arith(Arith::Mul, w, aweights));
    TSC_ASSIGN_OR_RETURN(wa, sumOver(wa, {}, false));
    norm = total - static_cast<double>(correction) * wa.at(0).toDouble() / total;
  } else {
    norm = total - static_cast<double>(correction);
  }
  TSC_ASSIGN_OR_RETURN(Tensor mean, sumOver(weighted, {1}, true));
  TSC_ASSIGN_OR_RETURN(mean, scaled(mean, Scalar(1 / total)));
  TSC_ASSIGN_OR_RETURN(x, arith(Arith::Sub, x, mean));
  Tensor right = x;
  if (w.defined()) {
    TSC_ASSIGN_OR_RETURN(right, arith(Arith::Mul, x, w));
  }
  TSC_ASSIGN_OR_RETURN(right, isComplex(type) ? mH(right) : t(right));
  TSC_ASSIGN_OR_RETURN(Tensor out, mm(x, right));
  TSC_ASSIGN_OR_RETURN(out, scaled(out, Scalar(norm > 0 ? 1 / norm : INFINITY)));
  TSC_ASSIGN_OR_RETURN(out, toDType(out, type));
  return squeeze(out);
}

StatusOr<Tensor> tsc::cpu::corrcoef(const Tensor &self) {
  if (self.dim() > 2)
    return invalidArgument("corrcoef(): expected input to have two or fewer dimensions but got an input with " +
                           llvm::Twine(self.dim()) + " dimensions");
  TSC_ASSIGN_OR_RETURN(Tensor c, cov(self, 1, Tensor(), Tensor()));
  if (c.dim() == 0)
    return arith(Arith::Div, c, c);
  TSC_ASSIGN_OR_RETURN(Tensor d, diagonal(c, 0, 0, 1));
  TSC_ASSIGN_OR_RETURN(d, real(d));
  TSC_ASSIGN_OR_RETURN(d, zip(d, d, d.dtype(), [](double x, double) { return std::sqrt(x); }));
  TSC_ASSIGN_OR_RETURN(Tensor column, unsqueeze(d, 1));
  TSC_ASSIGN_OR_RETURN(c, arith(Arith::Div, c, column));
  TSC_ASSIGN_OR_RETURN(c, arith(Arith::Div, c, d));
  // Rounding must not leave [-1, 1].
  if (isComplex(c.dtype()))
    return c;
  return zip(c, c, c.dtype(), [](double x, double) { return x != x ? x : std::min(1.0, std::max(-1.0, x)); });
}

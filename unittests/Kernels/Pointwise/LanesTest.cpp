//===- LanesTest.cpp - An element does not depend on its neighbours -------===//
//
// Kernels on vectors choose ways by what all lanes of a vector hold. Whatever they choose, an operator of many equal
// operands gives what it gives for these among others, and so for one element.
//
//===----------------------------------------------------------------------===//
#include "../KernelTest.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using namespace tsc::test;

static const std::vector<double> values = {0.0,  -0.0,  1,      -1,     0.5,  -0.75,    2,         -3,
                                           7,    24.5,  -64.25, 300.5,  1e-9, 1e9,      -1e9,      1e-30,
                                           1e30, -1e30, 1e-41,  -1e-41, 3e38, INFINITY, -INFINITY, NAN};

/// Equal bits, but that a NaN is any NaN.
static bool isSame(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

static bool isOperand(const PointwiseParam &param) { return param.kind == PointwiseParam::Tensor && !param.optional; }

/// Compares `all`, which has every combination of operands once, with tensors that have one many times. False: the
/// operator does not take the dtype, or such a text.
static bool compareKind(PointwiseKind kind, size_t operands, DType dtype, llvm::StringRef text) {
  const size_t combinations = operands == 1 ? values.size() : values.size() * values.size();
  std::vector<std::vector<double>> columns(operands, std::vector<double>(combinations));
  for (size_t i = 0; i != combinations; ++i)
    for (size_t k = 0; k != operands; ++k)
      columns[k][i] = values[k == 0 ? i % values.size() : i / values.size()];
  auto run = [&](const std::vector<Tensor> &tensors) {
    std::vector<PointwiseArg> args;
    auto next = tensors.begin();
    for (const PointwiseParam &param : pointwiseParams(kind))
      if (isOperand(param))
        args.push_back(PointwiseArg(*next++));
      else if (param.kind == PointwiseParam::Text)
        args.push_back(PointwiseArg(text));
      else
        args.push_back(param.kind == PointwiseParam::Tensor ? PointwiseArg() : PointwiseArg(Scalar(2)));
    return pointwise(kind, args);
  };
  std::vector<Tensor> all;
  for (const std::vector<double> &column : columns)
    all.push_back(only(cpu::toDType(doubles(column), dtype)));
  const StatusOr<Tensor> mixed = run(all);
  if (!mixed.ok())
    return false;
  constexpr size_t many = 65;
  for (size_t i = 0; i != combinations; ++i) {
    std::vector<Tensor> equal;
    for (const std::vector<double> &column : columns)
      equal.push_back(only(cpu::toDType(doubles(std::vector<double>(many, column[i])), dtype)));
    const Tensor uniform = only(run(equal));
    INFO("kind " << static_cast<int>(kind) << " of " << columns[0][i] << ", " << columns[operands - 1][i]);
    bool agrees = true;
    const double expected = mixed->at(static_cast<int64_t>(i)).toDouble();
    for (size_t lane : {size_t(0), size_t(5), many - 1})
      agrees &= isSame(uniform.at(static_cast<int64_t>(lane)).toDouble(), expected);
    INFO(uniform.at(0).toDouble() << ", among others " << expected);
    CHECK(agrees);
  }
  return true;
}

TEST_CASE("point-wise operators give an element what they give it among others") {
  size_t seen = 0, compared = 0;
  for (size_t k = 0; k != static_cast<size_t>(PointwiseKind::NumKinds); ++k) {
    const auto kind = static_cast<PointwiseKind>(k);
    const auto operands = static_cast<size_t>(llvm::count_if(pointwiseParams(kind), isOperand));
    if (operands != 1 && operands != 2)
      continue;
    bool isCompared = false;
    for (DType dtype : {DType::Float, DType::Double, DType::Half, DType::BFloat16})
      for (const char *text : {"none", "tanh", "floor", "trunc"}) {
        isCompared |= compareKind(kind, operands, dtype, text);
        if (llvm::none_of(pointwiseParams(kind), [](auto &param) { return param.kind == PointwiseParam::Text; }))
          break;
      }
    ++seen;
    compared += isCompared;
  }
  INFO(compared << " of " << seen);
  CHECK(compared * 8 >= seen * 7); // the rest are of integers
}

/// A part of a new tensor, whose elements begin `offset` elements behind where a vector does.
static Tensor partOf(int64_t offset, int64_t n, int64_t seed, DType dtype) {
  return *cpu::narrow(ramp({offset + n}, seed, dtype), 0, offset, n);
}

TEST_CASE("point-wise operators write where an operand is, of any length, wherever it begins") {
  for (DType dtype : {DType::Float, DType::Double})
    for (int64_t n = 1; n < 600; n += n < 40 ? 1 : 37)
      for (int64_t offset : {0, 1, 3, 8, 13}) {
        const Tensor x = partOf(offset, n, 1, dtype), y = partOf(offset / 2, n, 2, dtype), one = ramp({1}, 5, dtype);
        INFO(irName(dtype).str() << ", " << n << " from " << offset << " on");
        auto check = [&](PointwiseKind kind, const Tensor &a, const Tensor &b, auto expected) {
          const Tensor result = only(pointwise(kind, {PointwiseArg(a), PointwiseArg(b)}));
          bool agrees = true;
          for (int64_t i = 0; i != n; ++i)
            agrees &=
                result.at(i).toDouble() == expected(a.at(i % a.numel()).toDouble(), b.at(i % b.numel()).toDouble());
          CHECK(agrees);
          if (a.numel() == 1)
            return;
          const Tensor written = partOf(offset, n, 1, dtype);
          REQUIRE(pointwiseInPlace(kind, written, {PointwiseArg(written), PointwiseArg(b)}).ok());
          CHECK(sameBits(written, result));
        };
        auto product = [](double a, double b) { return a * b; };
        auto larger = [](double a, double b) { return std::max(a, b); };
        check(PointwiseKind::Aten_mul_Tensor, x, y, product);
        check(PointwiseKind::Aten_mul_Tensor, x, one, product);
        check(PointwiseKind::Aten_mul_Tensor, one, x, product);
        check(PointwiseKind::Aten_maximum, x, y, larger);
        check(PointwiseKind::Aten_maximum, x, one, larger);
      }
}

TEST_CASE("rows that are each one element times a row") {
  for (DType dtype : {DType::Float, DType::Double, DType::Half})
    for (int64_t n : {48, 63, 200, 777}) {
      const Tensor column = ramp({5, 1}, 1, dtype), row = ramp({1, n}, 2, dtype);
      const Tensor out = only(pointwise(PointwiseKind::Aten_mul_Tensor, {PointwiseArg(column), PointwiseArg(row)}));
      bool agrees = true;
      for (int64_t i = 0; i != 5 * n; ++i)
        agrees &= out.at(i).toDouble() == column.at(i / n).toDouble() * row.at(i % n).toDouble();
      INFO(irName(dtype).str() << ", " << n);
      CHECK(agrees);
    }
}

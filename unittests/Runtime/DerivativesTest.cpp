//===- DerivativesTest.cpp - Formulas against central differences ---------===//
//
// For every operator with a derivative: calls its kernel with random doubles, runs the
// formula on the same, and compares it with differences of the kernel's results.
//
//===----------------------------------------------------------------------===//
#include "tsc/Autodiff/Derivatives.h"
#include "RandomArguments.h"
#include "tsc/IR/Graph.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Runtime/Code.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <catch2/catch.hpp>
#include <cmath>

using namespace tsc;

namespace {

const OpKind withDerivative[] = {
#define OP(KIND, SOURCE) OpKind::KIND,
#include "tsc/IR/OpDerivatives.inc"
#undef OP
};

std::vector<IValue> copied(ArrayRef<IValue> values) {
  std::vector<IValue> all;
  for (const IValue &value : values)
    all.push_back(deepCopy(value));
  return all;
}

/// The tensors of a value, which may be a list.
std::vector<Tensor> tensorsOf(const IValue &value) {
  if (value.isTensor())
    return value.asTensor().defined() ? std::vector<Tensor>{value.asTensor()} : std::vector<Tensor>();
  return value.isTensorList() ? std::vector<Tensor>(value.toTensorList().elements) : std::vector<Tensor>();
}

/// Weights for the elements of result k, by which the results become one number.
Tensor weightsLike(const Tensor &result, size_t k) {
  Tensor weights = *Tensor::empty(result.sizes(), result.dtype());
  for (int64_t i = 0; i != weights.numel(); ++i)
    weights.set(i, isComplex(result.dtype())
                       ? Scalar(std::complex<double>(std::cos(static_cast<double>(i) + static_cast<double>(k)),
                                                     std::sin(static_cast<double>(i) + static_cast<double>(k))))
                       : Scalar(std::cos(static_cast<double>(i) + static_cast<double>(k))));
  return weights;
}
IValue weightsLike(const IValue &result, size_t k) {
  if (result.isTensor())
    return IValue(weightsLike(result.asTensor(), k));
  std::vector<Tensor> all;
  for (const Tensor &tensor : tensorsOf(result))
    all.push_back(weightsLike(tensor, k));
  IValue list = makeList(Type::tensorType());
  for (const Tensor &tensor : all)
    appendToList(list, IValue(tensor));
  return list;
}

class Differentiator {
public:
  Differentiator(const OpRecord &record, const FunctionSchema &schema, KernelCaller &kernels)
      : record(record), schema(schema), kernels(kernels) {}

  /// The sum of the real results, weighted; NaN where the kernel refuses.
  double number(ArrayRef<IValue> values) {
    auto results = kernels.run(record, schema, copied(values));
    if (!results)
      return NAN;
    double sum = 0;
    for (auto [k, result] : llvm::enumerate(*results))
      for (const Tensor &tensor : tensorsOf(result)) {
        if (!isFloating(tensor.dtype()) && !isComplex(tensor.dtype()))
          continue;
        Tensor weights = weightsLike(tensor, k);
        for (int64_t i = 0; i != tensor.numel(); ++i)
          sum += (std::conj(weights.at(i).toComplex()) * tensor.at(i).toComplex()).real();
      }
    return sum;
  }

  /// By a fourth-order central difference; NaN where a smaller step gives another number: there is a kink, or it is
  /// steep.
  double slope(std::vector<IValue> &values, const Tensor &tensor, int64_t element) {
    double x = tensor.at(element).toDouble();
    auto at = [&](double to) {
      tensor.set(element, Scalar(to));
      double y = number(values);
      tensor.set(element, Scalar(x));
      return y;
    };
    auto difference = [&](double h) {
      return (8 * (at(x + h) - at(x - h)) - (at(x + 2 * h) - at(x - 2 * h))) / (12 * h);
    };
    double wide = difference(1e-3), narrow = difference(5e-4);
    return std::fabs(wide - narrow) <= 1e-6 * (1 + std::fabs(narrow)) ? narrow : NAN;
  }

private:
  const OpRecord &record;
  const FunctionSchema &schema;
  KernelCaller &kernels;
};

/// Operators whose differences say something else than their gradients, where ArgumentMaker repeats indices or
/// elements: then which one wins is not told, or a row is left out by agreement.
const llvm::StringRef withoutDifferences[] = {
    "aten::as_strided",   "aten::as_strided_scatter", "aten::binary_cross_entropy",
    "aten::cholesky",     "aten::dsplit.array",       "aten::einsum",
    "aten::embedding",    "aten::hsplit.array",       "aten::index_copy",
    "aten::index_put",    "aten::max_unpool2d",       "aten::max_unpool3d",
    "aten::put",          "aten::scatter.src",        "aten::tensor_split.indices",
    "aten::vsplit.array", "aten::round.decimals"};

/// Operators whose arguments depend on each other more than ArgumentMaker knows, or are complex.
const llvm::StringRef withoutCalls[] = {"aten::_convolution",
                                        "aten::_convolution.deprecated",
                                        "aten::conv3d",
                                        "aten::conv_transpose3d.input",
                                        "aten::fractional_max_pool3d",
                                        "aten::imag",
                                        "aten::view_as_real",
                                        "aten::complex",
                                        "aten::conv1d.padding",
                                        "aten::conv2d.padding",
                                        "aten::conv3d.padding",
                                        "aten::nll_loss",
                                        "aten::nll_loss2d",
                                        "aten::cross_entropy_loss"};

/// Summed to the sizes of the operand, which may have been broadcast.
std::optional<Tensor> fitted(const Tensor &gradient, const Tensor &operand) {
  if (gradient.sizes() == operand.sizes())
    return gradient;
  StatusOr<Tensor> sum = cpu::sumToSize(gradient, operand.sizes());
  return sum.ok() ? std::optional(*sum) : std::nullopt;
}

} // namespace

TEST_CASE("formulas of derivatives compile") {
  Context context;
  auto &derivatives = context.extension<Derivatives>();
  for (OpKind kind : withDerivative) {
    INFO(nameOf(opRecord(kind)));
    uint32_t operands = derivatives.operands(kind);
    CHECK(operands != 0);
    if (!derivatives.find(kind, operands)) {
      INFO(derivatives.problem());
      CHECK(false);
    }
  }
}

TEST_CASE("formulas of derivatives agree with differences") {
  Context context;
  auto &derivatives = context.extension<Derivatives>();
  KernelCaller kernels(context);
  CodeCache codes;
  std::vector<std::string> untested;
  for (OpKind kind : withDerivative) {
    const OpRecord &record = opRecord(kind);
    if (!boxedKernels[static_cast<unsigned>(kind)] || record.has(Trait::Random) ||
        llvm::is_contained(withoutDifferences, nameOf(record)))
      continue;
    FunctionSchema schema = parseKnownSchema(context, record.schema);
    ArgumentMaker arguments(record, /*onlyFloats=*/true, ArgumentMaker::Numbers::Many);
    Differentiator differentiator(record, schema, kernels);
    uint32_t tested = 0;
    unsigned compared = 0, failures = 0;
    for (unsigned attempt = 0; attempt != 400 && compared < 12 && failures == 0; ++attempt) {
      std::vector<IValue> values = arguments.make(schema, /*mixesDTypes=*/false);
      auto results = kernels.run(record, schema, copied(values));
      if (!results)
        continue;
      bool isReal = llvm::any_of(*results, [](const IValue &result) {
        return llvm::any_of(tensorsOf(result),
                            [](const Tensor &t) { return isFloating(t.dtype()) || isComplex(t.dtype()); });
      });
      if (!isReal)
        continue;
      uint32_t wanted = 0;
      int64_t elements = 0;
      for (auto [i, value] : llvm::enumerate(values))
        for (const Tensor &tensor : tensorsOf(value))
          if (isFloating(tensor.dtype()) && (derivatives.operands(kind) >> i & 1))
            wanted |= 1u << i, elements += tensor.numel();
      if (!wanted || elements > 60 || std::isnan(differentiator.number(values)))
        continue;
      const Derivative *derivative = derivatives.find(kind, wanted);
      if (!derivative)
        continue; // the test above tells
      std::vector<IValue> inputs;
      for (const Derivative::Capture &capture : derivative->captures)
        inputs.push_back(capture.kind == Derivative::Capture::Operand ? values[capture.index]
                         : capture.kind == Derivative::Capture::Result
                             ? (*results)[capture.index]
                             : weightsLike((*results)[capture.index], capture.index));
      std::string call = nameOf(record) + "(" + describe(values) + ")";
      auto code = Code::compile(*derivative->graph, "derivative", codes);
      REQUIRE(code.ok());
      CallContext context2(context);
      auto gradients = (*code)->run(context2, inputs);
      INFO(call);
      if (!gradients.ok()) {
        INFO(messageOf(gradients.status()).str());
        CHECK(false);
        ++failures;
        continue;
      }
      for (auto [operand, gradient] : llvm::zip(derivative->operands, *gradients)) {
        std::vector<Tensor> of = tensorsOf(values[operand]), found = tensorsOf(gradient);
        CHECK(of.size() == found.size());
        if (of.size() != found.size()) {
          ++failures;
          break;
        }
        for (auto [tensor, one] : llvm::zip(of, found)) {
          std::optional<Tensor> fits = fitted(one, tensor);
          CHECK(fits);
          failures += !fits;
          for (int64_t i = 0; i != tensor.numel() && !failures; ++i) {
            double expected = differentiator.slope(values, tensor, i), is = fits->at(i).toComplex().real();
            if (std::isnan(expected))
              continue;
            tested |= 1u << operand;
            bool agrees = std::fabs(expected - is) <= 1e-5 * (1 + std::fabs(expected));
            INFO("operand " << operand << ", element " << i << ": the formula gives " << is << ", differences "
                            << expected);
            CHECK(agrees);
            failures += !agrees;
          }
        }
      }
      ++compared;
    }
    for (unsigned i = 0; i != schema.arguments().size(); ++i)
      if (((derivatives.operands(kind) & ~tested) >> i & 1) && !llvm::is_contained(withoutCalls, nameOf(record)))
        untested.push_back(nameOf(record) + ":" + schema.arguments()[i].name);
  }
  CHECK(llvm::join(untested, " ") == "");
}

//===- DerivativesTest.cpp - Formulas against central differences ---------===//
//
// For every operator with a derivative: calls its kernel with random doubles, runs the
// formula on the same, and compares it with differences of the kernel's results.
//
//===----------------------------------------------------------------------===//
#include "tsc/Autodiff/Derivatives.h"
#include "RandomArguments.h"
#include "tsc/Analysis/GradientFlow.h"
#include "tsc/IR/Graph.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/PointwiseOps.h"
#include "tsc/Kernels/Reductions.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Transforms/Definitions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

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
  if (value.isTensorList())
    return std::vector<Tensor>(value.toTensorList().elements);
  std::vector<Tensor> all;
  if (value.isList())
    for (size_t i = 0; i != value.listSize(); ++i)
      if (IValue element = value.listElement(i); element.isTensor() && element.asTensor().defined())
        all.push_back(element.asTensor());
  return all;
}

/// Weights for the elements of result k, by which the results become one number.
Tensor weightsLike(const Tensor &result, size_t k) {
  Tensor weights = *Tensor::empty(result.sizes(), result.dtype());
  for (int64_t i = 0; i != weights.numel(); ++i)
    if (double weight = std::cos(static_cast<double>(i) + static_cast<double>(k)); isComplex(result.dtype()))
      weights.set(i, Scalar(std::complex<double>(weight, 1 - weight)));
    else
      weights.set(i, Scalar(weight));
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

bool isDifferentiable(const Tensor &tensor) { return isFloating(tensor.dtype()) || isComplex(tensor.dtype()); }

/// Whether the call may write two values to one place: which of them stays is the kernel's to choose.
bool mayWriteTwice(OpKind kind, ArrayRef<IValue> values) {
  static constexpr OpKind writers[] = {OpKind::Aten_index_put,    OpKind::Aten_index_put_hacked_twin,
                                       OpKind::Aten_index_copy,   OpKind::Aten_put,
                                       OpKind::Aten_scatter_src,  OpKind::Aten_as_strided_scatter,
                                       OpKind::Aten_max_unpool2d, OpKind::Aten_max_unpool3d};
  if (!llvm::is_contained(writers, kind))
    return false;
  std::set<int64_t> places;
  auto isSeen = [&](int64_t place) { return !places.insert(place).second; };
  if (kind == OpKind::Aten_as_strided_scatter) {
    Tensor part = *cpu::asStrided(*Tensor::empty({1000}, DType::Double), values[2].toIntList().elements,
                                  values[3].toIntList().elements, 0);
    for (int64_t i = 0; i != part.numel(); ++i)
      part.set(i, Scalar(double(i)));
    for (int64_t i = 0; i != part.numel(); ++i)
      if (isSeen(static_cast<int64_t>(part.at(i).toDouble())))
        return true;
    return false;
  }
  for (const IValue &value : values)
    for (const Tensor &tensor : tensorsOf(value))
      for (int64_t i = 0; tensor.dtype() == DType::Int64 && i != tensor.numel(); ++i)
        if (isSeen(tensor.at(i).toInt()))
          return true;
  return false;
}

/// Operators whose formulas are compared with real numbers only.
bool isRealOnly(OpKind kind) {
  static constexpr OpKind kinds[] = {
      // Vectors have any phase.
      OpKind::Aten__linalg_eigh, OpKind::Aten_linalg_eigh, OpKind::Aten_linalg_eig, OpKind::Aten_svd,
      OpKind::Aten_symeig,
      // PyTorch has no such kernels.
      OpKind::Aten_pow_Tensor_Tensor, // it compares the exponent with 0
      OpKind::Aten_multi_margin_loss, OpKind::Aten_multilabel_margin_loss, OpKind::Aten_multilabel_margin_loss_forward,
      OpKind::Aten_poisson_nll_loss, OpKind::Aten_hinge_embedding_loss, OpKind::Aten_margin_ranking_loss,
      OpKind::Aten_cosine_embedding_loss, OpKind::Aten_triplet_margin_loss, OpKind::Aten_binary_cross_entropy,
      OpKind::Aten__weight_norm, OpKind::Aten__weight_norm_interface, OpKind::Aten_cdist, OpKind::Aten__cdist_forward,
      OpKind::Aten__euclidean_dist};
  return llvm::is_contained(kinds, kind);
}

/// Gradients by the convention that what is differentiated comes from log_softmax: test/Autodiff/formula-gradients.py.
bool isOfLogSoftmax(OpKind kind) {
  return kind == OpKind::Aten__ctc_loss || kind == OpKind::Aten__ctc_loss_Tensor ||
         kind == OpKind::Aten_ctc_loss_IntList || kind == OpKind::Aten_ctc_loss_Tensor;
}

class Differentiator {
public:
  Differentiator(const OpRecord &record, const FunctionSchema &schema, KernelCaller &kernels)
      : record(record), schema(schema), kernels(kernels) {}

  /// Results that the derivative takes for constants do not count: of several, a formula may read the gradients of
  /// some.
  void setDerivative(const Derivative &derivative) {
    isRead.assign(schema.returns().size(), schema.returns().size() == 1);
    for (const Derivative::Capture &capture : derivative.captures)
      if (capture.kind == Derivative::Capture::Gradient)
        isRead[capture.index] = true;
  }

  /// The sum of the results, weighted; NaN where the kernel refuses.
  double number(ArrayRef<IValue> values) {
    auto results = kernels.run(record, schema, copied(values));
    if (!results)
      return NAN;
    double sum = 0;
    for (auto [k, result] : llvm::enumerate(*results))
      for (const Tensor &tensor : tensorsOf(result)) {
        if (!isRead[k] || !isDifferentiable(tensor))
          continue;
        Tensor weights = weightsLike(tensor, k);
        for (int64_t i = 0; i != tensor.numel(); ++i)
          sum += (tensor.at(i).toComplex() * std::conj(weights.at(i).toComplex())).real();
      }
    return sum;
  }

  /// By a fourth-order central difference; NaN where a smaller step gives another number: there is a kink, or it is
  /// steep.
  double slope(std::vector<IValue> &values, const Tensor &tensor, int64_t element, std::complex<double> direction) {
    Scalar x = tensor.at(element);
    auto at = [&](double step) {
      if (isComplex(tensor.dtype()))
        tensor.set(element, Scalar(x.toComplex() + step * direction));
      else
        tensor.set(element, Scalar(x.toDouble() + step));
      double y = number(values);
      tensor.set(element, x);
      return y;
    };
    auto difference = [&](double h) { return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h); };
    double wide = difference(1e-3), narrow = difference(5e-4);
    return std::fabs(wide - narrow) <= 1e-6 * (1 + std::fabs(narrow)) ? narrow : NAN;
  }

private:
  const OpRecord &record;
  const FunctionSchema &schema;
  KernelCaller &kernels;
  std::vector<bool> isRead;
};

/// Operators that read one triangle of what they take for symmetric: its gradient is symmetric, and shared with the
/// other.
bool readsTriangle(OpKind kind) {
  static constexpr OpKind kinds[] = {
      OpKind::Aten_cholesky,     OpKind::Aten_linalg_cholesky, OpKind::Aten_linalg_cholesky_ex,
      OpKind::Aten__linalg_eigh, OpKind::Aten_linalg_eigh,     OpKind::Aten_linalg_eigvalsh,
      OpKind::Aten_symeig};
  return llvm::is_contained(kinds, kind);
}

/// The operand, and whether it is upper, of operators that read one triangle of a factor. The gradient of the other one
/// is that of zeros.
std::optional<std::pair<unsigned, bool>> triangularOperand(OpKind kind, ArrayRef<IValue> values) {
  if (kind == OpKind::Aten_cholesky_inverse)
    return std::pair(0u, values[1].toBool());
  if (kind == OpKind::Aten_cholesky_solve)
    return std::pair(1u, values[2].toBool());
  return std::nullopt;
}

/// Whether the element is in the triangle that is not read.
bool isIgnored(const Tensor &matrices, int64_t element, bool isUpper) {
  int64_t n = matrices.sizes().back(), inMatrix = element % (matrices.sizes().end()[-2] * n);
  return isUpper ? inMatrix % n < inMatrix / n : inMatrix % n > inMatrix / n;
}

void setZeros(Tensor matrices, bool isUpper) {
  for (int64_t i = 0; matrices.dim() > 1 && i != matrices.numel(); ++i)
    if (isIgnored(matrices, i, isUpper))
      matrices.set(i, Scalar(0));
}

/// The element of a matrix's transpose.
int64_t mirrored(const Tensor &matrices, int64_t element) {
  int64_t n = matrices.sizes().back(), inMatrix = element % (n * n);
  return element - inMatrix + inMatrix % n * n + inMatrix / n;
}

/// Eigenvalues of a symmetric matrix are real, and those of one near it; vectors of complex ones have any phase.
void makeSymmetric(Tensor matrices) {
  if (matrices.dim() > 1 && matrices.sizes().back() == matrices.sizes().end()[-2])
    for (int64_t i = 0; i != matrices.numel(); ++i)
      matrices.set(mirrored(matrices, i), matrices.at(i));
}

/// Summed to the sizes of the operand, which may have been broadcast.
StatusOr<Tensor> fitted(const Tensor &gradient, const Tensor &operand) {
  if (gradient.sizes() == operand.sizes())
    return gradient;
  return cpu::sumToSize(gradient, operand.sizes());
}

} // namespace

TEST_CASE("formulas of derivatives compile") {
  Context context;
  auto &derivatives = context.extension<Derivatives>();
  for (OpKind kind : withDerivative) {
    INFO(nameOf(opRecord(kind)));
    uint32_t operands = derivatives.operands(kind);
    CHECK((operands | derivatives.inertOperands(kind)) != 0);
    if (operands && !derivatives.find(kind, operands)) {
      INFO(derivatives.problem());
      CHECK(false);
    }
  }
}

TEST_CASE("formulas keep operands whose elements they read, also those whose gradient is zero") {
  Context context;
  auto &derivatives = context.extension<Derivatives>();
  // Of each, the operand whose gradient is zero.
  const std::pair<OpKind, unsigned> readers[] = {
      {OpKind::Aten_cosine_embedding_loss, 2}, {OpKind::Aten_hinge_embedding_loss, 1},
      {OpKind::Torchvision_roi_align, 1},      {OpKind::Torchvision_roi_pool, 1},
      {OpKind::Torchvision_ps_roi_align, 1},   {OpKind::Torchvision_ps_roi_pool, 1}};
  for (auto [kind, operand] : readers) {
    INFO(nameOf(opRecord(kind)));
    CHECK(derivatives.inertOperands(kind) == uint32_t(1) << operand);
    const Derivative *derivative = derivatives.find(kind, derivatives.operands(kind));
    REQUIRE(derivative);
    CHECK(llvm::count_if(derivative->captures, [&](const Derivative::Capture &capture) {
            return capture.kind == Derivative::Capture::Operand && capture.index == operand && !capture.isOnlyMeasured;
          }) == 1);
  }
}

TEST_CASE("formulas of derivatives can be differentiated") {
  Context context;
  auto &derivatives = context.extension<Derivatives>();
  auto &definitions = context.extension<Definitions>();
  // Of integers and truth values nothing flows.
  static constexpr StringRef withoutGradient[] = {
      "aten::__and__",
      "aten::__or__",
      "aten::all",
      "aten::any",
      "aten::bitwise_not",
      "aten::eq",
      "aten::ge",
      "aten::gt",
      "aten::isfinite",
      "aten::isnan",
      "aten::le",
      "aten::logical_and",
      "aten::logical_not",
      "aten::logical_or",
      "aten::lt",
      "aten::ne",
      "aten::_standard_gamma_grad", // PyTorch has none either
      "aten::repeat_interleave",
      "aten::where",
      "torchvision::_roi_align_backward",
      "torchvision::_roi_pool_backward",
      "torchvision::_ps_roi_align_backward",
      "torchvision::_ps_roi_pool_backward",
      "torchvision::_deform_conv2d_backward"}; // torchvision has none of these either
  std::map<std::string, std::string> missing;
  for (OpKind kind : withDerivative) {
    const Derivative *derivative = derivatives.find(kind, derivatives.operands(kind));
    if (!derivative)
      continue; // the test above tells
    auto look = [&](const auto &self, const Block &block) -> void {
      for (const Node &node : block.nodes()) {
        for (const Block &inner : node.blocks())
          self(self, inner);
        if (!node.record() || node.hasTrait(Trait::Writes))
          continue;
        uint32_t operands = gradientOperands(node);
        if (operands && !derivatives.operands(node.opKind()) && !derivatives.inertOperands(node.opKind()) &&
            !definitions.find(node.opKind()) && !llvm::is_contained(withoutGradient, node.record()->qualified))
          missing.try_emplace(nameOf(*node.record()), nameOf(opRecord(kind)));
      }
    };
    look(look, derivative->graph->block());
  }
  for (auto &[name, user] : missing)
    FAIL_CHECK(name + " has no derivative, and the formula of " + user + " uses it");
}

TEST_CASE("formulas of derivatives agree with differences") {
  Context context;
  auto &derivatives = context.extension<Derivatives>();
  KernelCaller kernels(context);
  CodeCache codes;
  std::vector<std::string> untested;
  for (OpKind kind : withDerivative) {
    const OpRecord &record = opRecord(kind);
    if (!boxedKernels[static_cast<unsigned>(kind)] || record.has(Trait::Random) || kind == OpKind::Aten_linalg_svd ||
        kind == OpKind::Aten__linalg_svd || kind == OpKind::Aten_round_decimals ||
        kind == OpKind::Aten_fake_quantize_per_tensor_affine || kind == OpKind::Aten_fake_quantize_per_channel_affine ||
        isOfLogSoftmax(kind))
      continue;
    FunctionSchema schema = parseKnownSchema(context, record.schema);
    Differentiator differentiator(record, schema, kernels);
    uint32_t tested = 0;
    unsigned failures = 0;
    for (DType dtype : {DType::Double, DType::ComplexDouble}) {
      if (dtype == DType::ComplexDouble && isRealOnly(kind))
        continue;
      ArgumentMaker arguments(record, /*onlyFloats=*/true, ArgumentMaker::Numbers::Many, dtype);
      unsigned compared = 0;
      for (unsigned attempt = 0; attempt != 400 && compared < 12 && failures == 0; ++attempt) {
        std::vector<IValue> values = arguments.make(schema, /*mixesDTypes=*/false);
        const auto triangular = triangularOperand(kind, values);
        if (triangular)
          setZeros(values[triangular->first].asTensor(), triangular->second);
        if (kind == OpKind::Aten_linalg_eig)
          makeSymmetric(values[0].asTensor());
        auto results = kernels.run(record, schema, copied(values));
        auto hasDifferentiable = [](const IValue &value) { return llvm::any_of(tensorsOf(value), isDifferentiable); };
        auto failed = [&](size_t k) { // some matrix had no factors
          bool fails = false;
          for (const Tensor &info : tensorsOf((*results)[k]))
            for (int64_t i = 0; schema.returns()[k].name == "info" && i != info.numel(); ++i)
              fails |= info.at(i).toInt() != 0;
          return fails;
        };
        if (!results || mayWriteTwice(kind, values) || llvm::none_of(*results, hasDifferentiable) ||
            llvm::any_of(llvm::seq(results->size()), failed))
          continue;
        uint32_t wanted = 0;
        int64_t elements = 0;
        for (auto [i, value] : llvm::enumerate(values))
          for (const Tensor &tensor : tensorsOf(value))
            if (isDifferentiable(tensor) && (derivatives.operands(kind) >> i & 1))
              wanted |= 1u << i, elements += tensor.numel();
        if (!wanted || elements > 60)
          continue;
        const Derivative *derivative = derivatives.find(kind, wanted);
        if (!derivative)
          continue; // the test above tells
        differentiator.setDerivative(*derivative);
        if (std::isnan(differentiator.number(values)))
          continue;
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
        if (std::string message = gradients.ok() ? "" : messageOf(gradients.status()).str();
            StringRef(message).contains("no derivative") ||
            StringRef(message).contains(("derivative for " + record.qualified).str()))
          continue; // the formula refuses the case
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
            auto fitting = fitted(one, tensor);
            CHECK(fitting.ok());
            if (!fitting.ok()) {
              ++failures;
              break;
            }
            Tensor fits = *fitting;
            for (int64_t i = 0; i != tensor.numel() && !failures; ++i) {
              if (triangular && triangular->first == operand && isIgnored(tensor, i, triangular->second))
                continue;
              auto slopeAt = [&](int64_t element) {
                return std::complex<double>(
                    differentiator.slope(values, tensor, element, 1),
                    isComplex(tensor.dtype()) ? differentiator.slope(values, tensor, element, {0, 1}) : 0);
              };
              std::complex<double> is = fits.at(i).toComplex(), expected = slopeAt(i);
              if (!isComplex(tensor.dtype()))
                is = is.real(); // who asks converts it
              if (readsTriangle(kind))
                is += std::conj(fits.at(mirrored(tensor, i)).toComplex()),
                    expected += std::conj(slopeAt(mirrored(tensor, i)));
              if (std::isnan(expected.real()) || std::isnan(expected.imag()))
                continue;
              // PyTorch's is NaN where a logarithm that is masked is not finite.
              if (kind == OpKind::Aten_poisson_nll_loss && std::isnan(is.real()))
                continue;
              tested |= 1u << operand;
              bool agrees = std::abs(expected - is) <= 1e-5 * (1 + std::abs(expected));
              INFO("operand " << operand << ", element " << i << ": the formula gives " << is << ", differences "
                              << expected);
              CHECK(agrees);
              failures += !agrees;
            }
          }
        }
        ++compared;
      }
    }
    for (unsigned i = 0; i != schema.arguments().size(); ++i)
      if ((derivatives.operands(kind) & ~tested) >> i & 1)
        untested.push_back(nameOf(record) + ":" + schema.arguments()[i].name);
  }
  // cuda: there may be no GPU. linalg_svd: some vectors are any, and all have any sign; svd is compared.
  // round.decimals: a step of a difference is one of its own. fake_quantize: steps count as if there were none.
  // torchvision: VisionTest.cpp compares; regions are hardly made by chance, nor are sparse matrices.
  // max_unpool: as many indices as elements, all different, are hardly made by chance; nor are samples for
  // fractional_max_pool3d; nor gates, batches and classes that fit, three factors, weights for samples, classes among
  // which a -1 stands, and words of scatter. test/Autodiff/formula-gradients.py has those.
  // _c10d_functional: utils/cluster/mpi_tests.py compares, with ranks.
  static constexpr StringRef withoutCalls[] = {"aten::cuda:self",
                                               "_c10d_functional::all_reduce:input",
                                               "_c10d_functional::all_gather_into_tensor:input",
                                               "_c10d_functional::reduce_scatter_tensor:input",
                                               "_c10d_functional::all_to_all_single:input",
                                               "_c10d_functional::broadcast:input",
                                               "aten::linalg_svd:A",
                                               "aten::_linalg_svd:A",
                                               "aten::round.decimals:self",
                                               "aten::fake_quantize_per_tensor_affine:self",
                                               "aten::fake_quantize_per_channel_affine:self",
                                               "aten::_sparse_mm:dense",
                                               "torchvision::roi_align:input",
                                               "torchvision::roi_pool:input",
                                               "torchvision::ps_roi_align:input",
                                               "torchvision::ps_roi_pool:input",
                                               "torchvision::deform_conv2d:input",
                                               "torchvision::deform_conv2d:weight",
                                               "torchvision::deform_conv2d:offset",
                                               "torchvision::deform_conv2d:mask",
                                               "torchvision::deform_conv2d:bias",
                                               "aten::max_unpool2d:self",
                                               "aten::max_unpool3d:self",
                                               "aten::fractional_max_pool3d:self",
                                               "aten::multi_margin_loss:self",
                                               "aten::_pad_packed_sequence:data",
                                               "aten::lstm_cell:input",
                                               "aten::lstm_cell:hx",
                                               "aten::lstm_cell:w_ih",
                                               "aten::lstm_cell:w_hh",
                                               "aten::lstm_cell:b_ih",
                                               "aten::lstm_cell:b_hh",
                                               "aten::gru_cell:b_hh",
                                               "aten::_trilinear:i1",
                                               "aten::_trilinear:i2",
                                               "aten::_trilinear:i3",
                                               "aten::embedding_bag:per_sample_weights",
                                               "aten::embedding_bag.padding_idx:per_sample_weights",
                                               "aten::multilabel_margin_loss:self",
                                               "aten::multilabel_margin_loss_forward:self",
                                               "aten::scatter.reduce:self",
                                               "aten::scatter.reduce:src",
                                               "aten::scatter.value_reduce:self"};
  llvm::erase_if(untested, [](StringRef name) { return llvm::is_contained(withoutCalls, name); });
  CHECK(llvm::join(untested, " ") == "");
}

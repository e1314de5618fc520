//===- Contractions.cpp - Sums over indices, on a GPU ---------------------===//
//
// Labels are sorted into those of a batch, which both tensors and the result have, those
// that are summed, and those of one tensor: a batch of products of matrices.
//
//===----------------------------------------------------------------------===//
#include "Contractions.h"
#include "Products.h"
#include "Workspace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tsc;
using namespace tsc::fuser;

using Labels = Contraction::Labels;

static constexpr int behindLetters = 256; ///< The first label that is no letter.

/// Letters are their own codes, and what "..." stands for counts from behind the letters. Nullopt: it is no equation of
/// such labels, each once.
static std::optional<Labels> labelsOf(llvm::StringRef text, int64_t dots) {
  Labels labels;
  while (!text.empty()) {
    if (text.consume_front(" "))
      continue;
    if (text.consume_front("...")) {
      for (int d = 0; d < static_cast<int>(dots); ++d)
        labels.push_back(behindLetters + d);
    } else if (llvm::isAlpha(text.front())) {
      labels.push_back(text.front());
      text = text.drop_front();
    } else {
      return std::nullopt;
    }
  }
  for (size_t i = 0; i != labels.size(); ++i)
    if (llvm::is_contained(llvm::ArrayRef(labels).drop_front(i + 1), labels[i]))
      return std::nullopt;
  return labels;
}

/// How many dimensions of a tensor "..." stands for; -1: more are named than there are.
static int64_t dotsOf(llvm::StringRef text, const Tensor &tensor) {
  if (!text.contains("..."))
    return 0;
  return std::max<int64_t>(-1, tensor.dim() - llvm::count_if(text, [](char c) { return llvm::isAlpha(c); }));
}

/// Whether each label has one size, and is needed by the result or by both tensors.
static bool isPlain(const Contraction &made) {
  if (static_cast<int64_t>(made.ofA.size()) != made.a.dim() || static_cast<int64_t>(made.ofB.size()) != made.b.dim())
    return false;
  for (auto [i, label] : llvm::enumerate(made.ofA)) {
    const auto *other = llvm::find(made.ofB, label);
    if (other == made.ofB.end() ? !llvm::is_contained(made.ofResult, label)
                                : made.a.size(static_cast<int64_t>(i)) != made.b.size(other - made.ofB.begin()))
      return false;
  }
  return llvm::all_of(made.ofB,
                      [&](int label) {
                        return llvm::is_contained(made.ofA, label) || llvm::is_contained(made.ofResult, label);
                      }) &&
         llvm::all_of(made.ofResult, [&](int label) {
           return llvm::is_contained(made.ofA, label) || llvm::is_contained(made.ofB, label);
         });
}

static std::optional<Contraction> ifPlain(std::optional<Contraction> made) {
  return made && isPlain(*made) ? made : std::nullopt;
}

static std::optional<Contraction> einsumOf(llvm::StringRef equation, ArrayRef<Tensor> tensors) {
  const auto [left, right] = equation.split("->");
  const auto [first, second] = left.split(',');
  if (tensors.size() != 2 || !tensors[0].defined() || !tensors[1].defined() || second.contains(','))
    return std::nullopt;
  Contraction made{tensors[0], tensors[1], {}, {}, {}};
  const int64_t dotsA = dotsOf(first, made.a), dotsB = dotsOf(second, made.b), dots = std::max(dotsA, dotsB);
  if (dotsA < 0 || dotsB < 0 || (dotsA != dotsB && first.contains("...") && second.contains("...")))
    return std::nullopt;
  const auto ofA = labelsOf(first, dots), ofB = labelsOf(second, dots);
  if (!ofA || !ofB)
    return std::nullopt;
  made.ofA = *ofA, made.ofB = *ofB;
  if (equation.contains("->")) {
    const auto ofResult = labelsOf(right, dots);
    if (!ofResult)
      return std::nullopt;
    made.ofResult = *ofResult;
  } else { // what occurs once, in alphabetical order, behind what "..." stands for
    made.ofResult = *labelsOf("...", dots);
    Labels once;
    for (int label : llvm::concat<int>(made.ofA, made.ofB))
      if (label < behindLetters && llvm::is_contained(made.ofA, label) != llvm::is_contained(made.ofB, label))
        once.push_back(label);
    llvm::sort(once);
    made.ofResult.append(once);
  }
  return made;
}

static std::optional<Contraction> tensordotOf(const Tensor &self, const Tensor &other, ArrayRef<int64_t> dimsA,
                                              ArrayRef<int64_t> dimsB) {
  Contraction made{self, other, {}, {}, {}};
  if (!made.a.defined() || !made.b.defined() || dimsA.size() != dimsB.size())
    return std::nullopt;
  for (int d = 0; d != static_cast<int>(made.a.dim()); ++d)
    made.ofA.push_back(d);
  for (int d = 0; d != static_cast<int>(made.b.dim()); ++d)
    made.ofB.push_back(static_cast<int>(made.a.dim()) + d);
  Labels summed;
  for (auto [p, q] : llvm::zip(dimsA, dimsB)) {
    const int64_t atA = p + (p < 0 ? made.a.dim() : 0), atB = q + (q < 0 ? made.b.dim() : 0);
    if (atA < 0 || atA >= made.a.dim() || atB < 0 || atB >= made.b.dim() ||
        llvm::is_contained(summed, static_cast<int>(atA)) ||
        llvm::is_contained(summed, made.ofB[static_cast<size_t>(atB)]))
      return std::nullopt;
    summed.push_back(static_cast<int>(atA));
    made.ofB[static_cast<size_t>(atB)] = static_cast<int>(atA);
  }
  for (int label : llvm::concat<int>(made.ofA, made.ofB))
    if (!llvm::is_contained(summed, label))
      made.ofResult.push_back(label);
  return made;
}

std::optional<Contraction> cuda::einsum(llvm::StringRef equation, ArrayRef<Tensor> tensors) {
  return ifPlain(einsumOf(equation, tensors));
}

std::optional<Contraction> cuda::tensordot(const Tensor &self, const Tensor &other, ArrayRef<int64_t> dimsSelf,
                                           ArrayRef<int64_t> dimsOther) {
  return ifPlain(tensordotOf(self, other, dimsSelf, dimsOther));
}

namespace {
/// A tensor with its dimensions in three groups, and a matrix of each in the first group's elements.
class Grouped {
public:
  Grouped(const Tensor &tensor, const Labels &labels, llvm::ArrayRef<Labels> groups) {
    Dims sizes, strides;
    for (const Labels &group : groups) {
      int64_t count = 1;
      for (int label : group) {
        const auto at = static_cast<size_t>(llvm::find(labels, label) - labels.begin());
        sizes.push_back(tensor.sizes()[at]), strides.push_back(tensor.strides()[at]);
        count *= sizes.back();
      }
      counts.push_back(count);
      merged.push_back(mergedStride(sizes, strides, group.size()));
    }
    permuted = tensor.alias(sizes, strides, tensor.storageOffset());
  }
  /// Nullopt: the dimensions of a group do not merge.
  std::optional<Tensor> asView() const {
    if (llvm::is_contained(merged, std::nullopt))
      return std::nullopt;
    Dims strides;
    for (const std::optional<int64_t> &stride : merged)
      strides.push_back(*stride);
    return permuted.alias(counts, strides, permuted.storageOffset());
  }
  StatusOr<Tensor> asCopy(HandKernels &kernels) const {
    TSC_ASSIGN_OR_RETURN(Tensor dense, kernels.dense(permuted));
    return dense.alias(counts, contiguousStrides(counts), dense.storageOffset());
  }

private:
  /// Of the last dimensions, where each continues the next one.
  static std::optional<int64_t> mergedStride(const Dims &sizes, const Dims &strides, size_t number) {
    int64_t stride = 1, continues = -1;
    for (size_t d = sizes.size(); d-- != sizes.size() - number;) {
      if (sizes[d] == 1)
        continue;
      if (continues < 0)
        stride = strides[d];
      else if (strides[d] != continues)
        return std::nullopt;
      continues = strides[d] * sizes[d];
    }
    return stride;
  }
  Tensor permuted;
  Dims counts;
  llvm::SmallVector<std::optional<int64_t>, 3> merged;
};
} // namespace

StatusOr<bool> fuser::contract(CublasLt &library, const DeviceMemory &memory, HandKernels *kernels,
                               const Contraction &made, IValue &result) {
  if (made.a.dtype() != made.b.dtype() || !isLibraryDType(made.a.dtype()))
    return false;
  for (const Tensor *tensor : {&made.a, &made.b})
    if (!tensor->get()->storage || tensor->device() != memory.device() || tensor->numel() == 0 ||
        (kernels && !kernels->isTaken(*tensor)))
      return false;
  Labels batch, onlyA, onlyB, summed;
  for (int label : made.ofA) {
    const bool isOfBoth = llvm::is_contained(made.ofB, label);
    (!isOfBoth ? onlyA : llvm::is_contained(made.ofResult, label) ? batch : summed).push_back(label);
  }
  for (int label : made.ofB)
    if (!llvm::is_contained(made.ofA, label))
      onlyB.push_back(label);
  const Grouped a(made.a, made.ofA, {batch, onlyA, summed}), b(made.b, made.ofB, {batch, summed, onlyB});
  std::optional<Tensor> x = a.asView(), y = b.asView();
  IValue product;
  bool isDone = false;
  if (x && y) {
    TSC_ASSIGN_OR_RETURN(isDone, runProduct(library, memory, {*x, *y, {}, {}}, product));
  }
  if (!isDone && kernels) {
    TSC_ASSIGN_OR_RETURN(Tensor denseA, a.asCopy(*kernels));
    TSC_ASSIGN_OR_RETURN(Tensor denseB, b.asCopy(*kernels));
    TSC_ASSIGN_OR_RETURN(isDone, runProduct(library, memory, {denseA, denseB, {}, {}}, product));
  }
  if (!isDone)
    return false;
  Labels ofProduct(batch);
  ofProduct.append(onlyA), ofProduct.append(onlyB);
  Dims sizes;
  for (int label : ofProduct) {
    const auto *at = llvm::find(made.ofA, label);
    sizes.push_back(at != made.ofA.end() ? made.a.size(at - made.ofA.begin())
                                         : made.b.size(llvm::find(made.ofB, label) - made.ofB.begin()));
  }
  const Dims strides = contiguousStrides(sizes);
  Dims outSizes, outStrides;
  for (int label : made.ofResult) {
    const auto at = static_cast<size_t>(llvm::find(ofProduct, label) - ofProduct.begin());
    outSizes.push_back(sizes[at]), outStrides.push_back(strides[at]);
  }
  result = IValue(product.asTensor().alias(outSizes, outStrides, 0));
  return true;
}

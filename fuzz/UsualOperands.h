//===- UsualOperands.h - What operands of a name mostly are -----*- C++ -*-===//
//
// Chance seldom makes the operands of a convolution, an embedding or a recurrent cell fit
// together: kernels would hear of the first check alone. Names say what operands mean.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUZZ_USUALOPERANDS_H
#define TSC_FUZZ_USUALOPERANDS_H

#include "tsc/Tensor/Tensor.h"
#include "llvm/ADT/STLExtras.h"
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace tsc::fuzz {

/// What the operands of one call have in common.
struct CommonFacts {
  std::string op; ///< "aten::conv2d"
  Dims sizes;     ///< Of the first operand, and of others that nothing else is known of.
  DType dtype = DType::Float;
  Dims kernel;             ///< Of a convolution or a pool.
  int64_t outChannels = 1; ///< Of a convolution.
  int64_t gates = 1;       ///< Of a cell of a recurrent layer.
  bool hasBiases = true;   ///< Of its layers.
  bool fits = false;       ///< Whether operands shall fit together.
  bool gradients = false;  ///< Whether they shall have gradients.
  bool extremes = false;   ///< Whether numbers may be at the edges of what there is.
  bool isSparse = false;   ///< Whether tensors may be sparse.
  bool names(std::initializer_list<llvm::StringRef> words) const {
    return llvm::any_of(words, [&](llvm::StringRef word) { return llvm::StringRef(op).contains(word); });
  }
  size_t spatial() const { return sizes.size() > 2 ? sizes.size() - 2 : 1; }
};

/// What an operand called `name` is where operands fit together; none where anything may do, or nothing is known. A
/// tensor then has the sizes of the first one.
std::optional<Dims> usualShape(const CommonFacts &facts, llvm::StringRef name);
std::optional<int64_t> usualInteger(const CommonFacts &facts, llvm::StringRef name);
/// `length`: how many the schema asks for.
std::optional<std::vector<int64_t>> usualIntegers(const CommonFacts &facts, llvm::StringRef name,
                                                  std::optional<int32_t> length);
/// The number below which an index that is called so lies.
int64_t usualLimit(const CommonFacts &facts, llvm::StringRef name);

} // namespace tsc::fuzz

#endif // TSC_FUZZ_USUALOPERANDS_H

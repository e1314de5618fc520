//===- Reduction.h - Making a failing input small ---------------*- C++ -*-===//
//
// tsc-reduce knows nothing of graphs or archives. Each library contributes
// reductions: ways to take an input apart, and to write it down again without
// some of its parts.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_REDUCTION_H
#define TSC_SUPPORT_REDUCTION_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace tsc {

/// Takes inputs apart into parts of one kind that they may do without: nodes, inputs, the steps of a pipeline.
class Reduction {
public:
  virtual ~Reduction() = default;
  virtual llvm::StringRef name() const = 0;
  /// Takes an input apart and returns how many parts it has; 0 for an input that this reduction does not understand.
  virtual size_t takeApart(llvm::StringRef input) = 0;
  /// Returns the input last taken apart without the parts of this set; none when that would be no valid input.
  virtual std::optional<std::string> without(const llvm::BitVector &removed) = 0;
};

/// The ways to take an input apart, in the order in which they are tried.
using Reductions = std::vector<std::unique_ptr<Reduction>>;

/// Whether an input still shows what is looked for.
using ReductionTest = llvm::function_ref<bool(llvm::StringRef input)>;

/// Returns the smallest input found for which `test` holds, as it does for `input`: each reduction takes parts away, in
/// large pieces first and from the end, until none can take any more. Writes a line for each step to `progress`.
std::string reduce(std::string input, Reductions &reductions, ReductionTest test, llvm::raw_ostream &progress);

} // namespace tsc

#endif

//===- ArgumentSpec.h - The kind of a call's arguments ----------*- C++ -*-===//
//
// A function that is called again is likely to be called with tensors of the same
// dtypes and ranks. A plan is its graph with that written into the types. What it
// relies on is an ArgumentSpec, which is the key of the plan.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_EXECUTOR_ARGUMENTSPEC_H
#define TSC_RUNTIME_EXECUTOR_ARGUMENTSPEC_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/Type.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>
#include <string>

namespace tsc {

class Context;

/// What a plan relies on of the sizes of tensors.
enum class SizeDetail : uint8_t {
  None,
  Equality, ///< Which sizes are equal, and which are 0 or 1.
  Exact     ///< All sizes.
};

/// Describes the sizes of the tensors of a call in the detail that a plan relies on. For Equality, a size is described
/// by its number in the order in which sizes are first seen, except that 0 (an empty dimension) and 1 (one that may be
/// broadcast) stand for themselves.
class SizeFacts {
public:
  explicit SizeFacts(SizeDetail detail) : detail(detail) {}
  /// Returns what a type says about a dimension of this size.
  Dimension of(int64_t size);

private:
  const SizeDetail detail;
  llvm::SmallVector<int64_t, 8> seen;
};

/// The properties of a call's arguments that a plan may rely on. Calls whose specs are equal may run the same plan. Of
/// tensors it has whether they are defined, dtype, rank, device and requires_grad, also within tuples and dicts from
/// strings to tensors, with the keys. It has grad mode, and of sizes what `detail` says. Where that is not None, it has
/// the values of bools as well.
class ArgumentSpec {
public:
  ArgumentSpec(llvm::ArrayRef<IValue> args, bool gradMode, SizeDetail detail);
  bool operator==(const ArgumentSpec &) const = default;
  SizeDetail sizeDetail() const { return detail; }

private:
  void add(const IValue &value, SizeFacts &sizes);
  SizeDetail detail;
  /// Grad mode, and one word for each value. A tuple's comes before its elements', and a tensor's before its sizes.
  llvm::SmallVector<uint64_t, 12> words;
  std::string keys; ///< The keys of dicts, each followed by a zero byte.
};

/// The specs of one call, in each detail that a plan may ask for. Each is made when it is first asked for.
///
/// Ownership: borrows the arguments.
class ArgumentSpecs {
public:
  ArgumentSpecs(llvm::ArrayRef<IValue> args, bool gradMode) : args(args), gradMode(gradMode) {}
  const ArgumentSpec &of(SizeDetail detail) { ///< Returns the spec that has sizes in this detail.
    std::optional<ArgumentSpec> &spec = specs[static_cast<size_t>(detail)];
    if (!spec)
      spec.emplace(args, gradMode, detail);
    return *spec;
  }
  /// Whether a plan with that key is for this call.
  bool match(const ArgumentSpec &key) { return key == of(key.sizeDetail()); }

private:
  const llvm::ArrayRef<IValue> args;
  const bool gradMode;
  std::array<std::optional<ArgumentSpec>, 3> specs;
};

/// Returns the type of an argument, refined by what its ArgumentSpec knows about `value`, or `type` where that is
/// nothing. Pass all arguments of a call in their order with the same `sizes`.
const Type *specializedType(Context &context, const Type *type, const IValue &value, bool gradMode, SizeFacts &sizes);

} // namespace tsc

#endif

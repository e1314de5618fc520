//===- Specializer.h - Code for the arguments that calls have ---*- C++ -*-===//
//
// A function that is called again is likely to be called with tensors of the same
// dtypes and ranks. A plan is its graph with that written into the types, with
// all that follows from it optimized and fused, compiled. The first call of a
// function runs plain code at once; plans are for the calls after it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_SPECIALIZER_H
#define TSC_RUNTIME_SPECIALIZER_H

#include "tsc/Runtime/Code.h"
#include "llvm/ADT/DenseMap.h"
#include <mutex>

namespace tsc {

/// What a plan may rely on of the arguments of a call: for tensors, whether they are defined, dtype, rank, device and
/// requires_grad, also within tuples; and grad mode. Not sizes.
class ArgumentSpec {
public:
  ArgumentSpec(llvm::ArrayRef<IValue> args, bool gradMode);
  bool operator==(const ArgumentSpec &) const = default;

private:
  void add(const IValue &value);
  llvm::SmallVector<uint32_t, 12> words; ///< One a value, tuples before what they hold.
};

/// The type of an argument with what its ArgumentSpec tells of this value; `type` itself where that is nothing.
const Type *specializedType(Context &context, const Type *type, const IValue &value, bool gradMode);

struct SpecializerOptions {
  unsigned callsBefore = 1; ///< Calls of a function that run plain code before a plan is made. 0: plans at once.
  unsigned maxPlans = 8;    ///< Of one function; calls that fit none of them run its unspecialized plan.
};

/// The plans of a program's functions.
///
/// Threads:   safe, with the lock of the CodeCache that holds it around make().
/// Ownership: owns the plans; their Codes and those of the functions they call are in `plans`, which must outlive it.
class Specializer {
public:
  Specializer(CodeCache &plans, CodeCache::Preparation optimize, SpecializerOptions options = {})
      : plans(plans), optimize(std::move(optimize)), options(options) {}

  /// The plan of the function that `key` stands for and these arguments; null when there is none. Counts the call.
  const Code *find(const void *key, const ArgumentSpec &spec);
  /// Whether a call that found no plan should have one made.
  bool wantsPlan(const void *key) const;
  StatusOr<const Code *> make(const void *key, const Graph &graph, llvm::StringRef name, const ArgumentSpec &spec,
                              llvm::ArrayRef<IValue> args, bool gradMode);

private:
  struct Plan {
    ArgumentSpec spec;
    const Code *code;
  };
  struct Entry {
    std::vector<Plan> made;
    const Code *general = nullptr; ///< For all that fit no plan, once there are enough.
    uint64_t calls = 0;
  };
  StatusOr<const Code *> compile(std::unique_ptr<Graph> graph, llvm::StringRef name);

  CodeCache &plans;
  CodeCache::Preparation optimize;
  const SpecializerOptions options;
  mutable std::mutex mutex;
  llvm::DenseMap<const void *, Entry> entries;
  std::vector<std::unique_ptr<Graph>> graphs; ///< Codes refer to the subgraphs.
  std::vector<std::unique_ptr<Code>> codes;
};

} // namespace tsc

#endif

//===- Specializer.h - Code for the arguments that calls have ---*- C++ -*-===//
//
// A function that is called again is likely to be called with tensors of the same
// dtypes and ranks. A plan is its graph with that written into the types, with
// all that follows from it optimized and fused, compiled. Calls run plain code
// until their plan is there, which a thread of the specializer's own makes.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_SPECIALIZER_H
#define TSC_RUNTIME_SPECIALIZER_H

#include "tsc/IR/Type.h"
#include "tsc/Runtime/Code.h"
#include "tsc/Support/BackgroundWorker.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <functional>
#include <mutex>

namespace tsc {

class TraceRecorder;
class Type;

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

/// Returns the type of an argument, refined by what its ArgumentSpec knows about `value`, or `type` where that is
/// nothing. Pass all arguments of a call in their order with the same `sizes`.
const Type *specializedType(Context &context, const Type *type, const IValue &value, bool gradMode, SizeFacts &sizes);

class AttributeSnapshot;

/// An attribute of an argument (mostly of a module) on which a plan relies: that it has a value, or that it is a tensor
/// of a type.
struct AttributeFact {
  unsigned argument; ///< The number of the argument.
  /// The path to the attribute: a slot of the argument's object, then a slot of the object in that slot, and so on.
  llvm::SmallVector<unsigned, 4> slots;
  IValue value;                     ///< The value that the attribute must equal, where `type` is null.
  const TensorType *type = nullptr; ///< The dtype, device, requires_grad and sizes that a tensor must have.
  /// Whether the attribute is as the plan expects in a call with these arguments.
  bool holds(llvm::ArrayRef<IValue> args) const;
};

/// When plans are made, how many, and what they rely on.
struct SpecializerOptions {
  CompileMode mode = CompileMode::Background; ///< Eager: a call waits for its plan. All others: a thread makes it.
  unsigned callsBefore = 1;                   ///< How many calls of a function run plain code before a plan is made.
  unsigned maxPlans = 8;          ///< How many plans one function may have. Other calls run one plan for any arguments.
  bool knowsLayers = false;       ///< Whether plans of modules with image convolutions rely on the modules' attributes.
  TraceRecorder *trace = nullptr; ///< Receives a span for each plan; outlives the specializer.
  /// Whether plans rely on sizes, as those that compute gradients do, which sum over broadcast dimensions. The first
  /// plan relies on all sizes. The plan for the first call that differs only in sizes relies on which of them are
  /// equal. Empty: plans do not.
  std::function<bool()> usesSizes;
};

/// Makes and finds the plans of a program's functions.
///
/// Threads:   all functions may be called from many threads at once.
/// Ownership: borrows `plans`, a cache that prepares, compiles and keeps the code of plans and of the functions they
///            call.
class Specializer {
public:
  explicit Specializer(CodeCache &plans, SpecializerOptions options = {});
  /// Waits for the plan that is being made. Others that were asked for are dropped.
  ~Specializer();

  /// Counts a call of a function and returns its plan for these arguments, or null where there is none (yet), so that
  /// the call has to run plain code. `key` is the address by which the function is known, and `graph` is its graph,
  /// which stays as it is. Fails only where calls wait for their plans and the plan does not compile.
  StatusOr<const Code *> plan(const void *key, const Graph &graph, llvm::StringRef name, llvm::ArrayRef<IValue> args,
                              bool gradMode);
  /// Waits until all plans that calls have asked for are made.
  void finish();

private:
  struct Plan {
    ArgumentSpec spec;
    std::optional<ArgumentSpec> like; ///< The spec without sizes, for a plan that relies on all sizes.
    const Code *code;                 ///< Null while it is being made, and when it did not compile.
    std::vector<AttributeFact> facts; ///< What else it relies on.
  };
  struct Entry {
    std::vector<Plan> plans;
    std::optional<const Code *> general; ///< The plan for any arguments; empty until there are maxPlans others.
    uint64_t calls = 0;
    llvm::SmallPtrSet<const void *, 2> marked; ///< The modules whose weights were marked as long-lived for kernels.
    bool hasLayers = false;                    ///< Whether some of these weights may be of image convolutions.
    void markWeights(llvm::ArrayRef<IValue> args);
  };
  struct Request {
    const void *key;
    const Graph *graph;
    std::string name;
    std::optional<ArgumentSpec> spec; ///< Empty for the general plan.
    std::vector<const Type *> types;  ///< The specialized types of the arguments.
    size_t number = 0;                ///< The index of the plan in Entry::plans.
    bool asksForGradients = false;
    // Where the graph asks for gradients, for each argument: the keys of a dict with the types of its tensors, which
    // the plan reads at its head, and the value of a bool. Attributes are known there too, and where images are
    // convolved.
    std::vector<std::vector<std::pair<std::string, const Type *>>> entries;
    std::vector<std::optional<bool>> flags;
    std::shared_ptr<const AttributeSnapshot> attributes;
  };
  StatusOr<const Code *> make(const Request &request);
  static std::vector<AttributeFact> tellValues(Graph &graph, const Request &request);
  SizeDetail detailFor(const Entry &entry, llvm::ArrayRef<IValue> args, bool gradMode) const;

  CodeCache &plans;
  const SpecializerOptions options;
  std::mutex mutex; ///< Guards `entries`; not held while a plan is made.
  llvm::DenseMap<const void *, Entry> entries;
  BackgroundWorker worker; ///< Declared last, so that its thread ends before what it uses goes.
};

} // namespace tsc

#endif

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

/// What a plan relies on of sizes: nothing; which of them are equal, or 0, or 1; all of them.
enum class SizeDetail : uint8_t { None, Equality, Exact };

/// What plans are told of sizes. Of equality: the number of a size in the order in which sizes are first seen; 0 and 1
/// stand for themselves, as what is empty or broadcast.
class SizeFacts {
public:
  explicit SizeFacts(SizeDetail detail) : detail(detail) {}
  Dimension of(int64_t size);

private:
  const SizeDetail detail;
  llvm::SmallVector<int64_t, 8> seen;
};

/// What a plan may rely on of the arguments of a call: for tensors, whether they are defined, dtype, rank, device and
/// requires_grad, also within tuples and dicts of tensors by strings, with the keys; grad mode; and of sizes what
/// `detail` says. Where that is something, a flag is told as it is.
class ArgumentSpec {
public:
  ArgumentSpec(llvm::ArrayRef<IValue> args, bool gradMode, SizeDetail detail);
  bool operator==(const ArgumentSpec &) const = default;
  SizeDetail sizeDetail() const { return detail; }

private:
  void add(const IValue &value, SizeFacts &sizes);
  SizeDetail detail;
  llvm::SmallVector<uint64_t, 12> words; ///< One a value, tuples before what they hold; after a tensor's, its sizes'.
  std::string keys;                      ///< Of dicts, each ended by a zero.
};

/// The type of an argument with what its ArgumentSpec tells of this value; `type` itself where that is nothing. `sizes`
/// is one for all arguments, in their order.
const Type *specializedType(Context &context, const Type *type, const IValue &value, bool gradMode, SizeFacts &sizes);

class AttributeSnapshot;

/// An attribute of an argument (of a module, mostly) that a plan takes for a constant, or a tensor for one of a type.
struct AttributeFact {
  unsigned argument;
  llvm::SmallVector<unsigned, 4> slots; ///< Of the object, of the object in that slot, …
  IValue value;
  const TensorType *type = nullptr; ///< Of a tensor, with dtype, device, requires_grad and all sizes.
  bool holds(llvm::ArrayRef<IValue> args) const;
};

struct SpecializerOptions {
  CompileMode mode = CompileMode::Background; ///< Eager: a call waits for its plan. Off is about kernels, not plans.
  unsigned callsBefore = 1;                   ///< Calls of a function that run plain code before a plan is asked for.
  unsigned maxPlans = 8;          ///< Of one function; calls that fit none of them run its unspecialized plan.
  bool knowsLayers = false;       ///< Plans of modules that convolve images rely on the modules' attributes.
  TraceRecorder *trace = nullptr; ///< Receives a span for each plan; outlives the specializer.
  /// Whether plans rely on sizes: gradients of what was broadcast are sums. The first plan does on all of them, and the
  /// plan for the first call with others on which are equal.
  std::function<bool()> usesSizes;
};

/// The plans of a program's functions.
///
/// Threads:   safe.
/// Ownership: `plans` prepares, compiles and keeps their Codes and those of the functions they call, and must outlive
/// it.
class Specializer {
public:
  explicit Specializer(CodeCache &plans, SpecializerOptions options = {});
  /// Plans that nobody has begun are not made.
  ~Specializer();

  /// The plan of the function that `key` stands for, whose graph stays as it is, for these arguments. Null when there
  /// is none, or none yet: the call runs plain code. Counts the call. Fails only where calls wait and the plan does not
  /// compile.
  StatusOr<const Code *> plan(const void *key, const Graph &graph, llvm::StringRef name, llvm::ArrayRef<IValue> args,
                              bool gradMode);
  /// Waits until all plans that were asked for are made.
  void finish();

private:
  struct Plan {
    ArgumentSpec spec;
    std::optional<ArgumentSpec> like; ///< Of one that relies on all sizes: what is left of it without them.
    const Code *code;                 ///< Null while it is being made, and when it did not compile.
    std::vector<AttributeFact> facts; ///< On which it relies as well.
  };
  struct Entry {
    std::vector<Plan> plans;
    std::optional<const Code *> general; ///< For all that fit no plan, once there are enough.
    uint64_t calls = 0;
    llvm::SmallPtrSet<const void *, 2> marked; ///< Modules whose weights kernels know to be long-lived.
    bool hasLayers = false;                    ///< Some of these weights may be of convolutions of images.
    void markWeights(llvm::ArrayRef<IValue> args);
  };
  struct Request {
    const void *key;
    const Graph *graph;
    std::string name;
    std::optional<ArgumentSpec> spec; ///< None: the general plan.
    std::vector<const Type *> types;  ///< Of the arguments.
    size_t number = 0;                ///< Of the plan.
    bool asksForGradients = false;
    // Where gradients are asked for: the types of entries of those that are dicts, which the plan reads at its head;
    // and flags. Attributes also where images are convolved.
    std::vector<std::vector<std::pair<std::string, const Type *>>> entries;
    std::vector<std::optional<bool>> flags;
    std::shared_ptr<const AttributeSnapshot> attributes;
  };
  StatusOr<const Code *> make(const Request &request);
  static std::vector<AttributeFact> tellValues(Graph &graph, const Request &request);
  SizeDetail detailFor(const Entry &entry, llvm::ArrayRef<IValue> args, bool gradMode) const;

  CodeCache &plans;
  const SpecializerOptions options;
  std::mutex mutex; ///< Of what follows; not held while a plan is made.
  llvm::DenseMap<const void *, Entry> entries;
  BackgroundWorker worker; ///< Last: what it makes is put into the above.
};

} // namespace tsc

#endif

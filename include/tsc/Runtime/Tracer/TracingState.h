//===- TracingState.h - The graph of what runs ------------------*- C++ -*-===//
//
// What a trace under way knows: the graph that it makes, and which value of the graph
// computes each tensor and each future that the traced function holds.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_RUNTIME_TRACER_TRACINGSTATE_H
#define TSC_RUNTIME_TRACER_TRACINGSTATE_H

#include "tsc/IR/Graph.h"
#include "tsc/IR/IValue.h"
#include "tsc/Support/Status.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace tsc {

class Context;

/// Something about a trace that its user should know.
struct TraceRemark {
  /// How serious it is.
  enum class Kind : uint8_t {
    Assumption, ///< The trace holds for calls of which this is true, too, such as inputs of the same rank.
    Written,    ///< Calls of a method are not traced, and run the method as it is written.
    Warning     ///< The trace may be wrong for other calls.
  };
  Kind kind = Kind::Warning;
  SourceRange range;       ///< The place in the source; may be invalid.
  std::string message;     ///< A sentence without full stop.
  std::string str() const; ///< Returns the message behind its place: "model.py:3:7: …".
};

/// Returns "model.py:3:7: ", the place where a range begins, or an empty text for an invalid range.
std::string placeOf(SourceRange range);

/// The state of one trace: its graph, and the map from data to values of the graph.
///
/// Tensors are known by identity, and otherwise by storage and view, so that a second tensor over the same elements is
/// found, too. Keys are weak: an entry goes when the map has grown to twice its size, where nobody else refers to its
/// tensor, and nobody who is no entry to its storage.
/// Other values have no identity that a trace could follow. Those that contain tensors are taken apart and put
/// together, and all else are constants.
///
/// Ownership: owns the graph until takeGraph(); borrows the Context.
/// Threads:   belongs to one trace, and so to the thread that makes it.
class TracingState {
public:
  explicit TracingState(Context &context);
  ~TracingState();
  TracingState(const TracingState &) = delete;

  Graph &graph() { return *made; }
  /// Gives the graph away, with the function's results as its outputs. Nothing else may be called afterwards.
  std::unique_ptr<Graph> takeGraph() { return std::move(made); }

  //===-- Values ------------------------------------------------------------===//

  /// Notes that `traced`, a value of the graph, computes `value`, a tensor or a future. A later note of the same tensor
  /// stands in its place, as after a write to it.
  void setValueTrace(const IValue &value, Value *traced);
  /// Returns the value of the graph that computes `value`, or null where `value` is unknown or neither a tensor nor a
  /// future.
  Value *findValueTrace(const IValue &value) const;
  /// Returns a value of the graph that computes `value`. Lists, tuples and dicts are constructed from their parts at
  /// the insertion point; what is not known is a constant, equal ones being one. InvalidArgument for what no constant
  /// can hold: a tensor that requires a gradient, an object, or a future that the trace does not know. `type` is the
  /// type that the user of the value expects; null where any will do.
  StatusOr<Value *> getValueTrace(const IValue &value, const Type *type = nullptr);
  /// Whether the value is a tensor or future that the trace knows, or contains one.
  bool isTraced(const IValue &value) const;
  /// Notes that `traced` computes `value`, which may be a list, tuple or dict: it is taken apart in the graph as far as
  /// there are tensors in it. Calls `onNumber` for the numbers that the trace loses thereby.
  void setPartTraces(const IValue &value, Value *traced, llvm::function_ref<void(Value *)> onNumber);
  /// Returns a prim::Constant at the head of the graph, one for all that are equal. InvalidArgument where no constant
  /// can hold the value.
  StatusOr<Value *> constant(const IValue &value);
  /// Whether a tensor has its elements in the storage of a constant of the graph, as a view of one does.
  bool sharesConstant(const IValue &tensor) const;

  //===-- Where nodes come from ---------------------------------------------===//

  /// Enters the scope `name` within the current one. Nodes that are made from now on bear it.
  void enterScope(llvm::StringRef name);
  /// Goes back to the scope around the current one, which enterScope() has entered.
  void leaveScope();
  /// A function that tells the place in the source that is running.
  using SourceCallback = std::function<SourceRange()>;
  void setSourceCallback(SourceCallback callback) { source = std::move(callback); }
  /// Returns the place that is running, which is invalid without a callback.
  SourceRange location() const { return source ? source() : SourceRange(); }
  /// Inserts a node at the insertion point, with the current place in the source. Its scope is the current one.
  Node *insert(Node *node);

  //===-- What the user should know -----------------------------------------===//

  /// Keeps a remark, unless the same was made of the same place.
  void remark(TraceRemark::Kind kind, SourceRange range, const llvm::Twine &message);
  std::vector<TraceRemark> takeRemarks() { return std::move(remarks); }

private:
  struct Entry {
    IValue keep; ///< Keeps the address from being used again.
    Value *traced = nullptr;
    const Storage *storage = nullptr; ///< The tensor's storage when it was noted, under which `views` has it.
  };
  void dropUnused();
  StatusOr<Value *> construct(const IValue &value, const Type *type);
  Context &context;
  std::unique_ptr<Graph> made;
  llvm::DenseMap<const RefCounted *, Entry> known; ///< The entries by the tensor or the future that they are of.
  llvm::DenseMap<const Storage *, llvm::SmallVector<const RefCounted *, 2>> views; ///< The tensors on a storage.
  size_t limit = 256; ///< The number of entries at which those are dropped that nobody else refers to.
  llvm::DenseMap<std::pair<unsigned, uint64_t>, Value *> numbers; ///< The constants by tag and bits.
  /// The constants that are no numbers, by a hash of what decides whether two are one.
  std::unordered_multimap<size_t, std::pair<IValue, Value *>> constants;
  llvm::DenseSet<const Storage *> constantStorages; ///< The storages of constant tensors.
  Node *lastConstant = nullptr;
  llvm::SmallVector<const Scope *, 4> scopes;
  SourceCallback source;
  std::vector<TraceRemark> remarks;
};

} // namespace tsc

#endif

//===- HostTrace.h - Traces of what Python calls ----------------*- C++ -*-===//
//
// While a function of Python's is traced, tsc/jit/_trace.py sees which operators it calls,
// and tells them by schema. The tracer's state (TracingState.h) holds the graph; which
// value of the graph computes an object of Python's, Python keeps.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_BINDINGS_PYTHON_SCRIPT_HOSTTRACE_H
#define TSC_BINDINGS_PYTHON_SCRIPT_HOSTTRACE_H

#include "ScriptUnit.h"
#include "tsc/Runtime/Tracer/TracingState.h"
#include "llvm/ADT/DenseMap.h"

namespace tsc::bindings {

class HostTrace;

/// A value of the graph of a trace, as Python holds it. It is of use until the trace is over.
struct RecordedValue {
  std::shared_ptr<HostTrace> trace;
  Value *value = nullptr;
};

/// A trace under way, whose operators a host runs and names.
///
/// What is recorded takes values in two forms: a RecordedValue, or a constant, as any other object that programs can
/// have. Lists, tuples and dicts may hold both.
///
/// Threads: one, which has the GIL.
/// Errors:  RuntimeError for the use of a trace that is over; NotImplementedError where tsc has no operator of a name
///          that takes the values; TypeError for a constant that no program can have.
class HostTrace : public std::enable_shared_from_this<HostTrace> {
public:
  explicit HostTrace(std::shared_ptr<ScriptUnit> unit);

  //===-- Where nodes come from ---------------------------------------------===//
  /// Says which line of a file runs: nodes that are recorded from now on have it. Line 0 stands for an unknown place.
  void setPlace(const std::string &file, unsigned line);
  /// Begins the call of a module within the traced one: "__module.encoder.layers".
  void enterModule(const std::string &scope);
  /// Ends the call that began last.
  void leaveModule();
  /// Begins a fork. What is recorded until leaveFork() runs in it.
  void enterFork();
  /// Ends the fork that began last, with its result, and returns the value of its future.
  RecordedValue leaveFork(nb::handle result);
  /// Waits for a future.
  RecordedValue wait(const RecordedValue &future);
  /// Whether what is recorded next may use a value that was recorded in a call, since that call is still under way.
  bool isVisible(const RecordedValue &value) const;

  //===-- Values ------------------------------------------------------------===//
  /// Adds an input of the traced function.
  RecordedValue addInput(const std::string &name, const Definition &type);
  /// Adds the module that is traced as the first input.
  RecordedValue addModule(nb::handle module);
  /// Returns what an attribute of the traced module holds: a tensor or, where it is given, a module.
  RecordedValue attribute(const std::string &scope, nb::handle module);
  /// Gives a value the name of a variable, unless it has a name.
  void setName(const RecordedValue &value, const std::string &name);
  /// Records a constant.
  RecordedValue constant(nb::handle object);
  /// Records what puts a list, tuple or dict together, and returns it; a value that is recorded is returned itself.
  RecordedValue construct(nb::handle object);
  /// Takes a list or tuple of `count` elements apart.
  std::vector<RecordedValue> unpack(const RecordedValue &container, unsigned count);
  /// Looks up a key of a dict.
  RecordedValue item(const RecordedValue &dict, nb::handle key);

  //===-- Calls -------------------------------------------------------------===//
  /// Records a call of an operator, "aten::add", and returns its results. `given` has the arguments by name; others
  /// have their defaults. Where no overload of the name takes them, the first one that does is called.
  std::vector<RecordedValue> call(const std::string &name, const std::string &overload, const nb::dict &given);
  /// Records a call of a compiled function.
  RecordedValue callFunction(const Definition &function, const nb::list &args);
  /// Records a call of a compiled method.
  RecordedValue callMethod(const RecordedValue &object, const std::string &name, const nb::list &args);

  //===-- The end -----------------------------------------------------------===//
  /// Returns the text of what was recorded so far.
  std::string text() const;
  /// Ends the trace, and makes a function of it, with `output` as its result.
  Definition finishFunction(nb::handle output, const std::string &name);
  /// Ends the trace, and makes a method of the traced module of it.
  Definition finishMethod(nb::handle module, nb::handle output, const std::string &name);

private:
  RecordedValue recorded(Value *value) { return {shared_from_this(), value}; }
  Graph &graph() const;
  Value *valueOf(const RecordedValue &value) const;
  /// Returns an object as a RecordedValue, or null where it is none.
  static const RecordedValue *recordedOf(nb::handle object);
  /// Whether an object is a RecordedValue, or a container with one in it.
  static bool holdsRecorded(nb::handle object);
  /// Whether an argument of a type takes an object.
  bool fits(nb::handle object, const Argument &argument) const;
  bool fits(nb::handle object, const Type *type) const;
  /// Whether an overload takes the arguments that are given by name.
  bool fits(const FunctionSchema &schema, const nb::dict &given) const;
  /// Records an object where that is needed, and returns its value. `type` is what is expected, or null.
  Value *record(nb::handle object, const Type *type);
  Value *recordContainer(nb::handle object, const Type *type);
  Value *recordConstant(const IValue &value);
  Value *insert(Symbol kind, llvm::ArrayRef<Value *> inputs, const Type *type);
  std::unique_ptr<Graph> finish(nb::handle output);

  std::shared_ptr<ScriptUnit> unit;
  std::unique_ptr<TracingState> state; ///< Null when the trace is over.
  /// The block of a call that is under way, with the constants in it by tag and value: ints, bools and None.
  struct OpenBlock {
    explicit OpenBlock(Block &block) : block(&block) {}
    Block *block;
    llvm::DenseMap<std::pair<unsigned, int64_t>, Value *> constants;
  };
  llvm::SmallVector<OpenBlock, 4> blocks; ///< The graph's own first.
  SourceRange place;
};

/// Makes a function of a trace, whose inputs have the names of its parameters.
Definition functionOfTrace(ScriptUnit &unit, std::unique_ptr<Graph> trace, const std::string &name);

/// Adds the classes Trace and Recorded to the extension's module.
void bindTraces(nb::module_ &module);

} // namespace tsc::bindings

#endif

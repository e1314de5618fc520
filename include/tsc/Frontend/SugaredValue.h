//===- SugaredValue.h - What an expression may denote -----------*- C++ -*-===//
//
// Most expressions denote a Value of the graph. Others denote something that
// exists only while compiling: a function, a class, a Python module, a method
// bound to an object, a range. A SugaredValue is either, and answers what one can
// do with it: read an attribute, call it, iterate it, turn it into a Value.
//
// Ownership: whoever makes them keeps them in a SugaredArena; all others hold
// plain pointers. Errors: reported to the emitter's diagnostics, then null.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FRONTEND_SUGAREDVALUE_H
#define TSC_FRONTEND_SUGAREDVALUE_H

#include "tsc/IR/IValue.h"
#include "tsc/IR/Symbol.h"
#include "tsc/Support/Source.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>
#include <vector>

namespace tsc {

class FunctionEmitter;
struct NamedValue;
class Value;

enum class SugaredKind : uint8_t {
  Simple,
  Constant,
  Namespace,
  File,
  Builtin,
  Form,
  Cast,
  Function,
  FlaggedFunction,
  Method,
  Class,
  NamedTuple,
  EnumClass,
  Tuple,
  Range,
  IterableTree,
  TypeName,
  Closure,
  Partial,
  Keywords,
  Super,
  ModuleForm,
  Exception,
  NewException,
  ChosenModule,
  Undefined
};

/// How many values the left side of an assignment takes apart; absent when it takes the whole.
using NumBinders = std::optional<unsigned>;

class SugaredValue {
public:
  explicit SugaredValue(SugaredKind kind) : sugaredKind(kind) {}
  virtual ~SugaredValue();
  SugaredKind kind() const { return sugaredKind; }
  /// For messages: "function", "module 'torch'", "value of type 'Tensor'".
  virtual std::string describe() const = 0;

  /// As a first-class value, with nodes inserted at the emitter's place when that needs any.
  virtual Value *asValue(FunctionEmitter &e, SourceRange range);
  /// `value.name`.
  virtual SugaredValue *attribute(FunctionEmitter &e, SourceRange range, llvm::StringRef name);
  virtual bool hasAttribute(FunctionEmitter &e, llvm::StringRef name) { return false; }
  /// `value.name = newValue`.
  virtual bool setAttribute(FunctionEmitter &e, SourceRange range, llvm::StringRef name, Value *newValue);
  /// `value(args, **kwargs)`.
  virtual SugaredValue *call(FunctionEmitter &e, SourceRange range, llvm::ArrayRef<NamedValue> args,
                             llvm::ArrayRef<NamedValue> kwargs);
  /// Taken apart, for `a, b = value`. `count` is what the left side expects.
  virtual std::optional<llvm::SmallVector<SugaredValue *, 4>> asTuple(FunctionEmitter &e, SourceRange range,
                                                                      NumBinders count);

  // Iteration. `iterable` gives what the next three work on (a dict gives its keys); null after a report.
  virtual SugaredValue *iterable(FunctionEmitter &e, SourceRange range);
  virtual Value *length(FunctionEmitter &e, SourceRange range);
  virtual SugaredValue *element(FunctionEmitter &e, SourceRange range, Value *index, const Type *hint = nullptr);
  /// The number of elements when the loop has to be unrolled: tuples, whose elements differ in type.
  virtual std::optional<unsigned> staticLength() const { return std::nullopt; }

private:
  SugaredKind sugaredKind;
};

/// Keeps sugared values alive.
class SugaredArena {
public:
  template <typename T, typename... Args> T *make(Args &&...args) {
    auto owned = std::make_unique<T>(std::forward<Args>(args)...);
    T *plain = owned.get();
    values.push_back(std::move(owned));
    return plain;
  }

private:
  std::vector<std::unique_ptr<SugaredValue>> values;
};

} // namespace tsc

#endif
